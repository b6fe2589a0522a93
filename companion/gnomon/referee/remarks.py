"""Check arbiter events of any game, on sensors or at a table: adjourning, restoring, notes and undoing."""

from typing import TYPE_CHECKING, Final

from gnomon.games.protocol import RulesError
from gnomon.referee.rulings import QuestionAsked
from gnomon.referee.undo import Undoable

if TYPE_CHECKING:
    from gnomon.referee.game import Game
    from gnomon.referee.table_game import TableGame

FLAG: Final = "flag"
"""The claim that the opponent's time had run out first; any other claim is written down in the arbiter's words."""


class CorrectionError(RulesError):
    """The correction cannot be made; the game is as it was. The message is one sentence for the arbiter."""


def check_adjourning(game: "Game | TableGame") -> None:
    """Raise CorrectionError for a game that cannot be put away."""
    if game.outcome is not None:
        message = "the game is over"
        raise CorrectionError(message)
    if game.adjourned:
        message = "the game has been put away already: resume it first"
        raise CorrectionError(message)


def check_turns(game: "Game | TableGame", turns: int) -> None:
    """Raise CorrectionError for a number of turns after which no earlier position stood."""
    if not 0 <= turns < len(game.plies):
        message = f"{len(game.plies)} turns have been made: say after how many of them, fewer than that, not {turns}"
        if len(game.plies) == 1:
            message = f"1 turn has been made: say after how many of them, fewer than that, not {turns}"
        raise CorrectionError(message)


def check_player(game: "Game | TableGame", player: str) -> None:
    """Raise CorrectionError for somebody who does not play."""
    if player not in game.rules.players:
        message = f"{player!r} does not play: the players are {', '.join(game.rules.players)}"
        raise CorrectionError(message)


def check_note(text: str) -> None:
    """Raise CorrectionError for a note that says nothing."""
    if not text.strip():
        message = "the note is empty: write what is to be remembered"
        raise CorrectionError(message)


def was_asked(game: "Game | TableGame", choice: str) -> bool:
    """Whether the last question that the referee asked had that choice."""
    asked = next((ruling for ruling in reversed(game.rulings) if isinstance(ruling, QuestionAsked)), None)
    return asked is not None and choice in asked.choices


def undoable(made: Undoable | None) -> Undoable:
    """The correction that is undone. Raises CorrectionError when there is none."""
    if made is None:
        message = "there is no correction to undo, or play has gone on since: void the turns after it first"
        raise CorrectionError(message)
    return made
