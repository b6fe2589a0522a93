"""Rule on what the players' buttons say: a turn is over, a question is answered, or nothing is to be ended."""

from gnomon.games.tamsk.rules import BOARD, PASS, START
from gnomon.games.tamsk.sensing._acceptance import accept
from gnomon.games.tamsk.sensing._board_reading import UNSEEN, Touch
from gnomon.games.tamsk.sensing._contradictions import find_stirred
from gnomon.games.tamsk.sensing._explain import explain
from gnomon.games.tamsk.sensing._judge import accept_turn, ends_later, judge
from gnomon.games.tamsk.sensing._judgements import IN_TIME, NO, TIMER_FIRST, YES, ask
from gnomon.games.tamsk.sensing._other_turns import (
    made_too_late,
    to_other_space,
    with_unseen_ring,
    with_unseen_space,
)
from gnomon.games.tamsk.sensing._scene import Scene, before_completion, timer_is_turned, turn_text
from gnomon.games.tamsk.sensing._timer_turns import is_order_unknown
from gnomon.games.tamsk.sensing._unsure_ends import is_ended_by_lift, may_be_no_end, rings_stand_at
from gnomon.games.tamsk.sensing.declarations import WHICH_STOPPED, answered_by_button, by_button
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import POLES, SINGLE, place_of, trusts_sockets
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
from gnomon.referee.corrections import answer
from gnomon.referee.debounce import Change
from gnomon.referee.evidence import READ
from gnomon.referee.game import Judged, Question
from gnomon.referee.judgement import NOT_ON_TURN, NOT_PUT_DOWN, NOTHING_TO_END, WHICH_TURN, Phase
from gnomon.referee.replacement import replace
from gnomon.timekeeping.instants import Instant


def pressed_by(game: TamskGame, player: int, change: Change, now: Instant) -> Judged[TamskGame]:
    """The button of a player went down."""
    if game.question is not None and game.question.is_unread(change.at, READ):
        is_movers = player == game.position.mover
        return (replace(game, pressed=change) if is_movers else replace(game, answered=change)), ()
    if game.question is not None:
        return _answered_by_button(game, game.question, player, change.at, now)
    declared = by_button(game, player, change.at, now)
    if declared is not None:
        return declared
    verdict = explain(game.scene, now)
    if player == game.position.mover:
        is_lost = isinstance(verdict, InHand) and (
            game.scene.is_lost_at(verdict.space, change.at) or bool(_stirred_before(game, verdict.space, change))
        )
        is_held = isinstance(verdict, Away | Complete | Doubt | Several | Wrong) or is_lost or _is_open(verdict)
        if is_held and game.sensing.evidence.causes:
            game = replace(game, pressed=change)
        if game.judgement.phase is Phase.WRONG and isinstance(verdict, Wrong) and verdict.code == "full":
            return judge(game, now)
        return turn_ended(game, verdict, change, now)
    if isinstance(verdict, Review) and verdict.made is not None and len(game.scene.sight.glasses) == len(START):
        # The reply stands already: the press ends it, and with it the turn that it answers.
        game, said = accept_turn(game, verdict.made)
        game, effects = turn_ended(game, explain(game.scene, now), change, now)
        return game, said + effects
    is_held = isinstance(verdict, Away | Doubt | Several | Wrong) or _is_open(verdict)
    if is_held and game.sensing.evidence.contradictions:
        game = replace(game, answered=change)
    return told_why(game, NOT_ON_TURN), ()


def _stirred_before(game: TamskGame, origin: int, press: Change) -> set[str]:
    """The empty sockets beside the space of a glass in hand that moved before a press: it may stand in one of them."""
    lifted = game.trail.last_lift(origin)
    if lifted is None or not game.sensing.evidence.contradictions:
        return set()
    return {place_of(change.input) for change in find_stirred(game, origin, lifted.at, press.at)}


def was_there(game: TamskGame, ends: MayGoOn, press: Change) -> bool:
    """Whether the new socket of a turn, which shows its glass now, had moved before a press."""
    placed = game.scene.last_set_down(ends.made.move.target)
    first = min(game.debouncer.history.get("" if placed is None else placed.input, (press.at,)))
    return first < press.at and game.sensing.evidence.contradictions


def _is_open(verdict: Verdict) -> bool:
    """Whether only time can tell which of several turns was made."""
    return isinstance(verdict, Review) and verdict.made is None


def _answered_by_button(
    game: TamskGame, question: Question, player: int, at: Instant, now: Instant
) -> Judged[TamskGame]:
    """Red's button is the first choice; a take-back is agreed to by the player who is on turn."""
    if question.asked.question == WHICH_STOPPED:
        game, said = answered_by_button(game, question, player)
        if game.question is not None:
            return game, said
        game, effects = judge(game, now)
        return game, said + effects
    index = int(player != game.position.mover) if question.back else player
    game, said = answer(game, question.asked.choices[index], at)
    game, effects = judge(game, now)
    return game, said + effects


def turn_ended(  # noqa: C901, PLR0911 - one case for each thing that a press may say
    game: TamskGame, verdict: Verdict, change: Change, now: Instant
) -> Judged[TamskGame]:
    """The player on turn says that their turn is complete (rule 22); without a turn on the board that says nothing."""
    scene = game.scene
    pressed = game.game_time(change.at)
    if isinstance(verdict, Review) and verdict.made is not None:
        verdict = MayGoOn(verdict.made)
    if isinstance(verdict, Agreed) and may_only_pass(scene):
        game, said = accept(game, Made(PASS, pressed, pressed, pressed, change.at))
    elif isinstance(verdict, InHand | MayGoOn) and (made := _ended_turn(scene, verdict, change, now)) is not None:
        done = Instant(max(made.placed, pressed - change.uncertainty))
        made = made._replace(done=done, at=change.at)
        heights = scene.sight.heights(made.move.target)
        if heights.fewest != heights.most and not made.move.ring:
            # The stack cannot be seen there: only the players know whether a ring fell.
            choices = tuple(made._replace(move=made.move._replace(ring=ring)) for ring in (True, False))
            texts = tuple(turn_text(scene.rules, scene.position, choice) for choice in choices)
            return ask(_with_press(game, change), WHICH_TURN, texts, choices, shown=now)
        if scene.rules.why_not(before_completion(scene.rules, scene.position, made), made.move) is not None:
            return game, ()  # With ring=auto a turn ends by its ring alone.
        if game.sensing.evidence.contradictions and timer_is_turned(scene) and is_order_unknown(game, made):
            return ask(_with_press(game, change), TIMER_FIRST, (YES, NO), (made, made), shown=now)
        ended, said = accept_turn(game, made)
        if (asked := _asked_about(game, ended, made)) is not None:
            return ask(_with_press(game, change), *asked, shown=now)
        if ended.outcome is not None and now < rings_stand_at(game, made):
            return replace(ends_later(game, made), pressed=change), ()
        if may_be_no_end(game, ended):
            return ask(_with_press(game, change), ENDS, (YES, NO), (made, made), shown=now)
        game = ended
    elif isinstance(verdict, Complete) and game.ending is not None and is_ended_by_lift(scene, verdict.made):
        # It is over by a glass of the opponent's alone that did not show; a player who presses thinks it is not.
        return ask(_with_press(game, change), ENDS, (YES, NO), (verdict.made, verdict.made), shown=now)
    else:
        game = replace(game, pressed_in_vain=change.at)
        return told_why(game, NOTHING_TO_END if isinstance(verdict, Agreed) else NOT_PUT_DOWN), ()
    game, effects = judge(game, now)
    return game, said + effects


def _with_press(game: TamskGame, change: Change) -> TamskGame:
    """The game in which a press is asked about: it still ends the turn if the board makes the question void."""
    pressed = change if game.sensing.evidence.contradictions else game.pressed
    return replace(game, calm_since=change.at, pressed=pressed)


def _asked_about(game: TamskGame, ended: TamskGame, made: Made) -> tuple[str, tuple[str, ...], tuple[Made, ...]] | None:
    """The question, its choices and their turns where a press may have ended another turn; None: it is that one."""
    other = to_other_space(game, made, made.at)
    if other is None and ended.outcome is not None:
        other = with_unseen_ring(game, made)
    choices = (made, *with_unseen_space(game, made)) if other is None else (other, made)
    if len(choices) > 1:
        texts = tuple(turn_text(game.rules, game.position, each) for each in choices)
        return WHICH_TURN, texts, choices
    late = made_too_late(game, ended, made)
    return None if late is None else (IN_TIME, (YES, NO), (made, late))


def may_only_pass(scene: Scene) -> bool:
    """Whether the player on turn cannot move, and may drop the second ring or pass (rule 18)."""
    return scene.position.penalty and scene.rules.cannot_move(scene.position)


def told_why(game: TamskGame, code: str) -> TamskGame:
    """The game, which a button has not changed, with why it has not; the next touch makes that void."""
    if game.judgement.phase not in {Phase.AGREED, Phase.IN_HAND}:
        return game  # what is to be done is said already
    return replace(game, judgement=replace(game.judgement, code=code))


def _ended_turn(scene: Scene, verdict: InHand | MayGoOn, press: Change, now: Instant) -> Made | None:
    """The turn that stands on the board, or the only one that ends on a socket whose sensor is not believed.

    Nobody has seen when its glass was set down: as late as may be, so that its sand ends no game too soon.
    """
    if isinstance(verdict, MayGoOn):
        return verdict.made
    blind = scene.sight.blind - set(scene.position.glasses)
    found = []
    for space in sorted(blind & set(BOARD.neighbours[verdict.space])):
        pole = 1 - scene.poles[scene.position.glasses.index(verdict.space)]
        kind = POLES[pole]
        if trusts_sockets(scene.sensing):
            pole, (kind,) = UNSEEN, SINGLE
        sight = scene.sight._replace(glasses={**scene.sight.glasses, space: pole}, blind=scene.sight.blind - {space})
        lifted = scene.trail.last_lift(verdict.space)
        name = f"{BOARD.names[space]}.{kind}"
        placed = Touch(now, verdict.lifted, verdict.lifted, name, value=True) if lifted is None else lifted
        if scene.sensing.evidence.contradictions and press.at >= placed.at:
            placed = placed.moved_to(press.at)
        trail = scene.trail.add(placed._replace(input=name, value=True))
        shown = explain(scene._replace(sight=sight, trail=trail), now)
        if isinstance(shown, MayGoOn):
            found.append(shown.made)
    return found[0] if len(found) == 1 else None
