"""Judge of the 15-second glass whether it was turned, in whose turn, and whether it was legal."""

from typing import Final

from gnomon.games.tamsk.rules import PLAYERS, Position
from gnomon.games.tamsk.sensing._acceptance import accept
from gnomon.games.tamsk.sensing._board_reading import BOTH, NORTH, SOUTH, Touch, flickers
from gnomon.games.tamsk.sensing._explain import explain
from gnomon.games.tamsk.sensing._scene import (
    Scene,
    TimerTurn,
    hold,
    timer_is_turned,
)
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import POLES, TIMER, trusts_timer
from gnomon.games.tamsk.sensing.verdicts import Complete, Doubt, InHand, Made, MayGoOn, Review, Several, Verdict, Wrong
from gnomon.referee.announcements import announce
from gnomon.referee.evidence import PATIENCE
from gnomon.referee.game import Judged
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    TimerTurned,
)
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.glasses import fifteen_second_glass
from gnomon.timekeeping.instants import Duration, Instant, after

PRESS_HOLDS: Final = Duration(2 * PATIENCE)
"""For so long the mover's press waits for a board that is in doubt."""


def turned_in_doubt(game: TamskGame, at: Instant) -> Judged[TamskGame]:
    """The game after the 15-second glass was turned on a board in doubt, if time alone ends that turn at `at`."""
    touch = _set_down(game.scene) if timer_is_turned(game.scene) else None
    ends = game.rules.forced_turn(game.rules.elapse(game.position, game.told)) is not None
    if touch is None or touch.at > at or not ends or not game.sensing.evidence.contradictions:
        return game, ()
    return timer_turned(game)


def _set_down(scene: Scene) -> Touch | None:
    """When the 15-second glass was set down; if one sensor showed that before the other showed the lift, in between."""
    touch, lifted = scene.trail.timer_set_down(), scene.trail.timer_lifted()
    if touch is None or lifted is None or lifted.at <= touch.at or not scene.sensing.evidence.causes:
        return touch
    return lifted._replace(granted=touch.granted)


def before_timer(scene: Scene, now: Instant, *, is_wrong: bool) -> Verdict | None:
    """What must be judged before the 15-second glass: a turn that ended, or may have ended, before it was turned.

    While something else is in doubt, nobody knows in whose turn it was. `is_wrong`: that has been ruled upon.
    """
    touch = _set_down(scene) if timer_is_turned(scene) else None
    if touch is None:
        return None
    verdict = explain(scene._replace(timer_pole=scene.sight.timer), now)
    if isinstance(verdict, Review):
        return verdict
    held = _holds_press(scene, verdict, touch)
    if held is not None and now < held:
        return Review(held)
    if isinstance(verdict, Doubt | Wrong) and scene.sensing.evidence.causes and not is_wrong:
        return verdict
    turns = verdict.choices if isinstance(verdict, Several) else ()
    turns = (verdict.made,) if isinstance(verdict, Complete | MayGoOn) else turns
    if any(_is_ended(scene, turn, touch) for turn in turns):
        return verdict
    sure = after(touch.at, scene.sensing.evidence.stands)
    if isinstance(verdict, MayGoOn) and not touch.value and scene.sensing.evidence.wary and now < sure:
        return Review(sure)  # both poles showed: what came at that very stamp may have ended the turn
    return verdict if isinstance(verdict, Complete) and verdict.made.at <= touch.at else None


def _holds_press(scene: Scene, verdict: Verdict, turned: Touch) -> Instant | None:
    """Until when it is waited for a glass that its socket lost as the mover pressed, before that glass was turned."""
    if not isinstance(verdict, InHand) or scene.pressed is None or scene.pressed > turned.at:
        return None
    return after(scene.pressed, PRESS_HOLDS) if scene.is_lost_at(verdict.space, scene.pressed) else None


def _is_ended(scene: Scene, made: Made, turned: Touch) -> bool:
    """Whether the mover said that a turn was made, which nothing showed yet, before the 15-second glass was turned."""
    placed = scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    if scene.pressed is None or placed is None or not scene.sensing.evidence.wary:
        return False
    return placed.at <= scene.pressed <= turned.at


def is_order_unknown(game: TamskGame, made: Made) -> bool:
    """Whether the 15-second glass was turned, for all that is known, as well before that turn was over as after it."""
    scene = game.scene
    touch = _set_down(scene)
    if touch is None or not touch.since < touch.at or not touch.since <= made.at <= touch.at:
        return False
    if not scene.sensing.evidence.causes:
        return False
    then, _ = accept(game, made)
    return all(timer_turned(each)[0].timer_pole == scene.sight.timer for each in (game, then))


def accept_after_timer(game: TamskGame, made: Made) -> Judged[TamskGame]:
    """The game after the 15-second glass was turned, and then a turn made that was under way."""
    game, said = timer_turned(game)
    game, effects = accept(game, made.not_before(game.position.now))
    return game, said + effects


def believe_stand(game: TamskGame, since: Instant) -> TamskGame:
    """The game in which the stand of the 15-second glass is believed again that has shown the same since a board time.

    If that glass stands the other way up it has been turned. It counts from then, as late as may be, or not at all: in
    whose turn it was turned nobody knows if another has begun since.
    """
    pole = game.scene.sight.timer
    is_seen = game.timer_pole is not None and pole in {NORTH, SOUTH} and not trusts_timer(game.sensing)
    if pole is None or not is_seen or not game.sensing.evidence.contradictions:
        return game
    game = replace(game, doubts_stand=False)
    if pole == game.timer_pole or since < game.turn_began:
        return replace(game, timer_pole=pole)
    when = Instant(max(game.game_time(since), game.position.now))
    return replace(game, trail=game.trail.add(Touch(since, when, when, f"{TIMER}.{POLES[pole]}", value=True)))


def timer_at_rest(game: TamskGame) -> TamskGame:
    """Once the 15-second glass has run out in the game, it is empty whichever way it was wrongly turned."""
    if game.timer_refused is None:
        return game
    timer15, pole = game.position.timer15, game.scene.sight.timer
    end = None if timer15 is None else timer15.runs_out_at()
    if timer15 is not None and timer15.by_eye and not timer15.is_running(game.told):
        end = timer15.since  # as somebody said who watched it
    if end is None or end > game.told or pole in (None, BOTH):
        return game
    calm_since = Instant(max(game.calm_since, game.board_time(end)))
    return replace(game, timer_pole=pole, timer_refused=None, calm_since=calm_since)


def timer_turned(game: TamskGame) -> Judged[TamskGame]:
    """The 15-second glass was turned, and might be (rules 16 and 20)."""
    scene = game.scene
    touch = _set_down(scene) if timer_is_turned(scene) else None
    if touch is None or touch.at == game.timer_refused:
        return game, ()
    if game.timer_owed and game.position.timer15 is not None and game.position.timer15.is_running(touch.game):
        return replace(game, timer_pole=scene.sight.timer, timer_owed=False), ()  # it counts as turned already
    trust = game.trust
    if trusts_timer(game.sensing):
        trust = replace(trust, timer_turn=TimerTurn(touch.at, game.position, game.timer_pole))
    before = _before_timer_turn(game)
    try:
        position = game.rules.turn_timer15(game.rules.elapse(before, touch.game))
    except RulesError:
        return replace(game, timer_refused=touch.at), ()
    if not before.timer15_binds and game.sensing.evidence.contradictions:
        game = replace(game, timer_unsure=touch if touch.since < touch.at or flickers(touch) else None)
    game = replace(game, timer_pole=scene.sight.timer, timer_owed=False, trust=trust)
    return _timer_runs(game, position, Instant(max(touch.at, game.turn_began)))


def enter_timer_turn(game: TamskGame, at: Instant) -> Judged[TamskGame]:
    """The game in which the 15-second glass counts as turned at board time `at`, though no hand has turned it.

    Raises RulesError where it may not be turned.
    """
    position = game.rules.turn_timer15(game.rules.elapse(_before_timer_turn(game), game.game_time(at)))
    return _timer_runs(replace(game, timer_owed=True), position, at)


def _before_timer_turn(game: TamskGame) -> Position:
    """The position in which the 15-second glass is turned: with the unfinished turn begun before it."""
    if isinstance(game.under_way, InHand):
        return game.position_with_turn
    if isinstance(game.under_way, MayGoOn):
        made = game.under_way.made
        return hold(game.rules, game.position, made.move.origin, made.lifted)
    return game.position


def _timer_runs(game: TamskGame, position: Position, at: Instant) -> Judged[TamskGame]:
    """The game with the 15-second glass running from board time `at`, as the position has it."""
    until = (position.timer15 or fifteen_second_glass()).runs_out_at()
    until_us = None if game.rules.by_eye else game.board_time(until or position.now)
    return announce(replace(game, position=position), TimerTurned(at, PLAYERS[1 - position.mover], until_us))
