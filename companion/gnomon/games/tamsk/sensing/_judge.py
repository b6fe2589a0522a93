"""Turn explanations of the TAMSK board into rulings: accept, wait, ask, refuse or quarantine."""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from gnomon.games.tamsk.rules import BOARD, PLAYERS
from gnomon.games.tamsk.sensing._acceptance import (
    accept,
    announce_overdue,
    announce_unseen,
    before_timer,
    catch_up,
    is_order_unknown,
    lost_at,
    put_back,
    ring_stands_at,
    timer_at_rest,
    timer_turned,
)
from gnomon.games.tamsk.sensing._board_reading import BOTH, UNSEEN, ChangeHistory, Touch
from gnomon.games.tamsk.sensing._contradictions import (
    find_hidden_lifts,
    find_unsure,
    find_unsure_of_timer,
)
from gnomon.games.tamsk.sensing._explain import explain, lift_shown_late
from gnomon.games.tamsk.sensing._other_turns import (
    made_too_late,
    with_unseen_ring,
    with_unseen_space,
)
from gnomon.games.tamsk.sensing._scene import (
    CARRIED,
    TIMED,
    Scene,
    difference,
    repairs,
    timer_is_turned,
    turn_text,
)
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
from gnomon.referee.judgement import BY_HAND, WHICH_TURN, Judgement, Phase, Repair, Temperament
from gnomon.referee.quarantine import UNSURE, quarantine
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    FaultRuled,
    GameOver,
    IllegalRuled,
    QuestionAsked,
    Righted,
    TurnLost,
    TurnRuled,
)
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Duration, Instant, after

TAKE_BACK: Final = "take_back"
TIMER_FIRST: Final = "timer15_first"
"""Whether the 15-second glass was turned before a turn was over: both were seen after an outage."""
IN_TIME: Final = "in_time"
"""Whether a turn that would end the game was made before the 15-second glass was empty: nobody looked as it was."""
UNSEEN_SAND: Final = "unseen"
"""The fault of a sensor that showed a glass only when somebody looked again: its sand began to run before."""
YES: Final = "yes"
NO: Final = "no"
_FARTHEST_BACK: Final = 8
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
            return _still_wrong(game), said  # it is in the air, on its way back
        verdict = before_timer(scene, now, is_wrong=game.judgement.phase is Phase.WRONG)
        if verdict is None:
            game, effects = _turn_timer(game)
            said += effects
            verdict = explain(game.scene, now)
        verdict = _as_announced(game, verdict)
        if game.judgement.code == BY_HAND and not isinstance(verdict, Agreed):
            return _still_wrong(game), said
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
                game, effects = _unsettle(game, after(now, Duration(2 * game.sensing.evidence.stands))), ()
            case Agreed() | MayGoOn():
                game, effects = _confirm(game)
                said += effects
                game, effects = _settle(game, verdict, now)
            case InHand(space, _):
                game, effects = _in_hand(game, verdict, BOARD.names[space]), ()
            case Several(choices):
                texts = tuple(turn_text(game.rules, game.position, made) for made in choices)
                game, effects = _ask(game, WHICH_TURN, texts, choices, now)
            case Review(at):
                game, effects = _unsettle(game, at), ()
            case Away(steps):
                game, effects = _away(game, steps, now), ()
            case Doubt(at, patience=patience):
                due = after(max(at, game.calm_since), patience)
                if now >= due:
                    game, effects = _doubt(game, verdict)
                    said += effects
                    continue
                game, effects = _unsettle(game, due), ()
            case Wrong():
                game, effects = _wrong(game, verdict, now)
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
    game, _ = _settle(game, MayGoOn(made), now)
    return ends_later(game, made), said, False


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
    late, unseen = lift_shown_late(game.scene, made), _turned_unseen(game.scene, made)
    unsure: dict[str, Touch | Change] = {change.input: change for change in find_unsure(game, made)}
    if late is not None:
        unsure.pop(late.input, None)
    game, said = accept(game, made)
    game, effects = say_unsure(game, unsure.values())
    said += effects
    if unseen is not None:
        game, effects = announce(game, FaultRuled(unseen.at, unseen.input, UNSEEN_SAND))
        said += effects
    if late is None or late.input in game.quarantined:
        return game, said
    game, effects = quarantine(game, late.at, late.input, "stuck", back=True)
    return game, said + effects


def say_unsure(game: TamskGame, changes: Iterable[Touch | Change]) -> Judged[TamskGame]:
    """The game in which it is said of sensors that nobody knows when, or whether, what they showed has happened."""
    words = [FaultRuled(change.at, change.input, UNSURE) for change in changes]
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


def _turned_unseen(scene: Scene, made: Made) -> Touch | None:
    """When a glass was seen to stand that was turned while nobody looked: nobody knows how much of its sand has run."""
    placed = scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    is_unseen = placed is not None and placed.at - placed.since > NUDGE
    return placed if is_unseen and scene.rules.settings.level >= TIMED and scene.sensing.evidence.wary else None


def guide(game: TamskGame) -> TamskGame:
    """The game in a pause, with the steps of a repair that are left: a correction is followed while sand stands still.

    Nothing is ruled, and no step is added to a board on which nothing was to be put right (issue 11).
    """
    return _still_wrong(game) if game.judgement.repairs or game.judgement.phase is Phase.WRONG else game


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
            lifted=_away_names(game),
            origin=BOARD.names[move.origin],
            target=BOARD.names[move.target],
        )
        return replace(game, under_way=verdict, judgement=judgement, question=None), ()
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


def _away_names(game: TamskGame) -> tuple[str, ...]:
    sight = game.scene.sight
    return tuple(
        BOARD.names[space] for space in game.position.glasses if space not in sight.glasses and space not in sight.blind
    )


def _in_hand(game: TamskGame, verdict: InHand, name: str) -> TamskGame:
    if game.judgement.phase is Phase.WRONG:
        return _still_wrong(replace(game, under_way=verdict))
    judgement = Judgement(Phase.IN_HAND, lifted=_away_names(game), origin=name)
    return replace(game, under_way=verdict, judgement=judgement, question=None)


def _unsettle(game: TamskGame, review_at: Instant | None) -> TamskGame:
    if game.judgement.phase is Phase.WRONG:
        return _still_wrong(replace(game, review_at=review_at))
    if game.question is not None and game.question.back:
        return replace(game, review_at=review_at)
    judgement = Judgement(Phase.UNSETTLED, lifted=_away_names(game))
    return replace(game, judgement=judgement, review_at=review_at, question=None)


def _still_wrong(game: TamskGame) -> TamskGame:
    steps = game.judgement.repairs if _is_being_turned(game) else repairs(game.scene)
    return replace(game, judgement=replace(game.judgement, lifted=_away_names(game), repairs=steps))


def _is_being_turned(game: TamskGame) -> bool:
    """Whether nothing stands wrong but the glass that was said not to have been turned, or it is in the hand."""
    denied = game.trust.denied
    return denied is not None and not difference(game.scene).extra - {denied.space}


def _away(game: TamskGame, steps: tuple[Repair, ...], now: Instant) -> TamskGame:
    due = after(game.calm_since, PATIENCE)
    game = _unsettle(replace(game, under_way=None), due if now < due else None)
    if now < due or game.judgement.phase is Phase.WRONG:
        return game
    return replace(game, judgement=replace(game.judgement, repairs=steps))


def _ask(
    game: TamskGame, what: str, texts: tuple[str, ...], choices: tuple[Made, ...], now: Instant
) -> Judged[TamskGame]:
    """Ask, once nothing is in the air any more or nothing has moved for a while."""
    if game.question is not None and game.question.asked.choices == texts:
        return game, ()
    due = after(game.calm_since, PATIENCE if _is_in_the_air(game) else NUDGE)
    if now < due:
        return _unsettle(game, due), ()
    game, said = _confirm(game)
    game, effects = ask(game, what, texts, choices, shown=now)
    return game, said + effects


def _is_in_the_air(game: TamskGame) -> bool:
    """Whether a glass may be in a hand: fewer than six stand, or by earlier terms one is not where the game has it."""
    if not game.sensing.evidence.contradictions:
        return bool(_away_names(game))
    sight = game.scene.sight
    return len(sight.glasses) + len(sight.blind.intersection(game.position.glasses)) < len(game.position.glasses)


def ask(  # noqa: PLR0913 - what a question consists of
    game: TamskGame,
    what: str,
    choices: tuple[str, ...],
    turns: tuple[Made, ...] = (),
    back: int = 0,
    *,
    shown: Instant,
) -> Judged[TamskGame]:
    """The game with a question put to the players; nothing is accepted before it is answered or has gone away.

    `shown` is the board time from which people can read it.
    """
    asked = QuestionAsked(game.calm_since, what, choices)
    judgement = Judgement(Phase.ASKING, lifted=_away_names(game))
    question = Question(asked, turns, back)
    if game.sensing.evidence.contradictions:
        question = question._replace(shown=shown)
    return announce(replace(game, question=question, judgement=judgement), asked)


def _wrong(game: TamskGame, verdict: Wrong, now: Instant) -> Judged[TamskGame]:
    """Refuse, once patience has run out; a move to a full space that has surely been made loses (rule 5)."""
    evidence = game.sensing.evidence
    loses = verdict.code == "full" and game.rules.settings.full_space == "loses" and not _is_unlikely(game, verdict)
    if game.judgement.phase is Phase.WRONG:
        is_pending = loses and not evidence.full_alone and game.judgement.code == verdict.code
        return _full_space(_still_wrong(game), verdict, now) if is_pending else (_still_wrong(game), ())
    if game.question is not None and game.question.back:
        return game, ()
    at_once = evidence.full if loses else NUDGE
    patience = 0 if verdict.code == "timer15_running" else at_once if verdict.at_once else PATIENCE
    due = after(game.calm_since, patience)
    if now < due:
        return _unsettle(game, due), ()
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
        judgement=Judgement(Phase.WRONG, lifted=_away_names(game), repairs=verdict.repairs, code=verdict.code),
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
