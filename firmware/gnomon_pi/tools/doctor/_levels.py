"""Judge the levels of a board's sensors at rest: one cause is one finding, however many inputs it shows at."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from gnomon.games.tamsk.sensing.inputs import GLASS, POLES, TIMER, start_inputs
from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import BITS_PER_EXPANDER, BITS_PER_REGISTER, Chain, Expanders, Sensors
from gnomon_pi.tools.doctor.finding import Finding, note, ok, warning

_FLUTTER: Final = 3  # changes: a piece that is put down or taken off in those seconds makes one or two
_ODD: Final = 4  # inputs that may differ from a board that is set out before it is taken for another position
_NAMED: Final = 6  # in one sentence
_MOST: Final = 0.9
"""Of the inputs that no emitters light: a full board of Tayu shows 252 of 289, TAMSK's seven glasses seven of 76."""
_FEWEST: Final = 2  # of them: one that is on says nothing of the others


class KnownBoard(NamedTuple):
    """A position that people leave a board in: what it is called, and the inputs that are on."""

    told: Statement
    on: frozenset[str]


def check_levels(levels: Sequence[int], sensors: Sensors) -> Iterator[Finding]:
    """What the scans of a few seconds say; each is one bit an input, in the order of the description."""
    if (found := _polarity(levels[-1], sensors)) is not None:
        yield found
        return
    changes = Counter(_changes(levels, sensors.inputs))
    flutter = {name: count for name, count in changes.items() if count >= _FLUTTER}
    if flutter:
        told = _list_inputs(
            statement("doctor.chatter.input", input=name_place(name, sensors), times=count)
            for name, count in sorted(flutter.items())
        )
        yield warning("chatter", statement("doctor.chatter", inputs=told))
    elif changes:
        yield note("chatter", statement("doctor.chatter.touched", inputs=_list_inputs(sorted(changes))))
    else:
        yield ok("chatter", statement("doctor.chatter.none", number=len([name for name in sensors.inputs if name])))
    on = {name for bit, name in enumerate(sensors.inputs) if name and levels[-1] >> bit & 1} - set(flutter)
    known = _known_boards(sensors)
    if flutter or not (mistake := _wiring_mistake(on, sensors, known)):
        impossible = list(_impossible(on, sensors))
        yield from _told_of(impossible)
        yield _position(on - {name for each in impossible for name in each.inputs}, sensors, known)
    else:
        yield warning("position", mistake)


def seems_inverted(level: int, sensors: Sensors) -> bool:
    """Whether so many inputs are on that `active` is more likely to be the wrong way round."""
    plain = [bit for bit, strobed in enumerate(sensors.strobed) if not strobed]
    on = sum(level >> bit & 1 for bit in plain)
    return on >= _FEWEST and on >= _MOST * len(plain)


def _polarity(level: int, sensors: Sensors) -> Finding | None:
    if not seems_inverted(level, sensors):
        return None
    plain = [bit for bit, strobed in enumerate(sensors.strobed) if not strobed]
    on = sum(level >> bit & 1 for bit in plain)
    is_low = sensors.active_low
    now, other = ("low", "high") if is_low else ("high", "low")
    return warning("sensors", statement("doctor.sensors.active", on=on, number=len(plain), now=now, other=other))


def _changes(levels: Sequence[int], inputs: Sequence[str]) -> Iterator[str]:
    for before, after in pairwise(levels):
        differ = before ^ after
        while differ:
            bit = (differ & -differ).bit_length() - 1
            differ &= differ - 1
            if inputs[bit]:
                yield inputs[bit]


# What no piece can cause


class Impossible(NamedTuple):
    """What no piece can cause, at a place, and the inputs that show it."""

    place: str
    found: Statement
    inputs: tuple[str, ...]


def _impossible(on: set[str], sensors: Sensors) -> Iterator[Impossible]:
    """Two poles under one glass, a ring above nothing."""
    for name in sorted(on):
        place, _, kind = name.rpartition(".")
        if kind == "south" and f"{place}.north" in on:
            poles = (f"{place}.north", name)
            north, south = (name_place(each, sensors) for each in poles)
            said = statement("doctor.sensors.poles", place=place, north=north, south=south)
            yield Impossible(place, said, poles)
        height = int(kind[4:]) if kind.startswith("ring") and kind[4:].isdecimal() else 1
        below = f"{place}.ring{height - 1}"
        if height > 1 and below not in on:
            lower, upper = name_place(below, sensors), name_place(name, sensors)
            said = statement("doctor.sensors.gap", place=place, ring=height, lower=lower, upper=upper)
            yield Impossible(place, said, (name,))


def _told_of(impossible: Sequence[Impossible]) -> Iterator[Finding]:
    """Each of a few; of many that something is wired otherwise as a whole."""
    if len(impossible) <= _ODD:
        yield from (warning("sensors", each.found) for each in impossible)
    else:
        places = _list_inputs(dict.fromkeys(each.place for each in impossible))
        yield warning("sensors", statement("doctor.sensors.many", places=places))


# Positions


def _known_boards(sensors: Sensors) -> Sequence[KnownBoard]:
    known = [KnownBoard(statement("doctor.position.empty"), frozenset())]
    if f"{TIMER}.{POLES[0]}" in sensors.inputs or f"{TIMER}.{GLASS}" in sensors.inputs:
        known += [
            KnownBoard(statement("doctor.position.start"), _as_seen(start_inputs(1), sensors)),
            KnownBoard(statement("doctor.position.start3"), _as_seen(start_inputs(3), sensors)),
        ]
    return known


def _position(on: set[str], sensors: Sensors, known: Sequence[KnownBoard]) -> Finding:
    """Whether the board looks empty or set out, and which inputs do not fit that."""
    told, wanted = min(known, key=lambda each: (len(each.on ^ on), len(each.on)))
    odd = sorted(wanted ^ on)
    if not odd:
        return ok("position", statement("doctor.position", how=told))
    if len(odd) <= _ODD:
        said = _list_inputs(
            statement("doctor.position.on" if each in on else "doctor.position.off", input=name_place(each, sensors))
            for each in odd
        )
        return warning("position", statement("doctor.position.but", how=told, inputs=said))
    return note("position", statement("doctor.position.game", number=len(on)))


def _wiring_mistake(on: set[str], sensors: Sensors, known: Sequence[KnownBoard]) -> Statement | None:
    """One mistake in the wiring that would make a set-out board of what is seen, if it does not look like one as it is.

    A board that is empty looks empty however it is wired.
    """
    full = [each for each in known if each.on]
    if not on or any(len(each.on ^ on) <= 1 for each in known):
        return None
    for each in full:
        if _other_poles(on) == each.on:
            return statement("doctor.position.turned", how=each.told)
        for said, move in _mistakes(sensors):
            if frozenset(move(on)) == each.on:
                return said
    return None


def _other_poles(on: set[str]) -> frozenset[str]:
    """The inputs that would be on if every glass showed its other pole."""
    north, south = POLES
    other = {f".{north}": f".{south}", f".{south}": f".{north}"}
    return frozenset(
        next((name.removesuffix(pole) + turned for pole, turned in other.items() if name.endswith(pole)), name)
        for name in on
    )


def _mistakes(sensors: Sensors) -> Iterator[tuple[Statement, Callable[[set[str]], Iterator[str]]]]:
    """Mistakes in soldering whole chips, and what is on when they are undone."""
    size = BITS_PER_REGISTER if isinstance(sensors, Chain) else BITS_PER_EXPANDER
    names = dict(zip(sensors.bits, sensors.inputs, strict=True))
    bits = {name: bit for bit, name in names.items()}
    count = max(sensors.bits) // size + 1
    is_chain = isinstance(sensors, Chain)

    def undo(move: Callable[[int, int], int]) -> Callable[[set[str]], Iterator[str]]:
        return lambda on: (names.get(move(*divmod(bits[name], size)), "") for name in on)

    for first, second in combinations(range(count), 2):
        swap: Mapping[int, int] = {first: second, second: first}
        key = "doctor.position.swapped.register" if is_chain else "doctor.position.swapped.chip"
        yield Statement(key, {"first": first, "second": second}), undo(partial(_exchanged_bit, swap, size))
    for register in range(count if is_chain else 0):
        said = statement("doctor.position.reversed", register=register)
        yield said, undo(partial(_reversed_bit, register, size))


def _exchanged_bit(swap: Mapping[int, int], size: int, chip: int, pin: int) -> int:
    return swap.get(chip, chip) * size + pin


def _reversed_bit(at: int, size: int, chip: int, pin: int) -> int:
    return chip * size + (size - 1 - pin if chip == at else pin)


def _as_seen(on: frozenset[str], sensors: Sensors) -> frozenset[str]:
    """Inputs of the usual board as they are named where a sensor sees one pole only."""
    single = {f"{name.rpartition('.')[0]}.{GLASS}" for name in on}
    return frozenset((on | single) & set(sensors.inputs))


# Words


def name_place(name: str, sensors: Sensors) -> Statement:
    """An input, and where it is soldered."""
    if name not in sensors.inputs:
        return Statement.plain(name)
    chip, pin = sensors.place(name)
    if isinstance(sensors, Expanders):
        return statement("doctor.place.chip", input=name, chip=chip, pin=pin)
    return statement("doctor.place.register", input=name, register=chip, pin=pin)


def _list_inputs(inputs: Iterable[object]) -> object:
    """Some inputs, of many the first ones and how many more there are."""
    every = list(inputs)
    named = every[:_NAMED]
    return named if every == named else statement("doctor.more", inputs=named, number=len(every) - _NAMED)
