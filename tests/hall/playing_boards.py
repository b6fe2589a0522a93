"""Boards in the tests of a hall that tell whole games: their records are those that a daemon writes."""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from gnomon.records.bundles import Bundle
from gnomon.records.formats.sheets import Sheet
from gnomon.records.imports import import_trace
from gnomon.records.journal.writer import Journal
from gnomon.records.sheet_traces import sheet_trace
from tests.hall.boards import ModelBoard


@dataclass
class PlayingBoard(ModelBoard):
    """A board at which games of score sheets are played, all of them of one game."""

    def expect(self, sheet: Sheet) -> None:
        """Begin the next games as the one of a sheet begins."""
        header = sheet_trace(sheet).header
        self.start = replace(self.start, game=header.game, settings=header.settings, board=header.board)

    def play(self, sheet: Sheet) -> None:
        """Play a whole game in the game that was begun last."""
        made = sheet_trace(sheet)
        with TemporaryDirectory() as folder, Journal.open(Path(folder, "journal")) as journal:
            number = import_trace(Bundle(made.header, made.happenings, made.until).trace, journal)
            while journal.queued:
                journal.wait_durable(journal.durable_seq + 1, 0.01)
            (stored,) = journal.games()
            records = journal.read(number)
        # The numbers of entries are the board's own, and so are those of what caused them.
        ahead = len(self.journal) + 1 - records[0].seq
        for each in records:
            cause = None if each.entry.cause is None else each.entry.cause + ahead
            self.write(replace(each, entry=replace(each.entry, game=self.games, cause=cause)))
        assert self.start.setup.game == stored.start.game
        assert stored.ended is not None
        self.ended[self.games] = len(self.journal)
