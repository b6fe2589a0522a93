"""Compute which inputs a board must have, from its kind and the way its glasses are sensed."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from gnomon.games.tamsk.sensing.inputs import BUTTON_NOT_TURNED, GLASS, POLES, SINGLE, TIMER, inputs_with
from gnomon.referee.table import ARBITER, CLOCK_BUTTONS, TABLE_BUTTONS
from gnomon.refusals import Statement, statement
from gnomon_pi.config.checked_toml import TomlTable
from gnomon_pi.config.description import TABLE, TAMSK

_LEAST_SIZE, _MOST_SIZE = 3, 26  # squares along a side of Tayu's board


class InputGroup(NamedTuple):
    """Some places in their order, and the inputs that each of them has."""

    table: TomlTable
    places: tuple[str, ...]
    kinds: tuple[str, ...]
    strobed: bool


class Expected(NamedTuple):
    """The inputs that a board must have, all of them and no other; None where nobody can tell which."""

    names: frozenset[str] | None
    place: str = ""  # which socket has one pole, and on which line it says so: then every glass has one
    number: int = 0
    two: bool = False  # whether every glass is expected with two

    def refusal(self, name: str) -> Statement:
        """Why the board does not have an input."""
        place, _, kind = name.rpartition(".")
        is_glass = kind in {*POLES, GLASS} and any(
            f"{place}.{other}" in (self.names or ()) for other in (*POLES, GLASS)
        )
        if not (is_glass or name == BUTTON_NOT_TURNED):
            return statement("config.no_input", input=name)
        if self.place:
            return statement("config.no_input.single", input=name, place=self.place, number=self.number)
        return statement("config.no_input.two" if self.two else "config.no_input", input=name)

    def lack(self, missing: Sequence[str]) -> Statement:
        """What the board lacks, of which there is something."""
        first = BUTTON_NOT_TURNED if BUTTON_NOT_TURNED in missing else missing[0]
        more, is_pole = len(missing) - 1, first == BUTTON_NOT_TURNED
        if more:
            return statement("config.lack.pole.other" if is_pole else "config.lack.other", input=first, more=more)
        return statement("config.lack.pole.one" if is_pole else "config.lack.one", input=first)


def default_size() -> int:
    """The squares along a side of a Tayu board whose description names no size."""
    from gnomon.games.tayu.rules.settings import TayuSettings

    return TayuSettings().size


NOBODY_KNOWS: Final = Expected(None)


def part_of(expected: Expected, places: Collection[str]) -> Expected:
    """The inputs of some places, where the others are not wired yet; nor need there be any button."""
    if expected.names is None:
        return expected
    return expected._replace(names=frozenset(name for name in expected.names if name.rpartition(".")[0] in places))


def is_of_another_board(
    board: str, top: TomlTable, groups: Sequence[InputGroup], buttons: TomlTable, expected: Expected
) -> bool:
    """Whether the word for the board is not that of what is described; then one mistake says so, and not each input."""
    if expected.names is None:
        return True
    if board == TABLE:
        fits = any(name in expected.names for name in buttons if name != ARBITER) and "size" not in [*top]
        if fits or not top.has("sensors"):  # of a table that has sensors besides, that key is the mistake
            return False
        top.has("size")  # Tayu's
        top.note(statement("config.board.sensors", board=board), "board")
        return True
    if not top.has("sensors"):
        return True  # which is noted already
    if not expected.names:
        return True
    given = [f"{place}.{kind}" for group in groups for place in group.places for kind in group.kinds]
    if not given or any(name in expected.names for name in given):
        return False
    top.note(statement("config.board.inputs", board=board, input=given[0], number=len(given)), "board")
    return True


def groups_of(sensors: TomlTable) -> Sequence[InputGroup]:
    """The groups of inputs that the sensors are said to have."""
    groups = []
    for table in sensors.tables("bits"):
        groups.append(InputGroup(table, table.words("places"), table.words("inputs"), table.flag("strobed")))
        table.nothing_else()
    return groups


def expected_of(board: str, top: TomlTable, groups: Sequence[InputGroup], buttons: Collection[str] = ()) -> Expected:
    """Every input that a board must have; of a table's `buttons` that are described it hangs which others."""
    if top.is_faulty("board"):
        return Expected(None)
    if board == TAMSK:
        return _tamsk(groups)
    if board == TABLE:
        return Expected(_at_a_table(buttons))
    size = top.integer("size", _LEAST_SIZE, _MOST_SIZE, default=default_size())
    if top.is_faulty("size"):
        return Expected(None)
    from gnomon.games.tayu.rules import Tayu
    from gnomon.games.tayu.sensing import square_inputs

    return Expected(square_inputs(Tayu.from_settings({"size": size})) | frozenset(TABLE_BUTTONS) | _clock_of(buttons))


def _at_a_table(buttons: Collection[str]) -> frozenset[str]:
    """The arbiter's button, and the four that pick a move, the two of a match clock, or all of them."""
    clock = _clock_of(buttons)
    picking = frozenset(TABLE_BUTTONS) - {ARBITER}
    return clock | {ARBITER} | (picking if picking & {*buttons} or not clock else frozenset())


def _clock_of(buttons: Collection[str]) -> frozenset[str]:
    return frozenset(CLOCK_BUTTONS) if {*CLOCK_BUTTONS} & {*buttons} else frozenset()


def _tamsk(groups: Sequence[InputGroup]) -> Expected:
    """Sockets are all alike, and the stand of the 15-second glass is as it is."""
    single = [(place, group) for group in groups if GLASS in group.kinds for place in group.places]
    socket = next(((place, group) for place, group in single if place != TIMER), None)
    stand = any(place == TIMER for place, _ in single)
    names = inputs_with(sockets=POLES if socket is None else SINGLE, timer=SINGLE if stand else POLES)
    if socket is not None:
        place, group = socket
        return Expected(frozenset(names), place, group.table.line())
    return Expected(frozenset(names), two=not stand)
