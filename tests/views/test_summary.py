import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from gnomon.games.tamsk.show._summary import RULINGS_KEPT
from gnomon.referee._correction_words import what
from gnomon.referee.events import Claimed, Correction, NoteTaken, TurnsVoided
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import Corrected, GamePaused, GameResumed
from gnomon.timekeeping.instants import Duration
from gnomon.views.summary import summary
from gnomon.words import ENGLISH
from tests.views.tables import LINE, REPAIRS, Table, at, judged, new_game, over, played, scenes, tables
from tests.words.statements import as_stated

CLAIM = Claimed(at(70), "red", "a ring too many", upheld=False, who="Ann")
NOTE = NoteTaken(at(70), "looked at the film", Duration(0), "Ann")
VOIDED = TurnsVoided(at(70), 1, give_back=True, who="Ann")


def told(table: Table) -> Any:  # noqa: ANN401 - what JSON holds
    """The summary as a page receives it."""
    return json.loads(json.dumps(summary(*as_stated(table)), allow_nan=False))


@pytest.mark.untraced
@given(tables())
def test_a_summary_survives_json(table: Table) -> None:
    assert told(table) == summary(*as_stated(table))


@pytest.mark.untraced
@given(tables())
def test_the_board_holds_every_ring_and_glass(table: Table) -> None:
    seen = told(table)
    spaces = seen["board"]["spaces"]
    assert len(spaces) == 37
    assert sum(space["rings"] for space in spaces) + sum(seen["rings_left"].values()) == 64
    assert all(0 <= space["rings"] <= space["capacity"] for space in spaces)
    assert [glass["player"] for glass in seen["glasses"]] == ["red"] * 3 + ["black"] * 3
    assert len({glass["space"] for glass in seen["glasses"]}) == 6


@pytest.mark.untraced
@given(tables())
def test_sand_is_between_nothing_and_a_full_glass(table: Table) -> None:
    seen = told(table)
    for glass in [*seen["glasses"], *([seen["timer15"]] if seen["timer15"] else [])]:
        assert 0 <= glass["remaining"] <= glass["duration"]
        assert not glass["running"] or glass["remaining"] > 0


@pytest.mark.untraced
@given(tables())
def test_nothing_runs_in_a_pause_or_after_the_end(table: Table) -> None:
    seen = told(table)
    if seen["paused"] or seen["outcome"]:
        assert not any(glass["running"] for glass in seen["glasses"])


def test_running_sand_can_be_drawn_from_one_summary() -> None:
    game = played(new_game(3), LINE, every=9)
    early, later = told(Table(game, at(60.5))), told(Table(game, at(71.25)))
    passed = later["at"] - early["at"]
    assert passed == 10.75
    for before, after in zip(early["glasses"], later["glasses"], strict=True):
        assert before["running"]
        assert after["remaining"] == before["remaining"] - passed


def test_time_stands_still_from_the_end_of_the_game_on() -> None:
    game = over(played(new_game(2), LINE, every=9), "red", "resigns")
    early, later = told(Table(game, at(80))), told(Table(game, at(300)))
    assert early["at"] == later["at"] == 70
    assert early["glasses"] == later["glasses"]


def test_a_level_2_game_in_full() -> None:
    game = played(new_game(2), "D1-D2 G1-F1x", every=10)
    seen = told(Table(game, at(25), ("The lights do not answer.",)))
    spaces = {space["name"]: space for space in seen["board"]["spaces"]}
    assert spaces["F1"] == {
        "name": "F1",
        "x": spaces["F1"]["x"],
        "y": spaces["F1"]["y"],
        "capacity": 1,
        "rings": 1,
        "light": "last move",
    }
    assert seen["glasses"][0] == {
        "player": "red",
        "space": "D2",
        "in_hand": False,
        "remaining": 165,
        "duration": 180,
        "running": True,
        "stopped": False,
    }
    assert seen["glasses"][1]["stopped"] is False
    expected = {
        "game": "tamsk",
        "level": 2,
        "traits": {
            "live_drawing": True,
            "has_sand": True,
            "touch": "",
            "tapped": False,
            "counts": "Rings left",
        },
        "settings": {"level": 2, "ring": "optional", "full_space": "loses", "late": "two_rings", "stall": 64},
        "temperament": "assistant",
        "now": 25,
        "at": 25,
        "paused": False,
        "turn": "red",
        "outcome": None,
        "score": {"red": 31, "black": 31},
        "rings_left": {"red": 31, "black": 31},
        "timer15": None,
        "phase": "agreed",
        "phase_sentence": "The board and the game agree.",
        "origin": "",
        "target": "",
        "code": "",
        "repairs": [],
        "question": None,
        "choices": [],
        "answers": [],
        "quarantined": [],
        "health": ["The lights do not answer."],
        "plies": [
            {
                "number": 1,
                "player": "red",
                "text": "D1-D2",
                "sentence": "Red moves D1 to D2 and drops a ring.",
                "at": 10,
            },
            {
                "number": 2,
                "player": "black",
                "text": "G1-F1x",
                "sentence": "Black moves G1 to F1 and drops a ring, which fills it (rule 4).",
                "at": 20,
            },
        ],
        "talk": {
            "warning": None,
            "draw": None,
            "warns": False,
            "help": None,
            "helped": None,
            "may_offer": "red",
        },
        "rulings": [
            {"kind": "turn", "at": 10, "sentence": "Red moves D1 to D2 and drops a ring."},
            {
                "kind": "turn",
                "at": 20,
                "sentence": "Black moves G1 to F1 and drops a ring, which fills it (rule 4).",
            },
        ],
    }
    assert {key: value for key, value in seen.items() if key not in {"board", "glasses"}} == expected


def test_a_stopped_glass_is_said_to_have_stopped() -> None:
    seen = told(Table(played(new_game(2), LINE, every=10), at(195)))
    assert (seen["glasses"][0]["stopped"], seen["glasses"][0]["remaining"]) == (True, 0)


def test_the_glass_in_hand_is_marked() -> None:
    seen = told(Table(judged(new_game(1), Phase.IN_HAND, lifted=("A4",), origin="A4"), at(1)))
    assert [glass["space"] for glass in seen["glasses"] if glass["in_hand"]] == ["A4"]


def test_repairs_are_requests() -> None:
    seen = told(Table(judged(new_game(1), Phase.WRONG, repairs=REPAIRS, code="occupied"), at(1)))
    assert seen["repairs"] == ["Take the glass off E5.", "Put a glass on D4."]
    assert seen["phase_sentence"] == "Rule 1: a glass moves to a vacant space: another glass stands there."


def test_players_who_say_that_the_game_is_not_over_are_told_what_comes_first() -> None:
    seen = told(scenes()["paused-as-the-game-is-not-over"])
    assert (seen["code"], seen["paused"], seen["question"]) == ("correct", True, None)
    assert seen["phase_sentence"].endswith("Correct the turns at the arbiter’s desk; then resume.")


@pytest.mark.parametrize(("event", "awaits"), [(CLAIM, True), (NOTE, True), (VOIDED, False)])
def test_the_turns_are_to_be_corrected_until_they_are(event: Correction, awaits: bool) -> None:
    game = scenes()["paused-as-the-game-is-not-over"].game
    assert game is not None
    later = replace(game, rulings=(*game.rulings, Corrected(at(70), what(event), "Ann", "")))
    assert (told(Table(later, at(90)))["code"] == "correct") is awaits
    resumed = replace(later, rulings=(*later.rulings, GameResumed(at(80)), GamePaused(at(81))))
    assert told(Table(resumed, at(90)))["code"] != "correct"


def test_nothing_is_left_to_do_once_a_correction_was_followed_in_a_pause() -> None:
    game = scenes()["paused-put-right"].game
    assert game is not None
    before = told(Table(game, at(90)))
    followed = replace(game, judgement=replace(game.judgement, repairs=()))
    after = told(Table(followed, at(91)))
    assert (before["phase"], before["code"], after["phase"], after["code"]) == ("wrong", "by_hand", "agreed", "")
    assert after["phase_sentence"] == ENGLISH("phase.agreed")
    running = told(Table(replace(followed, paused_at=None), at(91)))
    assert running["code"] == "by_hand"  # then it is the referee who rules that the board agrees


def test_a_question_comes_with_its_buttons() -> None:
    seen = told(scenes()["question-of-three"])
    assert seen["question"] == "Which turn was it?"
    assert seen["choices"] == ["B4-C4", "D2-D3", "F4-F3="]
    assert [answer["button"] for answer in seen["answers"]] == ["red", "black", None]


def test_a_take_back_is_for_the_player_on_turn_to_agree_to() -> None:
    table = scenes()["question-take-back"]
    assert table.game is not None
    by_black = replace(table.game, position=table.game.position._replace(mover=1))
    for game, first in ((table.game, "red"), (by_black, "black")):
        answers = told(Table(game, table.now))["answers"]
        assert (answers[0]["text"], answers[0]["button"]) == ("Yes", first)


def test_a_result_is_told_with_its_reason() -> None:
    seen = told(Table(over(new_game(1), "black", "full_space"), at(90)))
    assert seen["turn"] == "over"
    assert seen["outcome"] == {
        "winner": "black",
        "reason": "full_space",
        "sentence": "Black wins. Rule 5: a glass was moved onto a full space.",
    }


def test_quarantined_inputs_are_part_of_the_health() -> None:
    seen = told(scenes()["quarantined-text"])
    assert seen["quarantined"] == ["D2.ring1"]
    assert seen["health"] == ["Ring sensor 1 of D2 does not count. Enter D2 by hand."]


def test_only_the_last_rulings_are_told() -> None:
    game = played(new_game(1, ring="auto"), "D1-D2")
    many = replace(game, rulings=game.rulings * (RULINGS_KEPT + 5))
    assert len(told(Table(many, at(20)))["rulings"]) == RULINGS_KEPT


def test_without_a_game_there_is_only_the_health() -> None:
    assert told(Table(None, at(2.5), ("Trouble.",))) == {"game": None, "health": ["Trouble."], "now": 2.5}
