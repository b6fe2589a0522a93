from random import Random

import pytest

from gnomon.engines.protocol import Limits, Report
from gnomon.games.tau import KIND
from gnomon.games.tau.engine import bid_review
from gnomon.games.tau.rules import HIGH, PASS, Move, Position, Tau
from gnomon.games.tau.rules.solver import PerfectPlay
from gnomon.refusals import clause
from gnomon.words import LANGUAGES, words
from tests.engines import thinking

VARIANTS: list[dict[str, object]] = [
    {"rows": 4, "columns": 5},
    {"rows": 6, "columns": 6, "limit": 54},
    {"rows": 1, "columns": 8},
    {"rows": 10, "columns": 10, "limit": 10**30},
    {"rows": 40, "columns": 45},
]


def tau(**settings: object) -> tuple[Tau, thinking.AnyEngine]:
    rules, engine = thinking.engine_of(KIND, settings)
    assert isinstance(rules, Tau)
    return rules, engine


@pytest.mark.long
@pytest.mark.parametrize("settings", VARIANTS)
@pytest.mark.parametrize("nodes", [3, 100_000])
def test_every_candidate_is_legal_all_through_a_game(settings: dict[str, object], nodes: int) -> None:
    rules, engine = tau(**settings)
    large = rules.settings.rows > 20
    thinking.check_random_game(rules, engine, Random(1), min(nodes, 20) if large else nodes, 0.05 if large else 0.3)


def test_perfect_play_agrees_with_brute_force() -> None:
    rules, engine = tau(rows=3, columns=4, limit=6)

    wins, chance = thinking.brute_force(rules), Random(2)
    for limit in (0, 4, 6, 8, 12, 16):
        position = rules.start()._replace(bid=limit)
        while rules.outcome(position) is None:
            report = thinking.last_report(engine, position)
            assert len(report.candidates) == len(rules.legal_moves(position))
            for each in report.candidates:
                assert each.score == (float(not wins(rules.play(position, each.move))), None, True)
            position = rules.play(position, chance.choice(rules.legal_moves(position)))


def test_the_number_to_name_is_one_below_the_value() -> None:
    rules, engine = tau()
    start = rules.start()
    best = thinking.last_report(engine, start).candidates[0]
    assert best.move == Move("bid", 177146)
    assert best.score == (1.0, None, True)
    named = rules.play(start, best.move)
    assert {each.score.chance for each in thinking.last_report(engine, named).candidates} == {0.0}


@pytest.mark.parametrize(("bid", "answer"), [(100, Move("bid", 177146)), (177147, PASS), (10**40, PASS)])
def test_what_is_named_too_low_is_raised_and_what_is_named_too_high_is_left(bid: int, answer: Move) -> None:
    rules, engine = tau()
    position = rules.play(rules.start(), Move("bid", bid))
    best = thinking.last_report(engine, position).candidates[0]
    assert best.move == answer
    assert best.score == (1.0, None, True)


def test_two_perfect_players_come_to_the_value() -> None:
    rules, engine = tau(rows=7, columns=7)
    chance = Random(3)
    position = rules.start()
    while rules.outcome(position) is None:
        position = rules.play(position, thinking.move_of(engine, position, thinking.FULL_STRENGTH, chance))
    # The player who names one below the value wins, and the other can only raise it and lose, or pass and lose.
    outcome = rules.outcome(position)
    assert outcome is not None
    assert rules.seat(position, outcome.winner or "") == "p1"


def test_a_large_grid_is_played_by_playouts_and_alike_lines_are_worth_the_same() -> None:
    rules, engine = tau(rows=60, columns=50, limit=10**20)
    report = thinking.last_report(engine, rules.start(), 60)
    assert not report.candidates[0].score.proven
    assert len(report.candidates) == 110
    chances = {each.move: each.score.chance for each in report.candidates}
    assert chances[Move("row", 3)] == chances[Move("row", 56)]


def test_few_nodes_are_no_perfect_play() -> None:
    rules, engine = tau(limit=1000)
    assert not thinking.last_report(engine, rules.start(), 1_000).candidates[0].score.proven
    assert thinking.last_report(engine, rules.start(), 2_000).candidates[0].score.proven


@pytest.mark.parametrize("seed", range(8))
def test_who_looks_less_deep_names_the_number_of_the_lines_that_were_tried(seed: int) -> None:
    rules, engine = tau(rows=6, columns=6)
    start = rules.start()
    solution = PerfectPlay(start)
    after_high = rules.play(rules.play(start, Move("bid", 0)), PASS)
    first_lines = {value - 1 for value in solution.values(after_high).values()}

    def report(position: Position, depth: int) -> Report:
        *_, last = engine.think(position, Limits(nodes=2_000, depth=depth), Random(seed), lambda: False)
        return last

    best = report(start, start.turns_left - 1).candidates[0]
    assert best.move.number in first_lines
    assert not best.score.proven
    assert report(start, start.turns_left).candidates[0].move.number == solution.best_bid()
    # It leaves a number that it believes too high, and goes above one that it believes too low.
    named = rules.play(start, Move("bid", best.move.number + 1))
    assert report(named, start.turns_left - 1).candidates[0].move == PASS
    low = rules.play(start, Move("bid", 0))
    assert report(low, start.turns_left - 1).candidates[0].move.number == best.move.number
    assert report(start, 2).candidates[0].score.proven is False


def test_who_looks_one_turn_less_deep_names_the_right_number_sometimes() -> None:
    rules, engine = tau()
    right = {}
    for number in (5, 7, 8):
        limits = engine.levels[number - 1].limits
        right[number] = 0
        for seed in range(20):
            *_, last = engine.think(rules.start(), limits, Random(seed), lambda: False)
            right[number] += last.candidates[0].move.number == 177146
    assert 0 < right[5] < right[7] < right[8] == 20


@pytest.mark.parametrize(("limit", "code"), [(53, "right"), (52, "too_low"), (0, "too_low"), (54, "too_high")])
def test_after_the_game_it_says_what_should_have_been_bid(limit: int, code: str) -> None:
    rules, _ = tau(rows=6, columns=6)
    said = bid_review(limit, PerfectPlay(rules.start()).value(rules.start()))
    assert said.code == code
    assert said.values == {"limit": str(limit)} | ({} if code == "right" else {"best": "53"})
    for language in LANGUAGES:
        assert str(limit) in clause(said, words(language))


def test_the_same_seed_gives_the_same_report() -> None:
    rules, engine = tau(rows=30, columns=30, limit=10**20)
    first = thinking.last_report(engine, rules.start(), 40, seed=7)
    assert thinking.last_report(tau(rows=30, columns=30, limit=10**20)[1], rules.start(), 40, seed=7) == first
    assert thinking.last_report(engine, rules.start(), 40, seed=8) != first


@pytest.mark.parametrize("settings", [{"rows": 20, "columns": 20}, {"rows": 20, "columns": 20, "limit": 9}])
def test_it_asks_often_whether_to_stop_and_stops(settings: dict[str, object]) -> None:
    rules, engine = tau(**settings)
    position = rules.start()
    for asked in (1, 5, 100):
        report = thinking.last_report(engine, position, asked=asked)
        thinking.check_report(rules, position, report)
        assert not report.candidates[0].score.proven
        assert report.nodes <= asked


def test_nobody_is_on_turn_at_the_end() -> None:
    rules, engine = tau(rows=2, columns=2, limit=0)
    position = rules.start()
    while rules.outcome(position) is None:
        position = rules.play(position, rules.legal_moves(position)[0])
    with pytest.raises(ValueError, match="nobody is on turn"):
        engine.think(position, Limits(), Random(1), lambda: False)


def test_levels_grow_stronger() -> None:
    rules, engine = tau(rows=8, columns=8, limit=511)
    assert rules.start().mover == HIGH
    assert len(engine.levels) >= 8
    efforts = [(level.limits.nodes, -level.loss) for level in engine.levels]
    assert efforts == sorted(efforts)
    low, high = engine.levels[0], engine.levels[-1]
    score = thinking.points(
        rules,
        lambda position, chance: thinking.move_of(engine, position, high, chance),
        lambda position, chance: thinking.move_of(engine, position, low, chance),
        games=10,
        seed=1,
    )
    assert score >= 7
