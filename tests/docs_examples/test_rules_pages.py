"""The rules pages say what the rules do: numbers, settings, endings, notation, drawings and check figures."""

import ast
import re
from contextlib import suppress
from pathlib import Path

import pytest

from gnomon.cli.game_commands.rules import Talk
from gnomon.rules.protocol import IllegalMoveError, SettingsError
from gnomon.rules.registry import GAMES, rules_of
from tests.bench.house import parsed
from tests.docs_examples.citations import citations, cited
from tests.docs_examples.pages import ROOT, Row, codes, numbered_rules, rules_page, settings, table, tables

PAGES = {game: rules_page(game) for game in GAMES}
BESIDE = re.compile(r"`(?P<value>[^`]*)` \(with `(?P<beside>[^`]*)`\)")
# A value of every setting other than its default.
OTHERS = {
    "tamsk": "level=2 ring=auto full_space=take_back late=skip_turn stall=65 time=sand "
    "durations=red1:181.2/179.8,red2:180/180,red3:180/180,black1:180/180,black2:180/180,black3:180/180,timer15:15/15",
    "tayu": "edition=kosmos players=4 draw=backs target=25 auction=yes size=9 doubles=none copies=1",
    "tabik": "size=9 pie=no",
    "tau": "rows=9 columns=9 limit=7",
    "twenty-squares": "board=jiroft players=4 counters=4 dice=cube entry=any stacking=invincible "
    "route=short ruleset=aseb",
}


def as_parameters(rows: list[tuple[str, Row]]) -> list[object]:
    """One parameter a row, named after its game and its first cell."""
    return [pytest.param(game, row, id=f"{game}: {next(iter(row.values()))}") for game, row in rows]


SETTINGS = [(game, row) for game, text in PAGES.items() for row in table(text, "setting")]
NOTATION = [(game, row) for game, text in PAGES.items() for row in table(text, "text")]
FIGURES = [
    (game, row)
    for game, text in PAGES.items()
    for rows in tables(text)
    if tuple(rows[0])[:3] == ("settings", "1", "2")
    for row in rows
]


def beside(cell: str) -> dict[str, dict[str, str]]:
    """By value, the settings without which a value is refused."""
    return {found["value"]: settings(f"`{found['beside']}`") for found in BESIDE.finditer(cell)}


def values(cell: str) -> list[str]:
    """The values that a cell names: the ends of a range, or each of a list."""
    return codes(re.sub(r" \(with [^)]*\)", "", cell))


# Numbers of rules


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_numbered_without_gaps(game: str) -> None:
    numbers = numbered_rules(PAGES[game])
    assert numbers == list(range(1, len(numbers) + 1)) != []


def test_every_rule_that_is_cited_stands_on_its_page() -> None:
    numbers = {game: numbered_rules(PAGES[game]) for game in GAMES}
    cited = list(citations())
    # Were the citations not found any more, nothing would be missing either.
    assert {game for each in cited for game in each.games if len(each.games) == 1} == set(GAMES)
    assert [each for each in cited if not any(each.number in numbers[game] for game in each.games)] == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("# Rule 16: only then.", [16]),
        ("the right lapses (rules 3 and 22)", [3, 22]),
        ("rules 7, 13 and\n        # 15 say so", [7, 13, 15]),
        ("rule\n    18", [18]),
        ("rules 18 to 21", [18, 19, 20, 21]),
        ("`stall` is rule 9, 0 for never", [9]),
        ("perft(rules, 4)", []),
        ('"""The claims (18 to 20) of the sand (10)."""', [10, 18, 19, 20]),
        ('"""A glass (0 to 5)."""\nx = f(7)', []),
    ],
)
def test_citations_are_found_however_they_are_written(text: str, numbers: list[int], tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    module = tmp_path / "rules" / "module.py"
    module.write_text(text if text.startswith('"""') else f"'''{text}'''", encoding="utf-8")
    assert sorted(set(cited(module))) == numbers


@pytest.mark.parametrize("game", GAMES)
def test_what_was_decided_here_is_marked_and_told_once_more_at_the_end(game: str) -> None:
    rules, told = PAGES[game].split("## What is sure and what is not")
    marked = {
        int(number)
        for number, text in re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |^## )", rules, re.MULTILINE | re.DOTALL)
        if "[D]" in text
    }
    _, decided = told.split("Decided here, because no source says it:")
    assert marked == {int(number) for found in re.findall(r"\(([\d, ]+)\)", decided) for number in found.split(", ")}


# Settings


@pytest.mark.parametrize("game", GAMES)
def test_every_setting_is_explained_in_the_order_of_the_code(game: str) -> None:
    rules = rules_of(game, {})
    assert [codes(row["setting"])[0] for row in table(PAGES[game], "setting")] == list(
        type(rules.settings).__dataclass_fields__  # type: ignore[attr-defined]  # every game has settings
    )


@pytest.mark.parametrize(("game", "row"), as_parameters(SETTINGS))
def test_a_setting_has_the_default_that_is_named(game: str, row: Row) -> None:
    (name,) = codes(row["setting"])
    for default in codes(row["default"]):
        assert rules_of(game, {name: default}) == rules_of(game, {})
    other = dict(pair.split("=") for pair in OTHERS[game].split())[name]
    needs = beside(row["values"]).get(other, {})
    assert rules_of(game, {**needs, name: other}) != rules_of(game, needs)


@pytest.mark.parametrize(("game", "row"), as_parameters(SETTINGS))
def test_a_setting_takes_the_values_that_are_named_and_no_others(game: str, row: Row) -> None:
    (name,) = codes(row["setting"])
    for value in values(row["values"]):
        rules_of(game, {**beside(row["values"]).get(value, {}), name: value})
    for value, needs in beside(row["values"]).items():
        assert needs
        with pytest.raises(SettingsError):
            rules_of(game, {name: value})
    for value in refused(row["values"]):
        with pytest.raises(SettingsError):
            rules_of(game, {name: value})


def refused(cell: str) -> list[str]:
    """Values beside those that a cell names."""
    found = re.fullmatch(r"`(\d+)` to `(\d+)`", cell)
    beyond = [str(int(found[1]) - 1), str(int(found[2]) + 1)] if found else []
    return [*beyond, "no such value", ""]


def test_settings_that_do_not_go_together_are_refused() -> None:
    rows = table(PAGES["twenty-squares"], "settings", "why")
    assert rows
    for row in rows:
        with pytest.raises(SettingsError):
            rules_of("twenty-squares", settings(row["settings"]))


# Endings and notation


@pytest.mark.parametrize("game", GAMES)
def test_every_reason_for_which_a_game_ends_is_explained(game: str) -> None:
    explained = [codes(row["reason"])[0] for row in table(PAGES[game], "reason")]
    assert sorted(explained) == sorted(reasons(game))


def reasons(game: str) -> set[str]:
    """The texts that the modules of a game give as the reason of an Outcome."""
    modules = (ROOT / "companion/gnomon/games" / game.replace("-", "_") / "rules").glob("*.py")
    trees = [parsed(module) for module in modules]
    outcomes = [
        node.args[1]
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Outcome"
    ]
    parts = [part.body for part in outcomes if isinstance(part, ast.IfExp)]
    parts += [part.orelse if isinstance(part, ast.IfExp) else part for part in outcomes]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


@pytest.mark.parametrize(("game", "row"), as_parameters(NOTATION))
def test_every_text_of_the_notation_is_read(game: str, row: Row) -> None:
    rules = rules_of(game, {})
    for text in codes(row["text"]):
        # It may not be legal at the start, but it is well written.
        with suppress(IllegalMoveError):
            rules.parse(rules.start(), text)


# Check figures


@pytest.mark.parametrize(("game", "row"), as_parameters(FIGURES))
def test_the_figures_are_those_of_the_line_protocol(game: str, row: Row) -> None:
    talk = Talk(rules_of(game, settings(row["settings"])))
    figures = {turns: count for turns, count in row.items() if turns != "settings" and count}
    assert {turns: talk.reply(f"perft {turns}".encode()) for turns in figures} == {
        turns: f"ok {count}" for turns, count in figures.items()
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_page_has_figures(game: str) -> None:
    assert [row for of, row in FIGURES if of == game]
