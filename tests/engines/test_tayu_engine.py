from collections import Counter
from random import Random

import pytest

from gnomon.engines.protocol import Limits
from gnomon.games.tayu import KIND
from gnomon.games.tayu.engine._play import Play, Table
from gnomon.games.tayu.rules import KINDS, Move, Position, Tayu
from gnomon.games.tayu.rules._placement import placements
from gnomon.rules.protocol import NATURE, OVER
from tests.engines import thinking

VARIANTS: list[dict[str, object]] = [
    {"size": 9},
    {"size": 8, "players": 3, "target": 6},
    {"size": 9, "players": 3, "auction": "yes"},
    {"size": 9, "players": 4},
    {"size": 9, "draw": "backs"},
    {"size": 9, "draw": "stacks", "copies": 1},
    {"size": 3},
    {"size": 26, "edition": "kosmos", "draw": "backs", "players": 4},
]


def tayu(**settings: object) -> tuple[Tayu, thinking.AnyEngine]:
    rules, engine = thinking.engine_of(KIND, settings)
    assert isinstance(rules, Tayu)
    return rules, engine


def a_game(rules: Tayu, chance: Random) -> list[Position]:
    """The positions of a game at random."""
    path = [rules.start()]
    while rules.turn(path[-1]) != OVER:
        path.append(rules.play(path[-1], chance.choice(rules.legal_moves(path[-1]))))
    return path


def on_turn(rules: Tayu, seed: int, lays: int) -> Position:
    """A position of a game at random in which a tile is to be laid, after some others."""
    return next(each for each in a_game(rules, Random(seed)) if each.due == "lay" and len(each.laid) == lays)


def forecast(play: Play, table: Table) -> tuple[tuple[float, float], float]:
    """What a table is judged by from its squares alone."""
    _, worth, points = play._outlook(table)
    return play._forecast(worth, points, table.occupied.bit_count() // 3)


@pytest.mark.parametrize("settings", VARIANTS)
def test_every_candidate_is_legal_all_through_a_game(settings: dict[str, object]) -> None:
    rules, engine = tayu(**settings)
    thinking.check_random_game(rules, engine, Random(1), share=0.15)


@pytest.mark.parametrize("size", [6, 9, 17])
def test_playing_fast_lays_tiles_where_the_rules_let_them_lie(size: int) -> None:
    rules, _ = tayu(size=size)
    play, chance = Play(rules), Random(2)
    for position in a_game(rules, chance):
        if position.due != "lay" or position.ending is not None:
            continue
        table = Table(position.occupied, position.outflows)
        for tile in range(len(KINDS)):
            laid, _ = play._rest(table, iter([tile]), position, chance)
            in_hand = position._replace(tile=tile, placements=placements(rules.board, *table, tile))
            allowed = {
                (after.occupied, after.outflows)
                for after in (rules.play(in_hand, move) for move in rules.legal_moves(in_hand))
            }
            assert laid in (allowed or {table})


@pytest.mark.parametrize("settings", [{}, {"players": 3}, {"players": 3, "target": 200}, {"players": 4}, {"size": 5}])
def test_playing_fast_lays_each_tile_where_its_player_expects_most(settings: dict[str, object]) -> None:
    rules, _ = tayu(**settings)
    play, chance = Play(rules), Random(12)
    for position in a_game(rules, chance):
        if position.due != "lay" or position.ending is not None or not position.laid or not position.kinds:
            continue
        table = Table(position.occupied, position.outflows)
        promises = play.promises(position)
        ends = {move: rules.play(position, move) for move in promises}
        # A promise is what the position after the move is judged to be.
        for move, after in ends.items():
            assert promises[move] == play._judge(
                *forecast(play, Table(after.occupied, after.outflows)), after, position.mover
            )
        laid, _ = play._rest(table, iter([position.tile]), position, chance)
        best = max(promises.values())
        assert tuple(laid) in {
            (ends[move].occupied, ends[move].outflows) for move in promises if promises[move] == best
        }


@pytest.mark.parametrize("settings", [{}, {"players": 3}, {"players": 3, "target": 200}, {"players": 4}])
def test_a_game_that_is_over_is_worth_what_the_rules_say(settings: dict[str, object]) -> None:
    rules, _ = tayu(size=11, **settings)
    play, chance = Play(rules), Random(3)
    for _ in range(6):
        end = a_game(rules, chance)[-1]
        results, ahead = play.playout(end, chance)
        outcome = rules.outcome(end)
        assert outcome is not None
        winners = rules.winners(end)
        for player, result, lead in zip(rules.players, results, ahead, strict=True):
            expected = float(player in winners) if winners else 0.5 * (rules.role(end, player) != "saboteur")
            assert result == expected
            if player in winners:
                assert lead > 0


def test_a_playout_draws_every_tile_that_is_left_and_no_other() -> None:
    rules, _ = tayu(size=13)
    play = Play(rules)
    position = on_turn(rules, 4, 6)
    drawn = list(play._tiles(position, Random(5)))
    assert drawn[0] == position.tile
    for tile in range(len(KINDS)):
        assert drawn[1:].count(tile) == position.copies_left(tile)


@pytest.mark.parametrize("settings", [{}, {"draw": "backs"}])
def test_each_tile_that_is_left_is_drawn_as_often_as_it_comes(settings: dict[str, object]) -> None:
    rules, _ = tayu(size=13, **settings)
    play, chance = Play(rules), Random(5)
    before = next(each for each in a_game(rules, Random(4)) if each.due == "draw" and len(each.laid) == 12)
    weights = {move: int(rules.weight(before, move)) for move in rules.legal_moves(before)}
    times = 200 * sum(weights.values())
    drawn = Counter(play.draw(before, chance) for _ in range(times))
    assert drawn.keys() == weights.keys()
    for move, weight in weights.items():
        assert drawn[move] == pytest.approx(200 * weight, rel=0.35)


@pytest.mark.parametrize("settings", [{}, {"players": 3}, {"players": 4}])
def test_somebody_wins_a_game_that_is_not_played_to_its_end(settings: dict[str, object]) -> None:
    rules, _ = tayu(**settings)
    play, chance = Play(rules), Random(6)
    position = on_turn(rules, 3, 8)
    for _ in range(20):
        results, ahead = play.playout(position, chance)
        sides = results[:2] if rules.settings.players == 4 else results
        assert sum(sides) == pytest.approx(1)
        assert all(0 < each < 1 for each in results)
        first = rules.players.index("north-south") if "north-south" in rules.players else 0
        assert (results[first] > 0.5) <= (ahead[first] > 0)


def test_more_is_expected_of_a_channel_towards_a_rim_and_near_to_it() -> None:
    rules, _ = tayu()
    play, squares = Play(rules), rules.board.squares

    def north_south(square: str, side: str) -> float:
        """What is expected of north and south where one square has one channel."""
        flows = [0, 0, 0, 0]
        flows["nesw".index(side)] = 1 << squares.index[square]
        (product, _), _ = forecast(play, Table(1 << squares.index[square], (flows[0], flows[1], flows[2], flows[3])))
        return product

    assert north_south("h16", "n") > north_south("h15", "n") > north_south("h13", "n")
    assert north_south("h16", "n") > north_south("h16", "e")
    assert north_south("h16", "n") == pytest.approx(north_south("h2", "s"))


def test_the_choice_does_not_depend_on_the_order_in_which_the_bag_will_give_its_tiles() -> None:
    rules, engine = tayu(size=13)
    bag = [tile for tile in range(len(KINDS)) for _ in range(rules.settings.copies)]
    Random(6).shuffle(bag)
    choices = set()
    for seed in range(3):
        rest = bag[9:]
        Random(seed).shuffle(rest)
        position, chance = rules.start(), Random(7)
        for tile in (*bag[:9], *rest):
            position = rules.play(position, Move("draw", tile))
            if len(position.laid) == 8:
                break
            position = rules.play(position, chance.choice(rules.legal_moves(position)))
        choices.add(thinking.last_report(engine, position, 40).candidates[0].move)
    assert len(choices) == 1


def test_the_last_tile_is_laid_where_it_brings_most_and_that_is_proven() -> None:
    rules, engine = tayu(copies=1)
    for seed in range(5):
        *_, position, end = a_game(rules, Random(seed))
        if end.tile == -1:
            report = thinking.last_report(engine, position, 50)
            results = {
                move: Play(rules).result(rules.play(position, move))[0][position.mover]
                for move in rules.legal_moves(position)
            }
            assert {each.move: each.score.chance for each in report.candidates} == results
            assert all(each.score.proven for each in report.candidates)
            return
    pytest.fail("no game came to its last tile")


def test_of_two_backs_the_one_is_picked_whose_tiles_promise_more() -> None:
    rules, engine = tayu(draw="backs", size=9)
    picks = [each for each in a_game(rules, Random(8)) if each.due == "pick" and len(each.laid) > 3]
    for position in picks[:3]:
        report = thinking.last_report(engine, position, 5)
        assert {each.move.pick for each in report.candidates} == {move.pick for move in rules.legal_moves(position)}
        again = thinking.last_report(engine, position, 5, seed=99)
        assert again == report  # it is a sum over all tiles, not a sample of them


def test_a_stack_is_as_good_as_another() -> None:
    rules, engine = tayu(draw="stacks", size=9)
    report = thinking.last_report(engine, rules.start(), 5)
    left, right = report.candidates
    assert left.score == right.score


def test_in_the_auction_a_third_is_fair() -> None:
    rules, engine = tayu(players=3, auction="yes", size=9)
    start = rules.start()
    first = thinking.last_report(engine, start, 60).candidates[0].move
    assert 0 < first.bid < 200
    # A number far too high for the others is underbid; one that nobody would miss is left to the player who named it.
    high = rules.play(start, rules.parse(start, "bid:500"))
    assert thinking.last_report(engine, high, 60).candidates[0].move.bid < 500
    low = rules.play(start, rules.parse(start, "bid:0"))
    assert thinking.last_report(engine, low, 60).candidates[0].move.bid == 0


@pytest.mark.parametrize("settings", [{}, {"players": 3}, {"draw": "backs"}])
def test_the_same_seed_gives_the_same_report(settings: dict[str, object]) -> None:
    rules, engine = tayu(**settings)
    position = on_turn(rules, 9, 5)
    first = thinking.last_report(engine, position, 30, seed=7)
    assert thinking.last_report(tayu(**settings)[1], position, 30, seed=7) == first
    assert thinking.last_report(engine, position, 30, seed=8) != first


@pytest.mark.parametrize("settings", [{}, {"players": 3, "auction": "yes"}])
def test_it_asks_after_each_playout_whether_to_stop_and_stops(settings: dict[str, object]) -> None:
    rules, engine = tayu(**settings)
    position = rules.start()
    while rules.turn(position) == NATURE:
        position = rules.play(position, rules.legal_moves(position)[0])
    for asked in (1, 5, 50):
        report = thinking.last_report(engine, position, asked=asked)
        thinking.check_report(rules, position, report)
        assert report.nodes <= asked


def test_nobody_is_on_turn_while_a_tile_is_drawn_or_at_the_end() -> None:
    rules, engine = tayu(size=3)
    for position in (rules.start(), a_game(rules, Random(1))[-1]):
        with pytest.raises(ValueError, match="nobody is on turn"):
            engine.think(position, Limits(), Random(1), lambda: False)


def test_levels_grow_stronger() -> None:
    rules, engine = tayu(size=11)
    assert len(engine.levels) >= 8
    efforts = [(level.limits.nodes, -level.loss) for level in engine.levels]
    assert efforts == sorted(efforts)
    low, high = engine.levels[0], engine.levels[4]
    score = thinking.points(
        rules,
        lambda position, chance: thinking.move_of(engine, position, high, chance),
        lambda position, chance: thinking.move_of(engine, position, low, chance),
        games=12,
        seed=1,
    )
    assert score >= 9
