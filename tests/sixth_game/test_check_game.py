"""`gnomon check-game`: what it finds in a game of another distribution, and that Gnomon's own are in order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.lessons._shelf import _read_folder
from gnomon.records.formats import sheets
from gnomon.referee import games as referee
from gnomon.referee.events import TurnEntered
from gnomon.refusals import statement
from gnomon.rules import registry
from gnomon.rules.kinds import GameKind
from gnomon.rules.protocol import NotationError, Outcome, Rules
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.display.oled import screen
from gnomon.views.pictures import picture
from gnomon.views.show import Choice, show
from gnomon.words import ENGLISH, LANGUAGES

pytestmark = pytest.mark.usefixtures("installed")
Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def check(*asked: str) -> tuple[int, list[str]]:
    done = CliRunner().invoke(main, ["check-game", *asked])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output.splitlines()


def found(*asked: str) -> list[str]:
    code, lines = check("hex7", "--games", "1", *asked)
    assert code == 1
    return lines


def test_a_game_without_a_fault_is_in_order() -> None:
    code, (line,) = check("hex7", "--games", "3", "--seed", "5", "--set", "swap=no")
    assert (code, line[:32]) == (0, "hex7 is in order: 3 games with 1")
    assert check("hex7", "--games", "3", "--seed", "5", "--set", "swap=no") == (0, [line])


@pytest.mark.parametrize(
    "asked", [("tamsk", "--set", "level=3"), ("tabik", "--set", "size=3"), ("tau",), ("tayu", "--set", "size=5")]
)
def test_games_of_gnomon_are_in_order(asked: Sequence[str]) -> None:
    assert check(*asked, "--games", "1")[0] == 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["chess"], "there is no game 'chess'"),
        (["hex7", "--set", "swap"], "a setting is written KEY=VALUE, not 'swap'"),
        (["hex7", "--set", "=no"], "a setting is written KEY=VALUE, not '=no'"),
        (["hex7", "--set", "size=3"], "Hex has no setting 'size'"),
        (["clock"], "clock has no rules"),
        (["hex7", "--games", "0"], "0 is not in the range"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_one_sentence(asked: Sequence[str], said: str) -> None:
    code, lines = check(*asked)
    assert code != 0
    assert said in lines[-1]


def test_a_game_that_cannot_be_imported_is_named(monkeypatch: Patch) -> None:
    of_kind(lambda kind: replace(kind, show="hex7.shown:SHOW"))(monkeypatch)
    show.cache_clear()
    assert check("hex7") == (1, ["Error: hex7 cannot be imported: ModuleNotFoundError: No module named 'hex7.shown'"])


# What is found without playing


def of_show(**values: object) -> Plant:
    def plant(monkeypatch: Patch) -> None:
        for name, value in values.items():
            monkeypatch.setattr(type(show("hex7")), name, value)

    return plant


def of_kind(change: Callable[[GameKind], GameKind]) -> Plant:
    def plant(monkeypatch: Patch) -> None:
        kinds = cast("dict[str, GameKind]", registry._others().kinds)
        monkeypatch.setitem(kinds, "hex7", change(kinds["hex7"]))

    return plant


def test_a_game_without_pictures_is_in_order_and_shown_as_text(monkeypatch: Patch) -> None:
    for name in ("picture", "miniature"):
        monkeypatch.delattr(type(show("hex7")), name)
    assert check("hex7", "--games", "1")[0] == 0
    rules = rules_of("hex7", {})
    assert "board ......." in " ".join(picture(rules, rules.start()).description.split(". "))
    game, before = referee.begin("hex7", {}), None
    for number, text in enumerate(("d4", "a1"), 1):
        game, _ = referee.tell(game, TurnEntered(Instant(number * SECOND), text, "Ann"))
        shown = screen(game, Instant(number * SECOND), (), "", ENGLISH)
        assert shown.tobytes() != before
        before = shown.tobytes()


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (of_show(touch="fingers"), "Show.touch is one of places, steps, stones, lines, tiles, counters, not 'fingers'"),
        (of_show(sample="d4 d4"), "Show.sample cannot be played: rule 2: a stone lies on d4"),
        (of_show(sample_settings={"size": 3}), "Show.sample cannot be played: Hex has no setting 'size'; "),
        (
            of_kind(lambda kind: replace(kind, colours=("black", "red"))),
            "KIND.colours are none of the players: red; the players are black, white",
        ),
        (of_kind(lambda kind: replace(kind, sgf=2402)), "KIND.sgf is 2402, which is the number of tabik"),
        (
            of_kind(lambda kind: replace(kind, engine="hex7.engine:Engine")),
            "KIND.engine cannot be imported: ModuleNotFoundError: No module named 'hex7.engine'",
        ),
        (of_kind(lambda kind: replace(kind, coach="hex7:Coach")), "KIND.coach cannot be imported: AttributeError: "),
        (of_kind(lambda kind: replace(kind, name="hex")), "the rules call the game 'hex7', and KIND calls it 'hex'"),
        (of_show(reasons={}), "Show.reasons has no code occupied, with which "),
        (of_show(sample_settings=None), "TypeError: "),
    ],
)
def test_what_is_wrong_is_found_before_a_game(monkeypatch: Patch, plant: Plant, said: str) -> None:
    plant(monkeypatch)
    assert found()[0].startswith(said)


def test_a_setting_that_the_rules_do_not_have_is_found(monkeypatch: Patch) -> None:
    of_show(choices=(Choice("size", "7", least=5, most=9),))(monkeypatch)
    offered = "Show.choices offers size=5, which the rules refuse: Hex has no setting 'size'"
    assert any(line.startswith(offered) for line in found())


def test_a_setting_with_which_the_rules_fail_is_found(monkeypatch: Patch) -> None:
    play = hex7().play

    def fail_without_swap(rules: Rules[Any, Any], position: Position, move: object) -> Position:
        return cast("Position", play(rules, position, move) if cast("Any", rules).settings.swap else fail())

    monkeypatch.setattr(hex7(), "play", fail_without_swap)
    assert "with swap=no a random game fails: ZeroDivisionError: spilled" in found()


def test_a_refusal_without_words_is_found(monkeypatch: Patch) -> None:
    parse = hex7().parse

    def refuse(rules: Rules[Any, Any], position: Position, text: str) -> str:
        if text == "?":
            raise NotationError(statement("told.hex7.unheard", text=text))
        return cast("str", parse(rules, position, text))

    monkeypatch.setattr(hex7(), "parse", refuse)
    assert found() == [f"the words {language} have no entry told.hex7.unheard" for language in LANGUAGES]


def test_a_move_that_is_read_though_it_is_none_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(hex7(), "parse", lambda _rules, _position, text: text)
    lines = [line for line in found() if line.endswith(", which legal_moves does not list")]
    assert len(lines) == 1  # one example is enough
    assert lines == [line for line in found() if line in lines]


def test_a_code_without_a_rule_is_named_once(monkeypatch: Patch) -> None:
    of_show(reasons={})(monkeypatch)
    assert len([line for line in found() if line.startswith("Show.reasons has no code occupied")]) == 1


def test_without_a_number_in_sgf_nobody_asks_for_its_colours(monkeypatch: Patch) -> None:
    of_kind(lambda kind: replace(kind, sgf=0, colours=("", "")))(monkeypatch)
    assert check("hex7", "--games", "1")[0] == 0


def test_every_entry_that_is_missing_is_named_with_its_language(monkeypatch: Patch) -> None:
    of_show(endings={"connected": 4, "nowhere": 4})(monkeypatch)
    assert found() == [f"the words {language} have no entry ending.nowhere" for language in LANGUAGES]


def test_the_findings_are_told_in_the_language_of_the_command_line(monkeypatch: Patch) -> None:
    of_show(sample="d4 d4")(monkeypatch)
    done = CliRunner().invoke(main, ["--language", "de", "check-game", "hex7", "--games", "1"])
    assert done.output == "Show.sample lässt sich nicht spielen: Regel 2: auf d4 liegt ein Stein\n"


# What is found by playing


class Position(NamedTuple):
    """What is read of a position of Hex here."""

    stones: tuple[frozenset[str], frozenset[str]]


def hex7() -> type[Any]:
    return type(rules_of("hex7", {}))


def of_rules(**methods: object) -> Plant:
    def plant(monkeypatch: Patch) -> None:
        for name, method in methods.items():
            monkeypatch.setattr(hex7(), name, method)

    return plant


def fail(*_: object) -> None:
    message = "spilled"
    raise ZeroDivisionError(message)


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (of_show(prompt=lambda *asked: asked[-1]("due.hex7.lost")), "the words have no entry due.hex7.lost, "),
        (of_show(lines=fail), "ZeroDivisionError: spilled, after: -"),
        (of_show(lines=lambda *_: {4: 5}[3]), "KeyError: 3, after: -"),
        (of_show(turns=()), "after -: no phrase of Show.turns says "),
        (
            of_rules(legal_moves=lambda *_: []),
            "after -: turn is 'black' and legal_moves lists 0, but outcome ",
        ),
        (of_rules(turn=lambda *_: "red"), "after -: turn is 'red' and legal_moves lists 49, but outcome is "),
        (of_rules(text=lambda *_: "d4"), "after -: 'd4' is the text of several moves, is empty, or has a blank, "),
        (of_rules(text=lambda *_: ""), "after -: '' is the text of several moves, is empty, or "),
        (of_rules(parse=lambda *_: "d4"), "after -: parse reads 'a1' as another move than the one whose text it is"),
    ],
)
def test_what_is_wrong_is_found_in_a_game(monkeypatch: Patch, plant: Plant, said: str) -> None:
    plant(monkeypatch)
    assert found()[-1].startswith(said)


def test_a_finding_names_the_last_turns_before_it(monkeypatch: Patch) -> None:
    score = hex7().score

    def fail_late(rules: Rules[Any, Any], position: Position) -> Mapping[str, int]:
        if sum(map(len, position.stones)) == 9:
            fail()
        return dict(score(rules, position))

    monkeypatch.setattr(hex7(), "score", fail_late)
    (line,) = found()
    assert line.startswith("ZeroDivisionError: spilled, after: … ")
    assert len(line.partition("… ")[2].split()) == 5


def test_a_legal_move_that_the_referee_refuses_is_a_finding(monkeypatch: Patch) -> None:
    monkeypatch.setattr(referee, "tell", lambda game, _: (game, ()))
    assert "the referee does not accept" in found()[0]


def test_a_game_without_an_end_is_a_finding(monkeypatch: Patch) -> None:
    monkeypatch.setattr("gnomon.cli.game_commands.check_game._LONGEST", 4)
    assert found() == ["a random game had not ended after 4 turns"]


def test_a_record_that_reads_otherwise_is_a_finding(monkeypatch: Patch) -> None:
    monkeypatch.setattr(sheets, "read_sheet", lambda _: sheets.Sheet("hex7", result=Outcome("black", "resigned")))
    assert found() == ["a game that is read from its own score sheet or SGF has other turns, or another result"]


def test_a_lesson_that_cannot_be_used_is_found(installed: Path) -> None:
    broken = installed / "hex7" / "lessons" / "second.toml"
    broken.write_text('game = "hex7"\nsteps = [{ name = "stone", solution = "d9" }]\n', encoding="utf-8")
    _read_folder.cache_clear()
    try:
        assert found() == ["the lesson second.toml: the entry 'lesson.hex7.second' is missing in its English words"]
    finally:
        broken.unlink()
        _read_folder.cache_clear()
