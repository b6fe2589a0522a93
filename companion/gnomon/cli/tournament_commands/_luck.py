"""Work out what luck gave in the games of a tournament: those of a hall's boards, or games in files."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gnomon.analysis.luck import luck_of
from gnomon.cli._tables import TextColumn, hanging_lines, table
from gnomon.cli.record_commands.sheet import read_games
from gnomon.cli.tournament_commands._event_log import Desk
from gnomon.cli.words import CommandRefusedError, UnusableError, command_words
from gnomon.engines.tables import tables_folder
from gnomon.hall.luck import games_with_luck, has_luck, trace_of
from gnomon.hall.rounds.event_log_rows import SqlBook
from gnomon.hall.rounds.result_entry import Scope, proposals_from
from gnomon.hall.store.archive import BoardArchive
from gnomon.records.files import read_sheets
from gnomon.records.formats.sheet_play import play_to_end
from gnomon.records.journal.store import JournalError
from gnomon.refusals import statement
from gnomon.rules.registry import rules_of
from gnomon.tournament.standings.even_luck import LuckOfGame, even_luck_standings, has_even_luck
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import gain_text, points_text, two_places
from gnomon.tournament.state.results import GameResult


class WorkedOutLuck(NamedTuple):
    """The luck in games of a tournament, and whether all of it is exact."""

    games: tuple[LuckOfGame, ...]
    exact: bool

    def lines(self, tournament: Tournament) -> Iterator[str]:
        """What is said of the points with even luck, and their table."""
        words, names = command_words(), tournament.entrants
        yield from hanging_lines("", words("tournament.even_luck"))
        yield words("tournament.even_luck.exact" if self.exact else "tournament.even_luck.estimate")
        heads = ("sheet.points", "engine.luck.luck", "engine.luck.even", "sheet.games")
        columns = [TextColumn(words("sheet.name"), gives=True)]
        columns += [TextColumn(words(head), right=True) for head in heads]
        rows = [
            (
                names[row.number].name,
                points_text(row.points),
                gain_text(row.luck),
                two_places(row.even),
                str(row.games),
            )
            for row in even_luck_standings(tournament, self.games)
        ]
        yield from table(columns, rows)

    def values(self, tournament: Tournament) -> Mapping[int, dict[str, object]]:
        """What programs are told of each entrant: the points that luck gave, what is left, and in how many games."""
        return {
            row.number: {"even_luck": {"luck": row.luck, "points": row.even, "games": row.games, "exact": self.exact}}
            for row in even_luck_standings(tournament, self.games)
        }


def work_out(desk: Desk, tournament: Tournament, files: Sequence[str]) -> WorkedOutLuck:
    """The luck in the games that the hall's boards have recorded, or in those of files.

    Raises ClickException where points do not add up game by game, where there is no such game, and for files that
    cannot be read.
    """
    if not has_even_luck(tournament):
        raise CommandRefusedError(statement("cli.tournament.luck.system"))
    found = [*(_of_files(tournament, files) if files else _of_hall(desk, tournament))]
    if not found:
        raise CommandRefusedError(statement("cli.tournament.luck.none"))
    return WorkedOutLuck(tuple(game for game, _ in found), all(exact for _, exact in found))


def _of_hall(desk: Desk, tournament: Tournament) -> Iterator[tuple[LuckOfGame, bool]]:
    """The games in the records of a hall's boards; nothing for a tournament in a file."""
    book = desk.book
    if not isinstance(book, SqlBook):
        return
    tables = tables_folder(os.environ)
    for game in games_with_luck(proposals_from(book.database, tournament, Scope(book.name), book.read())):
        try:
            (sheet,) = read_sheets(trace_of(BoardArchive(book.database, game.device, game.epoch), game))
            luck = luck_of(sheet, tables)
        except (ValueError, JournalError):
            continue  # a game that cannot be read says nothing of luck
        if luck is not None:
            of = game.seating
            yield LuckOfGame(of.round, of.first, of.second, luck.gained[of.player]), luck.exact


def _of_files(tournament: Tournament, files: Sequence[str]) -> Iterator[tuple[LuckOfGame, bool]]:
    """The games of two entrants, by their names, each with a result that the tournament has for them."""
    numbers = {_fold(one.name): one.number for one in tournament.entrants.values()}
    meetings = list(_meetings(tournament))
    tables = tables_folder(os.environ)
    for file in files:
        for sheet in read_games(file):
            if not has_luck(sheet.game):
                continue
            try:
                players: Sequence[str] = rules_of(sheet.game, sheet.settings).players
                winner = getattr(play_to_end(sheet).result, "winner", None)
                luck = luck_of(sheet, tables)
            except ValueError as error:
                raise UnusableError.in_file(file, error) from error
            named = {player: numbers.get(_fold(sheet.players.get(player, ""))) for player in players}
            first, second = next(iter(named.values())), named[players[-1]]
            played = next((each for each in meetings if each[1:] == ({first, second}, named.get(str(winner)))), None)
            if luck is None or played is None or first is None or second is None:
                continue
            meetings.remove(played)
            yield LuckOfGame(played[0], first, second, luck.gained[players[0]]), luck.exact


def _meetings(tournament: Tournament) -> Iterator[tuple[int, set[int | None], int | None]]:
    """Every game that was won: in which round, of which two, and by whom."""
    for round_ in tournament.rounds:
        for pairing in round_.pairings:
            for result in round_.results.get(pairing.board, ()):
                winner = {GameResult.FIRST_WON: pairing.first, GameResult.SECOND_WON: pairing.second}.get(result)
                if winner is not None:
                    yield round_.number, {pairing.first, pairing.second}, winner


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()
