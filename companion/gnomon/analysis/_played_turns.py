"""List the turns of a score sheet with the position before each, and who of the persons made it.

A person keeps their number through a change of sides: 0 is who sat first in the rules when the game began.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gnomon.records.line_play import BY_HAND
from gnomon.records.sheet_play import is_turn, steps
from gnomon.records.sheets import Sheet
from gnomon.rules.protocol import NATURE, Rules, RulesError
from gnomon.rules.registry import kind_of, rules_of
from gnomon.timekeeping.instants import Duration, Instant

_PAIR = 2


class PlayedTurn(NamedTuple):
    """A turn as it was made.

    `number` counts turns from 1, those of nature among them, and `line` is the number of its line on the sheet from 1.
    `person` is None for nature, and where the rules do not say yet who plays as the player. `before` is the position
    in which the turn began, and `move` what was played, None where that became possible during the turn only, as with
    a turn that was lost. `took` is None where the sheet has no times.
    """

    number: int
    line: int
    player: str
    person: int | None
    text: str
    before: Any
    move: Any
    after: Any
    at: Instant
    took: Duration | None


def played_turns(sheet: Sheet) -> Iterator[PlayedTurn]:
    """The turns of a sheet in order. Raises as `gnomon.records.sheet_play.steps` does."""
    rules, swap = rules_of(sheet.game, sheet.settings), kind_of(sheet.game).swap
    before, began, number, is_swapped = rules.start(), Instant(0), 0, False
    for step in steps(sheet):
        if not is_turn(rules, before, step):
            # What is put right by hand changes the position in which the turn begins; a glass that is lifted does not.
            before = step.position if step.player == BY_HAND else before
            continue
        number += 1
        nature = rules.turn(before) == NATURE
        yield PlayedTurn(
            number,
            step.number,
            NATURE if nature else step.player,
            None if nature else person_of(rules, before, step.player, is_swapped=is_swapped),
            step.text,
            before,
            _move(rules, before, step.text),
            step.position,
            step.at,
            None if step.line.at is None else Duration(step.at - began),
        )
        is_swapped ^= step.text == swap != ""
        before, began = step.position, step.at


def person_of(rules: Rules[Any, Any], position: Any, player: str, *, is_swapped: bool) -> int | None:  # noqa: ANN401 - each game has positions of its own
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


def _move(rules: Rules[Any, Any], position: Any, text: str) -> Any:  # noqa: ANN401 - as above
    try:
        return rules.parse(position, text)
    except RulesError:
        return None
