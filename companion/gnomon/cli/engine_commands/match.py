"""Let two engines play a match (`gnomon engine match`)."""

import asyncio
from math import isinf
from pathlib import Path
from typing import Any

import click

from gnomon.cli import localized
from gnomon.cli.engine_commands._contest import Contestant, Terms, contest_options, play_match
from gnomon.cli.engine_commands._plugged_in import chosen_rules, engines_option, plugin_named
from gnomon.cli.game_choice import GameChoice
from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.engines import engine_of
from gnomon.engines.matches import MatchTally, elo
from gnomon.refusals import statement
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import GAMES
from gnomon.timekeeping.instants import SECOND, Duration


@localized.command("match", help="command.engine.match")
@localized.argument("first", metavar="A")
@localized.argument("second", metavar="B")
@localized.option("--game", type=GameChoice(GAMES), required=True, help="option.engine.match.game")
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.set")
@localized.option(
    "--games",
    "number",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="option.engine.match.games",
)
@localized.option("--time", type=click.FloatRange(min=0.01), help="option.engine.time")
@contest_options
@engines_option
def match_engines(  # noqa: PLR0913 - click hands over each option
    *,
    first: str,
    second: str,
    game: str,
    settings: tuple[str, ...],
    number: int,
    opening: int,
    nodes: int | None,
    time: float | None,
    pace: float,
    seed: int,
    folder: Path | None,
) -> None:
    """Let A and B play each other, each opening twice with colours changed."""
    rules, given = chosen_rules(game, settings)
    terms = Terms(rules, given, opening, Duration(round(pace * SECOND)), nodes, _duration(time), seed)
    sides = _side(first, rules, folder), _side(second, rules, folder)
    tally = asyncio.run(play_match(sides, number, terms))
    words = command_words()
    values = match_values(tally)
    click.echo(words("engine.match.score", first=first, second=second, **values))
    click.echo(words("engine.match.elo", **values))


def _duration(time: float | None) -> Duration | None:
    return None if time is None else Duration(round(time * SECOND))


def _side(text: str, rules: Rules[Any, Any], folder: Path | None) -> Contestant:
    levels = engine_of(rules).levels
    if text.isdecimal() and text.isascii():
        if not 1 <= int(text[:9]) <= len(levels):
            raise CommandRefusedError(statement("engine.match.level", number=len(levels), text=text))
        return Contestant(text, levels[int(text) - 1])
    plugin = plugin_named(text, folder)
    if plugin is None:
        raise CommandRefusedError(statement("engine.match.unknown", text=text))
    if rules.name not in plugin.games:
        raise CommandRefusedError(statement("engine.match.game", engine=text, game=rules.name))
    return Contestant(text, plugin=plugin)


def match_values(tally: MatchTally) -> dict[str, object]:
    """How a match went, in the words of its sentences: games, share of the points and Elo with their intervals."""
    low, high = tally.interval
    shares = {name: f"{100 * each:.1f}" for name, each in (("share", tally.score), ("low", low), ("high", high))}
    elos = {f"elo_{name}": elo_text(each) for name, each in (("share", tally.score), ("low", low), ("high", high))}
    return {"won": tally.won, "drawn": tally.drawn, "lost": tally.lost, **shares, **elos}


def elo_text(score: float) -> str:
    """A difference in Elo with its sign; that of somebody who wins or loses always has no bound."""
    difference = elo(score)
    if isinf(difference):
        return "+∞" if difference > 0 else "−∞"
    return f"{difference:+.0f}".replace("-", "−")
