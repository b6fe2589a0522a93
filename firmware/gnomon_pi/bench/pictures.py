"""The only place of the bench's own pictures: how the board would look after a move, and where its places lie."""

from collections.abc import Mapping, Sequence

from gnomon.referee.games import AnyGame
from gnomon.referee.table_game import TableGame
from gnomon.rules.protocol import RulesError
from gnomon.views.catalogue import ENGLISH, Words
from gnomon.views.places import places
from gnomon.views.table_summary import pictured
from gnomon.views.wording import upper
from gnomon.web.pictures import NoPictureError, for_the_page


def after(game: AnyGame | None, text: str, words: Words = ENGLISH) -> str:
    """The picture of the game after a move that is not made yet. Raises NoPictureError."""
    if not isinstance(game, TableGame):
        message = "There is no game whose next move could be shown."
        raise NoPictureError(message)
    try:
        position = game.rules.play(game.position, game.rules.parse(game.position, text))
    except RulesError as error:
        message = f"{upper(str(error)).rstrip('.')}."
        raise NoPictureError(message) from error
    return for_the_page(pictured(game.rules, position, text, words("bench.not_played"), words))


def where(game: AnyGame | None) -> Mapping[str, Sequence[float]]:
    """Where each place lies on the game's picture: left, top, width and height."""
    if not isinstance(game, TableGame):
        return {}
    return {name: [round(length, 2) for length in place] for name, place in places(game.rules).items()}
