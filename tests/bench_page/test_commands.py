"""What the page may ask, what comes of it, and what is said of nonsense."""

import asyncio
import json
import re
from typing import Final

import pytest
from httpx import Response
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.events import Paused
from gnomon.referee.games import begin
from gnomon.referee.judgement import Action, Judgement, Phase, Repair
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web._pictures import for_the_page
from gnomon.web.api.shapes import ShapeError
from gnomon_pi.runtime._board_menu import HOLD
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from gnomon_pi.simulated.bench._hands import CARRY, BenchHands
from tests.bench_page.paper import PaperDesk, Visitor, judged, no_wait

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
HANDS: Final = "simulation/hands"


def said(answer: Response) -> str:
    """The sentence of a refusal, which is one sentence."""
    sentence = answer.json()["error"]
    assert isinstance(sentence, str)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_the_page_names_what_it_needs_and_nothing_from_elsewhere(client: Visitor) -> None:
    page = client.get("/bench/")
    assert page.status_code == 200
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    assert "https://" not in page.text
    assert "style=" not in page.text


@pytest.mark.untraced
@pytest.mark.parametrize(
    "name",
    [
        "board_page.js",
        "controls.js",
        "fingers.js",
        "hands.js",
        "pad.js",
        "table_picture.js",
        "tamsk.js",
        "controls.css",
    ],
)
def test_every_file_of_the_page_is_served(client: Visitor, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 200


@pytest.mark.parametrize(
    ("order", "act"),
    [
        ({"verb": "lift", "space": "D1"}, TableAct(Verb.LIFT, "D1")),
        ({"verb": "knock over", "space": "D1"}, TableAct(Verb.KNOCK_OVER, "D1")),
        ({"verb": "drop ring", "space": "D2", "player": "red"}, TableAct(Verb.DROP_RING, "D2", player="red")),
    ],
)
def test_hands_do_what_they_are_told(
    client: Visitor, controller: PaperDesk, order: dict[str, object], act: TableAct
) -> None:
    answer = client.post(HANDS, json=order)
    assert answer.status_code == 200
    assert controller.asked == [act]


def test_a_glass_is_lifted_turned_over_and_put_down(client: Visitor, controller: PaperDesk) -> None:
    client.post(HANDS, json={"verb": "lift", "space": "D1"})
    client.post(HANDS, json={"verb": "turn in hand"})
    answer = client.post(HANDS, json={"verb": "place", "space": "D2"})
    assert answer.json()["table"]["glasses"][0] == {"player": "red", "where": "D2", "pole": 1}
    assert controller.table == TamskTable.set_out(3).lift("D1").turn_in_hand().place("D2")


def test_a_glass_is_turned_over_as_it_is_put_down(client: Visitor, controller: PaperDesk) -> None:
    client.post(HANDS, json={"verb": "lift", "space": "D1"})
    client.post(HANDS, json={"verb": "place", "space": "D2", "turned": True})
    assert controller.table == TamskTable.set_out(3).lift("D1").place("D2", turned=True)


def test_a_glass_that_lies_beside_the_board_is_set_up(client: Visitor, controller: PaperDesk) -> None:
    client.post(HANDS, json={"verb": "knock over", "space": "D1"})
    client.post(HANDS, json={"verb": "set up", "space": "D1"})
    assert controller.table == TamskTable.set_out(3)


def test_the_table_counts_its_changes_so_that_old_news_is_known_as_such(controller: PaperDesk) -> None:
    hands = BenchHands(controller.as_remote(), no_wait)
    versions = [hands.table(), hands.table()]
    controller.act(TableAct(Verb.LIFT, "D1"))
    versions.append(hands.table())
    assert [table and table["version"] for table in versions] == [1, 1, 2]


def test_a_glass_is_in_the_hand_for_a_moment_however_fast_one_clicks(controller: PaperDesk) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    async def click() -> None:
        hands = BenchHands(controller.as_remote(), wait)
        await hands.do({"verb": "lift", "space": "D1"})
        await hands.do({"verb": "place", "space": "D2"})

    asyncio.run(click())
    assert len(waited) == 1
    assert 0 < waited[0] <= CARRY


@pytest.mark.parametrize("button", ["red", "black", "arbiter"])
def test_a_button_is_pressed_and_let_go(client: Visitor, controller: PaperDesk, button: str) -> None:
    assert client.post(HANDS, json={"verb": "press", "button": button}).status_code == 200
    assert controller.asked == [TableAct(Verb.PRESS, f"button.{button}"), TableAct(Verb.RELEASE, f"button.{button}")]


def test_the_15_second_glass_is_turned_over_on_its_stand(client: Visitor) -> None:
    assert client.post(HANDS, json={"verb": "turn timer15"}).json()["table"]["timer15"] == {
        "in_hand": False,
        "pole": 1,
    }


def test_a_nudge_leaves_everything_where_it_was(client: Visitor, controller: PaperDesk) -> None:
    client.post(HANDS, json={"verb": "nudge", "space": "D1"})
    assert [act.verb for act in controller.asked if isinstance(act, TableAct)] == [Verb.LIFT, Verb.PLACE]
    assert controller.table == TamskTable.set_out(3)


START = TamskTable.set_out(3)


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
    client: Visitor, controller: PaperDesk, table: TamskTable, step: Repair, mended: TamskTable
) -> None:
    controller.table = table
    controller.present = judged(controller.present, Judgement(Phase.WRONG, repairs=(step,)))
    assert client.post(HANDS, json={"verb": "repair"}).status_code == 200
    assert controller.table == mended


def test_there_is_nothing_to_repair_on_a_board_that_agrees(client: Visitor) -> None:
    answer = client.post(HANDS, json={"verb": "repair"})
    assert answer.status_code == 409
    assert said(answer) == "There is nothing to put right."


def test_what_no_hand_can_do_is_refused_in_the_tables_words(client: Visitor) -> None:
    answer = client.post(HANDS, json={"verb": "lift", "space": "D4"})
    assert answer.status_code == 409
    assert said(answer) == "There is no glass on D4."


def test_nobody_reaches_in_while_hands_play_by_themselves(client: Visitor, controller: PaperDesk) -> None:
    controller.is_playing = True
    answer = client.post(HANDS, json={"verb": "lift", "space": "D1"})
    assert answer.status_code == 409
    assert "stop them first" in said(answer)
    assert controller.asked == []


@pytest.mark.parametrize(
    ("path", "body", "said_of_it"),
    [
        ("hands", b"{", (400, "What was sent is not JSON.")),
        ("hands", b"\xff\xfe", (400, "What was sent is not JSON.")),
        ("hands", b"[" * 4000, (400, "What was sent is not JSON.")),
        ("hands", b"[]", (422, "What was sent must be an object.")),
        ("hands", b"{}", (422, "verb is missing.")),
        ("hands", b'{"verb": "lift"}', (422, "space is missing.")),
        ("hands", b'{"verb": "lift", "space": "D1", "turned": true}', (422, "lift takes no turned.")),
        ("hands", b'{"verb": "place", "space": "D1", "turned": 1}', (422, "turned must be true or false.")),
        ("hands", b'{"verb": "press", "button": "green"}', (422, "button must be one of: red, black, arbiter.")),
        ("hands", b'{"verb": "lay tile"}', (422, "squares is missing.")),
        ("hands", b'{"verb": "lift tile", "squares": [1]}', (422, "0 must be a text.")),
        ("play", b'{"game": 5}', (422, None)),
        ("play", b'{"level": true}', (422, "level must be a whole number from 1 to 3.")),
        ("play", b'{"level": 4}', (422, "level must be a whole number from 1 to 3.")),
        ("play", b'{"level": 1, "seed": "x"}', (422, None)),
        (
            "play",
            b'{"game": "tau", "settings": {"rows": 1.5}}',
            (422, "rows must be a text, a number or a truth value."),
        ),
        ("reads", b'{"code": null}', (422, "code must be a text.")),
    ],
)
def test_nonsense_is_answered_with_one_clear_sentence(
    client: Visitor, controller: PaperDesk, path: str, body: bytes, said_of_it: tuple[int, str | None]
) -> None:
    status, sentence = said_of_it
    answer = client.post(f"simulation/{path}", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, said(answer)) == (status, sentence or said(answer))
    assert controller.asked == []


def test_an_unknown_verb_is_told_what_hands_can_do(client: Visitor) -> None:
    answer = client.post(HANDS, json={"verb": "explode"})
    assert answer.status_code == 422
    assert said(answer).startswith("verb must be one of: lift, place, turn in hand, ")


@given(
    order=st.dictionaries(st.sampled_from(["verb", "space", "turned", "player", "button", "new", "level"]), json_values)
)
def test_no_json_whatever_breaks_the_bench(order: dict[str, object]) -> None:
    client = Visitor(PaperDesk())
    for path in ("hands", "play"):
        assert client.post(f"simulation/{path}", json=order).status_code in (200, 409, 422)


def test_a_body_longer_than_any_honest_one_is_not_read(client: Visitor, controller: PaperDesk) -> None:
    answer = client.post(HANDS, json={"verb": "lift", "space": "D" * 70_000})
    assert answer.status_code == 413
    assert controller.asked == []


def test_a_command_is_never_a_get(client: Visitor) -> None:
    assert {client.get(f"/api/v1/simulation/{path}").status_code for path in ("hands", "play", "stop", "reads")} == {
        405
    }


def test_a_refusal_of_the_desk_is_passed_on(client: Visitor, controller: PaperDesk) -> None:
    controller.refusal = "There is no game."
    answer = client.post("simulation/reads", json={"code": "04A1"})
    assert answer.status_code == 409
    assert said(answer) == controller.refusal


def test_the_board_plays_by_itself_from_a_seed(client: Visitor, controller: PaperDesk) -> None:
    client.post("simulation/play", json={"level": 3, "seed": 7})
    client.post("simulation/stop", json={})
    assert controller.asked == [("play", 7, {"level": 3}), "stop"]


def test_who_has_not_signed_in_is_written_down_by_what_they_may_do(client: Visitor, controller: PaperDesk) -> None:
    assert client.post("board/corrections", json={"event": "paused"}).status_code == 200
    assert controller.asked == [Paused(Instant(0), "arbiter")]  # which every language has a word for


def test_the_game_that_hands_play_is_paused_and_slowed_down(client: Visitor, controller: PaperDesk) -> None:
    for path in ("pause", "resume"):
        assert client.post(f"simulation/{path}", json={}).status_code == 200
    assert client.post("simulation/pace", json={"pace": "slow"}).status_code == 200
    assert controller.asked == ["pause", "go on", ("pace", "slow")]
    answer = client.post("simulation/pace", json={"pace": "headlong"})
    assert (answer.status_code, said(answer)) == (422, "pace must be one of: slow, usual, fast.")
    controller.refusal = "No hands play."
    assert client.post("simulation/pause", json={}).status_code == 409


def test_without_a_seed_each_game_is_another(client: Visitor, controller: PaperDesk) -> None:
    for _ in range(2):
        client.post("simulation/play", json={"level": 1})
    assert len({json.dumps(asked) for asked in controller.asked}) == 2


def test_any_game_is_begun_by_its_name(client: Visitor, controller: PaperDesk) -> None:
    client.post("simulation/play", json={"game": "tau", "settings": {"rows": "5"}, "seed": 7})
    client.post("simulation/play", json={"game": "tabik", "seed": 7})
    assert controller.asked == [("play", 7, "tau", {"rows": "5"}), ("play", 7, "tabik")]


def test_a_tile_is_read(client: Visitor, controller: PaperDesk) -> None:
    assert client.post("simulation/reads", json={"code": "04A1"}).status_code == 200
    assert controller.asked == [("read", "04A1")]


def test_tiles_are_laid_and_taken_off_where_a_hand_would(client: Visitor, controller: PaperDesk) -> None:
    controller.table = None
    client.post(HANDS, json={"verb": "lay tile", "squares": ["a1", "a2", "a3"]})
    client.post(HANDS, json={"verb": "lift tile", "squares": ["a1", "a2", "a3"]})
    assert controller.asked == [("lay", "a1", "a2", "a3"), ("lift", "a1", "a2", "a3")]


def test_a_press_that_begins_a_game_is_not_refused_when_the_button_is_let_go() -> None:
    controller = PaperDesk()

    async def begin(_seconds: float) -> None:
        controller.table = TamskTable.set_out(3)  # as for the game that the board's own menu begins

    asyncio.run(BenchHands(controller, begin).do({"verb": "press", "button": "black"}))  # type: ignore[arg-type]  # a desk of paper
    assert controller.asked[0] == TableAct(Verb.PRESS, "button.black")
    assert controller.table is not None
    assert not controller.table.pressed


def test_a_button_is_held_for_as_long_as_the_menu_of_the_board_asks_for() -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    controller = PaperDesk()
    hands = BenchHands(controller, wait)  # type: ignore[arg-type]  # a desk of paper
    asyncio.run(hands.do({"verb": "hold", "button": "arbiter"}))
    assert controller.asked == [TableAct(verb, "button.arbiter") for verb in (Verb.PRESS, Verb.RELEASE)]
    assert waited[0] * SECOND > HOLD
    with pytest.raises(ShapeError):
        asyncio.run(hands.do({"verb": "hold"}))


def test_the_four_buttons_are_pressed_where_there_are_four(client: Visitor, controller: PaperDesk) -> None:
    assert client.post(HANDS, json={"verb": "press", "button": "enter"}).status_code == 422
    controller.table, controller.buttons = None, ("button.next", "button.enter")
    assert client.post(HANDS, json={"verb": "press", "button": "enter"}).status_code == 200
    assert controller.asked == [("press", "button.enter"), ("release", "button.enter")]
    assert said(client.post(HANDS, json={"verb": "press", "button": "red"})) == "button must be one of: next, enter."


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
    client: Visitor, controller: PaperDesk, tiles: set[str], step: Repair, mended: set[str]
) -> None:
    controller.table, controller.tiles = None, frozenset(tiles)
    controller.present = judged(begin("tayu", {}, board="tayu"), Judgement(Phase.WRONG, repairs=(step,)))
    assert client.post(HANDS, json={"verb": "repair"}).status_code == 200
    assert controller.tiles == mended


def test_the_page_is_told_how_the_board_would_look(client: Visitor, controller: PaperDesk) -> None:
    controller.present = begin("tabik", {})
    picture = client.get("/api/v1/board/preview?text=c3c4").json()["picture"]
    assert "black stone on c3" in picture
    assert "Not played yet" in picture
    assert "<style" not in picture
    assert client.get("/api/v1/board/preview?text=c3e4").json() == {
        "picture": None,
        "why": "Rule 4: c3 and e4 are not orthogonally adjacent.",
    }
    assert controller.present.rulings == ()
    controller.present = None
    assert said(client.get("/api/v1/board/preview?text=c3c4")) == "There is no game whose next move could be shown."


def test_every_colour_that_a_picture_names_is_in_the_sheet(client: Visitor, controller: PaperDesk) -> None:
    sheet = client.get("/board/pictures.css")
    assert sheet.headers["content-type"].startswith("text/css")
    for game in ("tayu", "tabik", "tau", "twenty-squares"):
        controller.present = begin(game, {})
        picture = for_the_page(str(controller.summary()["picture"]))
        for colour in set(re.findall(r"var\((--[a-z-]+)\)", picture)):
            assert sheet.text.count(f"{colour}: #") == 2, colour


def test_a_board_without_glasses_has_no_table_to_show(client: Visitor, controller: PaperDesk) -> None:
    controller.table = None
    assert client.post(HANDS, json={"verb": "repair"}).json()["error"] == "There is nothing to put right."
