"""Decide which games of a round to start at which boards of the hall, and for which players."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gnomon.hall.board_registry import RegisteredBoard
from gnomon.hall.messaging.actions import GameRequest, PairingName
from gnomon.hall.messaging.messages import Json
from gnomon.hall.rounds.board_assignment import BoardAssignment, PlanError
from gnomon.hall.rounds.results import PairingState, Proposal
from gnomon.hall.store.requests import Seating
from gnomon.referee.clock_settings import CLOCK, FLAG, PRESS
from gnomon.referee.games import game_of
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import find_game
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing

_SIDES: Final = 2
_TO_PLAY: Final = frozenset({PairingState.TO_SEND, PairingState.PLAYING, PairingState.BETWEEN, PairingState.UNCLEAR})
FREE: Final = frozenset({"empty", "over", "adjourned"})


class Errand(NamedTuple):
    """A game to be begun at a board of the hall."""

    device: str
    action: Json
    seating: Seating


class Left(NamedTuple):
    """A pairing whose game is not begun by the hall, and why."""

    board: int
    device: str
    why: Statement


def seats(plan: BoardAssignment) -> tuple[str, str]:
    """The two who play, in the words of the game's rules: who moves first, and the other. Raises PlanError."""
    if not plan.game:
        raise PlanError(statement("hall.plan.no_game"))
    try:
        # With the match clock, which has a say too; roles that the two only bid for are no seats.
        players = tuple(game_of(GameSetup(plan.game, plan.settings)).rules.seats)
    except SettingsError as error:
        raise PlanError(error) from error
    if len(players) > _SIDES:
        raise PlanError(statement("hall.plan.players", game=plan.game, players=len(players)))
    return players[0], players[1]


def plan_of_round(plan: BoardAssignment, tournament: Tournament) -> BoardAssignment:
    """The plan with the game of the round being played, where each round plays another: usual settings, same clock.

    A game that is played without boards leaves no game to begin.
    """
    named = tournament.settings.game_in(len(tournament.rounds))
    game = find_game(named)
    if not named or game == plan.game:
        return plan
    clock = {name: value for name, value in plan.settings.items() if name in {CLOCK, FLAG, PRESS}}
    return replace(plan, game=game, settings=clock)


def errands(  # noqa: PLR0913 - everything that has a say in it
    name: str,
    tournament: Tournament,
    plan: BoardAssignment,
    told: Iterable[Proposal],
    *,
    under_way: Collection[Seating],
    places: Mapping[str, RegisteredBoard],
    abandoned_by: str = "",
) -> tuple[list[Errand], list[Left]]:
    """What is to be asked of the boards for the round being played, and what is left to people.

    `under_way` was asked for already; `abandoned_by` gives up games that are unfinished at those boards.
    Raises PlanError.
    """
    first, second = seats(plan)
    to_do: list[Errand] = []
    left: list[Left] = []
    for proposal in told:
        pairing = proposal.pairing
        device = plan.boards.get(pairing.board, "")
        number = _next_game(proposal, tournament.settings.games)
        swapped = number % 2 == 0  # they change sides from game to game
        seating = _seats(name, proposal, number, second if swapped else first)
        why = _why_not(
            proposal, number, places.get(device) or RegisteredBoard(device), abandoned_by, is_asked=seating in under_way
        )
        if why:
            left.append(Left(pairing.board, device, why))
        else:
            sides = (second, first) if swapped else (first, second)
            to_do.append(Errand(device, _action(tournament, plan, pairing, sides, seating, abandoned_by), seating))
    return to_do, left


def _seats(name: str, proposal: Proposal, number: int, player: str) -> Seating:
    pairing = proposal.pairing
    return Seating(name, proposal.round, pairing.board, number, pairing.first, pairing.second or 0, player)


def _next_game(proposal: Proposal, games_in_round: int) -> int:
    """The first game of the round that has no end yet; after the last, the last."""
    over = {
        game.seating.number for game in proposal.games if game.ruled is not None and game.ruled.reason != "abandoned"
    }
    return next((number for number in range(1, games_in_round + 1) if number not in over), games_in_round)


def _why_not(
    proposal: Proposal, number: int, place: RegisteredBoard, abandoned_by: str, *, is_asked: bool
) -> Statement | None:
    """Why the game of a pairing is not begun now; None when it is."""
    board = proposal.board
    if proposal.standing not in _TO_PLAY:
        return statement("hall.left.result", board=board)
    if not place.board:
        return statement("hall.left.no_device", board=board)
    if is_asked:
        return asked_already(place.board)
    playing = next((game for game in proposal.games if game.seating.number == number and game.ruled is None), None)
    if playing is not None and not abandoned_by:
        return statement("hall.left.playing", board=board, device=playing.device)
    if place.phase not in FREE and not abandoned_by:
        return statement("hall.left.unfinished", device=place.board)
    return None


def _action(  # noqa: PLR0913, PLR0917 - what a request holds
    tournament: Tournament,
    plan: BoardAssignment,
    pairing: Pairing,
    sides: Sequence[str],
    seating: Seating,
    abandoned_by: str,
) -> Json:
    names = [tournament.entrant(number).name for number in pairing.entrants]
    setup = GameSetup(plan.game, plan.settings, plan.temperament, dict(zip(sides, names, strict=True)))
    return GameRequest(setup, PairingName(seating.tournament, seating.round, seating.board), abandoned_by).dump()


def asked_already(device: str) -> Statement:
    """Why a board is not asked once more."""
    return statement("hall.left.asked", device=device)
