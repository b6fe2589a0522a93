"""Decide whether a turn may have been late, and whether a game may not be over, where sensors were unsure."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD, PASS
from gnomon.games.tamsk.rules.position import NOWHERE
from gnomon.games.tamsk.sensing._board_reading import Touch
from gnomon.games.tamsk.sensing._scene import Scene, difference
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import TIMER, is_socket, place_of
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.referee.debounce import Change
from gnomon.referee.evidence import OUTAGE, PATIENCE
from gnomon.referee.judgement import Action
from gnomon.referee.quarantine import UNSURE
from gnomon.referee.rulings import FaultRuled, GameOver, IllegalRuled, Ruling, TimerTurned, TurnRuled
from gnomon.timekeeping.instants import Duration, Instant, after

LATELY_RULED: Final = 8
"""Among so many rulings the turning of the 15-second glass stands that was ruled in this turn, a fault, or a repair."""
_DOUBTED: Final = 5
"""In so many of the last turns, sensors that were unsure make the end of the game unsure."""


def is_seen_late(game: TamskGame, made: Made) -> bool:
    """Whether the 15-second glass ran out in the outage in which a turn was made: nobody knows if it was in time."""
    seen = game.game_time(made.at)
    return seen - made.done > OUTAGE and made.done <= game.position.bound_until < seen


def may_be_late(game: TamskGame, made: Made, *, ends: bool) -> bool:
    """Whether a turn counts as made in time, and was late if the 15-second glass was turned sooner than it counts.

    Or if it was turned when its stand showed what cannot be, so that nobody knows whether it was. If the turn `ends`
    the game, less is enough: that its stand moved, or that the turn in which it was turned may have been over.
    """
    bound = game.position.bound_until
    if bound - timer_span(game)[0] < made.done <= bound:
        return True
    glass, is_bound = game.position.timer15, game.position.timer15_binds
    if glass is None or (is_bound and not ends):
        return False
    doubts = [it for it in game.rulings[-LATELY_RULED:] if isinstance(it, FaultRuled)]
    since = [it.at for it in doubts if it.input.startswith(TIMER) and it.at >= game.turn_began]
    since += _perhaps_turned(game, doubts) if ends and not is_bound else ()
    if not since or (is_bound and made.done > bound):
        return False
    return after(game.game_time(min(since)), min(glass.durations)) < made.done


def _perhaps_turned(game: TamskGame, doubts: Sequence[FaultRuled]) -> Iterator[Instant]:
    """When the 15-second glass may have been turned so that it binds the turn under way, and counts as not binding it.

    When its stand moved in this turn, or when it was turned before the turn before was over, if that is in doubt.
    """
    for name, starts in game.debouncer.history.items():
        yield from (at for at in starts if name.startswith(TIMER) and at >= game.turn_began)
    ends = [it.at for it in doubts if it.fault == UNSURE and it.at <= game.turn_began]
    for it in game.rulings[-LATELY_RULED:]:
        if isinstance(it, TimerTurned) and any(it.at <= end for end in ends):
            yield it.at


def timer_span(game: TamskGame) -> tuple[int, int]:
    """By how much sooner, and later, the 15-second glass may have been turned: unseen, or on a stand that flickered."""
    turned = game.timer_unsure
    if turned is None:
        return 0, 0
    first = min(turned.since, turned.first) if turned.last else turned.since
    return turned.at - max(first, game.turn_began), max(turned.last - turned.at, 0)


def may_be_no_end(game: TamskGame, ended: TamskGame) -> bool:
    """Whether the game ends although a sensor was found to be unsure in this turn, or in one of those before.

    Then the position in which it ends may be another. So it may if a ring lies there that was to be taken off.
    `ended` is the game after what may end it.
    """
    if ended.outcome is None or not game.sensing.evidence.contradictions:
        return False
    lately: list[Ruling] = []
    turns = 0
    for ruling in reversed(ended.rulings):
        turns += isinstance(ruling, TurnRuled) and ruling.text != PASS.kind
        if turns > _DOUBTED:
            break
        lately.append(ruling)
    if any(isinstance(it, FaultRuled) for it in lately):
        return True
    refused = (it for it in lately if isinstance(it, IllegalRuled))
    return any(
        step.action is Action.TAKE_RING and _has_ring(game, step.space, it.at)
        for it in refused
        for step in it.put_right
    )


def _has_ring(game: TamskGame, space: str, at: Instant) -> bool:
    """Whether a ring that showed on a space by a board time shows there still."""
    last = {touch.input: touch for touch in game.trail.rings(BOARD.index[space])}
    return any(touch.value and touch.at <= at and touch.input in game.shown for touch in last.values())


def rings_stand_at(game: TamskGame, made: Made) -> Instant:
    """Board time from which what made a turn has shown for so long that it may end the game: rings, and a lift."""
    move = made.move
    spaces = {move.forgotten, move.free} | ({move.target} if move.ring else set())
    falls = [touch.at for space in spaces - {NOWHERE} for touch in game.trail.rings(space) if touch.value]
    evidence = game.sensing.evidence
    # The opponent's socket alone says so.
    is_weak = (made.move.kind == PASS.kind or is_ended_by_lift(game.scene, made)) and evidence.contradictions
    longer = evidence.full_longer if is_weak or _is_begun_in_doubt(game, made) else 0
    return after(max(falls), Duration(evidence.last_ring + longer)) if falls else after(made.at, Duration(longer))


def is_ended_by_lift(scene: Scene, made: Made) -> bool:
    """Whether a turn has ended only because a glass of the opponent's did not show, which stands nowhere else."""
    lifts = (scene.trail.last_lift(space) for space in scene.theirs)
    is_lifted = made.move.kind == "turn" and any(lift is not None and lift.at == made.at for lift in lifts)
    return is_lifted and scene.pressed != made.at and not difference(scene).extra - {made.move.target}


def _is_begun_in_doubt(game: TamskGame, made: Made) -> bool:
    """Whether a turn began whose lift was not seen, just after its player lost one: perhaps it is that one."""
    is_lost = any(ply.text == "lost" and ply.before.mover == game.position.mover for ply in game.plies[-2:])
    return is_lost and made.move.origin in game.scene.sight.blind and game.sensing.evidence.contradictions


def find_lift_after_the_end(game: TamskGame, touch: Touch) -> Sequence[Change]:
    """The sockets that may have hidden that their glass was in a hand when the sand ended the game.

    One more glass has come to stand beside them, so soon that it was lifted before.
    """
    over = next((it for it in reversed(game.rulings[-LATELY_RULED:]) if isinstance(it, GameOver)), None)
    is_late = over is None or after(over.at, PATIENCE) < touch.at or not game.sensing.evidence.contradictions
    space = BOARD.index.get(place_of(touch.input), NOWHERE) if is_socket(touch.input) and touch.value else NOWHERE
    glasses, sight = game.position.glasses, game.scene.sight.glasses
    if is_late or space == NOWHERE or space in glasses or not sight.keys() >= set(glasses):
        return ()
    beside = {BOARD.names[each] for each in BOARD.neighbours[space]}
    shown = (name for name in sorted(game.shown) if is_socket(name) and place_of(name) in beside)
    return [Change(touch.at, name, value=True) for name in shown]
