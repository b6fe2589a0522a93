"""Derive how tables of three and four ended from the rulings at their boards, and from what their players say.

A ruling tells the winner and everybody's score. Where the game ended by its rules, that is an order of places; where
somebody resigned or a flag fell, people say it. What is said counts once everybody at the table has said the same, or
has confirmed it at the board: a player who is silent could be the one whom the others agree to put last.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import NamedTuple

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.hall.rounds.results import PairingGame
from gnomon.hall.rounds.table_dispatch import table_seats
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import PlacesEntered
from gnomon.tournament.scoring.multiplayer import Places, order_text, places_by_score, places_of
from gnomon.tournament.state.rounds import Round, Table
from gnomon.views.show import show


class TableClaim(NamedTuple):
    """What an entrant says of how their table ended, as `order_text` writes it, when the book had `told` events."""

    entrant: int
    order: str
    told: int = 0


class OrderReport(NamedTuple):
    """An order of a table, and who tells it: a board, none where it is empty, or some of the players."""

    order: str
    device: str = ""
    entrants: tuple[int, ...] = ()


class TableProposal(NamedTuple):
    """What is told of a table; `entered` is what stands.

    `ruled` are the places that its board tells, none while it tells none, and `confirmed` the entrants who have
    confirmed them there. `said` is what players said on their phones, each by their number; once places are entered
    that is over. `is_settled` where the director has seen that board and book differ.
    """

    round: int
    table: Table
    game: PairingGame | None = None
    ruled: Places = ()
    confirmed: frozenset[int] = frozenset()
    entered: Places | None = None
    is_settled: bool = False
    said: tuple[tuple[int, Places], ...] = ()

    @property
    def board(self) -> int:
        """The number of the table."""
        return self.table.board

    @property
    def devices(self) -> tuple[str, ...]:
        """The board of the hall at which it is played, if any."""
        return () if self.game is None else (self.game.device,)

    @property
    def places(self) -> Places:
        """The places that the board tells, or else all players; none where there are none, or somebody contradicts."""
        if self.is_disputed:
            return ()
        return self.ruled or (self.said[0][1] if self.is_said_by_all else ())

    @property
    def order(self) -> str:
        """The places as people enter them."""
        return order_text(self.table, self.places) if self.places else ""

    @property
    def is_disputed(self) -> bool:
        """Whether the players do not agree with each other, or with the board: the director decides."""
        return len({*dict(self.said).values(), *filter(None, [self.ruled])}) > 1

    @property
    def is_unclear(self) -> bool:
        """Whether the game at its board has ended, and neither the board nor the players tell the places."""
        return self.game is not None and self.game.ruled is not None and self.entered is None and not self.places

    @property
    def is_said_by_all(self) -> bool:
        """Whether everybody at the table has said how it ended."""
        return dict(self.said).keys() == {*self.table.seats}

    @property
    def is_confirmed(self) -> bool:
        """Whether everybody at the table has confirmed the places, each at the board or on their phone."""
        return bool(self.places) and {*self.table.seats} <= self.confirmed | dict(self.said).keys()

    @property
    def differs(self) -> bool:
        """Whether the board tells other places than those that stand, and the director has not seen it."""
        return bool(self.ruled) and self.entered not in (None, self.ruled) and not self.is_settled

    @property
    def reports(self) -> tuple[OrderReport, ...]:
        """Every order that is told: the board's, and those of the players, each with all who say the same."""
        board = [OrderReport(order_text(self.table, self.ruled), self.game.device)] if self.game and self.ruled else []
        by_order = sorted(self.said, key=lambda one: one[1])
        said = [
            OrderReport(order_text(self.table, places), entrants=tuple(entrant for entrant, _ in tellers))
            for places, tellers in groupby(by_order, key=lambda one: one[1])
        ]
        return (*board, *said)

    @property
    def source(self) -> str:
        """Who tells it, for the book: `board t07, confirmed by all`."""
        if self.game is None or not self.ruled:
            return "all players"
        return f"board {self.game.device}{', confirmed by all' if self.is_confirmed else ''}"

    @property
    def proof(self) -> str:
        """Where it is written: `higher_score: t07, game 3, record 88`."""
        told = [f"said by player {entrant}: {order_text(self.table, places)}" for entrant, places in self.said]
        if self.game is not None and self.game.ruled is not None:
            ruled = self.game.ruled
            told.insert(0, f"{ruled.reason}: {self.game.device}, game {self.game.game}, record {ruled.seq}")
        return "; ".join(told)

    def is_to_be_entered(self, accept: Accept) -> bool:
        """Whether the rule of the hall lets it be entered without the director."""
        if not self.places or self.entered is not None:
            return False
        return accept is Accept.AT_ONCE or (accept is Accept.CONFIRMED and self.is_confirmed)


def table_proposals(
    plan: BoardAssignment,
    round_: Round,
    played: Iterable[PairingGame],
    settled: Collection[tuple[str, str, int, int]] = (),
    claims: Iterable[TableClaim] = (),
) -> list[TableProposal]:
    """What is told of the tables of a round of which anything is; the game that was begun last for a table counts.

    `settled` are the rulings (device, epoch, game, record) of which the director has seen that the book says otherwise;
    `claims` are what players say.
    """
    games: Mapping[tuple[int, ...], PairingGame] = {_seats_of(game): game for game in played}
    told = [*claims]
    proposals = []
    for table in round_.tables:
        game = games.get((table.board, *table.seats))
        entered = round_.places.get(table.board)
        proposal = TableProposal(round_.number, table, entered=entered, said=() if entered else _claims_of(table, told))
        if game is not None:
            is_settled = game.ruled is not None and (game.device, game.epoch, game.game, game.ruled.seq) in settled
            proposal = proposal._replace(
                game=game,
                ruled=_places(plan, table, game),
                confirmed=_confirmations(plan, table, game),
                is_settled=is_settled,
            )
        if game is not None or proposal.said:
            proposals.append(proposal)
    return proposals


def _claims_of(table: Table, claims: Iterable[TableClaim]) -> tuple[tuple[int, Places], ...]:
    """What those who sit at a table say of it; what is about others, who sat there before, is left out."""
    said = []
    for claim in claims:
        if claim.entrant in table.seats:
            with suppress(TournamentError):
                said.append((claim.entrant, places_of(table, claim.order)))
    return tuple(said)


def _confirmations(plan: BoardAssignment, table: Table, game: PairingGame) -> frozenset[int]:
    """The entrants who have confirmed at the board how it ended."""
    players = frozenset() if game.ruled is None else game.ruled.confirmed
    seats = zip(table.seats, table_seats(plan, len(table.seats)), strict=False)
    return frozenset(entrant for entrant, player in seats if player in players)


def _seats_of(game: PairingGame) -> tuple[int, ...]:
    """The table for which a game was begun, and all who sat there: after a change its ruling is nobody else's."""
    return (game.seating.board, game.seating.first, game.seating.second, *game.seating.others)


def _places(plan: BoardAssignment, table: Table, game: PairingGame) -> Places:
    """The places of the seats, none where the ruling is not one of the game's rules."""
    seats, ruled = table_seats(plan, len(table.seats)), game.ruled
    if ruled is None or not seats or ruled.reason not in show(plan.game).endings or not {*seats} <= {*ruled.score}:
        return ()
    winner = seats.index(ruled.winner) if ruled.winner in seats else None
    return places_by_score([ruled.score[seat] for seat in seats], winner)


def tables_taken_back(told: Sequence[LoggedEvent]) -> Mapping[tuple[int, int], int]:
    """The rounds and tables of which somebody took the places back, each with the number of the last such event.

    What was said before does not count any more, and what their boards have ruled nobody enters but people.
    """
    return {
        (each.event.round, each.event.board): each.number
        for each in told
        if isinstance(each.event, PlacesEntered) and not each.event.places
    }
