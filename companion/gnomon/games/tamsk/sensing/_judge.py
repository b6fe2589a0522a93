"""Turn explanations of the TAMSK board into rulings: accept, wait, ask, refuse or quarantine."""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing._acceptance import accept, announce_overdue, announce_unseen, catch_up, put_back
from gnomon.games.tamsk.sensing._board_reading import BOTH, UNSEEN, ChangeHistory, Touch
from gnomon.games.tamsk.sensing._contradictions import find_hidden_lifts, find_late_lift, find_unsure
from gnomon.games.tamsk.sensing._deadlines import lost_at, ring_stands_at
from gnomon.games.tamsk.sensing._explain import explain, lift_shown_late
from gnomon.games.tamsk.sensing._judgements import (
    IN_TIME,
    NO,
    TIMER_FIRST,
    YES,
    ask,
    away_names,
    in_hand,
    stay_away,
    still_wrong,
    unsettle,
)
from gnomon.games.tamsk.sensing._other_turns import (
    made_too_late,
    with_unseen_ring,
    with_unseen_space,
)
from gnomon.games.tamsk.sensing._refusals import rule_wrong
from gnomon.games.tamsk.sensing._scene import (
    TIMED,
    Scene,
    timer_is_turned,
    turn_text,
)
from gnomon.games.tamsk.sensing._stand_contradictions import find_unsure_of_timer
from gnomon.games.tamsk.sensing._timer_turns import before_timer, is_order_unknown, timer_at_rest, timer_turned
from gnomon.games.tamsk.sensing._unsure_ends import may_be_no_end, rings_stand_at
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import TIMER, place_of
from gnomon.games.tamsk.sensing.verdicts import (
    ENDS,
    Agreed,
    Away,
    Complete,
    Doubt,
    InHand,
    Made,
    MayGoOn,
    Review,
    Several,
    Verdict,
    Wrong,
)
from gnomon.referee.announcements import announce
from gnomon.referee.debounce import Change
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.evidence import NUDGE, PATIENCE
from gnomon.referee.game import Judged, Question
from gnomon.referee.judgement import BY_HAND, WHICH_TURN, Judgement, Phase
from gnomon.referee.quarantine import UNSURE, quarantine
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    FaultRuled,
    Righted,
    TurnLost,
    TurnRuled,
)
from gnomon.timekeeping.instants import Duration, Instant, after

UNSEEN_SAND: Final = "unseen"
"""The fault of a sensor that showed a glass only when somebody looked again: its sand began to run before."""
_LATELY_SAID: Final = 8
"""Among so many rulings nothing is said twice of a sensor."""


def judge(game: TamskGame, now: Instant) -> Judged[TamskGame]:  # noqa: C901, PLR0912 - one case for each verdict
    """The game after the board has been judged at board time `now`, turn after turn as long as one is complete."""
    said: tuple[Effect, ...] = ()
    while game.outcome is None and game.paused_at is None:
        if game.review_at is not None or game.ending is not None:
            game = replace(game, review_at=None, ending=None)
        game = timer_at_rest(_with_timer_as_seen(game))
        scene = game.scene
        if game.judgement.code == "timer15_running" and scene.sight.timer is None:
            return still_wrong(game), said  # it is in the air, on its way back
        verdict = before_timer(scene, now, is_wrong=game.judgement.phase is Phase.WRONG)
        if verdict is None:
            game, effects = _turn_timer(game)
            said += effects
            verdict = explain(game.scene, now)
        verdict = _as_announced(game, verdict)
        if game.judgement.code == BY_HAND and not isinstance(verdict, Agreed):
            return still_wrong(game), said
        match verdict:
            case Complete(made) if timer_is_turned(game.scene) and is_order_unknown(game, made):
                game, effects = _ask(game, TIMER_FIRST, (YES, NO), (made, made), now)
            case Complete(made):
                game, effects, is_over = _complete(game, made, now)
                said += effects
                if not is_over:
                    return game, said
                continue
            case Agreed() if _is_coming_elsewhere(game):
                game, effects = unsettle(game, after(now, Duration(2 * game.sensing.evidence.stands))), ()
            case Agreed() | MayGoOn():
                game, effects = _confirm(game)
                said += effects
                game, effects = _settle(game, verdict, now)
            case InHand(space, _):
                late = find_late_lift(game, space, BOARD.neighbours[space])
                game, effects = say_unsure(in_hand(game, verdict, BOARD.names[space]), late)
            case Several(choices):
                texts = tuple(turn_text(game.rules, game.position, made) for made in choices)
                game, effects = _ask(game, WHICH_TURN, texts, choices, now)
            case Review(at):
                game, effects = unsettle(game, at), ()
            case Away(steps):
                game, effects = stay_away(game, steps, now), ()
            case Doubt(at, patience=patience):
                due = after(max(at, game.calm_since), patience)
                if now >= due:
                    game, effects = _doubt(game, verdict)
                    said += effects
                    continue
                game, effects = unsettle(game, due), ()
            case Wrong():
                game, effects = rule_wrong(game, verdict, now)
            case _:
                assert_never(verdict)
        return game, said + effects
    return game, said


def _as_announced(game: TamskGame, verdict: Verdict) -> Verdict:
    """What the board shows of a turn that was announced: whichever else it may be, it is that one, and it is whole."""
    told = game.announced
    if told is None or not isinstance(verdict, Several | MayGoOn):
        return verdict
    choices = verdict.choices if isinstance(verdict, Several) else (verdict.made,)
    fitting = [made for made in choices if turn_text(game.rules, game.position, made) == told.text]
    return Complete(fitting[0]) if fitting else verdict


def _complete(game: TamskGame, made: Made, now: Instant) -> tuple[TamskGame, tuple[Effect, ...], bool]:
    """The game after a whole turn, and whether the turn is over: if it ends the game, that may wait or be asked."""
    game, said = _confirm(game)
    if said:
        made = made._replace(at=max(made.at, game.calm_since))
    if others := with_unseen_space(game, made):
        choices = (made, *others)
        texts = tuple(turn_text(game.rules, game.position, each) for each in choices)
        game, effects = _ask(game, WHICH_TURN, texts, choices, now)
        return game, said + effects, False
    ended, effects = accept_turn(game, made)
    if ended.outcome is not None and (other := with_unseen_ring(game, made)) is not None:
        texts = tuple(turn_text(game.rules, game.position, each) for each in (other, made))
        game, effects = _ask(game, WHICH_TURN, texts, (other, made), now)
        return game, said + effects, False
    if (late := made_too_late(game, ended, made)) is not None:
        game, effects = _ask(game, IN_TIME, (YES, NO), (made, late), now)
        return game, said + effects, False
    if now >= rings_stand_at(game, made) and may_be_no_end(game, ended):
        game, effects = _ask(game, ENDS, (YES, NO), (made, made), now)
        return game, said + effects, False
    if ended.outcome is None or now >= rings_stand_at(game, made):
        return ended, said + effects, True
    game, effects = _settle(game, MayGoOn(made), now)
    return ends_later(game, made), said + effects, False


def _doubt(game: TamskGame, doubt: Doubt) -> Judged[TamskGame]:
    """The game in which an input that says what cannot be is not believed, and what contradicts it is named."""
    said: tuple[Effect, ...] = ()
    for name in (doubt.input, *doubt.also):
        back = bool(doubt.also) or doubt.is_moving
        game, effects = quarantine(game, doubt.at, name, doubt.fault, back=back)
        said += effects
    if doubt.input.startswith(TIMER) and doubt.also and game.sensing.evidence.contradictions:
        game = replace(game, doubts_stand=True)
    against = (*doubt.against, *_moved_below(game, doubt))
    game, effects = announce(game, *(FaultRuled(doubt.at, name, UNSURE) for name in against))
    return game, said + effects


def _moved_below(game: TamskGame, doubt: Doubt) -> Iterator[str]:
    """The sensors below a ring that show none, and have moved lately: perhaps theirs is the fault."""
    place, _, height = doubt.input.partition(".ring")
    if doubt.fault != "stack" or not game.sensing.evidence.contradictions:
        return
    for name in (f"{place}.ring{lower}" for lower in range(1, int(height))):
        if name not in game.shown and name in game.debouncer.history:
            yield name


def accept_turn(game: TamskGame, made: Made) -> Judged[TamskGame]:
    """The game after a turn made by hand; a sensor that showed its lift too late is not believed for a while."""
    late = lift_shown_late(game.scene, made)
    unseen = _set_down_unseen(game.scene, made)
    unsure: dict[str, Touch | Change] = {change.input: change for change in find_unsure(game, made)}
    if late is not None:
        unsure.pop(late.input, None)
    game, said = accept(game, made)
    game, effects = _announce_new(game, (*_unsure(unsure.values()), *_unseen_sand(unseen)))
    said += effects
    if late is None or late.input in game.quarantined:
        return game, said
    game, effects = quarantine(game, late.at, late.input, "stuck", back=True)
    return game, said + effects


def say_unsure(game: TamskGame, changes: Iterable[Touch | Change]) -> Judged[TamskGame]:
    """The game in which it is said of sensors that nobody knows when, or whether, what they showed has happened."""
    return _announce_new(game, _unsure(changes))


def _unsure(changes: Iterable[Touch | Change]) -> list[FaultRuled]:
    return [FaultRuled(change.at, change.input, UNSURE) for change in changes]


def _unseen_sand(touches: Iterable[Touch]) -> list[FaultRuled]:
    return [FaultRuled(touch.at, touch.input, UNSEEN_SAND) for touch in touches]


def _announce_new(game: TamskGame, words: Iterable[FaultRuled]) -> Judged[TamskGame]:
    """The game in which faults are named, but for those that were named lately."""
    lately = game.rulings[-_LATELY_SAID:]
    return announce(game, *(word for word in words if word not in lately))


def _turn_timer(game: TamskGame) -> Judged[TamskGame]:
    """The game after the 15-second glass was turned, and what contradicts that is named."""
    trail = game.trail
    game, said = timer_turned(game)
    if not said:
        return game, said
    game, effects = say_unsure(game, find_unsure_of_timer(game, trail))
    return game, said + effects


def _with_timer_as_seen(game: TamskGame) -> TamskGame:
    """The game that knows again how the 15-second glass stands, once a sensor of its stand is believed."""
    if not game.doubts_stand or (pole := game.scene.sight.timer) in {None, BOTH}:
        return game
    return replace(game, doubts_stand=False, timer_pole=pole)


def ends_later(game: TamskGame, made: Made) -> TamskGame:
    """The game that a turn ends if its rings go on showing; nothing after the turn is ruled before that is known."""
    return replace(game, ending=made.at, review_at=rings_stand_at(game, made))


def _set_down_unseen(scene: Scene, made: Made) -> tuple[Touch, ...]:
    """When a glass was seen to stand that was turned while nobody looked: nobody knows how much of its sand has run."""
    placed = scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    if placed is None or scene.rules.settings.level < TIMED or not scene.sensing.evidence.wary:
        return ()
    return (placed,) if placed.at - placed.since > NUDGE else ()


def guide(game: TamskGame) -> TamskGame:
    """The game in a pause, with the steps of a repair that are left: a correction is followed while sand stands still.

    Nothing is ruled, and no step is added to a board on which nothing was to be put right.
    """
    return still_wrong(game) if game.judgement.repairs or game.judgement.phase is Phase.WRONG else game


def _confirm(game: TamskGame) -> Judged[TamskGame]:
    """The board agrees with the game again, if it did not."""
    if game.judgement.phase is not Phase.WRONG:
        return game, ()
    return announce(replace(game, judgement=Judgement(Phase.AGREED)), Righted(game.calm_since))


def _settle(game: TamskGame, verdict: Agreed | MayGoOn, now: Instant) -> Judged[TamskGame]:
    """The board shows the position, or a legal turn that may go on."""
    if isinstance(verdict, MayGoOn):
        move = verdict.made.move
        judgement = Judgement(
            Phase.MAY_GO_ON,
            lifted=away_names(game),
            origin=BOARD.names[move.origin],
            target=BOARD.names[move.target],
        )
        game = replace(game, under_way=verdict, judgement=judgement, question=None)
        # Its sand may run out before the turn is whole.
        unseen = _set_down_unseen(game.scene, verdict.made) if game.sensing.evidence.contradictions else ()
        return _announce_new(game, _unseen_sand(unseen))
    position = game.position if game.position.lifted < 0 else game.rules.put_back(game.position)
    touch = game.trail.latest()
    was_nudge, before = _was_nudge(game), game.under_way
    doubts = {place_of(name) for name in game.quarantined} & {place_of(touch.input) for touch in game.trail.touches}
    lifts, asked = put_back(game), game.question
    game = replace(
        game,
        position=position,
        poles=_poles_as_seen(game),
        under_way=None,
        question=None,
        judgement=Judgement(Phase.AGREED),
        trail=ChangeHistory() if verdict.clean else game.trail,
        put_back=touch.at if isinstance(before, InHand) and touch is not None else game.put_back,
    )
    overdue = game.overdue
    if overdue is not None and (waits := _waits_until(game, overdue, now)) is not None:
        return replace(game, review_at=waits), ()
    game, said = (game, ()) if overdue is None else announce_overdue(game, overdue, game.scene.own)
    if game.rules.settings.level == 1 or touch is None:
        if overdue is None or not game.scene.sight.blind.isdisjoint(game.scene.own):
            return game, said
        # What was in doubt as it was due is not believed, or has shown for long enough.
        hidden = find_hidden_lifts(game, overdue)
        ended, effects = catch_up(replace(game, overdue=None), lost_at(game, overdue))
        if may_be_no_end(game, ended):
            game, effects = _ask_for_end(game, asked, now)
            return game, said + effects
        game = ended
        if not any(isinstance(each, Announce) and isinstance(each.ruling, TurnLost | TurnRuled) for each in effects):
            return game, said + effects
        game, faults = say_unsure(game, hidden)
        return game, said + effects + faults
    if isinstance(before, InHand):
        game, effects = announce_unseen(game, before.space, before.lifted)
        said += effects
    for space, lift in lifts:
        game, effects = announce_unseen(game, space, lift.game)  # it was in a hand, and the board in doubt
        said += effects
    lost = game.debouncer.lost_rings(touch.at) if before is not None else ()
    if lost and game.sensing.evidence.contradictions:
        game, effects = say_unsure(game, lost)  # perhaps it had made a whole turn
        said += effects
    # A glass that was put back began no turn: what time has decided meanwhile holds (rules 13 and 19).
    at = lost_at(game, touch.at) if was_nudge else touch.at
    # Perhaps a whole turn was made and another since: some of it cannot be seen.
    is_another = bool(doubts or lost or game.scene.sight.blind)
    game, effects = _catch_up(game, at, now, may_be_another=is_another, asked=asked)
    return game, said + effects


def _ask_for_end(game: TamskGame, asked: Question | None, now: Instant) -> Judged[TamskGame]:
    """Ask whether sand ends the game, if that is not `asked` already."""
    if asked is not None and asked.asked.question == ENDS and not asked.turns:
        return replace(game, question=asked, judgement=Judgement(Phase.ASKING)), ()
    return ask(game, ENDS, (YES, NO), shown=now)


def _waits_until(game: TamskGame, overdue: Instant, now: Instant) -> Instant | None:
    """Until when what should have been decided waits: for a ring that must go on showing, or for what is coming."""
    stands = ring_stands_at(game, overdue)
    if stands is not None and now < stands:
        return stands
    return _known_at(game, now) if game.is_coming else None


def _known_at(game: TamskGame, now: Instant) -> Instant:
    """When to look again because something is coming to show."""
    return after(now, Duration(2 * game.sensing.evidence.stands))


def _catch_up(
    game: TamskGame, at: Instant, now: Instant, *, may_be_another: bool, asked: Question | None
) -> Judged[TamskGame]:
    """The game after what time has decided; it does not end if another turn may have been made, or may come to show."""
    ended, effects = catch_up(game if game.overdue is None else replace(game, overdue=None), at)
    if ended.outcome is None or not game.sensing.evidence.contradictions:
        return ended, effects
    if may_be_another:
        return game, ()
    if (waits := _waits_until(game, at, now)) is not None:
        return replace(game, overdue=at, review_at=waits), ()
    return _ask_for_end(replace(game, overdue=at), asked, now) if may_be_no_end(game, ended) else (ended, effects)


def _is_coming_elsewhere(game: TamskGame) -> bool:
    """Whether the glass in hand, whose own socket shows it again, is just coming to stand elsewhere as well."""
    if not isinstance(game.under_way, InHand):
        return False
    back = game.trail.last_set_down(game.under_way.space)
    return back is not None and game.is_being_set_down(back.at)


def _was_nudge(game: TamskGame) -> bool:
    """Whether the glass that was in hand has been gone for so short a time that nobody lifted it."""
    if not isinstance(game.under_way, InHand):
        return False
    lifted, placed = game.trail.last_lift(game.under_way.space), game.trail.last_set_down(game.under_way.space)
    return lifted is not None and placed is not None and placed.at - lifted.at < NUDGE


def _poles_as_seen(game: TamskGame) -> tuple[int, ...]:
    """At level 1 a glass may stand either way up; at the others the poles have been found to agree."""
    seen = game.scene.sight.glasses
    believed = zip(game.position.glasses, game.poles, strict=True)
    return tuple(pole if seen.get(space, UNSEEN) == UNSEEN else seen[space] for space, pole in believed)


def _ask(
    game: TamskGame, what: str, texts: tuple[str, ...], choices: tuple[Made, ...], now: Instant
) -> Judged[TamskGame]:
    """Ask, once nothing is in the air any more or nothing has moved for a while."""
    if game.question is not None and game.question.asked.choices == texts:
        return game, ()
    due = after(game.calm_since, PATIENCE if _is_in_the_air(game) else NUDGE)
    if now < due:
        return unsettle(game, due), ()
    game, said = _confirm(game)
    game, effects = ask(game, what, texts, choices, shown=now)
    return game, said + effects


def _is_in_the_air(game: TamskGame) -> bool:
    """Whether a glass may be in a hand: fewer than six stand, or by earlier terms one is not where the game has it."""
    if not game.sensing.evidence.contradictions:
        return bool(away_names(game))
    sight = game.scene.sight
    return len(sight.glasses) + len(sight.blind.intersection(game.position.glasses)) < len(game.position.glasses)
