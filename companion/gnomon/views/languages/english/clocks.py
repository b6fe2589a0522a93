"""English words for the match clock: its rulings, questions and settings."""

from collections.abc import Mapping
from typing import Final

ENTRIES: Final[Mapping[str, str]] = {
    "game.clock": "Match clock",
    "picture.clock.turn": "{player} is on turn",
    "picture.clock.turns.one": "{number} turn ended.",
    "picture.clock.turns.other": "{number} turns ended.",
    "ruling.clock": "The clock is started: {player} thinks.",
    "ruling.clock.brief": "{player}'s clock runs.",
    "ruling.flag": "{player} has used up the time: the flag has fallen.",
    "ruling.flag.brief": "{player}'s flag has fallen.",
    "ending.flag": "The time was used up: a flag fell.",
    "player.left": "Left",
    "player.right": "Right",
    "button.left": "the left button",
    "button.right": "the right button",
    "turn.clock.press": "{player} ends the turn.",
    "turn.clock.press.brief": "{player} ends the turn",
    "due.clock": "Make a move and press the button of your own side.",
    "due.clock.start": "The player who does not begin presses and starts the clock.",
    "corrected.clock": "clock of {player} set: {setting}",
    "corrected.clock.pressed": "clock pressed for {player}",
    "corrected.given.clock": "{seconds} s given to {to} on the clock",
    "corrected.taken.clock": "{seconds} s taken from {of} on the clock",
    "told.clock.none": "this game has no match clock",
    "told.clock.start": "the clock has not been started: the player who does not begin presses first",
    "told.clock.not_running": "the clock of {player} is not running: only who is thinking can press",
    "told.clock.to_move": "{player} is to move already",
    "told.clock.no_side": "{player} has no side of the clock: the players are {players}",
    "told.clock.no_flag": "no flag has fallen against which {player} could claim",
    "told.clock.by_itself": "a turn of TAMSK presses the clock by itself: enter the turn",
}
