"""List the moves that may have led to what the sensors of the TAMSK board show, each with what may be the reply.

Whether one of them explains the board, `_explain` finds out.
"""

from collections.abc import Iterator, Mapping

from gnomon.games.tamsk.rules import BOARD, CAPACITY
from gnomon.games.tamsk.sensing._board_reading import Touch
from gnomon.games.tamsk.sensing._move_completion import Reply
from gnomon.games.tamsk.sensing._scene import Difference, Scene

FirstTurn = tuple[Mapping[int, int], int, int, Reply | None]
"""The rings, where a glass was lifted and set down, and what would be the reply."""


def first_turns(scene: Scene, seen: Difference, *, in_order: bool = True) -> Iterator[FirstTurn]:
    """Moves of one own glass that may explain the board, each with its rings and what would be the reply.

    `in_order`: a glass is not set down before it is lifted.
    """
    theirs = away(seen, scene.theirs)
    surplus = scene.sensing.evidence.causes and len(seen.extra) > len(seen.missing) > 0
    for origin in scene.own:
        refilled = origin in scene.sight.glasses and scene.trail.last_lift(origin) is not None
        if not (origin in seen.missing or origin in scene.sight.blind or refilled) or seen.turned - {origin}:
            continue
        for target in sorted(seen.extra):
            if in_order and not may_have_gone(scene, origin, target):
                continue
            others = seen.extra - {target} | ({origin} if refilled else frozenset())
            if not others or (surplus and not theirs):
                reply = (
                    Reply(theirs[0], scene.trail.last_lift(theirs[0]), None, scene.sensing.evidence) if theirs else None
                )
                yield seen.rings, origin, target, reply or _put_back(scene, target)
            elif len(others) == 1 and len(theirs) == 1 and _reply_fits(scene, origin, target, theirs[0], *others):
                (end,) = others
                rings = {space: count for space, count in seen.rings.items() if space != end}
                down = scene.last_set_down(end)
                lift = scene.trail.last_lift(theirs[0])
                yield rings, origin, target, Reply(theirs[0], lift, end, scene.sensing.evidence, down)
            if len(others) == 1 and not theirs and not refilled:
                yield from _unseen_replies(scene, seen, origin, target, *others)


def _unseen_replies(scene: Scene, seen: Difference, origin: int, target: int, end: int) -> Iterator[FirstTurn]:
    """A move and a reply with a glass whose socket does not show that it left: it is not believed, or it sticks."""
    if not scene.sensing.evidence.contradictions:
        return
    rings = {space: count for space, count in seen.rings.items() if space != end}
    for start in scene.theirs:
        if _reply_fits(scene, origin, target, start, end):
            lift, down = scene.trail.last_lift(start), scene.last_set_down(end)
            yield rings, origin, target, Reply(start, lift, end, scene.sensing.evidence, down)


def _put_back(scene: Scene, target: int) -> Reply | None:
    """The reply that was begun after a glass came to the target, and put back (rule 22: the lift was its beginning)."""
    evidence, placed = scene.sensing.evidence, scene.last_set_down(target)
    if not evidence.late_ring or placed is None:
        return None
    for space in scene.theirs:
        lifted, down = scene.trail.last_lift(space), scene.last_set_down(space)
        if lifted and down and placed.at <= lifted.at and down.at - lifted.at >= evidence.stands:
            return Reply(space, lifted, None, evidence, down)
    return None


def _reply_fits(scene: Scene, origin: int, target: int, start: int, end: int) -> bool:
    """Whether the opponent's glass could go from `start` to `end` once the first turn has been made."""
    occupied = set(scene.position.glasses) - {origin} | {target}
    lifted, down = scene.trail.last_lift(origin), scene.last_set_down(end)
    if scene.sensing.evidence.causes and lifted and down and down.game < lifted.granted:
        return False  # it was over before the turn that it should answer was begun
    return (
        end in BOARD.neighbours[start]
        and end not in occupied
        and scene.position.rings_on(end) < CAPACITY[end]
        and scene.is_turned(start, end)
        and may_have_gone(scene, start, end)
    )


def stood_and_left(scene: Scene, seen: Difference) -> Iterator[tuple[int, int]]:
    """Where an own glass has gone that was then lifted again, or after which another own glass was lifted."""
    for origin in scene.own:
        if origin not in seen.missing:
            continue
        lifted = scene.trail.last_lift(origin)
        for target in BOARD.neighbours[origin] if lifted is not None else ():
            placed = scene.last_set_down(target)
            if placed is not None and lifted is not None and lifted.at <= placed.at:
                yield origin, target


def may_still_go(scene: Scene, seen: Difference, origin: int, target: int) -> bool:
    """Whether a glass that has left its new space again is on its way, or stands where it might have gone at once."""
    is_ghost = scene.sensing.evidence.contradictions and seen.extra.isdisjoint(BOARD.neighbours[target])
    return not seen.extra or is_ghost or not seen.extra.isdisjoint(BOARD.neighbours[origin])


def lift_after(scene: Scene, seen: Difference, origin: int, target: int) -> Touch | None:
    """When the mover lifted a glass again after the one from `origin` had come to `target`."""
    placed = scene.last_set_down(target)
    spaces = {target} if target not in scene.sight.glasses else seen.missing.intersection(scene.own) - {origin}
    lifts = [touch for space in sorted(spaces) if (touch := scene.trail.last_lift(space)) is not None]
    return min((touch for touch in lifts if placed is not None and touch.at > placed.at), default=None)


def may_have_gone(scene: Scene, origin: int, target: int) -> bool:
    """Whether the glass of one space may stand on the other: it was not set down before it was lifted."""
    lifted, placed = scene.last_lift(origin, target), scene.last_set_down(target)
    if not scene.sensing.evidence.causes or lifted is None or placed is None:
        return True
    return placed.game >= lifted.granted


def away(seen: Difference, spaces: tuple[int, ...]) -> list[int]:
    """Those of the spaces from which a glass is away."""
    return sorted(seen.missing.intersection(spaces))
