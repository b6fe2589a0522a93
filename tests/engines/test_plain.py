"""The engine that knows rules only: it plays every game, and better with more nodes."""

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from gnomon.cli.engine_commands._contest import Contestant, Terms, play_match
from gnomon.engines._plain import PlainEngine
from gnomon.engines.matches import draw
from gnomon.engines.protocol import Level, Limits, Report
from gnomon.rules.protocol import NATURE
from gnomon.rules.registry import GAMES, rules_of
from gnomon.timekeeping.instants import Duration

SETTINGS: list[tuple[str, dict[str, str]]] = [(game, {}) for game in GAMES] + [
    ("tamsk", {"level": "3"}),
    ("tayu", {"players": "3", "auction": "yes"}),
    ("twenty-squares", {"board": "double", "players": "4"}),
]


def never() -> bool:
    return False


def reports(game: str, settings: dict[str, str], moves: Sequence[str], limits: Limits) -> list[Report]:
    rules = rules_of(game, settings)
    position = rules.start()
    for text in moves:
        position = rules.play(position, rules.parse(position, text))
    return list(PlainEngine(rules).think(position, limits, Random(1), never))


@pytest.mark.parametrize(("game", "settings"), SETTINGS)
def test_every_game_is_played_with_few_nodes(game: str, settings: dict[str, str]) -> None:
    rules, chance = rules_of(game, settings), Random(1)
    engine, position = PlainEngine(rules), rules.start()
    for _ in range(12):
        if rules.turn(position) == NATURE:
            position = rules.play(position, draw(rules, position, chance))
            continue
        found = list(engine.think(position, Limits(nodes=100), chance, never))
        assert found[-1].nodes <= 100 + len(rules.legal_moves(position))
        chances = [each.score.chance for each in found[-1].candidates]
        assert chances == sorted(chances, reverse=True)
        position = rules.play(position, found[-1].candidates[0].move)


def test_a_move_that_wins_at_once_is_found_and_proven() -> None:
    (report, *more) = reports("tabik", {"size": "2"}, ["a1b1", "b2a2", "a1~a2"], Limits())
    assert more == []
    assert all(each.score.proven for each in report.candidates)


def test_who_swaps_sides_wins_with_the_other_colour() -> None:
    # On the board of two by two Black wins (without the pie), whatever the first move is: White takes his side.
    last = reports("tabik", {"size": "2"}, ["a1b1"], Limits(depth=7))[-1]
    best = last.candidates[0]
    assert best.move.kind == "pie"
    assert best.score.chance > 0.5


def test_it_stops_when_it_is_told_to_and_has_reported_all_the_same() -> None:
    rules = rules_of("tabik", {})
    found = list(PlainEngine(rules).think(rules.start(), Limits(), Random(1), lambda: True))
    assert len(found) == 1
    assert len(found[0].candidates) == 1


def test_the_same_chance_gives_the_same_report() -> None:
    assert reports("tamsk", {}, [], Limits(nodes=500)) == reports("tamsk", {}, [], Limits(nodes=500))


def test_nobody_thinks_for_nature() -> None:
    with pytest.raises(ValueError, match="nobody is on turn"):
        reports("twenty-squares", {}, [], Limits(nodes=10))


def test_only_the_moves_that_are_asked_about_are_weighed() -> None:
    rules = rules_of("tabik", {})
    moves = tuple(rules.legal_moves(rules.start())[:2])
    found = reports("tabik", {}, [], Limits(depth=1, moves=moves))
    assert {each.move for each in found[-1].candidates} == set(moves)


def test_more_nodes_play_better() -> None:
    terms = Terms(rules_of("tabik", {"size": "4"}), {}, 2, Duration(0), None, None, 1)
    sides = Contestant("strong", Level(Limits(nodes=1500))), Contestant("weak", Level(Limits(nodes=30), loss=0.6))
    assert asyncio.run(play_match(sides, 8, terms)).score > 0.7
