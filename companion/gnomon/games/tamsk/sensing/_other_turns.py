"""Find the turn that may have been made instead of the one that is about to be ruled: then the players are asked."""

from collections.abc import Iterator, Sequence

from gnomon.games.tamsk.rules import BOARD, PASS, Move
from gnomon.games.tamsk.rules.position import NOWHERE
from gnomon.games.tamsk.sensing._acceptance import accept
from gnomon.games.tamsk.sensing._scene import TIMED, Scene, before_completion, difference
from gnomon.games.tamsk.sensing._unsure_ends import is_seen_late, may_be_late
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.timekeeping.instants import Instant, after


def with_unseen_ring(game: TamskGame, made: Made) -> Made | None:
    """The turn with the ring that the opponent had forgotten, if its sensor is not believed; None: that cannot be."""
    space = game.position.forgotten
    if not game.sensing.evidence.contradictions or space == NOWHERE or made.move.forgotten != NOWHERE:
        return None
    heights, count = game.scene.sight.heights(space), game.position.rings_on(space)
    other = made._replace(move=made.move._replace(forgotten=space))
    return other if heights.fewest <= count < heights.most and _is_legal(game, other) else None


def made_too_late(game: TamskGame, ended: TamskGame, made: Made) -> Made | None:
    """The turn as made too late, if nobody knows, and there is no turn in which its opponent's right would show.

    `ended` is the game after it: it is over, or the opponent has passed. None: the turn was in time, or that decides
    nothing.
    """
    is_followed = ended.outcome is None and ended.plies[-1].text != PASS.kind
    if not game.sensing.evidence.contradictions or is_followed:
        return None
    if is_seen_late(game, made):
        late = made._replace(done=game.game_time(made.at))
    elif may_be_late(game, made, ends=ended.outcome is not None):
        late = made._replace(is_late=True)
    else:
        return None
    then = accept(game, late)[0]
    return late if then.outcome is None and then.plies[-1].text != PASS.kind else None


def to_other_space(game: TamskGame, made: Made, pressed: Instant) -> Made | None:
    """The turn to another space that showed its glass as well when the button was pressed, and has lost it since."""
    trail, origin = game.trail, made.move.origin
    if not game.sensing.evidence.contradictions or made.move.kind != "turn":
        return None
    for space in BOARD.neighbours[origin]:
        placed, gone = trail.last_set_down(space), trail.last_lift(space)
        if space == made.move.target or placed is None or gone is None or not placed.at <= pressed < gone.at:
            continue
        other = made._replace(move=made.move._replace(target=space, ring=False))
        if _is_legal(game, other):
            return other
    return None


def with_unseen_space(game: TamskGame, made: Made) -> Sequence[Made]:
    """The turns to a space that has not shown its glass, if that was answered well before it came to the target.

    Then another turn of the mover led there. From level 2 on the way up tells: the glass would have been turned twice.
    """
    scene, move = game.scene, made.move
    placed = scene.last_set_down(move.target)
    is_plain = move.kind == "turn" and game.rules.settings.level < TIMED
    if not is_plain or not game.sensing.evidence.contradictions or placed is None:
        return ()
    if not any(after(down, scene.sensing.evidence.stands) <= placed.at for down in _replies(scene, move)):
        return ()
    between = set(BOARD.neighbours[move.origin]).intersection(BOARD.neighbours[move.target])
    shorter = move._replace(ring=False, free=NOWHERE)
    others = [made._replace(move=shorter._replace(target=space)) for space in sorted(between)]
    return [other for other in others if _is_legal(game, other)]


def _replies(scene: Scene, move: Move) -> Iterator[Instant]:
    """When glasses of the opponent came to stand elsewhere that were lifted in this turn.

    At the earliest: what came in an outage may have come as it began.
    """
    seen = difference(scene)
    ends = (seen.extra | scene.sight.glasses.keys() & {move.origin}) - {move.target}
    for space in seen.missing.intersection(scene.theirs):
        shown = (scene.last_set_down(end) for end in ends.intersection(BOARD.neighbours[space]))
        yield from (down.since for down in shown if down is not None)


def _is_legal(game: TamskGame, made: Made) -> bool:
    return game.rules.why_not(before_completion(game.rules, game.position, made), made.move) is None
