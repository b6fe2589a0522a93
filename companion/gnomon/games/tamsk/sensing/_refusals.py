"""Rule on a board to which no legal play leads: wait, ask, refuse, or end the game on a full space (rule 5)."""

from typing import Final

from gnomon.games.tamsk.rules import PLAYERS
from gnomon.games.tamsk.sensing._judgements import NO, TAKE_BACK, YES, ask, away_names, still_wrong, unsettle
from gnomon.games.tamsk.sensing._scene import (
    CARRIED,
    difference,
    repairs,
)
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.verdicts import (
    Wrong,
)
from gnomon.referee.announcements import announce
from gnomon.referee.effects import Effect
from gnomon.referee.evidence import NUDGE, PATIENCE
from gnomon.referee.game import Judged
from gnomon.referee.judgement import Judgement, Phase, Temperament
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    GameOver,
    IllegalRuled,
)
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Duration, Instant, after

_FARTHEST_BACK: Final = 8


def rule_wrong(game: TamskGame, verdict: Wrong, now: Instant) -> Judged[TamskGame]:
    """Refuse, once patience has run out; a move to a full space that has surely been made loses (rule 5)."""
    evidence = game.sensing.evidence
    loses = verdict.code == "full" and game.rules.settings.full_space == "loses" and not _is_unlikely(game, verdict)
    if game.judgement.phase is Phase.WRONG:
        is_pending = loses and not evidence.full_alone and game.judgement.code == verdict.code
        return _full_space(still_wrong(game), verdict, now) if is_pending else (still_wrong(game), ())
    if game.question is not None and game.question.back:
        return game, ()
    at_once = evidence.full if loses else NUDGE
    patience = 0 if verdict.code == "timer15_running" else at_once if verdict.at_once else PATIENCE
    due = after(game.calm_since, patience)
    if now < due:
        return unsettle(game, due), ()
    if loses:
        return _full_space(game, verdict, now)
    back = _turns_back(game)
    if back and game.temperament is not Temperament.SILENT:
        return ask(game, TAKE_BACK, (YES, NO), back=back, shown=now)
    return refuse(game, verdict)


def _full_space(game: TamskGame, verdict: Wrong, now: Instant) -> Judged[TamskGame]:
    """The game that a glass on a full space ends, or refuses until it is known to rest there."""
    rests = _rests_at(game, verdict)
    if now >= rests:
        return _lost_by_full_space(game, verdict)
    said: tuple[Effect, ...] = ()
    if game.judgement.phase is not Phase.WRONG:
        game, said = refuse(game, verdict)
    return replace(game, ending=Instant(max(verdict.at, game.resumed_at)), review_at=rests), said


def _rests_at(game: TamskGame, verdict: Wrong) -> Instant:
    """Board time from which a glass is known to rest on a full space.

    The mover has pressed the button, or the opponent has begun to move (rule 22); where one socket alone says so, after
    a minute, which nobody holds a glass in the hand. By earlier terms it was known, too, when the socket had lost a
    glass that it had shown for as long as is refused.
    """
    scene, evidence = game.scene, game.sensing.evidence
    pressed = scene.pressed is not None and scene.pressed >= verdict.at
    if evidence.full_alone:
        return verdict.at
    since = Instant(max(verdict.at, game.resumed_at))
    has_worked = any(scene.trail.has_shown(space, evidence.full) for space in difference(scene).extra)
    if pressed or (has_worked and not evidence.contradictions):
        return after(since, evidence.full)
    away = difference(scene).missing.intersection(scene.theirs)
    lifts = [touch.at for space in away if (touch := scene.trail.last_lift(space)) and touch.at > verdict.at]
    alone = after(since, Duration(evidence.full + evidence.full_longer))
    return min(alone, after(min(lifts), max(NUDGE, evidence.stands))) if lifts else alone


def _is_unlikely(game: TamskGame, verdict: Wrong) -> bool:
    """Whether a sensor may lie: more glasses show than there are, one stands too soon, or the space is not full."""
    evidence = game.sensing.evidence
    if not evidence.wary:
        return False
    scene = game.scene
    seen = difference(scene)
    away = seen.missing if evidence.full_alone else seen.missing.intersection(scene.own)
    lifts = [touch for space in away if (touch := scene.trail.last_lift(space)) is not None]
    are_more = len(seen.extra) > len(seen.missing) or scene.sight.blind
    # A ring that filled the space has gone: perhaps it never lay there.
    has_room = any(seen.rings.get(space, 0) < 0 for space in seen.extra) and evidence.contradictions
    return bool(are_more) or has_room or any(verdict.at - touch.at < CARRIED for touch in lifts)


def refuse(game: TamskGame, verdict: Wrong) -> Judged[TamskGame]:
    """The game with a refusal; it is frozen until the board is put right."""
    game = replace(
        game,
        judgement=Judgement(Phase.WRONG, lifted=away_names(game), repairs=verdict.repairs, code=verdict.code),
        question=None,
    )
    return announce(
        game, IllegalRuled(verdict.at, PLAYERS[verdict.player], verdict.text, verdict.code, verdict.repairs)
    )


def _lost_by_full_space(game: TamskGame, verdict: Wrong) -> Judged[TamskGame]:
    """Rule 5: moving onto a full space loses at once."""
    winner = PLAYERS[1 - verdict.player]
    lost = replace(game, declared=Outcome(winner, "full_space"), under_way=None, judgement=Judgement(Phase.AGREED))
    refusal = IllegalRuled(verdict.at, PLAYERS[verdict.player], verdict.text, verdict.code, ())
    is_refused = game.judgement.phase is Phase.WRONG
    at = Instant(max(verdict.at, game.resumed_at)) if is_refused else verdict.at
    over = GameOver(at, winner, "full_space", game.rules.score(game.position))
    return announce(lost, *(() if is_refused else (refusal,)), over)


def _turns_back(game: TamskGame) -> int:
    """How many turns ago the board looked as it does now; 0: not lately."""
    scene = game.scene
    for back, ply in enumerate(reversed(game.plies[-_FARTHEST_BACK:]), 1):
        if not repairs(scene._replace(position=ply.before, poles=ply.poles)):
            return back
    return 0
