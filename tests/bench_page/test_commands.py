"""What the page may ask, what comes of it, and what is said of nonsense."""

import json
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
from gnomon.referee.judgement import Action, Judgement, Phase, Repair, Temperament
from gnomon.timekeeping.instants import Duration, Instant
from gnomon_pi.bench import orders
from gnomon_pi.bench.hands import Hands
from gnomon_pi.bench.orders import LARGEST, WHO
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


@pytest.mark.parametrize(
    "name",
    ["main.js", "board.js", "hands.js", "stream.js", "panels.js", "sheets.js", "words.js", "style.css", "favicon.svg"],
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
    hands = Hands(desk.as_desk(), no_wait)
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
        ("/game", b"{}", "The command lacks 'new'."),
        ("/game", b'{"new": []}', "'new' is an object."),
        ("/game", b'{"new": {"settings": {"level": 1.5}}}', "The setting 'level' is a text or a whole number."),
        ("/game", b'{"new": {"settings": {"level": true}}}', "The setting 'level' is a text or a whole number."),
        (
            "/game",
            b'{"new": {"settings": {}, "temperament": "kind"}}',
            "'temperament' is one of: silent, assistant, coach.",
        ),
        ("/game", b'{"correct": {"event": "turns_voided", "give_back": true}}', "The command lacks 'count'."),
        (
            "/game",
            b'{"correct": {"event": "sand_set", "space": "D1", "remaining": "soon"}}',
            "'remaining' is a number of seconds, at most six decimal places.",
        ),
        ("/let-it-play", b"{}", "The command lacks 'level'."),
        ("/let-it-play", b'{"level": 4}', "'level' is 1, 2 or 3."),
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


def test_a_new_game_is_started_as_it_was_wished(client: Visitor, desk: PaperDesk) -> None:
    wish = {"settings": {"level": 2, "ring": "auto"}, "temperament": "coach"}
    assert client.post("/game", json={"new": wish}).status_code == 200
    assert desk.asked == [({"level": 2, "ring": "auto"}, Temperament.COACH, "")]


def test_who_abandons_the_unfinished_game_is_written_down(client: Visitor, desk: PaperDesk) -> None:
    client.post("/game", json={"new": {"settings": {}, "abandon": True}})
    assert desk.asked == [({}, Temperament.ASSISTANT, WHO)]


def test_a_refusal_of_the_desk_is_passed_on(client: Visitor, desk: PaperDesk) -> None:
    desk.refusal = "The present game is not finished: say who abandons it."
    answer = client.post("/game", json={"new": {"settings": {}}})
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


def test_a_wired_board_has_no_table_to_show(client: Visitor, desk: PaperDesk) -> None:
    desk.table = None
    assert client.post("/hands", json={"verb": "repair"}).json() == {"error": "There is nothing to put right."}
