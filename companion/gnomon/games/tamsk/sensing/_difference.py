"""Compare the TAMSK board with the position, and list the repairs that make them agree."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing._board_reading import BOTH, UNSEEN
from gnomon.games.tamsk.sensing._scene import TIMED, Scene
from gnomon.referee.judgement import Action, Repair


@dataclass(frozen=True, slots=True)
class Difference:
    """What the board shows beyond, or short of, the position; `rings`: how many too many (or few) on a space."""

    missing: frozenset[int]
    extra: frozenset[int]
    turned: frozenset[int]
    rings: Mapping[int, int]

    @property
    def spaces(self) -> frozenset[int]:
        """Every space on which board and game differ."""
        return self.missing | self.extra | self.turned | frozenset(self.rings)


def difference(scene: Scene) -> Difference:
    """Compare the board with the position; sockets and stacks that are not believed never differ."""
    position, sight = scene.position, scene.sight
    believed = set(position.glasses)
    rings = {}
    for space in range(len(BOARD.names)):
        fewest, most = sight.heights(space)
        count = position.rings_on(space)
        if not fewest <= count <= most:
            rings[space] = fewest - count if count < fewest else most - count
    # A ring on a socket that cannot be seen speaks for a glass there: rings fall on destinations (rule 2).
    guessed = {space for space in sight.blind - believed if rings.get(space) == 1}
    timed = scene.rules.settings.level >= TIMED
    poles = zip(position.glasses, scene.poles, strict=True)
    return Difference(
        missing=frozenset(believed - set(sight.glasses) - sight.blind),
        extra=frozenset(set(sight.glasses) - believed | guessed),
        turned=frozenset(
            space for space, pole in poles if timed and sight.glasses.get(space, pole) not in (pole, UNSEEN)
        ),
        rings=rings,
    )


def timer_is_turned(scene: Scene) -> bool:
    """Whether the 15-second glass stands the other way up than the game has it."""
    pole = scene.sight.timer
    return scene.timer_pole is not None and pole is not None and pole not in (scene.timer_pole, BOTH)


def repairs(scene: Scene) -> tuple[Repair, ...]:
    """What must change for the board to show the position: first what to take away, then what to put."""
    seen = difference(scene)
    steps = ring_repairs(seen.rings)
    return (
        *((Repair(Action.TURN_TIMER),) if timer_is_turned(scene) else ()),
        *(step for step in steps if step.action is Action.TAKE_RING),
        *_repairs(Action.TAKE_GLASS, seen.extra),
        *_repairs(Action.TURN_GLASS, seen.turned),
        *_repairs(Action.PUT_GLASS, seen.missing),
        *(step for step in steps if step.action is Action.PUT_RING),
    )


def ring_repairs(rings: Mapping[int, int]) -> tuple[Repair, ...]:
    """One step for each ring too many or too few."""
    return tuple(
        Repair(Action.TAKE_RING if count > 0 else Action.PUT_RING, BOARD.names[space])
        for space, count in sorted(rings.items())
        for _ in range(abs(count))
    )


def _repairs(action: Action, spaces: Iterable[int]) -> Iterator[Repair]:
    return (Repair(action, BOARD.names[space]) for space in sorted(spaces))
