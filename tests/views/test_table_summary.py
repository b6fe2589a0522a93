"""What programs and pages are told of a game at a table."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from gnomon.referee.judgement import Phase
from gnomon.rules.protocol import NATURE, OVER
from gnomon.views import sentences
from gnomon.views.summary import summary
from gnomon.views.table_summary import MOVES_TOLD
from tests.conftest import examples
from tests.views.table_scenes import Hands, Scene, scenes, table_games
from tests.words.statements import as_stated

SCENES = scenes()


def told(table: Scene) -> Any:  # noqa: ANN401 - JSON
    """The summary as a page reads it."""
    return json.loads(json.dumps(summary(*as_stated(table)), allow_nan=False))


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(table_games())
def test_everything_is_told_and_can_be_written_as_json(table: Scene) -> None:
    seen, game = told(table), table.game
    assert seen == told(table)
    assert seen["turn"] in {*game.rules.players, NATURE, OVER}
    assert (seen["actor"] == "") == (seen["outcome"] is not None) == (seen["turn"] == OVER) == (seen["due"] == OVER)
    assert [player["player"] for player in seen["players"] if player["on_turn"]] == [seen["actor"]] * bool(
        seen["actor"]
    )
    assert seen["picture"].startswith("<svg ")
    assert len(seen["moves"]) == min(MOVES_TOLD, seen["moves_in_all"])
    assert [chance["text"] for chance in seen["chances"]] == (
        seen["moves"] if game.rules.turn(game.position) == NATURE else []
    )
    assert len(seen["plies"]) == len(game.plies)
    assert seen["request"].endswith(".")


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(table_games())
def test_every_move_that_is_told_can_be_entered(table: Scene) -> None:
    game = table.game
    if game.outcome is None and game.paused_at is None:
        for text in told(table)["moves"][:5]:
            game.rules.parse(game.position, text)


def test_a_tabik_table_in_full() -> None:
    seen = told(Hands("tabik").enter("a1b1 a1b1").table("The lights do not answer."))
    for key in ("moves", "picture"):
        seen.pop(key)
    assert seen == {
        "game": "tabik",
        "title": "Tabik",
        "traits": {
            "live_drawing": False,
            "has_sand": False,
            "touch": "stones",
            "tapped": True,
            "counts": "Points",
        },
        "settings": {"size": 8, "pie": True},
        "remarks": [],
        "temperament": "assistant",
        "now": 1,
        "at": 1,
        "paused": False,
        "sensed": False,
        "turn": "white",
        "actor": "white",
        "actor_name": "White",
        "is_natures": False,
        "due": "move",
        "request": "Place two stones or swap two, or swap sides instead.",
        "players": [
            {"player": "black", "name": "Black", "role": "", "partners": [], "on_turn": False, "score": 0},
            {"player": "white", "name": "White", "role": "", "partners": [], "on_turn": True, "score": 0},
        ],
        "marks": {"black": [1, 1], "white": [2, 2]},
        "outcome": None,
        "score": {"black": 0, "white": 0},
        "score_sentence": "Black 0, White 0.",
        "state": {"board": [*["........"] * 7, "BW......"], "rods": ["a1b1"]},
        "moves_in_all": 217,
        "chances": [],
        "tile": None,
        "bid": None,
        "last_move": {
            "player": "black",
            "text": "a1b1",
            "sentence": "Black places black on a1, white on b1 and a rod between them.",
        },
        "phase": "agreed",
        "code": "occupied",
        "reason": "Rule 4: a stone stands on a1.",
        "repairs": [],
        "repair_squares": [],
        "question": None,
        "choices": [],
        "chooser": None,
        "plies": [
            {
                "number": 1,
                "player": "black",
                "text": "a1b1",
                "sentence": "Black places black on a1, white on b1 and a rod between them.",
                "at": 0.5,
            }
        ],
        "talk": {
            "warning": None,
            "draw": None,
            "warns": False,
            "help": None,
            "helped": None,
            "may_offer": "white",
        },
        "rulings": [
            {
                "kind": "turn",
                "at": 0.5,
                "sentence": "Black places black on a1, white on b1 and a rod between them.",
            },
            {
                "kind": "illegal",
                "at": 1,
                "sentence": "Not allowed, White a1b1. Rule 4: stones are placed on two empty squares.",
            },
        ],
        "quarantined": [],
        "health": ["The lights do not answer."],
    }


def test_between_which_numbers_may_be_bid_is_told_in_digits() -> None:
    assert told(SCENES["tau-start"])["bid"] == {"least": "0", "most": None, "may_pass": False}
    far = told(SCENES["tau-bidding-far"])
    assert far["bid"] == {"least": "12345678901234567891", "most": None, "may_pass": True}
    assert far["request"] == "Name a number above 1.23e19, or pass and be LOW."
    assert told(SCENES["tayu-auction"])["bid"] == {"least": "0", "most": "25", "may_pass": False}
    assert told(SCENES["tabik-start"])["bid"] is None


def test_numbers_without_bound_are_digits() -> None:
    seen = told(Hands("tau", rows=300, columns=300, limit=10**5000).table())
    assert seen["settings"]["limit"] == "1" + "0" * 5000
    assert seen["score"] == {"product": 90000}
    late = Hands("tau", rows=400, columns=400, limit=0)
    for number in range(2, 260, 2):
        late.enter(f"r{number}")
    assert late.game.rules.score(late.game.position)["product"] > 10**15
    assert told(late.table())["score"]["product"].isdigit()


def test_the_tile_in_hand_comes_with_every_place_where_it_may_lie() -> None:
    seen = told(SCENES["tayu-drawn"])
    assert seen["tile"]["kind"] == "012"
    assert [place["text"] for place in seen["tile"]["placements"]] == seen["moves"]
    assert {"text": "012@h9/E", "squares": ["h9", "i9", "j9"], "direction": "E"} in seen["tile"]["placements"]
    assert told(SCENES["tayu-start"])["tile"] is None


def test_what_may_be_thrown_or_drawn_comes_with_its_odds() -> None:
    throws = told(SCENES["counters-start"])["chances"]
    assert [(throw["label"], throw["odds"]) for throw in throws] == [
        ("1", "1/4"),
        ("2", "3/8"),
        ("3", "1/4"),
        ("4", "1/16"),
        ("5", "1/16"),
    ]
    draws = told(SCENES["tayu-start"])["chances"]
    assert (len(draws), draws[0]) == (28, {"text": "draw:012", "label": "012", "odds": "3 left"})
    assert told(SCENES["counters-thrown"])["chances"] == []


def test_players_have_roles() -> None:
    roles = {player["name"]: player["role"] for player in told(SCENES["tayu-saboteur"])["players"]}
    assert roles == {
        "Player 1": "North and South",
        "Player 2": "East and West",
        "Player 3": "the saboteur: all below 24",
    }
    four = {player["name"]: player["role"] for player in told(SCENES["counters-four"])["players"]}
    assert four["Player 1"] == "with Player 3"
    bidders = [player["name"] for player in told(SCENES["tau-bidding"])["players"]]
    assert bidders == ["Player 1", "Player 2"]
    lines = {player["name"]: player["role"] for player in told(SCENES["tau-play"])["players"]}
    assert lines == {"HIGH": "Player 2", "LOW": "Player 1"}


@pytest.mark.untraced
@settings(max_examples=examples(60))
@given(table_games())
def test_everybody_who_can_be_named_has_a_mark_and_no_two_at_the_table_the_same(table: Scene) -> None:
    seen = told(table)
    at_table = [tuple(seen["marks"][player["player"]]) for player in seen["players"]]
    assert len(set(at_table)) == len(at_table)
    for ply in seen["plies"]:
        assert (ply["player"] in seen["marks"]) == (ply["player"] != NATURE)


@pytest.mark.parametrize(
    ("bids", "high", "low"), [("bid:3 pass", [1, 1], [2, 2]), ("bid:3 bid:4 pass", [2, 2], [1, 1])]
)
def test_in_tau_people_keep_their_mark_whatever_they_become(bids: str, high: list[int], low: list[int]) -> None:
    marks = told(Hands("tau").enter(bids).table())["marks"]
    assert (marks["high"], marks["low"]) == (high, low)
    assert (marks["p1"], marks["p2"]) == ([1, 1], [2, 2])


def test_marks_follow_the_sides_of_the_picture() -> None:
    assert told(Hands("tayu", players=4).table())["marks"] == {"p1": [1, 1], "p2": [2, 2], "p3": [3, 1], "p4": [4, 2]}
    saboteur = told(SCENES["tayu-saboteur"])["marks"]
    assert saboteur == {"p1": [1, 1], "p2": [2, 2], "p3": [3, 0]}


def test_a_move_that_is_being_picked_is_told() -> None:
    assert told(SCENES["tabik-picking-first"])["chooser"] == {
        "shown": "c",
        "parts": [],
        "options": list("abcdefgh"),
        "cursor": 2,
        "picked": None,
    }
    assert told(SCENES["tayu-picking-far"])["chooser"]["picked"] == "067@j2/E"


def test_tiles_to_put_right_are_told_with_their_squares() -> None:
    seen = told(SCENES["tayu-wrong"])
    assert (seen["phase"], seen["repairs"]) == (Phase.WRONG.value, ["Take the tile off a1 a2 a3."])
    assert seen["repair_squares"] == [["a1", "a2", "a3"]]
    assert seen["reason"] == "Rule 4: none of the tile's outflows meets an outflow of a tile on the board."
    by_hand = told(SCENES["tayu-by-hand"])
    assert by_hand["reason"] == sentences.reason("by_hand", "tayu").text


def test_a_question_comes_with_its_choices() -> None:
    seen = told(SCENES["tayu-question"])
    assert seen["question"] == "Which way round does the tile lie?"
    assert seen["choices"] == ["012@j9/W", "012@h9/E"]


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        ("tabik-over", "Black wins. Rule 7: no size decides: the player who made the last move loses."),
        ("counters-over-four", "Player 1 and Player 3 win. By resignation."),
        ("tau-over-low", "LOW wins. Rule 6: the product is not above the LIMIT."),
        ("tayu-over", "A draw. Rule 7: both products are equal."),
    ],
)
def test_a_result_is_told_with_its_reason(scene: str, sentence: str) -> None:
    assert told(SCENES[scene])["outcome"]["sentence"] == sentence


def test_guesses_and_conjectures_are_told() -> None:
    assert "Size 17 is a guess" in told(SCENES["tayu-start"])["remarks"][0]
    assert "conjectural" in told(SCENES["counters-start"])["remarks"][0]


def test_a_picture_can_be_seen_in_light_and_in_dark() -> None:
    assert "prefers-color-scheme:dark" in told(SCENES["tau-play"])["picture"]


def test_what_is_due_is_asked_for() -> None:
    asked = {name: told(SCENES[name])["request"] for name in SCENES}
    assert asked["counters-start"] == "Throw the sticks."
    assert asked["counters-again"] == "Throw the sticks again, to enter a counter."
    assert asked["counters-forfeit"] == "A 2 cannot be used: forfeit the throw."
    assert asked["counters-thrown"] == "Use the 1 to throw again and enter a counter."
    assert asked["counters-four"] == "Enter a counter with the 3."
    assert asked["counters-move"] == "Move a counter by 2."
    assert asked["counters-picking"] == "Move a counter by 1, or throw again to enter one."
    assert asked["tayu-backs"] == "Pick a tile from those with a ring or the plain ones."
    assert asked["tayu-start"] == "Draw a tile."
    assert asked["tabik-over"] == "The game is over."
