from collections import Counter
from random import Random

import pytest

from gnomon.games.tamsk.sensing.inputs import BUTTONS
from gnomon.referee.events import InputChanged
from gnomon.referee.evidence import AT_ONCE, SQUARES_AT_ONCE, UNWARY
from gnomon.referee.games import begin
from gnomon.referee.rulings import GameOver, QuestionAsked, TimerTurned
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.runtime.live_game import Host
from tests.faults import judging
from tests.faults.explorer import Search, draw, explore, game_of, ruled
from tests.faults.faults import Fault, Lie, disturbed, pulse, stuck, toggling
from tests.faults.judging import Class
from tests.faults.known_games import KnownGame, Refused, refereed
from tests.faults.lasting_faults import draw_lasting
from tests.faults.tamsk_games import RECORDED, TAMSK
from tests.faults.tayu_games import SETTINGS


def test_the_recorded_games_come_first() -> None:
    assert [game_of("tamsk", 1, number).name for number in range(len(RECORDED))] == [path.name for path in RECORDED]
    assert all(game_of("tamsk", 1, number).is_right for number in range(len(RECORDED)))


def test_the_same_seed_finds_the_same() -> None:
    one, other = explore("tamsk", 1, 2, 60), explore("tamsk", 1, 2, 60)
    assert one == other
    assert one.cases == 60


def test_faults_that_last_come_after_the_others_and_change_none_of_them() -> None:
    some, more = (Search("tamsk", 1, 20, lasting=lasting).findings(2) for lasting in (0, 30))
    assert some == explore("tamsk", 1, 2, 20)
    assert (some.cases, more.cases) == (20, 50)
    assert all(more.total[what] >= number for what, number in some.total.items())


@pytest.mark.parametrize("name", ["tamsk", "tayu"])
def test_there_is_room_for_every_kind_that_lasts(name: str) -> None:
    game, random = game_of(name, 1, 5), Random(1)
    drawn = [fault for _ in range(200) if (fault := draw_lasting(game, random)) is not None]
    assert {fault.name for fault in drawn} == {"pulse", "pulses", "late", "kill"}
    assert all(lie.start < lie.end for fault in drawn for lie in fault.lies)


def test_a_question_that_is_answered_before_anybody_can_have_read_it_is_no_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("tamsk", 91000, 29)
    start, spells = Instant(654_510_000), [250_000, 500_000, 250_000, 500_000, 250_000]
    pulses = Fault("pulses", (toggling("timer15.south", start, spells, value=False),))
    asked = [it.ruling for it in ruled(game, pulses).told if isinstance(it.ruling, QuestionAsked)]
    assert [it.question for it in asked] == ["timer15_first"]
    monkeypatch.setattr(KnownGame, "is_alarm", lambda _game, ruling: isinstance(ruling, QuestionAsked))
    assert ruled(game, pulses).what is Class.RIGHT
    monkeypatch.setattr(judging, "LOOK", Duration(0))
    assert ruled(game, pulses).what is Class.SAID


def test_a_15_second_glass_that_is_turned_in_the_last_turn_and_not_seen_decides_nothing() -> None:
    game = game_of("tamsk", 91000, 23)
    lost = Fault("pulse", (pulse("timer15.south", Instant(603_330_000), Duration(3 * SECOND), value=False),))
    assert any(isinstance(it.ruling, TimerTurned) for it in game.told_within(lost.first, lost.last))
    assert ruled(game, lost).what is Class.RIGHT


def test_a_referee_that_says_nothing_is_found_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("tamsk", 1, 0)
    down = next(edge for edge in game.touches() if edge.value and edge.input.endswith("north"))
    name = down.input
    seen = Instant(down.at + 300 * MILLISECOND)
    deaf = Fault("pulse", (pulse(name, seen, Duration(40 * SECOND), value=False),))
    assert ruled(game, deaf).what is Class.SAID
    monkeypatch.setattr(KnownGame, "is_alarm", lambda _game, _ruling: False)
    monkeypatch.setattr(judging, "_shows_repairs", lambda _game, _state: False)
    assert ruled(game, deaf).what is Class.WRONG


def test_no_case_goes_on_after_the_game_has_rejoined_the_undisturbed_one() -> None:
    game = game_of("tamsk", 1, 0)
    glitch = Fault("pulse", (pulse("D4.ring3", Instant(20_000_000), Duration(5 * MILLISECOND), value=True),))
    verdict = ruled(game, glitch)
    assert verdict.what is Class.RIGHT
    assert all(told.heard < Instant(40_000_000) for told in verdict.told)


@pytest.mark.parametrize("button", BUTTONS[:2])
def test_a_button_that_closes_by_itself_is_a_press_to_everybody(button: str) -> None:
    game = game_of("tamsk", 1, 0)
    classes = set()
    for edge in game.touches()[20:200:6]:
        press = Fault("pulse", (pulse(button, Instant(edge.at + 50_000), Duration(60 * MILLISECOND), value=True),))
        classes.add(ruled(game, press).what)
    assert Class.WRONG not in classes


def test_a_glass_seen_on_its_new_space_before_it_is_lifted_is_no_play() -> None:
    game = game_of("tamsk", 1, 3)
    turn = next(turn for turn in game.score if turn.lifted is not None)
    assert turn.lifted is not None
    number = game.before(turn.lifted)
    placed = next(edge for edge in game.touches(number) if edge.input.startswith(f"{turn.target}.") and edge.value)
    early = Instant(turn.lifted - 500 * MILLISECOND)
    fault = Fault("early", (Lie(placed.input, early, placed.at, ((early, True),)),))
    shown = [edge for _, edge in disturbed(game, fault, 0) if isinstance(edge, InputChanged)]
    assert shown.index(next(edge for edge in shown if edge.input == placed.input)) < number + 1
    assert ruled(game, fault).what is not Class.OPEN


@pytest.mark.untraced
@pytest.mark.parametrize(("name", "number"), [("tamsk", 5), ("tamsk", 8), ("tayu", 4)])
def test_short_cuts_change_no_verdict(name: str, number: int) -> None:
    game, random = game_of(name, 1, number), Random(f"short cuts {number}")
    tried: Counter[str] = Counter()
    while tried.total() < 70:
        fault = draw(game, random)
        if fault is not None and tried[fault.name] < 12:
            tried[fault.name] += 1
            thorough = ruled(game, fault, thorough=True)
            assert ruled(game, fault)._replace(told=()) == thorough._replace(told=()), fault


def test_a_referee_that_asks_for_no_evidence_is_found_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends_by_rolling_glasses() -> int:
        game, random = TAMSK.game(1, 3, 0), Random(3)
        faults = [fault for _ in range(80) if (fault := TAMSK.by_hand(game, random)) is not None]
        return sum(ruled(game, fault).kind == "over" for fault in faults)

    assert ends_by_rolling_glasses() == 0
    asked_at_once = TAMSK.host.sensing._replace(evidence=AT_ONCE)
    monkeypatch.setattr(Host, "sensing", property(lambda _host: asked_at_once))
    assert ends_by_rolling_glasses() > 1


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("name", "number"), [*(("tamsk", number) for number in (0, 4, 8, 9)), ("tayu", 0), ("tayu", 4)]
)
def test_hardly_any_single_fault_misleads_the_referee_and_none_ends_a_game(name: str, number: int) -> None:
    found = explore(name, 1, number, 270)
    assert found.cases == 270
    assert [case for (_, kind), case in found.cheapest.items() if kind == "over"] == []
    assert found.total["wrong"] <= 2


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_the_games_of_tayu_are_ruled_as_the_hands_made_them(number: int) -> None:
    game = game_of("tayu", 1, number)
    assert game.is_right
    assert [text for _, text, _ in game.meant if "@" in text]


def test_a_tile_that_is_never_seen_is_found_wrong_where_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("tayu", 1, 0)
    lies = tuple(stuck(name, Instant(0), value=False) for name in {edge.input for edge in game.touches()[:3]})
    fault = Fault("three wires broken", lies)
    assert ruled(game, fault).what is Class.SAID
    monkeypatch.setattr(KnownGame, "is_alarm", lambda _game, _ruling: False)
    monkeypatch.setattr(judging, "_shows_repairs", lambda _game, _state: False)
    assert ruled(game, fault).what is not Class.SAID


def test_contacts_that_bounce_as_a_button_is_let_go_are_no_press_of_people() -> None:
    game = game_of("tayu", 11, 55)
    ghost = Fault("pulse", (pulse("o14.tile", Instant(475_263_830), Duration(100 * MILLISECOND), value=True),))
    assert ruled(game, ghost).what is Class.RIGHT


@pytest.mark.parametrize(
    ("number", "name", "start", "end"),
    [(35, "E5.north", 435_750_000, 439_750_000)],  # it ends the turn before, which is then not late
)
def test_a_glass_that_its_socket_loses_for_a_while_shows_what_a_hand_shows_that_lifts_it(
    number: int, name: str, start: int, end: int
) -> None:
    game = game_of("tamsk", 6000, number)
    lost = Fault("pulse", (pulse(name, Instant(start), Duration(end - start), value=False),))
    shown = [edge for _, edge in disturbed(game, lost, 0)]
    by_hand = [edge for edge in shown if edge not in game.edges]
    assert [(edge.at, edge.value) for edge in by_hand if isinstance(edge, InputChanged)] == [
        (start, False),
        (end, True),
    ]
    assert [edge for edge in game.edges if edge not in shown] == []
    assert ruled(game, lost).what is Class.OPEN


def test_a_glass_of_level_1_that_shows_again_the_other_way_up_was_turned_over_and_put_back() -> None:
    game = game_of("tamsk", 150000, 246)
    start, end = Instant(840_419_004), Instant(841_119_004)
    shows = Fault("pulse", (pulse("D4.north", start, Duration(end - start), value=True),))
    shown = [edge for _, edge in disturbed(game, shows, 0)]
    by_hand = [edge for edge in shown if edge not in game.edges]
    assert [(edge.at, edge.value) for edge in by_hand if isinstance(edge, InputChanged)] == [
        (start, True),
        (end, False),
    ]
    lifted = max(edge.at for edge in game.touches() if edge.input == "D4.south" and not edge.value and edge.at < start)
    assert start - lifted > 200 * MILLISECOND
    assert not any(game.level_of(name, start) for name in ("D4.north", "D4.south"))
    verdict = ruled(game, shows)
    assert (verdict.kind, verdict.what) == ("ring", Class.OPEN)  # putting it back within 0.6 s is no reply
    soon = Fault("pulse", (pulse("D4.north", Instant(lifted + 5 * MILLISECOND), Duration(SECOND), value=True),))
    assert ruled(game, soon).what is not Class.OPEN  # no hand turns a glass over so soon


def test_a_15_second_glass_that_its_stand_loses_for_a_while_counts_from_when_it_shows_again() -> None:
    game = game_of("tamsk", 90000, 380)
    lost = Fault("pulse", (pulse("timer15.north", Instant(638_312_251), Duration(4 * SECOND), value=False),))
    verdict = ruled(game, lost)
    assert verdict.kind == "missed"  # red's next turn is late, and black need not pass
    assert verdict.what is Class.SAID
    assert TAMSK.could_be_hands(game, lost, verdict)  # nobody could know; what was pressed in vain is told


def test_a_register_that_reads_zeros_and_hides_one_edge_shows_a_hand_that_is_slower() -> None:
    game = game_of("tamsk", 90000, 338)
    names = ("D4.ring3", "D4.ring4", "timer15.north", "timer15.south")
    start, end = Instant(72_150_286), Instant(73_150_286)
    zeros = Fault("register reads zeros", tuple(Lie(name, start, end, ((start, False),)) for name in names))
    verdict = ruled(game, zeros)
    assert (verdict.kind, verdict.what) == ("timer15", Class.OPEN)


def test_a_ring_that_its_sensor_loses_at_once_and_for_good_has_not_fallen_though_the_next_turn_is_being_made() -> None:
    game = game_of("tamsk", 1, 1)
    fell = next(edge.at for edge in game.touches() if edge.input == "F2.ring1" and edge.value)
    verdict = ruled(game, Fault("stuck", (stuck("F2.ring1", Instant(fell + 62 * MILLISECOND), value=False),)))
    assert (verdict.kind, verdict.what) == ("ring", Class.SAID)


def test_a_game_that_would_end_with_another_count_is_asked_about_if_a_ring_that_counts_is_not_seen() -> None:
    game = game_of("tamsk", 8000, 3)
    chatters = Fault("chatter", (toggling("F3.ring1", Instant(819_736_003), [10_000] * 120, value=True),))
    verdict = ruled(game, chatters)
    told = [it.ruling for it in verdict.told]
    assert [it.question for it in told if isinstance(it, QuestionAsked)] == ["ends"]
    assert not any(isinstance(it, GameOver) for it in told)
    assert verdict.what is Class.SAID


@pytest.mark.parametrize("number", range(3, 12))
def test_clean_play_of_tamsk_is_ruled_as_before_single_faults_were_looked_for(number: int) -> None:
    game = game_of("tamsk", 1, number)
    sensing = game.board.host.sensing._replace(evidence=UNWARY)
    before = refereed(begin("tamsk", game.settings, board="tamsk", sensing=sensing), game.edges).told
    assert [it.ruling for it in game.told] == [it.ruling for it in before]
    # A ring that ends the game must go on showing; nothing else is told later than it was.
    ends = {it.ruling.at for it in before if isinstance(it.ruling, GameOver)}
    both = zip(game.told, before, strict=True)
    later = [then.ruling for now, then in both if now.heard != then.heard]
    assert [ruling for ruling in later if isinstance(ruling, Refused) or ruling.at not in ends] == []


@pytest.mark.parametrize("number", range(2 * len(SETTINGS)))
def test_clean_play_of_tayu_is_ruled_as_soon_as_before_squares_had_to_stand(
    number: int,
) -> None:
    game = game_of("tayu", 30, number)
    sensing = game.board.host.sensing._replace(evidence=SQUARES_AT_ONCE)
    before = begin("tayu", game.settings, board="tayu", sensing=sensing)
    assert refereed(before, game.edges).told == game.told
