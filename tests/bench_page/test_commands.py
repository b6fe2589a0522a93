"""What the page may ask, what comes of it, and what is said of nonsense."""

import json
import re
from typing import get_args

import pytest
from httpx import Response
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.events import (
    Correction,
    InputTrusted,
    Paused,
    QuestionAnswered,
    ResultDeclared,
    Resumed,
    RingsSet,
    SandSet,
    TurnEntered,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.games import begin
from gnomon.referee.judgement import Action, Judgement, Phase, Repair
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.web.pictures import for_the_page
from gnomon_pi.simulated.bench import orders
from gnomon_pi.simulated.bench.hands import Hands
from gnomon_pi.simulated.bench.orders import LARGEST, WHO
from gnomon_pi.simulated.table import Act, Table, Verb
from tests.bench_page.paper import PaperDesk, Visitor, judged, no_wait

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
NOW = Instant(0)


def said(answer: Response) -> str:
    """The sentence of a refusal, which is one sentence."""
    sentence = answer.json()["error"]
    assert isinstance(sentence, str)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_the_page_names_what_it_needs_and_nothing_from_elsewhere(client: Visitor) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    assert "https://" not in page.text
    assert "style=" not in page.text


@pytest.mark.untraced
@pytest.mark.parametrize(
    "name",
    [
        *(
            "main.js",
            "hands.js",
            "panels.js",
            "sheets.js",
            "words.js",
            "style.css",
            "favicon.svg",
        ),
        *("table.js", "table_words.js", "picture.js", "fingers.js", "pad.js", "table.css"),
    ],
)
def test_every_file_of_the_page_is_served(client: Visitor, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 200


@pytest.mark.parametrize(
    ("order", "act"),
    [
        ({"verb": "lift", "space": "D1"}, Act(Verb.LIFT, "D1")),
        ({"verb": "knock over", "space": "D1"}, Act(Verb.KNOCK_OVER, "D1")),
        ({"verb": "drop ring", "space": "D2", "player": "red"}, Act(Verb.DROP_RING, "D2", player="red")),
    ],
)
def test_hands_do_what_they_are_told(client: Visitor, desk: PaperDesk, order: dict[str, object], act: Act) -> None:
    answer = client.post("/hands", json=order)
    assert answer.status_code == 200
    assert desk.asked == [act]


def test_a_glass_is_lifted_turned_over_and_put_down(client: Visitor, desk: PaperDesk) -> None:
    client.post("/hands", json={"verb": "lift", "space": "D1"})
    client.post("/hands", json={"verb": "turn in hand"})
    answer = client.post("/hands", json={"verb": "place", "space": "D2"})
    assert answer.json()["glasses"][0] == {"player": "red", "where": "D2", "pole": 1}
    assert desk.table == Table.set_out(3).lift("D1").turn_in_hand().place("D2")


def test_a_glass_is_turned_over_as_it_is_put_down(client: Visitor, desk: PaperDesk) -> None:
    client.post("/hands", json={"verb": "lift", "space": "D1"})
    client.post("/hands", json={"verb": "place", "space": "D2", "turned": True})
    assert desk.table == Table.set_out(3).lift("D1").place("D2", turned=True)


def test_a_glass_that_lies_beside_the_board_is_set_up(client: Visitor, desk: PaperDesk) -> None:
    client.post("/hands", json={"verb": "knock over", "space": "D1"})
    client.post("/hands", json={"verb": "set up", "space": "D1"})
    assert desk.table == Table.set_out(3)


def test_the_table_counts_its_changes_so_that_old_news_is_known_as_such(desk: PaperDesk) -> None:
    hands = Hands(desk.as_remote(), no_wait)
    versions = [hands.table(), hands.table()]
    desk.act(Act(Verb.LIFT, "D1"))
    versions.append(hands.table())
    assert [table and table["version"] for table in versions] == [1, 1, 2]


@pytest.mark.parametrize("button", ["red", "black", "arbiter"])
def test_a_button_is_pressed_and_let_go(client: Visitor, desk: PaperDesk, button: str) -> None:
    assert client.post("/hands", json={"verb": "press", "button": button}).status_code == 200
    assert desk.asked == [Act(Verb.PRESS, f"button.{button}"), Act(Verb.RELEASE, f"button.{button}")]


def test_the_15_second_glass_is_turned_over_on_its_stand(client: Visitor) -> None:
    assert client.post("/hands", json={"verb": "turn timer15"}).json()["timer15"] == {"in_hand": False, "pole": 1}


def test_a_nudge_leaves_everything_where_it_was(client: Visitor, desk: PaperDesk) -> None:
    client.post("/hands", json={"verb": "nudge", "space": "D1"})
    assert [act.verb for act in desk.asked if isinstance(act, Act)] == [Verb.LIFT, Verb.PLACE]
    assert desk.table == Table.set_out(3)


START = Table.set_out(3)


@pytest.mark.parametrize(
    ("table", "step", "mended"),
    [
        (START.lift("D1"), Repair(Action.PUT_GLASS, "D1"), START),
        (START.knock_over("D1"), Repair(Action.PUT_GLASS, "D1"), START),
        (START.lift("D1").place("D3"), Repair(Action.TAKE_GLASS, "D3"), START.lift("D1")),
        (START.lift("D1").place("D1", turned=True), Repair(Action.TURN_GLASS, "D1"), START),
        (START, Repair(Action.PUT_RING, "D2"), START.drop_ring("D2", "red")),
        (START.drop_ring("D2", "red"), Repair(Action.TAKE_RING, "D2"), START),
        (START.lift_timer15().put_timer15(turned=True), Repair(Action.TURN_TIMER), START),
    ],
)
def test_hands_take_the_first_step_of_a_repair(
    client: Visitor, desk: PaperDesk, table: Table, step: Repair, mended: Table
) -> None:
    desk.table = table
    desk.present = judged(desk.present, Judgement(Phase.WRONG, repairs=(step,)))
    assert client.post("/hands", json={"verb": "repair"}).status_code == 200
    assert desk.table == mended


def test_there_is_nothing_to_repair_on_a_board_that_agrees(client: Visitor) -> None:
    answer = client.post("/hands", json={"verb": "repair"})
    assert answer.status_code == 409
    assert said(answer) == "There is nothing to put right."


def test_what_no_hand_can_do_is_refused_in_the_tables_words(client: Visitor) -> None:
    answer = client.post("/hands", json={"verb": "lift", "space": "D4"})
    assert answer.status_code == 409
    assert said(answer) == "There is no glass on D4."


def test_nobody_reaches_in_while_hands_play_by_themselves(client: Visitor, desk: PaperDesk) -> None:
    desk.is_playing = True
    answer = client.post("/hands", json={"verb": "lift", "space": "D1"})
    assert answer.status_code == 409
    assert "stop them first" in said(answer)
    assert desk.asked == []


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("/hands", b"{", "The command is not JSON."),
        ("/hands", b"\xff\xfe", "The command is not JSON."),
        ("/hands", b"[" * 4000, "The command is not JSON."),
        ("/hands", b"[]", "A command is a JSON object."),
        ("/hands", b"{}", "The command lacks 'verb'."),
        ("/hands", b'{"verb": 1}', "'verb' is a text."),
        ("/hands", b'{"verb": "lift"}', "The command lacks 'space'."),
        ("/hands", b'{"verb": "lift", "space": "D1", "hand": 2}', "The command knows no 'hand'."),
        ("/hands", b'{"verb": "place", "space": "D1", "turned": 1}', "'turned' is true or false."),
        ("/hands", b'{"verb": "press", "button": "green"}', "'button' is one of: red, black, arbiter."),
        ("/game", b'{"old": {}}', "The command knows no 'old'."),
        ("/game", b"{}", "The command lacks 'read'."),
        ("/game", b'{"correct": {"event": "turns_voided", "give_back": true}}', "The command lacks 'count'."),
        (
            "/game",
            b'{"correct": {"event": "sand_set", "space": "D1", "remaining": "soon"}}',
            "'remaining' is a number of seconds, at most six decimal places.",
        ),
        ("/let-it-play", b"{}", "The command lacks 'level'."),
        ("/let-it-play", b'{"game": 5}', "'game' is a text."),
        ("/let-it-play", b'{"level": true}', "'level' is a whole number."),
        ("/game", b'{"enter": 5}', "'enter' is a text."),
        ("/game", b'{"read": null}', "'read' is a text."),
        ("/hands", b'{"verb": "lay tile"}', "'squares' is a list of texts."),
        ("/hands", b'{"verb": "lift tile", "squares": [1]}', "'squares' is a list of texts."),
        ("/let-it-play", b'{"level": 4}', "'level' is 1, 2 or 3."),
        (
            "/let-it-play",
            b'{"game": "tau", "settings": {"rows": 1.5}}',
            "The setting 'rows' is a text or a whole number.",
        ),
        ("/let-it-play", b'{"level": 1, "seed": "x"}', "'seed' is a whole number."),
    ],
)
def test_nonsense_is_answered_with_one_clear_sentence(
    client: Visitor, desk: PaperDesk, path: str, body: bytes, sentence: str
) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, said(answer)) == (400, sentence)
    assert desk.asked == []


def test_an_unknown_verb_is_told_what_hands_can_do(client: Visitor) -> None:
    answer = client.post("/hands", json={"verb": "explode"})
    assert answer.status_code == 400
    assert said(answer).startswith("'verb' is one of: lift, place, turn in hand, ")


def test_an_unknown_event_is_told_what_can_be_entered(client: Visitor) -> None:
    answer = client.post("/game", json={"correct": {"event": "deadline_reached"}})
    assert answer.status_code == 400
    assert said(answer).startswith("'event' is one of: turn_entered, turns_voided, ")


@given(
    order=st.dictionaries(st.sampled_from(["verb", "space", "turned", "player", "button", "new", "level"]), json_values)
)
def test_no_json_whatever_breaks_the_bench(order: dict[str, object]) -> None:
    client = Visitor(PaperDesk())
    for path in ("/hands", "/game", "/let-it-play"):
        assert client.post(path, json=order).status_code in (200, 400, 409)


def test_a_body_longer_than_any_honest_one_is_not_read(client: Visitor, desk: PaperDesk) -> None:
    answer = client.post("/hands", json={"verb": "lift", "space": "D" * LARGEST})
    assert answer.status_code == 413
    assert str(LARGEST) in said(answer)
    assert desk.asked == []


def test_a_command_is_never_a_get(client: Visitor) -> None:
    assert [client.get(path).status_code for path in ("/hands", "/game", "/let-it-play")] == [405, 405, 405]


def test_a_refusal_of_the_desk_is_passed_on(client: Visitor, desk: PaperDesk) -> None:
    desk.refusal = "There is no game."
    answer = client.post("/game", json={"enter": "D1-D2"})
    assert answer.status_code == 409
    assert said(answer) == desk.refusal


@pytest.mark.parametrize(
    ("event", "correction"),
    [
        ({"event": "turn_entered", "text": "D1-D2"}, TurnEntered(NOW, "D1-D2", WHO)),
        (
            {"event": "turns_voided", "count": 1, "give_back": True, "why": "slip"},
            TurnsVoided(NOW, 1, True, WHO, "slip"),
        ),
        ({"event": "sand_set", "space": "D1", "remaining": "1.5"}, SandSet(NOW, "D1", Duration(1_500_000), WHO)),
        ({"event": "sand_set", "space": "timer15", "remaining": 7}, SandSet(NOW, "timer15", Duration(7_000_000), WHO)),
        ({"event": "rings_set", "space": "D4", "count": 3, "player": "red"}, RingsSet(NOW, "D4", 3, "red", WHO)),
        ({"event": "turn_set", "player": "black"}, TurnSet(NOW, "black", WHO)),
        ({"event": "paused"}, Paused(NOW, WHO)),
        ({"event": "resumed"}, Resumed(NOW, WHO)),
        ({"event": "result_declared", "winner": None, "reason": "agreed"}, ResultDeclared(NOW, None, "agreed", WHO)),
        ({"event": "question_answered", "choice": "D1-D2"}, QuestionAnswered(NOW, "D1-D2", WHO)),
        ({"event": "input_trusted", "input": "D2.ring1"}, InputTrusted(NOW, "D2.ring1", WHO)),
    ],
)
def test_everything_can_be_entered_by_hand(
    client: Visitor, desk: PaperDesk, event: dict[str, object], correction: Correction
) -> None:
    assert client.post("/game", json={"correct": event}).status_code == 200
    assert desk.asked == [correction]


def test_every_correction_the_referee_knows_has_a_name() -> None:
    assert set(orders.CORRECTIONS.values()) == set(get_args(Correction))


def test_the_board_plays_by_itself_from_a_seed(client: Visitor, desk: PaperDesk) -> None:
    client.post("/let-it-play", json={"level": 3, "seed": 7})
    client.post("/let-it-play", json={"stop": True})
    assert desk.asked == [("play", 3, 7), "stop"]


def test_without_a_seed_each_game_is_another(client: Visitor, desk: PaperDesk) -> None:
    for _ in range(2):
        client.post("/let-it-play", json={"level": 1})
    assert len({json.dumps(asked) for asked in desk.asked}) == 2


def test_any_game_is_begun_by_its_name(client: Visitor, desk: PaperDesk) -> None:
    client.post("/let-it-play", json={"game": "tau", "settings": {"rows": "5"}, "seed": 7})
    client.post("/let-it-play", json={"game": "tabik", "seed": 7})
    assert desk.asked == [("play", 1, 7, "tau", {"rows": "5"}), ("play", 1, 7, "tabik")]


def test_turns_are_entered_thrown_and_read(client: Visitor, desk: PaperDesk) -> None:
    for order in ({"enter": "a1b1"}, {"throw": True}, {"read": "04A1"}):
        assert client.post("/game", json=order).status_code == 200
    assert desk.asked == [("enter", "a1b1", WHO), "throw", ("read", "04A1")]


def test_tiles_are_laid_and_taken_off_where_a_hand_would(client: Visitor, desk: PaperDesk) -> None:
    desk.table = None
    client.post("/hands", json={"verb": "lay tile", "squares": ["a1", "a2", "a3"]})
    client.post("/hands", json={"verb": "lift tile", "squares": ["a1", "a2", "a3"]})
    assert desk.asked == [("lay", "a1", "a2", "a3"), ("lift", "a1", "a2", "a3")]


def test_the_four_buttons_are_pressed_where_there_are_four(client: Visitor, desk: PaperDesk) -> None:
    assert client.post("/hands", json={"verb": "press", "button": "enter"}).status_code == 400
    desk.table, desk.buttons = None, ("button.next", "button.enter")
    assert client.post("/hands", json={"verb": "press", "button": "enter"}).status_code == 200
    assert desk.asked == [("press", "button.enter"), ("release", "button.enter")]
    assert said(client.post("/hands", json={"verb": "press", "button": "red"})) == "'button' is one of: next, enter."


@pytest.mark.parametrize(
    ("tiles", "step", "mended"),
    [
        ({"a1", "a2", "a3"}, Repair(Action.TAKE_TILE, "a1 a2 a3"), set()),
        ({"a2"}, Repair(Action.TAKE_TILE, "a1 a2 a3"), set()),
        (set(), Repair(Action.PUT_TILE, "h9 i9 j9"), {"h9", "i9", "j9"}),
        ({"i9"}, Repair(Action.PUT_TILE, "h9 i9 j9"), {"h9", "i9", "j9"}),
    ],
)
def test_hands_take_a_step_of_a_repair_of_tiles(
    client: Visitor, desk: PaperDesk, tiles: set[str], step: Repair, mended: set[str]
) -> None:
    desk.table, desk.tiles = None, frozenset(tiles)
    desk.present = judged(begin("tayu", {}, board="tayu"), Judgement(Phase.WRONG, repairs=(step,)))
    assert client.post("/hands", json={"verb": "repair"}).status_code == 200
    assert desk.tiles == mended


def test_the_page_is_told_how_the_board_would_look(client: Visitor, desk: PaperDesk) -> None:
    desk.present = begin("tabik", {})
    picture = client.get("/ahead?move=c3c4").json()["picture"]
    assert "black stone on c3" in picture
    assert "Not played yet" in picture
    assert "<style" not in picture
    assert client.get("/ahead?move=c3e4").json() == {"why": "Rule 4: c3 and e4 are not orthogonally adjacent."}
    assert desk.present.rulings == ()
    desk.present = None
    assert said(client.get("/ahead?move=c3c4")) == "There is no game whose next move could be shown."


def test_every_colour_that_a_picture_names_is_in_the_sheet(client: Visitor, desk: PaperDesk) -> None:
    sheet = client.get("/pictures.css")
    assert sheet.headers["content-type"].startswith("text/css")
    for game in ("tayu", "tabik", "tau", "twenty-squares"):
        desk.present = begin(game, {})
        picture = for_the_page(str(desk.summary()["picture"]))
        for colour in set(re.findall(r"var\((--[a-z-]+)\)", picture)):
            assert sheet.text.count(f"{colour}: #") == 2, colour


def test_a_board_without_glasses_has_no_table_to_show(client: Visitor, desk: PaperDesk) -> None:
    desk.table = None
    assert client.post("/hands", json={"verb": "repair"}).json() == {"error": "There is nothing to put right."}
