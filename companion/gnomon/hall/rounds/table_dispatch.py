"""Decide which games of tables of three and four to start at which boards of the hall, with the names of all who sit.

`gnomon.hall.rounds.table_results` says what their rulings mean for the places.
"""

from collections.abc import Collection, Mapping
from typing import Final

from gnomon.hall.board_registry import RegisteredBoard
from gnomon.hall.messaging.actions import GameRequest, PairingName
from gnomon.hall.rounds.board_assignment import BoardAssignment, PlanError
from gnomon.hall.rounds.dispatch import FREE, Errand, Left, asked_already
from gnomon.hall.store.requests import Seating
from gnomon.referee.games import game_of
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import SettingsError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Round, Table

_PLAYERS: Final = "players"  # the setting by which a game of several says how many play


def table_errands(  # noqa: PLR0913 - everything that has a say in it
    name: str,
    tournament: Tournament,
    plan: BoardAssignment,
    *,
    boards: Collection[int] | None,
    under_way: Collection[Seating],
    places: Mapping[str, RegisteredBoard],
    abandoned_by: str = "",
) -> tuple[list[Errand], list[Left]]:
    """What is to be asked of the boards for the tables of the round being played, and what is left to people.

    Raises PlanError for a plan without a game.
    """
    if not plan.game:
        raise PlanError(statement("hall.plan.no_game"))
    round_ = tournament.rounds[-1]
    to_do: list[Errand] = []
    left: list[Left] = []
    for table in round_.tables:
        if boards is not None and table.board not in boards:
            continue
        device = plan.boards.get(table.board, "")
        players = table_seats(plan, len(table.seats))
        first = players[0] if players else ""
        one, second, *others = table.seats
        seating = Seating(name, round_.number, table.board, 1, one, second, first, tuple(others))
        place = places.get(device) or RegisteredBoard(device)
        why = _why_not(plan, round_, table, place, players, is_asked=seating in under_way, abandon=bool(abandoned_by))
        if why is not None:
            left.append(Left(table.board, device, why))
            continue
        names = [tournament.entrants[number].name for number in table.seats]
        setup = GameSetup(
            plan.game, _settings(plan, len(names)), plan.temperament, dict(zip(players, names, strict=True))
        )
        action = GameRequest(setup, PairingName(name, round_.number, table.board), abandoned_by).dump()
        to_do.append(Errand(device, action, seating))
    return to_do, left


def table_seats(plan: BoardAssignment, players: int) -> tuple[str, ...]:
    """The seats of a game in the order of moving; none where so many cannot play it."""
    try:
        seats = tuple(game_of(GameSetup(plan.game, _settings(plan, players))).rules.seats)
    except SettingsError:
        return ()
    return seats if len(seats) == players else ()


def _settings(plan: BoardAssignment, players: int) -> Mapping[str, object]:
    return {**plan.settings, _PLAYERS: str(players)}


def _why_not(  # noqa: PLR0913 - everything that has a say in it
    plan: BoardAssignment,
    round_: Round,
    table: Table,
    place: RegisteredBoard,
    players: tuple[str, ...],
    *,
    is_asked: bool,
    abandon: bool,
) -> Statement | None:
    """Why the game of a table is not begun now; None when it is."""
    if table.board in round_.places:
        return statement("hall.left.result", board=table.board)
    if not players:
        return statement("hall.left.seats", game=plan.game, count=len(table.seats), board=table.board)
    if not place.board:
        return statement("hall.left.no_device", board=table.board)
    if is_asked:
        return asked_already(place.board)
    if place.phase not in FREE and not abandon:
        return statement("hall.left.unfinished", device=place.board)
    return None
