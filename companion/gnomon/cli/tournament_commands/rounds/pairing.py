"""Pair, publish, change and revoke rounds: the commands `pair`, `publish`, `change` and `revoke`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli.tournament_commands._boards import board_lines, difference_lines, round_lines
from gnomon.cli.tournament_commands._event_log import Desk, as_json, because, print_lines, read_command, tell_command
from gnomon.cli.tournament_commands._json_views import pairings_value
from gnomon.cli.tournament_commands.rounds.multiplayer import table_lines
from gnomon.cli.words import command_words, say_sentence
from gnomon.hall.pairing.bbp import RULES
from gnomon.numbers import parse_whole
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import RoundChanged, RoundPublished, RoundRevoked, TablesChanged
from gnomon.tournament.formats.tables.entrants import MOST_NUMBER
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import (
    change_tables,
    changed_by_hand,
    parse_pairing,
    parse_tables,
    swap,
    swap_at_tables,
)
from gnomon.tournament.state.rounds import Pairing, Table
from gnomon.tournament.teams.matches import as_shown
from gnomon.web.sheets.rounds import round_heading

_ENGINES: Final = ("own", "bbp")
_PATIENCE: Final = 300  # players who are paired in about a second; more get a process of their own, with a deadline

engine_option = localized.option(
    "--engine",
    type=click.Choice(_ENGINES),
    default="own",
    show_default=True,
    help="option.tournament.engine",
)
deadline_option = localized.option(
    "--deadline",
    type=click.IntRange(1, 86_400),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="option.tournament.pairing_seconds",
)


def pair_round(tournament: Tournament, engine: str, deadline: int) -> tuple[Pairing, ...]:
    """The next round by an engine. Raises TournamentError where it cannot be paired, or not in time."""
    if engine == "bbp":
        from gnomon.hall.pairing.bbp import Bbp, find_bbp
        from gnomon.tournament.pairing.engines import pair

        return pair(tournament, Bbp(find_bbp(), timedelta(seconds=deadline)))
    if len(tournament.players(tournament.next_round)) > _PATIENCE:
        from gnomon.hall.pairing.worker import pair_in_worker

        told = _Progress(in_place=sys.stderr.isatty())
        try:
            return pair_in_worker(
                tournament, deadline=timedelta(seconds=deadline), tell=lambda one: told(say_sentence(one))
            )
        finally:
            told("")
    from gnomon.tournament.pairing.engines import pair

    return pair(tournament)


@dataclass(frozen=True, slots=True)
class _Progress:
    """Says how far a pairing has come, beside the output, which may be for a program: in one line of a terminal."""

    in_place: bool

    def __call__(self, text: str) -> None:
        if self.in_place:
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)
        elif text:
            click.echo(text, err=True)


_TWO: Final = 2


@localized.command(help="command.tournament.pair")
@read_command
@engine_option
@deadline_option
@as_json
def pair(*, desk: Desk, engine: str, deadline: int, as_json: bool) -> None:
    """Show how the next round would be paired."""
    tournament = desk.look()
    before = _before_the_last(tournament)
    pairings = pair_round(before, engine, deadline)
    if as_json:
        write_json({"round": before.next_round, "pairings": pairings_value(before, pairings)})
        return
    words = command_words()
    click.echo(round_heading(before.settings, before.next_round, words, "cli.tournament.preview"))
    print_lines(list(board_lines(before, before.next_round, pairings, {})))
    print_lines(list(_advice(tournament, pairings) if before is not tournament else [words("cli.tournament.publish")]))


@localized.command(help="command.tournament.publish")
@localized.argument("pairings", metavar="[BOARD:FIRST-SECOND]...", nargs=-1)
@tell_command
@engine_option
@deadline_option
@localized.option("--override", default="", metavar="REASON", help="option.tournament.publish.override")
def publish(pairings: tuple[str, ...], *, desk: Desk, engine: str, deadline: int, override: str) -> None:
    """Publish the next round, as `pair` shows it or by hand."""
    tournament = desk.look()
    chosen = tuple(map(parse_pairing, pairings)) if pairings else pair_round(tournament, engine, deadline)
    number = tournament.next_round
    paired_by = RULES if engine == "bbp" and not pairings else ""
    after = desk.tell(RoundPublished(number, chosen, override, paired_by))
    click.echo(round_heading(after.settings, number, command_words(), "cli.tournament.published"))
    print_lines(list(round_lines(after, after.round(number))))


@localized.command(help="command.tournament.change")
@localized.argument("what", metavar="ONE OTHER | BOARD:FIRST-SECOND...", nargs=-1, required=True)
@tell_command
@because
@localized.option("--override", is_flag=True, help="option.tournament.change.override")
def change(what: tuple[str, ...], *, desk: Desk, why: str, override: bool) -> None:
    """Change the round being played, by hand."""
    tournament = desk.look()
    number = len(tournament.rounds)
    if number and tournament.rounds[-1].tables:
        seated = desk.tell(TablesChanged(number, _change_tables(tournament.rounds[-1].tables, what), why))
        click.echo(command_words()("cli.tournament.changed", number=number))
        print_lines(list(table_lines(seated, seated.round(number))))
        return
    before = as_shown(tournament).round(number).pairings if number else ()
    after = desk.tell(RoundChanged(number, _change(before, what), why, override))
    shown = as_shown(after)
    click.echo(command_words()("cli.tournament.changed", number=number))
    print_lines(list(difference_lines(shown, before, shown.round(number).pairings)))


@localized.command(help="command.tournament.revoke")
@tell_command
@because
def revoke(desk: Desk, why: str) -> None:
    """Revoke the last round published, to pair it again."""
    tournament = desk.look()
    number = len(tournament.rounds)
    desk.tell(RoundRevoked(number, why))
    click.echo(command_words()("cli.tournament.revoked", number=number))


def _before_the_last(tournament: Tournament) -> Tournament:
    """The tournament before the round that is published and has no result of a game yet; else as it is."""
    if not tournament.rounds or not tournament.waiting:
        return tournament
    last = tournament.rounds[-1]
    if any(game.played for result in last.results.values() for game in result):
        return tournament
    return replace(tournament, rounds=tournament.rounds[:-1])


def _advice(tournament: Tournament, pairings: tuple[Pairing, ...]) -> Iterator[str]:
    shown, words = as_shown(tournament), command_words()
    last = shown.rounds[-1]
    changes = list(difference_lines(shown, last.pairings, pairings))
    if not changes:
        yield words("cli.tournament.published.same", number=last.number)
        return
    yield words("cli.tournament.published.otherwise", number=last.number)
    yield from (f"  {change}" for change in changes)
    yield words("cli.tournament.take_back")


def _change(before: tuple[Pairing, ...], what: tuple[str, ...]) -> tuple[Pairing, ...]:
    two = _two_numbers(what)
    return swap(before, *two) if two else changed_by_hand(before, map(parse_pairing, what))


def _change_tables(before: tuple[Table, ...], what: tuple[str, ...]) -> tuple[Table, ...]:
    two = _two_numbers(what)
    return swap_at_tables(before, *two) if two else change_tables(before, parse_tables(what))


def _two_numbers(what: tuple[str, ...]) -> list[int]:
    """The two to be swapped, nobody where boards are named. Raises TournamentError for a mixture."""
    numbers = [number for word in what if (number := parse_whole(word, MOST_NUMBER)) is not None]
    if numbers and not len(numbers) == len(what) == _TWO:
        raise TournamentError(statement("cli.tournament.no_change", text=" ".join(what)))
    return numbers


COMMANDS: Final = {"pair": pair, "publish": publish, "change": change, "revoke": revoke}
