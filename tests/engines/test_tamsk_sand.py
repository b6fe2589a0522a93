"""The engine of TAMSK where sand runs: which glass is moved, how long it waits, and what it keeps time for."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from random import Random

import pytest

from gnomon.engines.protocol import Limits
from gnomon.games.tamsk.engine import TamskEngine, _search
from gnomon.games.tamsk.engine import _mask as mask_of  # what the search sees of a position
from gnomon.games.tamsk.engine import _room as room_of
from gnomon.games.tamsk.rules import BOARD, CAPACITY, FLIP15, PASS, Position, Tamsk
from gnomon.games.tamsk.rules.position import ONE_RING
from gnomon.timekeeping.instants import SECOND, Duration, after
from tests.engines.test_tamsk import AUTO, HANDS, SAND, SPACE_BITS, TIMER, best, never, played, thought


def sanded(left: Mapping[str, int], rules: Tamsk = SAND) -> Position:
    """The start with every glass moved once, which runs for so many seconds: glasses by their spaces."""
    start = rules.start()
    glasses = tuple(start.glasses)
    sands = tuple(
        sand.turn(start.now).with_remaining(Duration(left.get(BOARD.names[space], 170) * SECOND), start.now)
        for sand, space in zip(start.sands, glasses, strict=True)
    )
    return start._replace(moved=0b111111, sands=sands)


def in_the_game(left: Mapping[str, float], rings: str, rings_left: tuple[int, int]) -> Position:
    """A position with red on turn: how long each glass runs, by its space, and the rings by column, from row 1 on."""
    start = SAND.start()
    fallen = {
        BOARD.index[f"{column}{row}"]: int(number)
        for column, part in zip("ABCDEFG", rings.split(), strict=True)
        for row, number in enumerate(part, 1)
    }
    glasses = tuple(BOARD.index[space] for space in left)
    vacant = [space for space, number in fallen.items() if space not in glasses and number < CAPACITY[space]]
    sands = tuple(
        sand.turn(start.now).with_remaining(Duration(round(seconds * SECOND)), start.now)
        for sand, seconds in zip(start.sands, left.values(), strict=True)
    )
    return start._replace(
        glasses=glasses,
        rings=sum(number * ONE_RING[space] for space, number in fallen.items()),
        rings_left=rings_left,
        enterable=sum(1 << space for space in vacant),
        moved=0b111111,
        sands=sands,
    )


def test_a_glass_that_would_die_is_moved() -> None:
    position = sanded({"D1": 8, "A4": 100, "G4": 100})
    assert best(SAND, position, Limits(depth=3, spread=0.0, hands=HANDS)).move.origin == BOARD.index["D1"]


def test_the_glass_is_moved_first_that_dies_first() -> None:
    position = sanded({"D1": 16, "A4": 10, "G4": 100})
    assert best(SAND, position, Limits(depth=4, spread=0.0, hands=HANDS)).move.origin == BOARD.index["A4"]


def test_it_waits_rather_than_turn_a_full_glass_that_would_be_empty_at_once() -> None:
    position = sanded({"D1": 176, "A4": 177, "G4": 178, "A1": 90, "G1": 90, "D7": 90})
    candidate = best(SAND, position, Limits(nodes=5000, spread=0.0, hands=HANDS))
    assert candidate.wait >= 10 * SECOND
    turned = 180 * SECOND - (176 * SECOND - candidate.wait - 3 * SECOND)
    assert turned > 12 * SECOND


def test_it_waits_until_a_glass_of_the_opponent_has_died() -> None:
    position = sanded({"D1": 90, "A4": 100, "G4": 110, "A1": 9, "G1": 100, "D7": 100})
    candidate = best(SAND, position, Limits(depth=3, spread=0.0, hands=HANDS))
    assert candidate.wait >= 6 * SECOND


def test_no_wait_kills_the_glass_that_is_then_moved() -> None:
    position = sanded({"D1": 8, "A4": 20, "G4": 40})
    left = {BOARD.index["D1"]: 8, BOARD.index["A4"]: 20, BOARD.index["G4"]: 40}
    for candidate in thought(SAND, position, Limits(depth=2, hands=HANDS))[-1].candidates:
        assert candidate.wait + 3 * SECOND < left[candidate.move.origin] * SECOND


def test_a_wait_leaves_time_for_a_slow_hand() -> None:
    position = sanded({"D1": 31, "A4": 60, "G4": 90})
    left = {BOARD.index["D1"]: 31, BOARD.index["A4"]: 60, BOARD.index["G4"]: 90}
    waiting = [each for each in thought(SAND, position, Limits(depth=1, hands=HANDS))[-1].candidates if each.wait]
    assert waiting
    for candidate in waiting:
        assert candidate.wait + HANDS[0] * 3 // 2 < left[candidate.move.origin] * SECOND


@pytest.mark.parametrize(
    ("left", "hasty", "origin", "spent"),
    [
        # The opponent waits until D1 is empty, unless it is moved now.
        ({"D1": 40, "A4": 130, "G4": 130, "A1": 80, "G1": 160, "D7": 60}, "G4", "D1", range(301, 6_301)),
        # D1 is still left to run out, so all of the reserve is spent.
        ({"D1": 20, "A4": 175, "G4": 60, "A1": 80, "G1": 80, "D7": 80}, "D1", "G4", range(6_301, 18_301)),
        # G4 is nearly full: turned over, it has too little left to be moved again.
        ({"D1": 0, "A4": 130, "G4": 160, "A1": 0, "G1": 60, "D7": 160}, "G4", "A4", range(301, 6_301)),
    ],
)
def test_where_a_glass_is_at_stake_it_thinks_again(left: dict[str, int], hasty: str, origin: str, spent: range) -> None:
    position = sanded(left)
    limits = Limits(nodes=300, spread=0.0, hands=HANDS)
    assert BOARD.names[best(SAND, position, limits).move.origin] == hasty
    report = thought(SAND, position, limits._replace(reserve=18_000))[-1]  # a third of it comes first
    assert report.nodes in spent
    assert BOARD.names[report.candidates[0].move.origin] == origin
    assert report.candidates[0].move.origin == best(SAND, position, limits._replace(nodes=100_000)).move.origin


@pytest.mark.parametrize(
    ("left", "given_up"),
    [
        ({"D1": 80, "A4": 20, "G4": 155, "A1": 110, "G1": 80, "D7": 35}, "A4"),
        ({"D1": 150, "A4": 65, "G4": 50, "A1": 100, "G1": 50, "D7": 120}, "G4"),
    ],
)
def test_a_glass_that_is_still_given_up_has_the_rest_of_the_reserve(left: dict[str, int], given_up: str) -> None:
    position = sanded(left)
    limits = Limits(nodes=300, spread=0.0, hands=HANDS, reserve=18_000)
    found = thought(SAND, position, limits)
    before, second = [report.candidates[0] for report in found if report.nodes <= 6_300][-2:]
    assert BOARD.names[second.move.origin] != given_up
    assert second.score.chance > before.score.chance - 0.05, (
        "it has not turned out to be worse, and goes on all the same"
    )
    assert found[-1].nodes > 6_300
    saved = found[-1].candidates[0]
    assert BOARD.names[saved.move.origin] == given_up
    assert saved.score.chance > second.score.chance + 0.2


def test_with_the_reserve_the_search_goes_on_where_its_nodes_ended() -> None:
    position = sanded({"D1": 40, "A4": 130, "G4": 130, "A1": 80, "G1": 160, "D7": 60})
    found = thought(SAND, position, Limits(nodes=300, spread=0.0, hands=HANDS, reserve=18_000))
    depths = Counter(report.depth for report in found)
    assert list(depths) == list(range(1, found[-1].depth + 1))
    assert max(depths.values()) <= 2, "a depth is reported again only where the nodes ended in the middle of it"
    assert all(before.nodes < after.nodes for before, after in pairwise(found))


def test_a_glass_with_one_way_out_is_at_stake() -> None:
    wide = sanded({"D1": 88, "A4": 175, "G4": 175})
    full = sum(1 << BOARD.index[space] for space in ("F4", "F5"))  # G4 can go to G3 alone
    position = wide._replace(enterable=wide.enterable & ~full)
    limits = Limits(nodes=300, spread=0.0, hands=HANDS, reserve=6_000)
    assert best(SAND, position, limits._replace(reserve=0)).move.origin != BOARD.index["G4"]
    assert thought(SAND, position, limits)[-1].nodes > 300
    assert thought(SAND, wide, limits)[-1].nodes <= 300


def test_where_a_deeper_look_was_a_disappointment_it_thinks_again() -> None:
    position = sanded({"D1": 88, "A4": 85, "G4": 88, "A1": 160, "G1": 40, "D7": 130})
    limits = Limits(nodes=300, spread=0.0, hands=HANDS)
    before, last = (report.candidates[0].score.chance for report in thought(SAND, position, limits)[-2:])
    assert last < before - 0.1
    assert thought(SAND, position, limits._replace(reserve=6_000))[-1].nodes > 300


def test_a_second_disappointment_has_the_rest_of_the_reserve() -> None:
    # From a game of the engine with itself: so many nodes end just when the best move of the second search has fallen.
    rings = "0000 01210 012301 0211110 022100 02110 0000"
    left = {"D2": 83, "C4": 31, "E4": 0, "D5": 99, "C2": 150, "D6": 0}
    position = in_the_game(left, rings, (19, 19))
    limits = Limits(nodes=1_000, spread=0.0, hands=(Duration(8 * SECOND), Duration(8 * SECOND)), reserve=30_000)
    *_, second, third = thought(SAND, position, limits)
    before, last = (report.candidates[0].score.chance for report in thought(SAND, position, second_of(limits))[-2:])
    assert last < before - 0.05
    assert second.nodes <= 11_000 < third.nodes <= 31_000
    assert third.candidates[0].score.chance > second.candidates[0].score.chance + 0.05
    assert third.candidates[0].move.origin == BOARD.index["C4"]


def second_of(limits: Limits) -> Limits:
    """What the second search may spend: a third of the reserve."""
    return limits._replace(nodes=limits.reserve // 3, reserve=0)


def test_where_no_glass_is_at_stake_it_keeps_its_reserve() -> None:
    limits = Limits(nodes=300, spread=0.0, hands=HANDS, reserve=6_000)
    plenty = sanded({"D1": 88, "A4": 175, "G4": 175})
    opening = SAND.start()
    alone = sanded({"D1": 0, "A4": 0, "G4": 0})
    for position in (plenty, opening, alone, played(AUTO, 10, Random(2))):
        assert thought(SAND if position.sands else AUTO, position, limits)[-1].nodes <= 300
    at_stake = sanded({"D1": 40, "A4": 130, "G4": 130, "A1": 80, "G1": 160, "D7": 60})
    weighed = thought(SAND, at_stake, limits._replace(spread=1.0))[-1]
    assert weighed.nodes <= 300, "who asks about all moves is told what was asked for"


def test_a_search_that_was_stopped_is_not_begun_again() -> None:
    at_stake = sanded({"D1": 40, "A4": 130, "G4": 130, "A1": 80, "G1": 160, "D7": 60})
    limits = Limits(nodes=300, spread=0.0, hands=HANDS)
    short, long = (
        list(TamskEngine(SAND).think(at_stake, each, Random(1), lambda: True))
        for each in (limits, limits._replace(reserve=6_000))
    )
    assert long == short


def test_the_hand_hurries_for_the_last_grains() -> None:
    position = sanded({"D1": 2, "A4": 0, "G4": 0})
    assert best(SAND, position, Limits(depth=3, spread=0.0, hands=HANDS)).move.origin == BOARD.index["D1"]


def test_glasses_that_are_watched_are_taken_to_run_a_little_longer() -> None:
    rules = Tamsk.from_settings({"level": 2, "time": "sand"})
    position = sanded({"D1": 0, "A4": 60, "G4": 60}, rules=rules)
    one = position.sands[0].turn(position.now).with_remaining(Duration(SECOND), position.now)
    position = rules.elapse(position._replace(sands=(one, *position.sands[1:])), after(position.now, 5 * SECOND))
    assert BOARD.index["D1"] in {each.move.origin for each in thought(rules, position, Limits(depth=1))[-1].candidates}


def test_equal_rings_are_won_by_the_glass_that_runs_last() -> None:
    search = _search.SandSearch(0, 2, never, 1 << 60, [3000, 3000], [180_000] * 12, [], 0)
    search.ends = [10, 20, 30, 5, 10, 29]
    assert search.final_value(7, 7, 0) == _search.WIN
    assert search.final_value(7, 7, 1) == -_search.WIN
    search.now = 40
    assert search.final_value(7, 7, 0) == -_search.CONTEMPT
    assert search.final_value(7, 6, 1) == -_search.WIN - 1


def test_a_wait_ends_in_time_for_the_15_second_glass() -> None:
    position = sanded({"D1": 176, "A4": 177, "G4": 178}, rules=TIMER)
    bound = TIMER.elapse(TIMER.play(position, FLIP15), after(position.now, 4 * SECOND))
    waits = {each.wait for each in thought(TIMER, bound, Limits(depth=1, hands=HANDS))[-1].candidates}
    assert max(waits) + HANDS[0] <= 10 * SECOND
    free = {each.wait for each in thought(TIMER, position, Limits(depth=1, hands=HANDS))[-1].candidates}
    assert 15 * SECOND > max(free) + HANDS[0] > 10 * SECOND


def test_a_glass_in_the_air_does_not_wait() -> None:
    position = sanded({}, rules=TIMER)
    lifted = TIMER.lift(position, BOARD.index["D1"])
    candidates = thought(TIMER, lifted, Limits(depth=2))[-1].candidates
    assert {each.move.origin for each in candidates} == {BOARD.index["D1"]}
    assert {each.wait for each in candidates} == {0}


def test_it_turns_the_15_second_glass_against_somebody_who_would_wait() -> None:
    waiting = sanded({"D1": 177, "A4": 178, "G4": 179, "A1": 40, "G1": 45, "D7": 50}, rules=TIMER)
    player = TamskEngine(TIMER)
    assert player.off_turn(waiting, Limits(hands=HANDS), Random(1), never) == FLIP15
    slow = (HANDS[0], Duration(20 * SECOND))
    assert player.off_turn(TIMER.start(), Limits(hands=slow), Random(1), never) == FLIP15
    calm = sanded({"D1": 13, "A4": 20, "G4": 27, "A1": 16, "G1": 23, "D7": 30}, rules=TIMER)
    assert player.off_turn(calm, Limits(hands=HANDS), Random(1), never) is None
    assert player.off_turn(TIMER.play(waiting, FLIP15), Limits(hands=HANDS), Random(1), never) is None


def test_a_player_without_a_living_glass_passes_while_the_other_goes_on() -> None:
    position = sanded({"D1": 60, "A4": 70, "G4": 80, "A1": 0, "G1": 0, "D7": 0})
    report = thought(SAND, position, Limits(depth=4, hands=HANDS))[-1]
    assert report.depth == 4
    assert report.candidates[0].score.chance > 0.9
    other_side = sanded({"D1": 0, "A4": 0, "G4": 0, "A1": 9, "G1": 0, "D7": 0})
    assert best(SAND, other_side, Limits(depth=4, hands=HANDS)).move == PASS


@pytest.mark.parametrize(
    ("left", "ends", "value"),
    [
        ((0, 0), [50_000, 0, 0, 60_000, 0, 0], _search.WIN),  # rule 15: black's glass runs longer
        (
            (0, 2),
            [50_000, 0, 0, 60_000, 0, 0],
            _search.WIN,
        ),  # red moves on alone: its glass is turned twice and runs short
        ((3, 2), [0, 0, 0, 0, 0, 0], -_search.WIN - 1),
        ((3, 2), [2_000, 0, 0, 2_000, 0, 0], -_search.WIN - 1),  # too late for a hand of three seconds
    ],
)
def test_the_search_with_sand_sees_the_end(left: tuple[int, int], ends: list[int], value: int) -> None:
    search = _search.SandSearch(0, 1 << 8, never, 1 << 60, [3000, 50_000], [180_000] * 12, [], 0)
    start = SAND.start()
    branch = _search.Branch(0, (mask_of(start.glasses, 1), mask_of(start.glasses, 0)), room_of(start), left)
    branch.spaces, branch.ends = [SPACE_BITS[space] for space in start.glasses], ends
    branch.ups, branch.moved = [0] * 6, 0b111111
    assert search.answer(branch, 4, -_search.INFINITE, _search.INFINITE) == value
