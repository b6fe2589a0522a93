"""Derive the corrected wiring from a walk, report it, and save it with a backup of the old description.

Active levels are concluded, and inputs that are broken or swapped.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.games.tamsk.sensing.inputs import POLES, TIMER
from gnomon.refusals import NOTHING, Statement, clause, join, statement
from gnomon.whole_files import READABLE, write_whole
from gnomon.words import ENGLISH, Words
from gnomon_pi.config.description import BoardDescription, Sensors
from gnomon_pi.tools.walk.steps import Do
from gnomon_pi.tools.walk.wires import bits_of, every_bit, mask, ones, own_bits, where
from gnomon_pi.tools.walk.wiring_inference import Walk, rests_high

_NORTH, _SOUTH = POLES
MOVED: Final = "moved"
SWAPPED: Final = "swapped"
DEAD: Final = "dead"
CHATTERS: Final = "chatters"
BRIDGED: Final = "bridged"
INVERTED: Final = "inverted"
SHARED: Final = "shared"
LEVEL: Final = "level"
MAGNETS: Final = "magnets"
LIGHT: Final = "light"

_NAMED: Final = 8  # bits that chatter are named one by one up to so many: a board that is half wired has more


class Discrepancy(NamedTuple):
    """One thing that is not as described: what it is about, its kind, one sentence, and where to look."""

    subject: str
    kind: str
    sentence: Statement
    where: Statement = NOTHING


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a walk came to: the description put right, what was found, and how many inputs were and were not seen."""

    board: BoardDescription
    found: tuple[Discrepancy, ...]
    right: int  # inputs and buttons that answered
    unseen: int  # that nobody looked at


def conclude(walk: Walk) -> Conclusion:
    """What the walk has come to so far."""
    board, found = walk.board, list[Discrepancy]()
    if board.sensors is not None:
        board = replace(board, sensors=_sensors(walk, board.sensors, found))
    board = _buttons(walk, _buzzer(walk, board, found), found)
    if walk.said.get(Do.SEE_LIGHT) is False:
        found.append(Discrepancy("lights", LIGHT, statement("walk.found.light")))
    names = [*board.inputs, *(button.name for button in board.buttons)]
    known = {**walk.answered, **walk.pressed}
    return Conclusion(
        board,
        tuple(found),
        right=sum(bool(known.get(name)) for name in names),
        unseen=sum(name not in known for name in names),
    )


# Sensors


def _sensors(walk: Walk, sensors: Sensors, found: list[Discrepancy]) -> Sensors:
    heard = _by_convention(walk.answered, sensors, found)
    learnt = dict(_learnt_bits(heard, sensors, found))
    bits = _place_bits(learnt, sensors, walk.chattering)
    found += _elsewhere(learnt, sensors)
    found += _silent(walk, heard, learnt, sensors)
    sensors = replace(sensors, bits=tuple(bits[name] for name in sensors.inputs))
    sensors = _levels(walk, sensors, learnt, found)
    return _emitters(walk, sensors, found)


def _by_convention(
    answered: Mapping[str, tuple[int, ...]], sensors: Sensors, found: list[Discrepancy]
) -> Mapping[str, tuple[int, ...]]:
    """The answers with the poles as the most sockets show them.

    Where the most have north and south exchanged, the ends of the glass are marked the other way round, not the
    wires. The stand of the 15-second glass is alone with a glass of its own, so its wires are believed.
    """
    described = bits_of(sensors)
    places = {name.rpartition(".")[0] for name in answered if name.endswith(POLES)} - {TIMER}
    exchanged = alike = 0
    for place in places:
        for pole, other in ((_NORTH, _SOUTH), (_SOUTH, _NORTH)):
            bits = answered.get(f"{place}.{pole}", ())
            alike += described[f"{place}.{pole}"] in bits
            exchanged += described[f"{place}.{other}"] in bits
    if exchanged <= alike:
        return answered
    found.append(Discrepancy("glasses", MAGNETS, statement("walk.found.magnets")))
    turned_pole = {_NORTH: _SOUTH, _SOUTH: _NORTH}
    turned = {}
    for name, bits in answered.items():
        place, _, kind = name.rpartition(".")
        turned[f"{place}.{turned_pole[kind]}" if place in places and kind in turned_pole else name] = bits
    return turned


def _learnt_bits(
    heard: Mapping[str, tuple[int, ...]], sensors: Sensors, found: list[Discrepancy]
) -> Iterator[tuple[str, int]]:
    """The bit of each input that answered, no two alike."""
    described = bits_of(sensors)
    taken: dict[int, str] = {}
    # Where two claim one bit, it is the one that is described there who is believed.
    for name in sorted(heard, key=lambda name: described[name] not in heard[name]):
        bits = heard[name]
        free = [bit for bit in bits if bit not in taken]
        if len(bits) > 1:
            places = join(where(sensors, bit) for bit in bits)
            found.append(Discrepancy(name, BRIDGED, statement("walk.found.bridged", number=len(bits)), places))
        elif bits and not free:
            said = statement("walk.found.shared", other=taken[bits[0]])
            found.append(Discrepancy(name, SHARED, said, where(sensors, bits[0])))
        if free:
            bit = described[name] if described[name] in free else free[0]
            taken[bit] = name
            yield name, bit


def _place_bits(learnt: Mapping[str, int], sensors: Sensors, chattering: int) -> Mapping[str, int]:
    """A bit for every input: what was learnt, else the described one, else one that is left."""
    described = bits_of(sensors)
    taken = set(learnt.values())
    bits = dict(learnt)
    homeless = []
    for name in sensors.inputs:
        if name in bits:
            continue
        if described[name] in taken:
            homeless.append(name)
        else:
            bits[name] = described[name]
            taken.add(described[name])
    # One that chatters could not answer, and one that is described has somewhere a wire.
    was = set(sensors.bits)
    left = [bit for bit in every_bit(sensors) if bit not in taken]
    left.sort(key=lambda bit: (not chattering >> bit & 1, bit not in was, bit))
    return {**bits, **dict(zip(homeless, left, strict=False))}


def _elsewhere(learnt: Mapping[str, int], sensors: Sensors) -> Iterator[Discrepancy]:
    """The inputs that lie elsewhere than described, two that changed places as such."""
    described = bits_of(sensors)
    for name, bit in learnt.items():
        if bit == described[name]:
            continue
        other = next((each for each, there in described.items() if there == bit), "")
        if other and learnt.get(other) == described[name]:
            yield Discrepancy(name, SWAPPED, statement("walk.found.swapped", other=other), where(sensors, bit))
        else:
            described_at = where(sensors, described[name])
            if other:
                told = statement("walk.found.moved", other=other, described=described_at)
            else:
                told = statement("walk.found.moved.spare", described=described_at)
            yield Discrepancy(name, MOVED, told, where(sensors, bit))


def _silent(
    walk: Walk, heard: Mapping[str, tuple[int, ...]], learnt: Mapping[str, int], sensors: Sensors
) -> Iterator[Discrepancy]:
    """The inputs that did not answer; a bit that chatters could not."""
    described = bits_of(sensors)
    unclaimed = [bit for bit in ones(walk.chattering & mask(every_bit(sensors))) if bit not in learnt.values()]
    silent = [name for name in sensors.inputs if name in heard and not heard[name]]
    for name in silent:
        if described[name] in unclaimed:
            unclaimed.remove(described[name])
            said = statement("walk.found.chatters")
            yield Discrepancy(name, CHATTERS, said, where(sensors, described[name]))
        else:
            said = statement("walk.found.dead")
            yield Discrepancy(name, DEAD, said, where(sensors, described[name]))
    names = {bit: name for name, bit in described.items()}
    said = statement("walk.found.loose")
    if len(unclaimed) > _NAMED:
        said = statement("walk.found.unwired", number=len(unclaimed))
        yield Discrepancy("sensors", CHATTERS, said, statement("walk.where.others", where=where(sensors, unclaimed[0])))
        return
    for bit in unclaimed:
        yield Discrepancy(names.get(bit, f"bit {bit}"), CHATTERS, said, where(sensors, bit))


def _levels(walk: Walk, sensors: Sensors, learnt: Mapping[str, int], found: list[Discrepancy]) -> Sensors:
    """The sensors with the level that is on, and a word on the inputs that are the other way round."""
    if walk.plain is None:
        return sensors
    # What answered has a wire; on a board that is half wired the others say nothing.
    wired = mask(tuple(learnt.values())) or mask(sensors.bits)
    low_is_on = rests_high(walk.plain.low, wired, walk.chattering)
    if low_is_on is None:
        said = statement("walk.found.level.unclear")
        found.append(Discrepancy("sensors", LEVEL, said))
        return sensors
    if low_is_on is not sensors.active_low:
        said = statement("walk.found.level", level="low" if low_is_on else "high")
        found.append(Discrepancy("sensors", LEVEL, said))
    rest = walk.plain if walk.lit is None else walk.lit
    strobed = dict(zip(sensors.inputs, sensors.strobed, strict=True))
    for name, bit in sorted(learnt.items()):
        look = rest if strobed[name] else walk.plain
        usual = (1 << bit) if low_is_on else 0
        if (look.low & 1 << bit) != usual or (look.high & 1 << bit) != usual:
            said = statement("walk.found.inverted")
            found.append(Discrepancy(name, INVERTED, said, where(sensors, bit)))
    return replace(sensors, active_low=low_is_on)


def _emitters(walk: Walk, sensors: Sensors, found: list[Discrepancy]) -> Sensors:
    """The sensors with the level that switches the emitters on, as the most tubes saw it."""
    if sensors.emitters is None or not walk.lit_high:
        return sensors
    votes = [high for high in walk.lit_high.values() if high is not None]
    for name in (name for name, high in walk.lit_high.items() if high is None):
        said = statement("walk.found.ever_lit")
        found.append(Discrepancy(name, LIGHT, said, where(sensors, sensors.bits[sensors.inputs.index(name)])))
    if not votes or 2 * sum(votes) == len(votes):
        return sensors
    is_high = 2 * sum(votes) > len(votes)
    if sensors.emitters.active_low is not (not is_high):
        level = "high" if is_high else "low"
        said = statement("walk.found.emitters", level=level)
        found.append(Discrepancy("emitters", LEVEL, said, gpio(sensors.emitters.pin)))
    return replace(sensors, emitters=replace(sensors.emitters, active_low=not is_high))


# Buzzer and buttons


def _buzzer(walk: Walk, board: BoardDescription, found: list[Discrepancy]) -> BoardDescription:
    buzzer = board.buzzer
    if buzzer is None:
        return board
    pin = gpio(buzzer.pin)
    if walk.said.get(Do.HEAR_TONE) is False:
        found.append(Discrepancy("buzzer", DEAD, statement("walk.found.unheard"), pin))
        return board
    low = walk.said.get(Do.KNOW_SWITCH)
    if buzzer.active and {Do.HEAR_HIGH, Do.HEAR_LOW} <= set(walk.said):
        at_high, at_low = walk.said[Do.HEAR_HIGH], walk.said[Do.HEAR_LOW]
        if at_high == at_low:
            said = statement("walk.found.either" if at_low else "walk.found.neither")
            found.append(Discrepancy("buzzer", DEAD, said, pin))
            return board
        low = at_low
    if low is None or low is buzzer.active_low:
        return board
    level = "low" if low else "high"
    found.append(Discrepancy("buzzer", LEVEL, statement("walk.found.switch", level=level), pin))
    return replace(board, buzzer=replace(buzzer, active_low=low))


def _buttons(walk: Walk, board: BoardDescription, found: list[Discrepancy]) -> BoardDescription:
    pins = {button.name: button.pin for button in board.buttons}
    real: dict[str, int] = {}
    for name, heard in sorted(walk.pressed.items(), key=lambda item: item[0] != item[1]):
        if not heard:
            found.append(Discrepancy(name, DEAD, statement("walk.found.button.dead"), gpio(pins[name])))
        elif pins[heard] in real.values():
            said = statement("walk.found.button.shared", other=heard)
            found.append(Discrepancy(name, SHARED, said, gpio(pins[heard])))
        else:
            real[name] = pins[heard]
            if name != heard:
                found.append(
                    Discrepancy(
                        name,
                        SWAPPED,
                        statement("walk.found.button.swapped", other=heard),
                        gpio(pins[heard]),
                    )
                )
    left = [pin for pin in pins.values() if pin not in real.values()]
    for name, pin in pins.items():
        if name not in real and pin in left:
            real[name] = pin
            left.remove(pin)
    for name in pins:
        if name not in real:
            real[name] = left.pop(0)
    return replace(board, buttons=tuple(replace(button, pin=real[button.name]) for button in board.buttons))


def gpio(pin: int) -> Statement:
    """A pin as it is called on the header."""
    return statement("walk.where.gpio", pin=pin)


def moved_inputs(sensors: Sensors) -> Mapping[str, int]:
    """The inputs that lie elsewhere than their order says, and where."""
    own = own_bits(sensors)
    return {name: bit for name, bit in bits_of(sensors).items() if bit != own[name]}


# The report


def table(conclusion: Conclusion, words: Words = ENGLISH) -> Iterator[str]:
    """The lines of the summary."""
    if conclusion.unseen:
        yield words("walk.sum.unseen", number=conclusion.right, unseen=conclusion.unseen)
    else:
        yield words("walk.sum", number=conclusion.right)
    if not conclusion.found:
        yield words("walk.sum.right")
        return
    heads = words("walk.head.what"), words("walk.head.is"), words("walk.head.where")
    found = [(each.subject, words(f"walk.kind.{each.kind}"), clause(each.where, words)) for each in conclusion.found]
    rows = [heads, *found]
    wide = [max(len(row[column]) for row in rows) for column in range(2)]
    sentences = ["", *(clause(each.sentence, words) for each in conclusion.found)]
    for row, sentence in zip(rows, sentences, strict=True):
        yield f"  {row[0]:<{wide[0]}}  {row[1]:<{wide[1]}}  {row[2]}".rstrip()
        if sentence:
            yield f"  {'':<{wide[0]}}  {sentence}"


def keep(path: Path, text: str) -> Path | None:
    """Write a description whole or not at all; what stood there goes beside it, under the name that is given back.

    Raises OSError.
    """
    kept = None
    if path.exists():
        kept = next(name for name in _backups(path) if not name.exists())
        kept.write_bytes(path.read_bytes())
    write_whole(path, text, path.stat().st_mode & 0o777 if kept else READABLE)
    return kept


def _backups(path: Path) -> Iterator[Path]:
    """Names beside a file for what stood in it."""
    yield path.with_name(f"{path.name}.bak")
    number = 2
    while True:
        yield path.with_name(f"{path.name}.bak{number}")
        number += 1
