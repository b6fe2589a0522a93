"""List the turns of a score sheet with the position before each, who of the persons made it, and the last position.

A person keeps their number through a change of sides: 0 is who sat first in the rules when the game began.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from gnomon.records.formats.line_play import BY_HAND, Step
from gnomon.records.formats.sheet_play import is_turn, play_to_end, steps
from gnomon.records.formats.sheets import Sheet
from gnomon.rules.protocol import NATURE, Outcome, PlayedTurn, Rules, RulesError
from gnomon.rules.registry import kind_of, rules_of
from gnomon.timekeeping.instants import Duration, Instant

_PAIR: Final = 2


class PlayedGame(NamedTuple):
    """A recorded game: its rules, its turns (those of nature too), its last position, and how it ended."""

    rules: Rules[Any, Any]
    turns: tuple[PlayedTurn, ...]
    last: Any
    result: Outcome | None

    def position(self, ply: int) -> Any:  # noqa: ANN401 - each game has positions of its own
        """The position after so many turns. Raises IndexError for more than there are."""
        return self.last if ply == len(self.turns) else self.turns[ply].before


def play(sheet: Sheet) -> PlayedGame:
    """Play the turns of a sheet. Raises as `gnomon.records.formats.sheet_play.play_to_end` does."""
    rules, played = rules_of(sheet.game, sheet.settings), list(steps(sheet))
    last = played[-1].position if played else rules.start()
    return PlayedGame(rules, tuple(_turns(sheet, played)), last, play_to_end(sheet).result)


def played_turns(sheet: Sheet) -> Iterator[PlayedTurn]:
    """The turns of a sheet in order. Raises as `gnomon.records.formats.sheet_play.steps` does."""
    return _turns(sheet, steps(sheet))


def _turns(sheet: Sheet, played: Iterable[Step]) -> Iterator[PlayedTurn]:
    rules, swap = rules_of(sheet.game, sheet.settings), kind_of(sheet.game).swap
    before, began, number, is_swapped = rules.start(), Instant(0), 0, False
    for step in played:
        if not is_turn(rules, before, step):
            # What is put right by hand changes the position in which the turn begins; a glass that is lifted does not.
            before = step.position if step.player == BY_HAND else before
            continue
        number += 1
        nature = rules.turn(before) == NATURE
        yield PlayedTurn(
            number,
            NATURE if nature else step.player,
            step.text,
            before,
            step.number,
            None if nature else person_of(rules, before, step.player, is_swapped=is_swapped),
            _move(rules, before, step.text),
            step.position,
            step.at,
            None if step.line.at is None else Duration(step.at - began),
        )
        is_swapped ^= step.text == swap != ""
        before, began = step.position, step.at


def person_of(rules: Rules[Any, Any], position: object, player: str, *, is_swapped: bool) -> int | None:
    """Which person plays as a player, from 0; None while that is open."""
    seats = list(rules.seats)
    seat = player if player in seats else rules.seat(position, player)
    if seat not in seats:
        return None
    place = seats.index(seat)
    return 1 - place if is_swapped and len(seats) == _PAIR else place


def has_swapped(sheet: Sheet) -> bool:
    """Whether the two persons have changed sides by the end of a game."""
    swap = kind_of(sheet.game).swap
    return bool(swap) and sum(line.text == swap for line in sheet.lines) % 2 == 1


def _move(rules: Rules[Any, Any], position: object, text: str) -> Any:  # noqa: ANN401 - as above
    try:
        return rules.parse(position, text)
    except RulesError:
        return None
