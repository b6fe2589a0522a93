"""Measure the levels of Gnomon's own engine against each other (`gnomon engine ladder`)."""

import asyncio
from itertools import combinations, pairwise
from typing import Any

import click

from gnomon.cli import localized
from gnomon.cli.engine_commands._contest import Contestant, Terms, contest_options, play_match
from gnomon.cli.engine_commands._plugged_in import chosen_rules
from gnomon.cli.engine_commands.match import match_values
from gnomon.cli.game_choice import GameChoice
from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.engines import engine_of
from gnomon.engines.matches import MatchTally, ratings
from gnomon.refusals import statement
from gnomon.rules.registry import GAMES
from gnomon.timekeeping.instants import SECOND, Duration

_TWO = 2


@localized.command("ladder", help="command.engine.ladder")
@localized.argument("game", type=GameChoice(GAMES))
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.set")
@localized.option("--levels", metavar="N,N,…", help="option.engine.levels")
@localized.option(
    "--games",
    "number",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="option.engine.ladder.games",
)
@localized.option("--neighbours", is_flag=True, help="option.engine.neighbours")
@contest_options
def ladder_engines(  # noqa: PLR0913 - click hands over each option
    *,
    game: str,
    settings: tuple[str, ...],
    levels: str | None,
    number: int,
    neighbours: bool,
    opening: int,
    nodes: int | None,
    pace: float,
    seed: int,
) -> None:
    """Let all levels of GAME play each other, and print how strong they are."""
    rules, given = chosen_rules(game, settings)
    every = engine_of(rules).levels
    chosen = _levels(levels, len(every))
    terms = Terms(rules, given, opening, Duration(round(pace * SECOND)), nodes, None, seed)
    sides = [Contestant(str(each), every[each - 1]) for each in chosen]
    words = command_words()
    if neighbours:
        click.echo(words("engine.ladder.steps", game=game, number=(len(sides) - 1) * number))
        for lower, higher in pairwise(sides):
            values = match_values(asyncio.run(play_match((higher, lower), number, terms)))
            click.echo(words("engine.ladder.step", higher=higher.name, lower=lower.name, **values))
        return
    results = asyncio.run(_round_robin(sides, number, terms))
    click.echo(words("engine.ladder.heading", game=game, number=len(results) * number))
    for name, (strength, error) in ratings([side.name for side in sides], results).items():
        points = _points(name, results)
        share = f"{100 * points.score:.1f}"
        click.echo(
            words(
                "engine.ladder.row",
                level=name,
                elo=f"{strength:+5.0f}".replace("-", "−"),
                error=f"{error:.0f}",
                share=share,
                number=points.games,
            )
        )


async def _round_robin(sides: list[Contestant], games: int, terms: Terms) -> dict[tuple[str, str], MatchTally]:
    """The results of each two sides."""
    results: dict[tuple[str, str], MatchTally] = {}
    for one, other in combinations(sides, 2):
        results[one.name, other.name] = await play_match((one, other), games, terms)
    return results


def _points(name: str, results: dict[tuple[str, str], MatchTally]) -> MatchTally:
    found = MatchTally()
    for (one, other), tally in results.items():
        if one == name:
            found = MatchTally(*map(sum, zip(found, tally, strict=True)))
        elif other == name:
            found = MatchTally(*map(sum, zip(found, tally[::-1], strict=True)))
    return found


def _levels(text: str | None, most: int) -> list[int]:
    if text is None:
        return [*range(1, most + 1)]
    words: list[Any] = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and word.isascii() and 1 <= int(word[:9]) <= most for word in words):
        raise CommandRefusedError(statement("engine.match.level", number=most, text=text))
    chosen = sorted({int(word) for word in words})
    if len(chosen) < _TWO:
        raise CommandRefusedError(statement("engine.ladder.two"))
    return chosen
