"""Word a refusal: its code, the player, the instant, and what must be put right."""

from collections.abc import Mapping

from gnomon.games.tamsk.rules import BOARD, CAPACITY, Move
from gnomon.games.tamsk.sensing._difference import repairs, ring_repairs
from gnomon.games.tamsk.sensing._scene import Scene
from gnomon.games.tamsk.sensing.verdicts import Made, Wrong
from gnomon.referee.judgement import Action, Repair
from gnomon.timekeeping.instants import Instant


def refused_move(scene: Scene, code: str, move: Move, at: Instant) -> Wrong:
    """A glass went from one space to another against the rules."""
    turn_over = (Repair(Action.TURN_GLASS, BOARD.names[move.target]),)
    steps = turn_over if code == "not_turned" else repairs(scene)
    return Wrong(at, scene.position.mover, code, bare_text(scene, move), steps, at_once=code == "full")


def refused_rings(scene: Scene, code: str, rings: Mapping[int, int], made: Made | None = None) -> Wrong:
    """Rings too many or too few; when a legal turn is being made, only they must be put right."""
    at = max((touch.at for space in rings for touch in scene.trail.rings(space)), default=scene.latest)
    text = None if made is None else bare_text(scene, made.move)
    return Wrong(at, scene.position.mover, code, text, ring_repairs(rings))


def bare_text(scene: Scene, move: Move) -> str:
    """A move and its own ring in notation, whether it is legal or not."""
    fills = scene.position.rings_on(move.target) + 1 == CAPACITY[move.target]
    ring = "=" if not move.ring else "x" if fills else ""
    return f"{BOARD.names[move.origin]}-{BOARD.names[move.target]}{ring}"
