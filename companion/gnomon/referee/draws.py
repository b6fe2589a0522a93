"""Let players offer a draw, and answer the offer.

An offer stands until it is answered or the other player has made a turn; it may be made once between two turns of
one's own.
"""

from typing import Final

from gnomon.referee.errors import CorrectionError
from gnomon.referee.game import DrawOffer, Game, GameT
from gnomon.referee.opponents import plays_as, seat_at_table
from gnomon.referee.player_roles import actor
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import Corrected
from gnomon.refusals import statement
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import Instant

AGREED: Final = "agreed"
"""Why a game is over that ended by a draw that was offered and accepted."""

_TWO: Final = 2
_DRAW: Final = "corrected.draw."


def offer_draw(game: GameT, player: str, at: Instant) -> GameT:
    """The game in which a player has offered a draw. Raises CorrectionError where that cannot be."""
    game.check_goes_on()
    if game.exercise is not None:
        raise CorrectionError(statement("told.draw.exercise"))
    seat = _seat(game, player)
    if game.opponent is not None and seat in game.opponent.seats and not game.opponent.is_distant:
        raise CorrectionError(statement("told.draw.engine"))
    offer = game.draw
    if offer is not None and offer.is_open:
        raise CorrectionError(statement("told.draw.open"))
    since = () if offer is None else game.plies[offer.plies :]
    if (
        offer is not None
        and offer.seat == seat
        and not any(seat_at_table(game, ply.player, ply.before) == seat for ply in since)
    ):
        raise CorrectionError(statement("told.draw.again"))
    return replace(game, draw=DrawOffer(seat, at, len(game.plies)))


def answer_draw(game: GameT, player: str, at: Instant) -> GameT:
    """The game in which the offer has been answered. Raises CorrectionError for somebody who was not asked."""
    game.check_goes_on()
    offer = game.draw
    if offer is None or not offer.is_open:
        raise CorrectionError(statement("told.draw.none"))
    if _seat(game, player) == offer.seat:
        raise CorrectionError(statement("told.draw.own"))
    return replace(game, draw=offer._replace(is_open=False, answered=at))


def asked_for_a_draw(game: Game) -> str | None:
    """The player, by the role of the moment, whose answer to an offer is awaited; None where nothing is offered."""
    offer = game.draw
    if offer is None or not offer.is_open or game.outcome is not None:
        return None
    return next(
        (player for player in two_players(game) if seat_at_table(game, player, game.position) != offer.seat), None
    )


def may_offer(game: Game) -> str | None:
    """The player who may offer a draw now: the person on turn, or the one who plays an engine; None: nobody."""
    if game.outcome is not None or game.exercise is not None or asked_for_a_draw(game) is not None:
        return None
    persons = [player for player in two_players(game) if not plays_as(game, player, game.position)]
    on_turn = [player for player in persons if player == actor(game.rules, game.position)]
    return next(iter([*on_turn, *(persons if len(persons) == 1 else ())]), None)


def two_players(game: Game) -> tuple[str, ...]:
    """Both players by their roles of the moment; none where not exactly two play."""
    seats = tuple(game.rules.seats)
    if len(seats) != _TWO:
        return ()
    roles = {seat_at_table(game, player, game.position): player for player in game.rules.players}
    return tuple(roles.get(seat, seat) for seat in seats)


def is_of_a_draw(ruling: Corrected) -> bool:
    """Whether a ruling says what players said about a draw, and corrects nothing."""
    return ruling.what.key.startswith(_DRAW)


def let_lapse(game: GameT) -> GameT:
    """The game without an offer that the other player has not answered before a turn of their own."""
    offer = game.draw
    if offer is None or not offer.is_open:
        return game
    since = game.plies[offer.plies :]
    has_played = any(
        ply.player != NATURE and seat_at_table(game, ply.player, ply.before) != offer.seat for ply in since
    )
    if has_played or len(game.plies) < offer.plies or game.outcome is not None:
        game = replace(game, draw=offer._replace(is_open=False))
    return game


def _seat(game: Game, player: str) -> str:
    """Where one of two players sits. Raises CorrectionError for somebody else, and in a game of more."""
    if len(game.rules.seats) != _TWO:
        raise CorrectionError(statement("told.draw.two"))
    if player not in {*game.rules.players, *game.rules.seats}:
        raise CorrectionError(statement("told.correction.players", winner=player, known=game.rules.players))
    return seat_at_table(game, player, game.position)
