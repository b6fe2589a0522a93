"""Judge the turning of the 15-second glass: whether it happened, in whose turn, and whether it was legal."""

from dataclasses import replace

from gnomon.games.tamsk.rules import PLAYERS
from gnomon.games.tamsk.sensing._acceptance import accept
from gnomon.games.tamsk.sensing._board_reading import BOTH
from gnomon.games.tamsk.sensing._change_history import Touch
from gnomon.games.tamsk.sensing._difference import timer_is_turned
from gnomon.games.tamsk.sensing._explain import explain
from gnomon.games.tamsk.sensing._scene import Scene, held
from gnomon.games.tamsk.sensing._single_pole import TimerTurn
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import trusts_timer
from gnomon.games.tamsk.sensing.verdicts import Complete, Doubt, InHand, Made, MayGoOn, Review, Several, Verdict, Wrong
from gnomon.referee.announcements import ruled
from gnomon.referee.game import Judged
from gnomon.referee.rulings import TimerTurned
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.glasses import fifteen_second_glass
from gnomon.timekeeping.instants import Instant, after


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
    touch = _set_down(scene)
    if touch is None or not timer_is_turned(scene):
        return None
    verdict = explain(scene._replace(timer_pole=scene.sight.timer), now)
    if isinstance(verdict, Review):
        return verdict
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


def _is_ended(scene: Scene, made: Made, turned: Touch) -> bool:
    """Whether the mover said that a turn was made, which nothing showed yet, before the 15-second glass was turned."""
    placed = scene.placed(made.move.target) if made.move.kind == "turn" else None
    if scene.pressed is None or placed is None or not scene.sensing.evidence.wary:
        return False
    return placed.at <= scene.pressed <= turned.at


def is_order_unknown(game: TamskGame, made: Made) -> bool:
    """Whether the 15-second glass was turned, for all that is known, as well before that turn was over as after it."""
    scene = game.scene()
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
    now = game.position.now
    lifted, placed, done = (Instant(max(each, now)) for each in (made.lifted, made.placed, made.done))
    game, effects = accept(game, made._replace(lifted=lifted, placed=placed, done=done))
    return game, said + effects


def timer_at_rest(game: TamskGame) -> TamskGame:
    """Once the 15-second glass has run out in the game, it is empty whichever way it was wrongly turned."""
    timer15, pole = game.position.timer15, game.scene().sight.timer
    end = None if timer15 is None else timer15.runs_out_at()
    if timer15 is not None and timer15.by_eye and not timer15.is_running(game.told):
        end = timer15.since  # as somebody said who watched it
    if game.timer_refused is None or end is None or end > game.told or pole in (None, BOTH):
        return game
    calm_since = Instant(max(game.calm_since, game.board_time(end)))
    return replace(game, timer_pole=pole, timer_refused=None, calm_since=calm_since)


def timer_turned(game: TamskGame) -> Judged[TamskGame]:
    """The 15-second glass was turned, and might be (rules 16 and 20)."""
    scene = game.scene()
    touch = _set_down(scene)
    if touch is None or touch.at == game.timer_refused or not timer_is_turned(scene):
        return game, ()
    before = game.position
    if isinstance(game.under_way, InHand):
        before = game.standing()
    elif isinstance(game.under_way, MayGoOn):
        made = game.under_way.made
        before = held(game.rules, before, made.move.origin, made.lifted)
    try:
        position = game.rules.turn_timer15(game.rules.elapse(before, touch.game))
    except RulesError:
        return replace(game, timer_refused=touch.at), ()
    until = (position.timer15 or fifteen_second_glass()).runs_out_at()
    until_us = None if game.rules.by_eye else game.board_time(until or touch.game)
    trust = game.trust
    if trusts_timer(game.sensing):
        trust = replace(trust, timer_turn=TimerTurn(touch.at, game.position, game.timer_pole))
    game = replace(game, position=position, timer_pole=scene.sight.timer, trust=trust)
    at = Instant(max(touch.at, game.turn_began))
    return ruled(game, TimerTurned(at, PLAYERS[1 - position.mover], until_us))
