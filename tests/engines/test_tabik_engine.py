from random import Random

import pytest

from gnomon.engines.protocol import Limits
from gnomon.games.tabik import KIND
from gnomon.games.tabik.engine._endings import Endings
from gnomon.games.tabik.engine._net import net_of
from gnomon.games.tabik.rules import PIE, Position, Tabik
from tests.engines import thinking
from tests.engines.thinking import brute_force

VARIANTS = [{"size": size, "pie": pie} for size in (2, 3, 5, 8, 19) for pie in ("yes", "no")]


def tabik(**settings: object) -> tuple[Tabik, thinking.AnyEngine]:
    rules, engine = thinking.engine_of(KIND, settings)
    assert isinstance(rules, Tabik)
    return rules, engine


def after_random_turns(rules: Tabik, turns: int, chance: Random) -> Position:
    position = rules.start()
    for _ in range(turns):
        moves = rules.legal_moves(position)
        position = rules.play(position, chance.choice(moves)) if moves else position
    return position


@pytest.mark.long
@pytest.mark.parametrize("settings", VARIANTS)
def test_every_candidate_is_legal_all_through_a_game(settings: dict[str, object]) -> None:
    rules, engine = tabik(**settings)
    share = 0.02 if settings["size"] == 19 else 0.2
    thinking.check_random_game(rules, engine, Random(1), share=share)


def test_playing_fast_comes_to_what_the_rules_say() -> None:
    rules, _ = tabik(size=5, pie="no")
    net, chance = net_of(rules.board), Random(2)
    for _ in range(30):
        position = rules.start()
        while rules.outcome(position) is None:
            state = net.state(position)
            assert sorted(map(net.move, net.moves(state))) == sorted(rules.legal_moves(position))
            move = chance.choice(rules.legal_moves(position))
            position = rules.play(position, move)
            assert net.play(state, net.turn(move)) == net.state(position)
        results, _ = net.playout(net.state(position), chance)
        outcome = rules.outcome(position)
        assert outcome is not None
        assert results[rules.players.index(outcome.winner or "")] == 1


def test_a_playout_goes_on_until_no_turn_is_left() -> None:
    rules, _ = tabik(size=6)
    net, chance = net_of(rules.board), Random(3)
    for _ in range(50):
        state = net.state(after_random_turns(rules, chance.randrange(10), chance))
        before = bytes(state.free).count(1)
        assert 0 < net.turns_left(state, chance) <= before


@pytest.mark.parametrize(("size", "wins"), [(2, True), (3, False)])
def test_small_boards_have_their_known_winner(size: int, *, wins: bool) -> None:
    # Without the pie Black wins on 2 by 2, White on 3 by 3.
    rules, engine = tabik(size=size, pie="no")
    report = thinking.last_report(engine, rules.start())
    assert report.candidates[0].score == (float(wins), None, True)
    if not wins:
        assert {each.score for each in report.candidates} == {(0.0, None, True)}


def test_4_by_4_is_solved_from_a_turn_that_loses_quickly() -> None:
    # Black wins with a pair in the middle of a side alone; c2b2 is the loss that is proven soonest.
    rules, engine = tabik(size=4, pie="no")
    position = rules.play(rules.start(), rules.parse(rules.start(), "c2b2"))
    for text in ("b1c1", "c3c4", "a3a4"):
        position = rules.play(position, rules.parse(position, text))
    report = thinking.last_report(engine, position)
    assert report.candidates[0].score.proven
    assert report.candidates[0].score.chance == float(brute_force(rules)(position))


def test_exact_ends_agree_with_brute_force() -> None:
    rules, engine = tabik(size=3, pie="no")
    wins, chance = brute_force(rules), Random(4)
    for _ in range(25):
        position = after_random_turns(rules, chance.randrange(1, 6), chance)
        if rules.outcome(position) is None:
            report = thinking.last_report(engine, position)
            assert report.candidates[0].score.proven
            assert report.candidates[0].score.chance == float(wins(position))
            for each in report.candidates:
                if each.score.proven:
                    assert each.score.chance == float(not wins(rules.play(position, each.move)))


def test_14_turns_before_the_end_a_game_on_8_by_8_is_solved() -> None:
    rules, _ = tabik()
    chance = Random(5)
    path = [rules.start()]
    while rules.outcome(path[-1]) is None:
        path.append(rules.play(path[-1], chance.choice(rules.legal_moves(path[-1]))))
    endings = Endings(rules.board, path[-15])
    found = endings.solve(1_000_000, lambda: False)
    assert found is not None
    # The same is found in many small steps: the table is kept.
    slowly = Endings(rules.board, path[-15])
    again = None
    while again is None:
        again = slowly.solve(50, lambda: False)
    assert any(again.values()) is any(found.values())


@pytest.mark.parametrize("size", [2, 3])
def test_the_second_player_swaps_exactly_when_the_other_side_wins(size: int) -> None:
    rules, engine = tabik(size=size)
    start = rules.start()
    unswapped = brute_force(tabik(size=size, pie="no")[0])
    for move in rules.legal_moves(start):
        position = rules.play(start, move)
        report = thinking.last_report(engine, position)
        # With the pie the second player wins, whatever the first turn was.
        best = report.candidates[0]
        assert best.score == (1.0, None, True)
        assert (best.move == PIE) is not unswapped(position._replace(pie=False))


def test_the_first_turn_with_the_pie_is_as_good_for_both() -> None:
    rules, engine = tabik(size=6)
    report = thinking.last_report(engine, rules.start(), 2_000)
    assert 0.4 < report.candidates[0].score.chance <= 0.5


def test_the_same_seed_gives_the_same_report_and_another_may_not() -> None:
    rules, engine = tabik()
    position = after_random_turns(rules, 3, Random(6))
    first = thinking.last_report(engine, position, 50, seed=7)
    assert thinking.last_report(tabik()[1], position, 50, seed=7) == first
    assert thinking.last_report(engine, position, 50, seed=8) != first


@pytest.mark.parametrize("turns", [0, 1, 2, 60])
def test_it_asks_often_whether_to_stop_and_stops(turns: int) -> None:
    rules, engine = tabik()
    position = after_random_turns(rules, turns, Random(9))
    for asked in (1, 5, 400):
        report = thinking.last_report(engine, position, asked=asked)
        thinking.check_report(rules, position, report)
        assert report.nodes <= asked


def test_nobody_is_on_turn_at_the_end() -> None:
    rules, engine = tabik(size=2)
    position = rules.start()
    while rules.outcome(position) is None:
        position = rules.play(position, rules.legal_moves(position)[0])
    with pytest.raises(ValueError, match="nobody is on turn"):
        engine.think(position, Limits(), Random(1), lambda: False)


@pytest.mark.long
def test_levels_grow_stronger() -> None:
    rules, engine = tabik(size=5, pie="no")
    assert len(engine.levels) >= 8
    efforts = [(level.limits.nodes, -level.loss) for level in engine.levels]
    assert efforts == sorted(efforts)
    low, high = engine.levels[0], engine.levels[3]
    score = thinking.points(
        rules,
        lambda position, chance: thinking.move_of(engine, position, high, chance),
        lambda position, chance: thinking.move_of(engine, position, low, chance),
        games=4,
        seed=1,
    )
    assert score >= 3
