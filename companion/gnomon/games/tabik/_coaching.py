"""Say what a turn of Tabik does: groups that grow or fall apart, and the sizes that count."""

from collections.abc import Iterator, Sequence

from gnomon.games.tabik.rules import PLAYERS, Move, Position, Tabik
from gnomon.refusals import Statement, statement


class TabikCoach:
    """The coach of Tabik."""

    def __init__(self, rules: Tabik) -> None:
        self._rules = rules

    def piece(self, _position: Position, move: Move) -> Statement:
        """Two new stones, a swap and one of its squares, or the pie."""
        if move.kind == "swap":
            return statement("coach.tabik.swap", square=self._name(move.first))
        return statement("coach.tabik.stones" if move.kind == "place" else "coach.tabik.pie")

    def place(self, position: Position, move: Move) -> Statement:
        """The squares."""
        if move.kind == "pie":
            return statement("coach.place", move=self._rules.text(position, move))
        return statement(
            "coach.tabik.place" if move.kind == "place" else "coach.tabik.exchange",
            first=self._name(move.first),
            second=self._name(move.second),
        )

    def reasons(self, position: Position, move: Move) -> Sequence[Statement]:
        """What happens to the largest groups and to the sizes that decide the game, or how large the groups are.

        Of the pie, how much room the stones have of the side that is taken over, and those of the other.
        """
        if move.kind == "pie":
            return (self._room(position),)
        return tuple(self._reasons(position, move)) or (self._sizes(position, move),)

    def predicts(self, _position: Position) -> bool:
        """True: values mean something from the first move."""
        return True

    def other_turn(self, position: Position) -> Position | None:
        """The position with the opponent on turn, once the pie is past."""
        if position.ending is not None or position.pie or not position.rods:
            return None
        return position._replace(mover=1 - position.mover)

    # Inside

    def _reasons(self, position: Position, move: Move) -> Iterator[Statement]:
        rules = self._rules
        after = rules.play(position, move)
        own, other = PLAYERS[position.mover], PLAYERS[1 - position.mover]
        was, now = rules.score(position), rules.score(after)
        if now[own] > was[own]:
            yield statement("coach.tabik.leads", player=own, before=was[own], after=now[own])
        if now[other] < was[other]:
            yield statement("coach.tabik.falls", player=other, before=was[other], after=now[other])
        for player, grows in ((position.mover, True), (1 - position.mover, False)):
            before, then = self._largest(position, player), self._largest(after, player)
            if (then > before) if grows else (then < before):
                yield statement(
                    "coach.tabik.grows" if grows else "coach.tabik.parts",
                    player=PLAYERS[player],
                    before=before,
                    after=then,
                )

    def _sizes(self, position: Position, move: Move) -> Statement:
        after, own, other = self._rules.play(position, move), position.mover, 1 - position.mover
        return statement(
            "coach.tabik.sizes",
            player=PLAYERS[own],
            number=self._largest(after, own),
            to=PLAYERS[other],
            other=self._largest(after, other),
        )

    def _room(self, position: Position) -> Statement:
        taken, other = 1 - position.mover, position.mover
        return statement(
            "coach.tabik.room",
            player=PLAYERS[taken],
            number=self._free_beside(position, taken),
            to=PLAYERS[other],
            other=self._free_beside(position, other),
        )

    def _free_beside(self, position: Position, player: int) -> int:
        board, stones = self._rules.board, (position.black, position.white)[player]
        free = board.full & ~(position.black | position.white)
        return board.edges_between(stones, free).bit_count()

    def _largest(self, position: Position, player: int) -> int:
        stones = (position.black, position.white)[player]
        return max((group.bit_count() for group in self._rules.board.groups(stones)), default=0)

    def _name(self, square: int) -> str:
        return self._rules.board.names[square]
