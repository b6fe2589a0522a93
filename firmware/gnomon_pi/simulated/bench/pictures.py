"""Draw the bench's own pictures: the board after a proposed move, and the position of each place."""

from collections.abc import Mapping, Sequence

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.game import Game
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError
from gnomon.views.places import places
from gnomon.views.retelling import refused_again
from gnomon.views.table_summary import pictured
from gnomon.web.pictures import NoPictureError, for_the_page
from gnomon.words import ENGLISH, Words


def ahead(game: Game | None, text: str, words: Words = ENGLISH) -> Mapping[str, str]:
    """The `picture` of the game after a move that is not made yet, or `why` it may not be made; nothing is recorded.

    Raises NoPictureError where there is no game at a table.
    """
    if game is None or isinstance(game, TamskGame):
        raise NoPictureError(statement("told.hands.no_move"))
    try:
        position = game.rules.play(game.position, game.rules.parse(game.position, text))
    except RulesError as error:
        return {"why": refused_again(error, words)}
    return {"picture": for_the_page(pictured(game.rules, position, text, words("bench.not_played"), words))}


def where(game: Game | None) -> Mapping[str, Sequence[float]]:
    """Where each place lies on the game's picture: left, top, width and height."""
    if game is None or isinstance(game, TamskGame):
        return {}
    return {name: [round(length, 2) for length in place] for name, place in places(game.rules).items()}
