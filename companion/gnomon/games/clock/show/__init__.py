"""Show the bare match clock: presses, and whose time runs."""

from typing import Final

from gnomon.referee.game import Game
from gnomon.views.show import Show, TurnPrompt, phrase
from gnomon.words import Words


class ClockShow(Show[Game]):
    """The match clock beside a game of which nothing is known."""

    title = "Match clock"
    turns = (phrase("press", "turn.clock.press"),)
    touch = ""
    sample = "press press press"
    picture = "gnomon.games.clock.show._picture:picture"
    miniature = ""

    def prompt(self, game: Game, words: Words) -> TurnPrompt:
        """A press, which may start the clock."""
        started = game.clock is not None and game.clock.has_started
        key = "due.clock" if started else "due.clock.start"
        return TurnPrompt("press", "moves" if started else "begins", words(key))


SHOW: Final = ClockShow()
