"""Draw what disturbs a board for real: glasses that roll, sleeves, ghosts, chatter, weak registers, stuck sensors."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from gnomon.games.tamsk.rules import BOARD, CAPACITY
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import GLASS_INPUTS, POLES, RING_INPUTS
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated.players.game_script import TimedTurn
from tests.faults.faults import Fault, Lie, pulse, register_lies, stuck, toggling
from tests.faults.known_games import KnownGame

_FINGER: Final = 50 * MILLISECOND
_SENSORS: Final = GLASS_INPUTS + RING_INPUTS

Disturbance = Callable[[KnownGame, int, Random], Fault | None]
"""What happens in the turn of that number; None where the turn leaves no room for it."""


def glass_rolls(game: KnownGame, number: int, random: Random) -> Fault | None:
    """A glass drops out of the hand, or is knocked over, rolls over three spaces and is picked up again."""
    turn = game.score[number]
    if random.random() < 0.5:
        return _rolls_from_hand(game, turn, random)
    return _is_knocked_over(game, number, random)


def _rolls_from_hand(game: KnownGame, turn: TimedTurn, random: Random) -> Fault | None:
    if turn.lifted is None or turn.placed is None or turn.placed - turn.lifted < 600 * MILLISECOND:
        return None
    start = Instant(turn.lifted + random.randint(_FINGER, (turn.placed - turn.lifted) // 3))
    end = Instant(turn.placed - random.randint(_FINGER, 2 * _FINGER))
    lies = _rolling(game, pick(random, [turn.origin, turn.target]), start, end, random)
    return Fault("a glass rolls from the hand", lies) if lies else None


def _is_knocked_over(game: KnownGame, number: int, random: Random) -> Fault | None:
    turn = game.score[number]
    since = game.score[number - 1].at if number else Instant(0)
    if turn.lifted is None or turn.lifted - since < 3 * SECOND:
        return None
    start = Instant(random.randint(since + 300 * MILLISECOND, turn.lifted - 2 * SECOND))
    end = Instant(random.randint(start + 700 * MILLISECOND, turn.lifted - 500 * MILLISECOND))
    standing = [name for name in GLASS_INPUTS if game.level_of(name, start)]
    name = pick(random, standing)
    lies = _rolling(game, name.partition(".")[0], Instant(start + 20 * MILLISECOND), Instant(end - _FINGER), random)
    return (
        Fault("a glass is knocked over and rolls", (Lie(name, start, end, ((start, False),)), *lies)) if lies else None
    )


def _rolling(game: KnownGame, near: str, start: Instant, end: Instant, random: Random) -> tuple[Lie, ...]:
    """A magnet passes three spaces in a row and is picked up from the last."""
    spaces = _path(game, near, start, random)
    if len(spaces) < 3:
        return ()
    brief = [random.randint(40, 250) * MILLISECOND for _ in range(2)]
    rests = random.randint(40, 1000) * MILLISECOND
    stretch = min(1.0, (end - start) / (sum(brief) + rests))
    lies = []
    at = start
    for space, dwell in zip(spaces, (*brief, rests), strict=True):
        width = Duration(int(dwell * stretch))
        lies.append(pulse(f"{space}.{pick(random, POLES)}", at, width, value=True))
        at = Instant(at + width)
    return tuple(lies)


def _path(game: KnownGame, near: str, at: Instant, random: Random) -> Sequence[str]:
    taken = {name.partition(".")[0] for name in GLASS_INPUTS if game.level_of(name, at)} | {near}
    path: list[str] = []
    here = BOARD.index[near]
    while len(path) < 3:
        free = [each for each in BOARD.neighbours[here] if BOARD.names[each] not in taken]
        if not free:
            break
        here = pick(random, free)
        path.append(BOARD.names[here])
        taken.add(BOARD.names[here])
    return path


def sleeve(low: int, high: int) -> Disturbance:
    """A sleeve brushes five sensors that lie together, for so many milliseconds each."""

    def brushes(game: KnownGame, number: int, random: Random) -> Fault | None:
        start = _some_time(game, number, random)
        centre = random.randrange(len(BOARD.names))
        near = {BOARD.names[space] for space in (centre, *BOARD.neighbours[centre])}
        inputs = [name for name in _SENSORS if name.partition(".")[0] in near]
        lies = []
        for name in random.sample(inputs, 5):
            at = Instant(start + random.randint(0, 200) * MILLISECOND)
            width = Duration(random.randint(low, high) * MILLISECOND)
            lies.append(pulse(name, at, width, value=not game.level_of(name, at)))
        return Fault("a sleeve brushes five sensors", tuple(lies))

    return brushes


def ring_ghost(game: KnownGame, number: int, random: Random) -> Fault | None:
    """A ring sensor is on for 60 ms; in half of the cases where a ring might fall just then."""
    at = _some_time(game, number, random)
    name = _likely_ring(game, number, at, random) if random.random() < 0.5 else pick(random, RING_INPUTS)
    return Fault("a ghost of 60 ms", (pulse(name, at, Duration(60 * MILLISECOND), value=True),)) if name else None


def chatter(game: KnownGame, number: int, random: Random) -> Fault | None:
    """A sensor comes and goes fifty times a second, for up to three seconds."""
    at = _some_time(game, number, random)
    name = _likely(game, number, at, random)
    gaps = [random.randint(8, 12) * MILLISECOND for _ in range(random.randint(15, 150) * 2)]
    return Fault("a sensor chatters", (toggling(name, at, gaps, value=not game.level_of(name, at)),))


def brownout(game: KnownGame, number: int, random: Random) -> Fault | None:
    """One register reads random bits, for 0.3 to 3 s."""
    at = _some_time(game, number, random)
    scans = random.randint(30, 300)
    return Fault(
        "a register browns out", register_lies(sorted(pick(random, game.board.host.registers)), at, scans, random)
    )


def stuck_sensor(game: KnownGame, number: int, random: Random) -> Fault | None:
    """A sensor does not change any more, or reads one level from now on whatever is there."""
    at = _some_time(game, number, random)
    return Fault("a sensor is stuck", (stuck(_likely(game, number, at, random), at, value=random.random() < 0.5),))


def two_hands(game: KnownGame, number: int, random: Random) -> Fault | None:
    """The other one is at the board at the same time: lifts before the ring has fallen, or touches a glass."""
    turn = game.score[number]
    answer = game.score[number + 1] if number + 1 < len(game.score) else None
    if turn.placed is None or turn.lifted is None:
        return None
    if answer is not None and answer.lifted is not None and turn.ring is not None and random.random() < 0.5:
        if answer.player == turn.player or turn.ring - turn.placed > 1900 * MILLISECOND:
            return None
        lifted = Instant(random.randint(turn.placed - 100 * MILLISECOND, turn.ring - MILLISECOND))
        name = _standing(game, answer.origin, lifted)
        # Once lifted it stays in the hand until it is set down.
        return None if name is None else Fault("two hands", (Lie(name, lifted, answer.lifted, ((lifted, False),)),))
    touched = Instant(random.randint(turn.lifted, turn.placed))
    idle = answer.lifted if answer is not None and answer.lifted is not None else game.end
    width = Duration(min(random.randint(80, 900) * MILLISECOND, idle - touched - 300 * MILLISECOND))
    # One that has just been set down is touched by the hand that drops a ring beside it.
    fresh = {before.target for before in game.score[max(0, number - 1) : number]}
    glass = pick(random, [glass for glass in _glasses_of_other(game, number) if glass not in fresh])
    name = _standing(game, glass, touched)
    return None if name is None or width <= 0 else Fault("two hands", (pulse(name, touched, width, value=False),))


def mixed(game: KnownGame, number: int, random: Random) -> Fault | None:
    """Two of them in one turn."""
    kinds = [glass_rolls, sleeve(100, 500), ring_ghost, chatter, brownout, stuck_sensor, two_hands]
    found = [fault for kind in random.sample(kinds, 2) if (fault := kind(game, number, random)) is not None]
    names = [name for fault in found for name in sorted(fault.inputs)]
    if len(found) < 2 or len(names) > len(set(names)):
        return None
    return Fault(" and ".join(fault.name for fault in found), tuple(lie for fault in found for lie in fault.lies))


DISTURBANCES: Final[Mapping[str, Disturbance]] = {
    "glass drops and rolls over three spaces": glass_rolls,
    "sleeve on five sensors, 100 to 500 ms": sleeve(100, 500),
    "sleeve on five sensors, 40 ms": sleeve(40, 40),
    "ghost of 60 ms on a ring sensor": ring_ghost,
    "sensor chatters at 50 Hz": chatter,
    "74HC165 browns out, 0.3 to 3 s": brownout,
    "stuck sensor": stuck_sensor,
    "two of them at once": mixed,
    "two hands at once": two_hands,
}


def _some_time(game: KnownGame, number: int, random: Random) -> Instant:
    """An instant of the turn: half of them between its first touch and its end, where things are decided."""
    turn = game.score[number]
    since = game.score[number - 1].at if number else Instant(0)
    until = max(turn.at, since + 1)
    if turn.lifted is not None and random.random() < 0.5:
        since = Instant(turn.lifted - 500 * MILLISECOND)
        until = turn.at + SECOND
    return Instant(random.randint(max(0, since), until))


def _likely(game: KnownGame, number: int, at: Instant, random: Random) -> str:
    """Any sensor, in half of the cases one of the spaces of the turn."""
    turn = game.score[number]
    if turn.lifted is None or random.random() < 0.5:
        return pick(random, _SENSORS)
    ring = _likely_ring(game, number, at, random)
    poles = [f"{space}.{pole}" for space in (turn.origin, turn.target) for pole in POLES]
    return pick(random, [*poles, ring] if ring else poles)


def _likely_ring(game: KnownGame, number: int, at: Instant, random: Random) -> str:
    """The next ring of the turn's target, of the one before or of a space beside; empty when all are full."""
    turns = [turn for turn in game.score[max(0, number - 1) : number + 1] if turn.target]
    if not turns:
        return pick(random, RING_INPUTS)
    spaces = [BOARD.index[turn.target] for turn in turns]
    spaces.append(pick(random, BOARD.neighbours[spaces[-1]]))
    names = []
    for space in spaces:
        heights = [height for height in range(1, CAPACITY[space] + 1) if not game.level_of(_ring(space, height), at)]
        names += [_ring(space, min(heights))] if heights else []
    return pick(random, names) if names else ""


def _ring(space: int, height: int) -> str:
    return f"{BOARD.names[space]}.ring{height}"


def _standing(game: KnownGame, space: str, at: Instant) -> str | None:
    """The input that shows the glass on a space."""
    return next((name for pole in POLES if game.level_of(name := f"{space}.{pole}", at)), None)


def _glasses_of_other(game: KnownGame, number: int) -> Sequence[str]:
    """The spaces of the glasses of the player who is not on turn."""
    turn = game.score[number]
    state = game.states[game.before(turn.at)]
    assert isinstance(state, TamskGame)
    mover = state.rules.players.index(turn.player)
    return [BOARD.names[space] for space in state.position.glasses[3 - 3 * mover :][:3]]
