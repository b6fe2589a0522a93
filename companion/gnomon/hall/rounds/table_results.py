"""Derive how tables of three and four ended from the rulings at their boards, as results of pairs are derived.

A ruling tells the winner and everybody's score. Where the game ended by its rules, that is an order of places; where
somebody resigned or a flag fell, people say it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.hall.rounds.results import PairingGame
from gnomon.hall.rounds.table_dispatch import table_seats
from gnomon.tournament.events import Event, PlacesEntered
from gnomon.tournament.multiplayer import Places, order_text, places_by_score
from gnomon.tournament.rounds import Round, Table
from gnomon.views.show import show

_NAMED: Final = 2  # entrants whom a request names: those who sit first


class TableProposal(NamedTuple):
    """What a board tells of a table: the places of its seats, none while it tells none; `entered` is what stands.

    `is_settled` where the director has seen that the two differ.
    """

    round: int
    table: Table
    game: PairingGame
    places: Places = ()
    entered: Places | None = None
    is_settled: bool = False

    @property
    def board(self) -> int:
        """The number of the table."""
        return self.table.board

    @property
    def order(self) -> str:
        """The places as people enter them."""
        return order_text(self.table, self.places) if self.places else ""

    @property
    def differs(self) -> bool:
        """Whether the board tells other places than those that stand, and the director has not seen it."""
        return bool(self.places) and self.entered not in (None, self.places) and not self.is_settled

    @property
    def source(self) -> str:
        """Who tells it, for the book: `board t07, confirmed by all`."""
        return f"board {self.game.device}{', confirmed by all' if self.game.is_confirmed else ''}"

    @property
    def proof(self) -> str:
        """Where it is written: `higher_score: t07, game 3, record 88`."""
        ruled = self.game.ruled
        reason, seq = ("", 0) if ruled is None else (ruled.reason, ruled.seq)
        return f"{reason}: {self.game.device}, game {self.game.game}, record {seq}"

    def is_to_be_entered(self, accept: Accept) -> bool:
        """Whether the rule of the hall lets it be entered without the director."""
        if not self.places or self.entered is not None:
            return False
        return accept is Accept.AT_ONCE or (accept is Accept.CONFIRMED and self.game.is_confirmed)


def table_proposals(
    plan: BoardAssignment,
    round_: Round,
    played: Iterable[PairingGame],
    settled: Collection[tuple[str, str, int, int]] = (),
) -> list[TableProposal]:
    """What the boards tell of the tables of a round; the game that was begun last for a table counts.

    `settled` are the rulings (device, epoch, game, record) of which the director has seen that the book says otherwise.
    """
    games: Mapping[tuple[int, ...], PairingGame] = {_seats_of(game): game for game in played}
    return [
        TableProposal(
            round_.number,
            table,
            game,
            _places(plan, table, game),
            round_.places.get(table.board),
            game.ruled is not None and (game.device, game.epoch, game.game, game.ruled.seq) in settled,
        )
        for table in round_.tables
        if (game := games.get((table.board, *table.seats[:_NAMED]))) is not None
    ]


def _seats_of(game: PairingGame) -> tuple[int, ...]:
    return (game.seating.board, game.seating.first, game.seating.second)


def _places(plan: BoardAssignment, table: Table, game: PairingGame) -> Places:
    """The places of the seats, none where the ruling is not one of the game's rules."""
    seats, ruled = table_seats(plan, len(table.seats)), game.ruled
    if ruled is None or not seats or ruled.reason not in show(plan.game).endings or not {*seats} <= {*ruled.score}:
        return ()
    winner = seats.index(ruled.winner) if ruled.winner in seats else None
    return places_by_score([ruled.score[seat] for seat in seats], winner)


def tables_by_hand(events: Sequence[Event]) -> frozenset[tuple[int, int]]:
    """The rounds and tables of which somebody took the places back: these nobody enters but people."""
    return frozenset(
        (event.round, event.board) for event in events if isinstance(event, PlacesEntered) and not event.places
    )
