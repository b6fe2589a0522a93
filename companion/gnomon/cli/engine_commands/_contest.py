"""Let engines play games against each other, for the commands that compare them."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import click

from gnomon.cli import localized
from gnomon.cli.engine_commands._plugged_in import CommandT
from gnomon.cli.words import say_sentence
from gnomon.engines import engine_of
from gnomon.engines.levels import choose
from gnomon.engines.matches import MatchTally, Player, play_game
from gnomon.engines.move_list import MoveList
from gnomon.engines.plugins import EnginePlugin
from gnomon.engines.process import Answer, EngineDroppedError, EngineProcess, Go
from gnomon.engines.protocol import Level, Limits
from gnomon.hall.clock import monotonic_now
from gnomon.rules.protocol import Rules
from gnomon.timekeeping.instants import SECOND, Duration


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what conditions is played."""

    rules: Rules[Any, Any]
    settings: Mapping[str, str]
    opening: int
    pace: Duration
    nodes: int | None
    time: Duration | None
    seed: int


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who plays: a level of Gnomon's own engine, or an engine that is plugged in."""

    name: str
    level: Level | None = None
    plugin: EnginePlugin | None = None


_OPTIONS: Final = (
    localized.option(
        "--opening", type=click.IntRange(min=0), default=2, show_default=True, help="option.engine.opening"
    ),
    localized.option("--nodes", type=click.IntRange(min=1), help="option.engine.nodes"),
    localized.option(
        "--pace",
        type=click.FloatRange(min=0),
        default=8,
        show_default=True,
        help="option.engine.pace",
    ),
    localized.option("--seed", type=int, default=1, show_default=True, help="option.engine.seed"),
)


def contest_options(command: CommandT) -> CommandT:
    """The options for what a contest is played under: `opening`, `nodes`, `pace` and `seed`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class _LostError(Exception):
    """An engine no longer plays, and has lost the game."""

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.side = side


async def play_match(sides: tuple[Contestant, Contestant], games: int, terms: Terms) -> MatchTally:
    """How the first side fares in so many games: two of each opening and each luck, with colours changed."""
    tally = MatchTally()
    for number in range(games):
        begins = number % 2
        points = await _play_one((sides[begins], sides[1 - begins]), terms, number)
        tally = tally.add(points if begins == 0 else 1 - points)
    return tally


async def _play_one(sides: tuple[Contestant, Contestant], terms: Terms, number: int) -> float:
    """What one game brings the side that begins it."""
    # Others have other luck: else two that move by chance alone would play the same game as any other two.
    pair = f"{terms.seed}/{'/'.join(sorted(side.name for side in sides))}"
    luck = Random(f"{pair}/{number // 2}")  # noqa: S311 - it is to be repeated
    processes = [None if side.plugin is None else EngineProcess(side.plugin, terms.settings, _report) for side in sides]
    players = [
        _own(side.level, terms, Random(f"{pair}/{number}/{place}"))  # noqa: S311 - likewise
        if process is None
        else _foreign(process, terms, place)
        for place, (side, process) in enumerate(zip(sides, processes, strict=True))
    ]
    try:
        game = await play_game(terms.rules, (players[0], players[1]), luck, opening=terms.opening, pace=terms.pace)
    except _LostError as error:
        return float(error.side)  # 0 for the first
    finally:
        for process in processes:
            if process is not None:
                await process.close()
    return {"p1win": 1.0, "p2win": 0.0}.get(game.result, 0.5)


def _own(level: Level | None, terms: Terms, chance: Random) -> Player:
    """A level of Gnomon's own engine, in this process."""
    engine = engine_of(terms.rules)
    limits, loss = level if level is not None else Level(Limits())
    hands = (terms.pace, terms.pace) if terms.pace else limits.hands
    nodes = limits.nodes if terms.nodes is None else min(terms.nodes, limits.nodes or terms.nodes)
    limits = limits._replace(nodes=nodes, hands=hands, reserve=limits.reserve if terms.nodes is None else 0)

    async def move(game: MoveList) -> Answer:
        began = monotonic_now()
        late = terms.time
        reports = engine.think(
            game.position, limits, chance, lambda: late is not None and monotonic_now() - began >= late
        )
        *_, last = reports
        chosen = choose(last.candidates, loss, chance)
        return Answer(chosen.move, terms.rules.text(game.position, chosen.move), wait=chosen.wait)

    return move


def _foreign(process: EngineProcess, terms: Terms, place: int) -> Player:
    """An engine that is plugged in; without another limit it thinks for a second."""
    time = Duration(SECOND) if terms.nodes is None and terms.time is None else terms.time
    go = Go(nodes=terms.nodes, time=time, hands=(terms.pace, terms.pace))

    async def move(game: MoveList) -> Answer:
        try:
            return await process.move(game, go)
        except EngineDroppedError as error:
            _report(error)
            raise _LostError(place) from error

    return move


def _report(told: Any) -> None:  # noqa: ANN401 - a statement or an error
    click.echo(say_sentence(told), err=True)
