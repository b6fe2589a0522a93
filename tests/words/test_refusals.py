"""What is refused and reported is a key with values, and has its words in every language."""

import ast
import json
import pickle
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from gnomon.refusals import Refusal, Statement, clause, sentence, statement
from gnomon.refusals import statement_of as refusal_of
from gnomon.rules.protocol import IllegalMoveError, NotationError, RulesError
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.notation import ControlNotationError, parse_time_control
from gnomon.web.live.interfaces import RefusedError
from gnomon.words import ENGLISH, LANGUAGES, own, words
from tests.bench.house import parsed
from tests.words.statements import Stated, files, raised, stated
from tests.words.test_words import fields

EVERYWHERE: Final = ("companion/gnomon", "firmware/gnomon_pi")
CONVERTED: Final = (
    *(f"companion/gnomon/rules/{name}.py" for name in ("bids", "kinds", "perft", "protocol")),
    *(f"companion/gnomon/games/{name}/rules" for name in ("tamsk", "tayu", "tabik", "tau", "twenty_squares")),
    "companion/gnomon/games/clock",
    "companion/gnomon/games/tamsk/sensing",
    "companion/gnomon/games/tayu/sensing.py",
    *(f"companion/gnomon/referee/{name}.py" for name in ("clock_rulings", "clock_settings", "corrections", "games")),
    *(f"companion/gnomon/referee/{name}.py" for name in ("player_roles", "table", "undo")),
    "companion/gnomon/boards",
    "companion/gnomon/timekeeping",
    "companion/gnomon/records/formats/sheet_play.py",
    "companion/gnomon/records/formats/sheets.py",
    "companion/gnomon/games/tamsk/_lines.py",
)
"""Where nothing is refused by a sentence."""
FOR_PEOPLE: Final = (
    "companion/gnomon/tournament",
    *(
        f"companion/gnomon/hall/{name}"
        for name in ("broker", "messaging/enrolment.py", "hall.py", "hub", "pairing", "rounds", "store")
    ),
    "companion/gnomon/web/access/store.py",
    "companion/gnomon/web/api",
    "companion/gnomon/web/director",
    "companion/gnomon/web/hall",
    "companion/gnomon/web/games/clock_choices.py",
    "companion/gnomon/web/live/interfaces.py",
    "companion/gnomon/web/pages/archive.py",
    "companion/gnomon/web/pages/clock.py",
    "firmware/gnomon_pi/config",
    "firmware/gnomon_pi/runtime/calibration.py",
    "firmware/gnomon_pi/runtime/controller.py",
    "firmware/gnomon_pi/runtime/live_game.py",
    "firmware/gnomon_pi/runtime/system/randomness.py",
    "firmware/gnomon_pi/runtime/recovery.py",
    "firmware/gnomon_pi/runtime/runner.py",
    "firmware/gnomon_pi/runtime/tag_input.py",
    "firmware/gnomon_pi/simulated/remote_control.py",
    "firmware/gnomon_pi/simulated/_surface.py",
    "firmware/gnomon_pi/simulated/_table.py",
)
"""Where the errors of Python itself are no refusals, but faults of the program."""

TOLD: Final = ("firmware/gnomon_pi/tools/doctor", "firmware/gnomon_pi/tools/walk")
"""Where everything that people are told is a statement, and none of them a sentence in disguise."""

A1: Final = statement("told.tabik.occupied", rules=(4,), square="a1")


@cache
def every_statement() -> tuple[Stated, ...]:
    """Every statement in the programs, looked for when a test asks: not by each process that collects the tests."""
    return tuple(each for file in files(*EVERYWHERE) for each in stated(file))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_stated_has_words_that_ask_for_just_its_values(language: str) -> None:
    assert len(every_statement()) > 150
    entries = own(language)
    stated_keys = [(each, key) for each in every_statement() for key in each.keys]
    assert [(each.where, key) for each, key in stated_keys if key not in entries] == []
    assert [(each.where, key) for each, key in stated_keys if asked(entries, key) != each.values] == []


def asked(entries: Mapping[str, str], key: str) -> set[str]:
    """The values that an entry asks for, and what is to be done about it, which the doctor says beside."""
    return fields(entries[key]) | fields(entries.get(f"{key}.do", ""))


def test_what_is_stated_is_written_where_it_is_stated() -> None:
    assert [each.where for each in every_statement() if not each.keys] == []


def test_nothing_is_refused_by_a_sentence() -> None:
    every = [each for file in files(*CONVERTED) for each in raised(file)]
    every += [each for file in files(*FOR_PEOPLE) for each in raised(file, built_in=False)]
    assert len(every) > 150
    written = (ast.Constant, ast.JoinedStr, ast.BinOp)
    assert [where for where, why in every if isinstance(why, written) or getattr(why, "id", "") == "message"] == []


def test_nothing_is_told_in_a_sentence_of_the_program() -> None:
    written = (ast.Constant, ast.JoinedStr, ast.BinOp)
    plain = [
        f"{file.name}:{node.lineno}"
        for file in files(*TOLD)
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "Statement.plain"
        and isinstance(node.args[0], written)
    ]
    assert plain == []


COMMANDS: Final = ("companion/gnomon/cli", "firmware/gnomon_pi/cli")
TWO_WORDS: Final = re.compile(r"[A-Za-z]{2,},? [a-z]{2,}")
PROGRAM: Final = re.compile(r"gnomond? [a-z]+: ")
PRINTS: Final = ("click.echo", "click.prompt", "click.ClickException", "_say", "_give_up", "_refuse")


def printed_sentences(tree: ast.AST) -> list[str]:
    """The sentences of its own that a command prints; what people type into a shell is indented."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in PRINTS]
    texts = [_literal(argument) for call in calls for argument in call.args]
    return [text for text in texts if TWO_WORDS.search(PROGRAM.sub("", text)) and not text.startswith("  ")]


def _literal(node: ast.expr) -> str:
    """What stands in an expression as it is written, without what is filled in."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))


def test_no_command_prints_a_sentence_of_the_program() -> None:
    printed = {file.name: printed_sentences(parsed(file)) for file in files(*COMMANDS)}
    assert {name: said for name, said in printed.items() if said} == {}
    assert printed_sentences(ast.parse('click.echo(f"{name}: there is none")')) == [": there is none"]
    assert printed_sentences(ast.parse('click.echo("  sudo systemctl reload gnomon-broker")')) == []


def test_a_refusal_is_a_code_with_values_and_english_as_text() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        rules_of("tabik", {"size": 4}).parse(rules_of("tabik", {"size": 4}).start(), "a1c1")
    error = caught.value
    assert (error.code, dict(error.values)) == ("not_adjacent", {"first": "a1", "second": "c1"})
    assert error.statement.rules == (4,)
    assert str(error) == "rule 4: a1 and c1 are not orthogonally adjacent"
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(again), again.statement) == (IllegalMoveError, error.statement)


@pytest.mark.parametrize(
    ("language", "said", "whole"),
    [
        ("en", "rule 4: a stone stands on a1", "Rule 4: a stone stands on a1."),
        ("de", "Regel 4: auf a1 steht ein Stein", "Regel 4: Auf a1 steht ein Stein."),
        ("fr", "règle 4\xa0: une pierre est en a1", "Règle 4\xa0: une pierre est en a1."),
    ],
)
def test_a_statement_is_a_part_of_a_sentence_or_a_whole_one(language: str, said: str, whole: str) -> None:
    assert clause(A1, words(language)) == said
    assert sentence(A1, words(language)) == whole


def test_two_rules_are_named_and_none() -> None:
    assert sentence(A1._replace(rules=(4, 5)), words("de")) == "Regeln 4 und 5: Auf a1 steht ein Stein."
    assert sentence(A1._replace(rules=())) == "A stone stands on a1."
    assert clause(A1._replace(rules=(4, 5))) == "rules 4 and 5: a stone stands on a1"
    assert sentence(Statement.plain("what was that?")) == "What was that?"


def test_values_that_are_words_are_said_in_the_language() -> None:
    pick = statement("told.tayu.none_to_pick", pick="left")
    assert [clause(pick, words(language)) for language in ("en", "de")] == [
        "no tile is left to pick: left",
        "so lässt sich kein Plättchen mehr wählen: links",
    ]
    partner = statement("told.twenty-squares.partner", player="p3", square="b1")
    assert "Spieler 3" in clause(partner, words("de"))
    assert "Player 3" in clause(partner)
    lost = statement("told.tamsk.turn_lost", player="red")
    assert clause(lost, words("fr")).startswith("Rouge ")


def test_a_statement_within_another_is_said_in_the_same_language() -> None:
    with pytest.raises(ControlNotationError) as caught:
        parse_time_control("3m2h")
    assert (
        str(caught.value)
        == "'3m2h' is not a period: 3m2h is not a time: hours come before minutes and minutes before seconds"
    )
    assert sentence(caught.value.statement, words("de")).startswith(
        "'3m2h' ist kein Zeitabschnitt: 3m2h ist keine Zeit: "
    )


def test_several_values_stand_with_commas_and_a_list_of_somebody_stays_a_list() -> None:
    refused = statement("told.setting.one_of", setting="level", choices=("1", "2"), value=["3"])
    assert clause(refused) == "level must be one of 1, 2, not ['3']"


@pytest.mark.parametrize(
    ("who", "said"), [(("Ada",), "Ada"), (("Ada", "Ben"), "Ada and Ben"), (("Ada", "Ben", "Cleo"), "Ada, Ben and Cleo")]
)
def test_the_last_of_several_values_may_be_joined_by_a_word(who: tuple[str, ...], said: str) -> None:
    assert clause(statement("tournament.order.incomplete", who=who)).startswith(f"{said} are level")


def test_what_somebody_asked_for_is_refused_in_a_whole_sentence() -> None:
    refused = RefusedError(statement("told.no_game"))
    assert str(refused) == "There is no game yet."
    assert str(RefusedError(NotationError(A1))) == "Rule 4: a stone stands on a1."
    assert sentence(refused.statement, words("de")) == "Es gibt noch keine Partie."
    assert sentence(refusal_of(OSError("no such thing")), words("de")) == "No such thing."


def test_a_refusal_passes_on_the_reason_of_another() -> None:
    assert RulesError(NotationError(A1)).statement is A1
    assert str(Refusal("there is no such thing")) == "there is no such thing"
    assert Refusal("there is no such thing").code == ""


@pytest.mark.parametrize(
    "told",
    [
        A1,
        statement("told.tamsk.no_room", rules=(18,), short="full", space="A1"),
        statement("told.tamsk.no_glass", rules=(1,), space=statement("word.no_space")),
        statement("told.setting.one_of", setting="level", choices=["1", "2"], value={"a": 1}),
        Statement.plain("in a person's own words"),
    ],
)
def test_a_statement_is_written_down_and_read_again(told: Statement) -> None:
    dumped = json.loads(json.dumps(told.dump()))
    assert Statement.load(dumped) == told
    assert Statement.load(dumped).code == told.code
    assert dumped["text"] == clause(told)


def test_what_another_machine_states_can_be_told_in_every_language_whatever_it_fills_in() -> None:
    filled: tuple[object, ...] = (
        "",
        "²",
        "p²",
        "{",
        None,
        True,
        -1,
        [],
        ["²"],
        {},
        {"a": 1},
        {"key": "hall.answer.late", "values": {}},
    )
    for key, entry in ENGLISH.entries.items():
        for value in filled:
            told = {"key": key, "values": dict.fromkeys(fields(entry) or {"more"}, value)}
            what = Statement.from_message("as it was said", told, 4096)
            for language in LANGUAGES:
                assert isinstance(sentence(what, words(language)), str), told


def test_a_statement_whose_key_is_gone_is_told_in_the_words_that_stand_beside_it() -> None:
    later = {**A1.dump(), "key": "told.of.a.later.version"}
    assert sentence(Statement.load(later), words("de")) == "Rule 4: a stone stands on a1."
    assert clause(Statement.load("rule 4: a stone stands on a1"), words("de")) == "rule 4: a stone stands on a1"
    with pytest.raises(ValueError, match="no statement"):
        Statement.load({"key": "told.tabik.occupied"})


@pytest.mark.parametrize(
    ("player", "name"), [("black", "Black"), ("p1", "Player 1"), ("high", "HIGH"), ("draw", "draw")]
)
def test_a_player_has_the_same_name_in_a_ruling_as_on_the_page(player: str, name: str) -> None:
    said = clause(statement("corrected.claim", player=player, claim="a ring"))
    assert said == f"claim of {name} not upheld: a ring"


def test_a_result_is_not_said_to_be_given_up_by_the_winner() -> None:
    declared = statement("corrected.result", winner="black", why="resigns")
    assert clause(declared) == "result declared: Black, by resignation"
    assert clause(declared, words("de")) == "Ergebnis festgelegt: Schwarz, durch Aufgabe"
    own = statement("corrected.result", winner="black", why="Red left")
    assert clause(own) == "result declared: Black, Red left"
