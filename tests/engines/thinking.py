"""Ask engines for moves, and check what every engine promises."""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import count
from random import Random
from typing import Any

from gnomon.engines.levels import choose
from gnomon.engines.protocol import Engine, Level, Limits, Report
from gnomon.rules.kinds import GameKind, load
from gnomon.rules.protocol import NATURE, OVER, Rules

AnyRules = Rules[Any, Any]
AnyEngine = Engine[Any]
Position = Any  # of whatever game
Move = Any
Player = Callable[[Position, Random], Move]

FULL_STRENGTH = Level(Limits(), loss=0.0)


def engine_of(kind: GameKind, settings: Mapping[str, object]) -> tuple[AnyRules, AnyEngine]:
    """The rules of a game and the engine that plays it."""
    rules = kind.rules_of(settings)
    return rules, load(kind.engine)(rules)


def last_report(
    engine: AnyEngine, position: Position, nodes: int | None = None, seed: int = 1, asked: int | None = None
) -> Report:
    """What an engine has found at the end; it is stopped when it has asked so many times."""
    asking = count(1)
    stopped = (lambda: False) if asked is None else (lambda: next(asking) >= asked)
    reports = list(engine.think(position, Limits(nodes=nodes), Random(seed), stopped))
    assert reports
    return reports[-1]


def move_of(engine: AnyEngine, position: Position, level: Level, chance: Random) -> Move:
    """The move that an engine plays at a level."""
    *_, report = engine.think(position, level.limits, chance, lambda: False)
    return choose(report.candidates, level.loss, chance).move


def check_report(rules: AnyRules, position: Position, report: Report) -> None:
    """That every candidate is legal, has a chance and a legal line; that they stand in order, each once."""
    candidates = report.candidates
    assert candidates
    for each in candidates:
        assert 0 <= each.score.chance <= 1
        after = position
        for move in (each.move, *each.line):
            after = rules.play(after, move)  # which raises an error if it is not legal
    chances = [each.score.chance for each in candidates]
    assert chances == sorted(chances, reverse=True)
    assert len({each.move for each in candidates}) == len(candidates)


def check_random_game(rules: AnyRules, engine: AnyEngine, chance: Random, nodes: int = 12, share: float = 0.3) -> None:
    """That what an engine reports is in order all through a game, which goes on by any of its candidates."""
    position = rules.start()
    while (turn := rules.turn(position)) != OVER:
        moves = rules.legal_moves(position)
        if turn == NATURE or chance.random() > share:
            position = rules.play(position, chance.choice(moves))
            continue
        report = last_report(engine, position, nodes)
        check_report(rules, position, report)
        position = rules.play(position, chance.choice(report.candidates).move)


def points(rules: AnyRules, one: Player, other: Player, games: int, seed: int) -> float:
    """How a match ends: each player is a function of position and chance; colours change, and a draw counts half."""
    total = 0.0
    for game in range(games):
        chance = Random(f"{seed} {game}")
        position = rules.start()
        players = (one, other) if game % 2 == 0 else (other, one)
        while (turn := rules.turn(position)) != OVER:
            if turn == NATURE:
                draws = rules.legal_moves(position)
                move = chance.choice([draw for draw in draws for _ in range(int(rules.weight(position, draw)))])
            else:
                move = players[number_of(rules, position, turn)](position, chance)
            position = rules.play(position, move)
        outcome = rules.outcome(position)
        assert outcome is not None
        winner = outcome.winner
        total += 0.5 if winner is None else players[number_of(rules, position, winner)] is one
    return total


def number_of(rules: AnyRules, position: Position, player: str) -> int:
    """Which of two persons somebody is, by where they sit, or by their role where roles are all there is."""
    seat = rules.seat(position, player)
    return int(rules.seats.index(seat if seat in rules.seats else player))


def brute_force(rules: AnyRules) -> Callable[[Position], bool]:
    """Whether the player on turn wins a game of two without draws, by the rules alone."""

    @cache
    def wins(position: Position) -> bool:
        outcome = rules.outcome(position)
        if outcome is not None:
            return bool(outcome.winner == rules.players[position.mover])
        return any(not wins(rules.play(position, move)) for move in rules.legal_moves(position))

    return wins
