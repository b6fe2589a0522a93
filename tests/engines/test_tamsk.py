from collections.abc import Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from random import Random
from time import process_time
from types import ModuleType

import pytest

from gnomon.engines.levels import choose
from gnomon.engines.protocol import Candidate, Limits, Report
from gnomon.games.tamsk import KIND, engine
from gnomon.games.tamsk.engine import TamskEngine, _search
from gnomon.games.tamsk.engine import _mask as mask_of  # what the search sees of a position
from gnomon.games.tamsk.engine import _rings_to_go as rings_to_go
from gnomon.games.tamsk.engine import _room as room_of
from gnomon.games.tamsk.rules import BOARD, FLIP15, LOST, PASS, Move, Position, Tamsk
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import SECOND, Duration, after

AUTO = Tamsk.from_settings({"ring": "auto"})
OPTIONAL = Tamsk.from_settings({})
SAND = Tamsk.from_settings({"level": 2, "ring": "auto"})
TIMER = Tamsk.from_settings({"level": 3})
SPACE_BITS = [1 << bit for _, _, bit in _search.SPACES]
HANDS = (Duration(3 * SECOND), Duration(3 * SECOND))


def never() -> bool:
    return False


def turns(rules: Tamsk, position: Position) -> list[Move]:
    return [move for move in rules.legal_moves(position) if rules.is_turn(move)]


def played(rules: Tamsk, plies: int, chance: Random, hand: int = 8) -> Position:
    """The position after some random turns; over, if the game did not last."""
    position = rules.start()
    for _ in range(plies):
        position = rules.elapse(position, after(position.now, hand * SECOND))
        if position.ending is not None:
            break
        position = rules.play(position, chance.choice(turns(rules, position)))
    return position


def games(rules: Tamsk, number: int, seed: int = 1) -> Iterator[Position]:
    """Every position of some random games."""
    chance = Random(seed)
    for _ in range(number):
        position = rules.start()
        while position.ending is None:
            yield position
            position = rules.play(position, chance.choice(turns(rules, position)))


def thought(rules: Tamsk, position: Position, limits: Limits, seed: int = 1) -> list[Report]:
    return list(TamskEngine(rules).think(position, limits, Random(seed), never))


def best(rules: Tamsk, position: Position, limits: Limits) -> Candidate:
    return thought(rules, position, limits)[-1].candidates[0]


# The compact board


def test_the_compact_board_is_that_of_the_rules() -> None:
    assert len(_search.SPACES) == len(BOARD.names)
    for space, others in enumerate(BOARD.neighbours):
        expected = sum(SPACE_BITS[other] for other in others)
        assert _search.NEAR[SPACE_BITS[space]] == expected
        assert _search.around(SPACE_BITS[space]) & sum(SPACE_BITS) == expected
    assert max(SPACE_BITS) < 1 << 62


def compact_moves(own: int, free: int) -> set[tuple[int, int]]:
    return {(origin, target) for origin, target in _search.EDGES if origin & own and target & free}


def test_its_moves_are_the_legal_ones_in_every_position_of_random_games() -> None:
    seen = 0
    for position in games(AUTO, 8):
        own = mask_of(position.glasses, position.mover)
        other = mask_of(position.glasses, 1 - position.mover)
        free = room_of(position)[0] & ~(own | other)
        legal = {(SPACE_BITS[m.origin], SPACE_BITS[m.target]) for m in turns(AUTO, position) if m != PASS}
        assert legal == (compact_moves(own, free) if position.rings_left[position.mover] else set())
        seen += 1
    assert seen > 400


class Counting(_search.PlainSearch):
    """Counts the leaves instead of weighing them: the search then is perft."""

    leaves = 0

    def estimate(self, *_: int) -> int:
        self.leaves += 1
        return 0

    def store(self, *_: int) -> None:
        """A position that was seen counts again."""


@pytest.mark.skipif(not _search.__file__.endswith(".py"), reason="a compiled search calls its own methods")
def test_it_counts_as_many_turns_as_the_rules_page_says() -> None:
    # All moves of the root are weighed with an open window, so that nothing is cut off; deeper, values of 0 cut.
    search = Counting(0, 2, never, 1 << 60)
    search.reduces = False
    start = AUTO.start()
    own, other = mask_of(start.glasses, 0), mask_of(start.glasses, 1)
    room = room_of(start)

    def perft(depth: int, own: int, other: int, room: tuple[int, ...]) -> int:
        if not depth:
            return 1
        total = 0
        for origin, target in compact_moves(own, room[0] & ~(own | other)):
            level = max(level for level in range(4) if room[level] & target)
            after_it = tuple(plane ^ target if index == level else plane for index, plane in enumerate(room))
            total += perft(depth - 1, other, own ^ origin ^ target, after_it)
        return total

    assert [perft(depth, own, other, room) for depth in (1, 2, 3)] == [9, 81, 858]
    key = _search.position_key(own, other, *room, 0)
    search.search(1, -_search.INFINITE, _search.INFINITE, own, other, *room, 32, 32, key, 0, 1)
    assert search.leaves == 9


def test_the_key_of_a_position_follows_its_moves() -> None:
    # The table would give away wrong results if a position had another key when it is come to by moves.
    position = played(AUTO, 9, Random(4))
    report = thought(AUTO, position, Limits(nodes=3000, spread=0.0))[-1]
    assert len(report.candidates[0].line) >= report.depth - 2


# Values


def test_an_estimate_is_the_same_for_both_sides_and_in_the_mirror() -> None:
    search = _search.PlainSearch(0, 2, never, 1 << 60)
    mirror = {name: f"{chr(ord('A') + ord('G') - ord(name[0]))}{name[1]}" for name in BOARD.names}
    swapped = [BOARD.index[mirror[name]] for name in BOARD.names]
    for position in games(AUTO, 1):
        left = position.rings_left
        own, other = mask_of(position.glasses, 0), mask_of(position.glasses, 1)
        room = room_of(position)[:3]
        value = search.estimate(own, other, 0, *room, left[0], left[1], 0)
        seen = position._replace(
            glasses=tuple(swapped[space] for space in position.glasses),
            rings=sum(position.rings_on(space) << 3 * swapped[space] for space in range(37)),
        )
        mirrored = [mask_of(seen.glasses, 0), mask_of(seen.glasses, 1), 0, *room_of(seen)[:3], left[0], left[1], 0]
        assert search.estimate(*mirrored) == value
        # The turn is worth something to the player who has it, and both who reach a space at the same time count it.
        back = search.estimate(other, own, 0, *room, left[1], left[0], 1)
        weights = _search._WEIGHTS[min(7, (64 - sum(left)) // 8)]
        if max(abs(int(value)), abs(int(back))) < 2900:
            assert 2 * weights[0] <= value + back <= 2 * (weights[0] + 37 * weights[3])


def minimax(rules: Tamsk, position: Position, known: dict[Position, int]) -> int:
    """The margin of the player on turn, by the rules alone."""
    if position.ending is not None:
        left = position.rings_left
        return left[1 - position.mover] - left[position.mover]
    if position not in known:
        values = []
        for move in turns(rules, position):
            after_it = rules.play(position, move)
            value = minimax(rules, after_it, known)
            values.append(value if after_it.mover == position.mover else -value)
        known[position] = max(values)
    return known[position]


@pytest.mark.parametrize(("rules", "rings"), [(AUTO, 9), (OPTIONAL, 5)])
def test_what_it_proves_at_the_end_is_what_plain_minimax_finds(rules: Tamsk, rings: int) -> None:
    proven = 0
    for seed in range(12):
        position = ending(rules, seed, rings)
        known: dict[Position, int] = {}
        report = thought(rules, position, Limits(nodes=20_000))[-1]
        for candidate in report.candidates:
            if candidate.score.proven:
                after_it = rules.play(position, candidate.move)
                margin = -minimax(rules, after_it, known) if after_it.ending is None else margin_of(after_it)
                assert candidate.score.chance == (margin > 0) + (margin == 0) / 2
                proven += 1
    assert proven > 20


def margin_of(ended: Position) -> int:
    """By how much the player has won who made the last move."""
    return ended.rings_left[ended.mover] - ended.rings_left[1 - ended.mover]


def ending(rules: Tamsk, seed: int, rings: int) -> Position:
    """A position of random play in which so many rings can still fall at most, and the game is about to stall."""
    chance = Random(seed)
    while True:
        position = rules.start()
        while position.ending is None:
            if rings_to_go(position) <= rings and turns(rules, position) != [PASS]:
                return position._replace(idle=61)
            moves = [move for move in turns(rules, position) if move.ring or move == PASS]
            position = rules.play(position, chance.choice(moves))


# Reports


@pytest.mark.parametrize(
    "settings", [{"ring": "auto"}, {}, {"level": 2}, {"level": 3}, {"level": 3, "late": "skip_turn"}]
)
def test_every_candidate_is_legal_in_whole_games(settings: Mapping[str, object]) -> None:
    rules = Tamsk.from_settings(settings)
    chance = Random(5)
    position = rules.start()
    while position.ending is None:
        report = thought(rules, position, Limits(depth=2, hands=HANDS))[-1]
        legal = set(rules.legal_moves(position))
        assert report.candidates
        assert all(each.move in legal and rules.is_turn(each.move) for each in report.candidates)
        chances = [each.score.chance for each in report.candidates]
        assert chances == sorted(chances, reverse=True)
        chosen = choose(report.candidates, 0.3, chance)
        mover = position.mover
        position = rules.elapse(position, after(position.now, chosen.wait + chance.randrange(2, 5) * SECOND))
        if position.ending is None and position.mover == mover and rules.why_not(position, chosen.move) is None:
            position = rules.play(position, chosen.move)


def test_it_plays_the_same_with_the_same_seed() -> None:
    position = played(AUTO, 6, Random(1))
    first, again = (thought(AUTO, position, Limits(nodes=2000), seed=7) for _ in range(2))
    assert first == again
    others = {best_of(thought(AUTO, AUTO.start(), Limits(depth=1), seed=seed)) for seed in range(10)}
    assert len(others) > 1  # the board is symmetrical


def best_of(reports: list[Report]) -> Move:
    move: Move = reports[-1].candidates[0].move
    return move


def test_a_spread_of_nothing_reports_the_best_move_alone_and_looks_deeper() -> None:
    position = played(AUTO, 10, Random(2))
    all_moves, one = (
        thought(AUTO, position, Limits(nodes=4000)),
        thought(AUTO, position, Limits(nodes=4000, spread=0.0)),
    )
    assert len(all_moves[-1].candidates) == len(turns(AUTO, position))
    assert len(one[-1].candidates) == 1
    assert one[-1].depth > all_moves[-1].depth


def test_a_spread_reports_every_move_that_is_no_worse_than_that() -> None:
    narrower = 0
    for seed in range(8):
        position = played(AUTO, 36, Random(seed))
        wide = thought(AUTO, position, Limits(depth=2))[-1].candidates
        narrow = thought(AUTO, position, Limits(depth=2, spread=0.1))[-1].candidates
        limit = wide[0].score.chance - 0.1
        assert {each.move for each in narrow} == {each.move for each in wide if each.score.chance > limit}
        narrower += len(narrow) < len(wide)
    assert narrower > 3


@pytest.mark.parametrize("rules", [AUTO, SAND])
def test_it_stops_within_20_ms(rules: Tamsk) -> None:
    position = played(rules, 8, Random(3))
    late: list[float] = []
    asked: list[float] = [process_time()]

    def stopped() -> bool:
        late.append(process_time() - asked[-1])
        asked.append(process_time())
        return len(asked) > 60

    reports = list(TamskEngine(rules).think(position, Limits(), Random(1), stopped))
    assert process_time() - asked[-1] < 0.02
    assert len(asked) == 61
    assert sorted(late)[-4] < 0.02
    assert reports


def test_nobody_is_on_turn_when_the_game_is_over() -> None:
    over = played(AUTO, 99, Random(1))
    with pytest.raises(ValueError, match="nobody is on turn"):
        TamskEngine(AUTO).think(over, Limits(), Random(1), never)


@pytest.mark.parametrize("spread", [0.001, 0.009, 0.05])
def test_the_best_move_is_always_weighed_exactly_however_small_a_mistake_may_be(spread: float) -> None:
    thought = engine._Thought(AUTO, AUTO.start(), Limits(spread=spread), Random(1))
    for best in range(-1_500, 1_500, 7):
        assert thought._floor(best) <= best


def test_there_are_ten_levels_and_the_game_knows_its_engine() -> None:
    levels = load(KIND.engine)(AUTO).levels
    assert len(levels) == 10
    assert [level.loss for level in levels] == sorted((level.loss for level in levels), reverse=True)
    assert [level.limits.depth for level in levels[:4]] == [1, 1, 2, None]
    searched = [level.limits.nodes for level in levels[3:]]
    assert all(lower < higher for lower, higher in pairwise(searched))
    assert levels[-1].limits.spread == levels[-1].loss == 0
    assert all(level.limits.spread == level.loss for level in levels)


# Rings


def test_no_ring_is_withheld_and_a_forgotten_one_is_used() -> None:
    position = OPTIONAL.play(OPTIONAL.start(), OPTIONAL.parse(OPTIONAL.start(), "D1-D2="))
    for candidate in thought(OPTIONAL, position, Limits(depth=2))[-1].candidates:
        assert candidate.move.ring
        assert candidate.move.forgotten == BOARD.index["D2"]
    assert all(each.move.ring for each in thought(OPTIONAL, OPTIONAL.start(), Limits(depth=2))[-1].candidates)


def test_only_the_moves_that_are_asked_for_are_weighed_even_such_as_withhold_a_ring() -> None:
    start = OPTIONAL.start()
    asked = OPTIONAL.parse(start, "D1-D2="), OPTIONAL.parse(start, "D1-E1")
    candidates = thought(OPTIONAL, start, Limits(depth=2, moves=asked))[-1].candidates
    assert {each.move for each in candidates} == set(asked)


def test_near_the_end_withholding_is_weighed_too() -> None:
    position = ending(OPTIONAL, 1, 10)
    moves = {each.move for each in thought(OPTIONAL, position, Limits(depth=2))[-1].candidates}
    assert moves == set(turns(OPTIONAL, position))


def test_a_player_who_cannot_move_passes() -> None:
    stuck = next(position for position in games(AUTO, 3) if turns(AUTO, position) == [PASS])
    assert best(AUTO, stuck, Limits(depth=4)).move == PASS


def test_a_second_ring_falls_with_the_turn_and_alone() -> None:
    due = played(TIMER, 6, Random(1))._replace(penalty=True, forgotten=-1)
    candidates = thought(TIMER, due, Limits(depth=2))[-1].candidates
    assert all(each.move.free >= 0 and each.move.ring for each in candidates)
    plain = {(each.move.origin, each.move.target, each.wait) for each in candidates}
    assert len(plain) == len(candidates)  # one place for the second ring with each turn
    dead = tuple(sand.stop(due.now) for sand in due.sands)
    stuck = due._replace(sands=(*dead[:3], *due.sands[3:]) if due.mover == 0 else (*due.sands[:3], *dead[3:]))
    assert best(TIMER, stuck, Limits(depth=2)).move.kind == "free"


def test_a_turn_that_is_lost_is_lost() -> None:
    position = TIMER.play(TIMER.start(), FLIP15)
    lost = TIMER.elapse(position, after(position.now, 16 * SECOND))
    assert best(TIMER, lost, Limits(depth=2)).move == LOST


def test_withheld_rings_are_counted_wherever_there_is_room() -> None:
    search = _search.FullSearch(0, 1 << 8, never, 1 << 60, 64)
    glasses = SPACE_BITS[BOARD.index["D3"]], SPACE_BITS[BOARD.index["C4"]]
    room = room_of(OPTIONAL.start())
    branch = _search.Branch(0, glasses, room, (32, 32))
    branch.forgotten = SPACE_BITS[BOARD.index["C4"]]
    values = [search.answer(branch, depth, -_search.INFINITE, _search.INFINITE) for depth in (0, 1, 2, 3)]
    assert all(abs(int(value)) < _search.WIN for value in values)
    assert values[1] > values[0]  # a ring more has fallen, and the forgotten one


def test_a_search_answers_what_its_kind_knows() -> None:
    bare = _search.Search(0, 2, never, 1 << 60)
    with pytest.raises(NotImplementedError):
        bare.answer(_search.Branch(0, (0, 0), (0, 0, 0, 0), (0, 0)), 1, -1, 1)


# Compiled


def plain_search() -> ModuleType:
    """The search as plain Python, whatever else is there."""
    spec = spec_from_file_location("plain_search", Path(engine.__file__).with_name("_search.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(_search.__file__.endswith(".py"), reason="the search is not compiled: make compile")
@pytest.mark.parametrize("rules", [AUTO, OPTIONAL, SAND, TIMER])
def test_the_compiled_search_plays_move_by_move_as_the_plain_one(rules: Tamsk, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, plain = _search, plain_search()
    position = rules.start()
    while position.ending is None:
        reports = []
        for core in (compiled, plain):
            monkeypatch.setattr(engine, "core", core)
            reports.append(thought(rules, position, Limits(nodes=600, hands=HANDS)))
        assert reports[0] == reports[1]
        candidate = reports[0][-1].candidates[0]
        mover = position.mover
        position = rules.elapse(position, after(position.now, candidate.wait + 3 * SECOND))
        if position.ending is None and position.mover == mover and rules.why_not(position, candidate.move) is None:
            position = rules.play(position, candidate.move)
