"""List the turns of a score sheet with the position before each, and the last position."""

from typing import Any, NamedTuple

from gnomon.coaching import GuessedTurn
from gnomon.records.line_play import BY_HAND
from gnomon.records.sheet_play import is_turn, play_to_end, steps
from gnomon.records.sheets import Sheet
from gnomon.rules.protocol import NATURE, Outcome, Rules
from gnomon.rules.registry import rules_of


class PlayedGame(NamedTuple):
    """A recorded game: its rules, its turns (those of nature too), its last position, and how it ended."""

    rules: Rules[Any, Any]
    turns: tuple[GuessedTurn, ...]
    last: Any
    result: Outcome | None

    def position(self, ply: int) -> Any:  # noqa: ANN401 - each game has positions of its own
        """The position after so many turns. Raises IndexError for more than there are."""
        return self.last if ply == len(self.turns) else self.turns[ply].position


def play(sheet: Sheet) -> PlayedGame:
    """Play the turns of a sheet. Raises as `gnomon.records.sheet_play.play_to_end` does."""
    rules = rules_of(sheet.game, sheet.settings)
    before, position = rules.start(), rules.start()
    turns: list[GuessedTurn] = []
    for step in steps(sheet):
        position = step.position
        if is_turn(rules, before, step):
            player = NATURE if rules.turn(before) == NATURE else step.player
            turns.append(GuessedTurn(len(turns) + 1, player, before, step.text))
            before = position
        elif step.player == BY_HAND:  # it changes the position in which the turn begins; a lifted glass does not
            before = position
    return PlayedGame(rules, tuple(turns), position, play_to_end(sheet).result)
