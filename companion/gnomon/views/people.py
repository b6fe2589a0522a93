"""Map the players of a game to the names of the people who play them, after any change of sides."""

from collections.abc import Mapping

from gnomon.referee.game import Game
from gnomon.views.show import show_of


def people(game: Game) -> Mapping[str, str]:
    """The names by the players of the rules; empty for those who gave none."""
    return show_of(game).people(game)
