"""The only place that turns explanations of the board into rulings: accept, wait, ask, refuse, quarantine."""

from dataclasses import replace
from typing import Final, assert_never

from gnomon.referee.difference import difference, repairs, timer_is_turned
from gnomon.referee.effects import Announce, Effect, Sound, Tune
from gnomon.referee.explain import explain
from gnomon.referee.game import Game, Ply, Question
from gnomon.referee.judgement import Judgement, Phase, Repair, Temperament
from gnomon.referee.making import NUDGE
from gnomon.referee.rulings import (
    FaultRuled,
    GameOver,
    GlassStopped,
    IllegalRuled,
    PenaltyRuled,
    QuestionAsked,
    Righted,
    Ruling,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.referee.scene import Scene, held, played, turn_text
from gnomon.referee.sight import BOTH
from gnomon.referee.trail import Trail
from gnomon.referee.verdicts import (
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
from gnomon.rules.protocol import Outcome, RulesError
from gnomon.rules.tamsk import BOARD, LOST, PASS, PLAYERS, Position
from gnomon.timekeeping.glasses import fifteen_second_glass
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

PATIENCE: Final = Duration(3 * SECOND)
"""How long a board that nothing explains may stay so before the referee speaks: people put things right themselves."""

DOUBT_TIME: Final = Duration(1 * SECOND)
"""How long an input may say what cannot be before it is quarantined."""

TAKE_BACK: Final = "take_back"
WHICH_TURN: Final = "which_turn"
BY_HAND: Final = "by_hand"
"""The code of a board that lags behind a correction: nothing counts before it shows the position."""
YES: Final = "yes"
NO: Final = "no"
_FARTHEST_BACK: Final = 8

_TUNES: Final = {
    "illegal": Tune.REFUSED,
    "righted": Tune.RIGHTED,
    "stopped": Tune.GLASS_STOPPED,
    "timer15": Tune.TIMER_TURNED,
    "lost": Tune.TIME_LOST,
    "fault": Tune.FAULT,
    "ask": Tune.QUESTION,
    "paused": Tune.PAUSED,
    "over": Tune.OVER,
    "turn": Tune.ACCEPTED,
}
_HEARD_BY_ALL: Final = frozenset({"paused", "over", "timer15"})  # what even the silent referee sounds

Judged = tuple[Game, tuple[Effect, ...]]


def ruled(game: Game, *rulings: Ruling) -> Judged:
    """The game with rulings written down, and the orders to announce them."""
    effects: list[Effect] = []
    for ruling in rulings:
        effects.append(Announce(ruling))
        tune = tune_of(ruling, game.temperament)
        if tune is not None:
            effects.append(Sound(tune))
    return replace(game, rulings=(*game.rulings, *rulings)), tuple(effects)


def tune_of(ruling: Ruling, temperament: Temperament) -> Tune | None:
    """What a ruling sounds like, if the temperament lets it be heard."""
    if temperament is Temperament.SILENT and ruling.kind not in _HEARD_BY_ALL:
        return None
    return _TUNES.get(ruling.kind)


def judge(game: Game, now: Instant) -> Judged:  # noqa: C901, PLR0912 - one case for each verdict
    """The game after the board has been judged at board time `now`, turn after turn as long as one is complete."""
    said: tuple[Effect, ...] = ()
    while game.outcome is None and game.paused_at is None:
        game = _timer_at_rest(replace(game, review_at=None))
        scene = game.scene()
        if game.judgement.code == "timer15_running" and scene.sight.timer is None:
            return _still_wrong(game), said  # it is in the air, on its way back
        verdict = _before_timer(scene, now)
        if verdict is None:
            game, effects = _timer_turned(game)
            said += effects
            verdict = explain(game.scene(), now)
        if game.judgement.code == BY_HAND and not isinstance(verdict, Agreed):
            return _still_wrong(game), said
        match verdict:
            case Complete(made):
                game, effects = _righted(game)
                said += effects
                if effects:
                    made = made._replace(at=max(made.at, game.calm_since))
                game, effects = accept(game, made)
                said += effects
                continue
            case Agreed() | MayGoOn():
                game, effects = _righted(game)
                said += effects
                game, effects = _settled(game, verdict)
            case InHand(space, _):
                game, effects = _in_hand(game, verdict, BOARD.names[space]), ()
            case Several(choices):
                game, effects = _several(game, choices, now)
            case Review(at):
                game, effects = _unsettled(game, at), ()
            case Away(steps):
                game, effects = _away(game, steps, now), ()
            case Doubt(at, name, fault):
                due = after(max(at, game.calm_since), DOUBT_TIME)
                if now >= due:
                    game, effects = quarantine(game, at, name, fault)
                    said += effects
                    continue
                game, effects = _unsettled(game, due), ()
            case Wrong():
                game, effects = _wrong(game, verdict, now)
            case _:
                assert_never(verdict)
        return game, said + effects
    return game, said


def _before_timer(scene: Scene, now: Instant) -> Verdict | None:
    """What must be judged before the 15-second glass: a turn that ended, or may have ended, before it was turned."""
    touch = scene.trail.timer_set_down()
    if touch is None or not timer_is_turned(scene):
        return None
    verdict = explain(scene._replace(timer_pole=scene.sight.timer), now)
    if isinstance(verdict, Review):
        return verdict
    return verdict if isinstance(verdict, Complete) and verdict.made.at <= touch.at else None


def _timer_at_rest(game: Game) -> Game:
    """Once the 15-second glass has run out in the game, it is empty whichever way it was wrongly turned."""
    timer15, pole = game.position.timer15, game.scene().sight.timer
    end = None if timer15 is None else timer15.runs_out_at()
    if game.timer_refused is None or end is None or end > game.told or pole in (None, BOTH):
        return game
    calm_since = Instant(max(game.calm_since, game.board_time(end)))
    return replace(game, timer_pole=pole, timer_refused=None, calm_since=calm_since)


def _timer_turned(game: Game) -> Judged:
    """The 15-second glass was turned, and might be (rules 16 and 20)."""
    scene = game.scene()
    touch = scene.trail.timer_set_down()
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
    game = replace(game, position=position, timer_pole=scene.sight.timer)
    at = Instant(max(touch.at, game.turn_began))
    return ruled(game, TimerTurned(at, PLAYERS[1 - position.mover], game.board_time(until or touch.game)))


def quarantine(game: Game, at: Instant, name: str, fault: str) -> Judged:
    """The game with an input that is no longer believed; its space goes on by hand."""
    game = replace(game, quarantined=(*game.quarantined, name), trail=game.trail.without(name))
    return ruled(game, FaultRuled(at, name, fault))


def accept(game: Game, made: Made) -> Judged:
    """The game after a whole turn that was made by hand."""
    before = game.position
    text = turn_text(game.rules, before, made)
    after_turn = played(game.rules, before, made)
    poles = game.poles
    game = replace(game, poles=_poles_after(game, made))
    at = Instant(max(made.at, game.resumed_at, game.turn_began))
    game, said, at = entered(game, before, after_turn, text, at, made.done, poles)
    game = replace(game, trail=game.trail.about(difference(game.scene()).spaces))
    return follow_up(game, said, at)


def entered(  # noqa: PLR0913, PLR0917 - a turn has so many sides
    game: Game, before: Position, position: Position, text: str, at: Instant, when: Instant, poles: tuple[int, ...] = ()
) -> tuple[Game, tuple[Effect, ...], Instant]:
    """The game with a turn written down: ruling, ply and penalty. `poles` as they were before it."""
    player = PLAYERS[before.mover]
    rulings: list[Ruling] = [TurnLost(at, player) if text == "lost" else TurnRuled(at, player, text)]
    if position.penalty and position.rings_left[position.mover]:
        rulings.append(PenaltyRuled(at, PLAYERS[position.mover]))
    game = replace(
        game,
        position=position,
        plies=(*game.plies, Ply(player, text, at, before, when, poles or game.poles)),
        turn_began=at,
        under_way=None,
        question=None,
        judgement=game.judgement if game.judgement.phase is Phase.WRONG else Judgement(Phase.AGREED),
    )
    game, said = ruled(game, *rulings)
    return game, said, at


def follow_up(game: Game, said: tuple[Effect, ...], at: Instant) -> Judged:
    """What follows of itself, at that instant: forced passes, turns already lost, the end of the game."""
    while game.declared is None:
        outcome = game.rules.outcome(game.position)
        if outcome is not None:
            game, effects = ruled(game, GameOver(at, outcome.winner, outcome.reason, game.rules.score(game.position)))
            return game, said + effects
        moves = game.rules.legal_moves(game.position)
        if len(moves) != 1 or moves[0] not in (PASS, LOST):
            break
        before = game.position
        position = game.rules.play(before, moves[0])
        game, effects, at = entered(game, before, position, game.rules.text(before, moves[0]), at, before.now)
        said += effects
    return game, said


def catch_up(game: Game, at: Instant) -> Judged:
    """What time has decided against a player who has no turn under way: a lost turn, a pass, the end (13 and 19)."""
    position = game.rules.elapse(game.position, game.told)
    return follow_up(replace(game, position=position), (), at)


def time_passes(game: Game, when: Instant) -> Judged:
    """Everything that time decides up to and including game time `when`."""
    said: tuple[Effect, ...] = ()
    while game.outcome is None and (due := game.next_timed()) is not None and due <= when:
        game, effects = _at_deadline(game, due)
        said += effects
    return replace(game, told=Instant(max(game.told, when))), said


def _at_deadline(game: Game, due: Instant) -> Judged:
    game = replace(game, told=due)
    at = game.board_time(due)
    game, said = _stopped(game, due, at)
    if has_begun(game, due):
        return game, said
    if game.position.bound_until == due:
        # A lift at the very instant is in time, and would be known by now: the turn is lost (rule 19).
        game = replace(game, told=Instant(due + 1))
    game, effects = catch_up(game, _lost_at(game, at))
    return game, said + effects


def _lost_at(game: Game, at: Instant) -> Instant:
    """When the turn was lost: as the 15-second glass emptied, though only the instant after it shows it (rule 19)."""
    lost = game.rules.lost_is_due(game.rules.elapse(game.position, game.told)) and game.position.timer15_binds
    return Instant(min(at, game.board_time(Instant(game.position.bound_until)))) if lost else at


def has_begun(game: Game, when: Instant) -> bool:
    """Whether the player on turn had a glass off its space by game time `when` (rule 17)."""
    if game.under_way is not None:
        return game.under_way.lifted <= when if isinstance(game.under_way, InHand) else True
    scene = game.scene()
    for space in scene.own:
        touch = scene.trail.lifted(space)
        if space not in scene.sight.glasses and touch is not None and touch.granted <= when:
            return scene.may_be_lifted(space, touch.granted)
    return False


def _stopped(game: Game, due: Instant, at: Instant) -> Judged:
    """Announce the glasses that ran out at `due`; one in the hand is turned when it is set down, and goes on."""
    standing = game.standing()
    rulings = []
    for glass, sand in enumerate(standing.sands):
        if sand.runs_out_at() == due and standing.glasses[glass] != standing.lifted:
            rulings.append(GlassStopped(at, PLAYERS[glass // 3], BOARD.names[standing.glasses[glass]]))
    return ruled(game, *rulings)


def _poles_after(game: Game, made: Made) -> tuple[int, ...]:
    move = made.move
    if move.kind != "turn":
        return game.poles  # a pass, or the second ring of a player who cannot move
    glass = game.position.glasses.index(move.origin)
    seen = game.scene().sight.glasses.get(move.target, BOTH)
    poles = list(game.poles)
    poles[glass] = 1 - poles[glass] if seen == BOTH else seen
    return tuple(poles)


def _righted(game: Game) -> Judged:
    """The board agrees with the game again, if it did not."""
    if game.judgement.phase is not Phase.WRONG:
        return game, ()
    return ruled(replace(game, judgement=Judgement(Phase.AGREED)), Righted(game.calm_since))


def _settled(game: Game, verdict: Agreed | MayGoOn) -> Judged:
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
    was_nudge = _was_nudge(game)
    game = replace(
        game,
        position=position,
        poles=_poles_as_seen(game),
        under_way=None,
        question=None,
        judgement=Judgement(Phase.AGREED),
        trail=Trail() if verdict.clean else game.trail,
    )
    if game.rules.settings.level == 1 or touch is None:
        return game, ()
    # A glass that was put back began no turn: what time has decided meanwhile holds (rules 13 and 19).
    return catch_up(game, _lost_at(game, touch.at) if was_nudge else touch.at)


def _was_nudge(game: Game) -> bool:
    """Whether the glass that was in hand has been gone for so short a time that nobody lifted it."""
    if not isinstance(game.under_way, InHand):
        return False
    lifted, placed = game.trail.lifted(game.under_way.space), game.trail.placed(game.under_way.space)
    return lifted is not None and placed is not None and placed.at - lifted.at < NUDGE


def _poles_as_seen(game: Game) -> tuple[int, ...]:
    """At level 1 a glass may stand either way up; at the others the poles have been found to agree."""
    seen = game.scene().sight.glasses
    return tuple(seen.get(space, pole) for space, pole in zip(game.position.glasses, game.poles, strict=True))


def _away_names(game: Game) -> tuple[str, ...]:
    sight = game.scene().sight
    return tuple(
        BOARD.names[space] for space in game.position.glasses if space not in sight.glasses and space not in sight.blind
    )


def _in_hand(game: Game, verdict: InHand, name: str) -> Game:
    if game.judgement.phase is Phase.WRONG:
        return _still_wrong(replace(game, under_way=verdict))
    judgement = Judgement(Phase.IN_HAND, lifted=_away_names(game), origin=name)
    return replace(game, under_way=verdict, judgement=judgement, question=None)


def _unsettled(game: Game, review_at: Instant | None) -> Game:
    if game.judgement.phase is Phase.WRONG:
        return _still_wrong(replace(game, review_at=review_at))
    if game.question is not None and game.question.back:
        return replace(game, review_at=review_at)
    judgement = Judgement(Phase.UNSETTLED, lifted=_away_names(game))
    return replace(game, judgement=judgement, review_at=review_at, question=None)


def _still_wrong(game: Game) -> Game:
    judgement = replace(game.judgement, lifted=_away_names(game), repairs=repairs(game.scene()))
    return replace(game, judgement=judgement)


def _away(game: Game, steps: tuple[Repair, ...], now: Instant) -> Game:
    due = after(game.calm_since, PATIENCE)
    game = _unsettled(replace(game, under_way=None), due if now < due else None)
    if now < due or game.judgement.phase is Phase.WRONG:
        return game
    return replace(game, judgement=replace(game.judgement, repairs=steps))


def _several(game: Game, choices: tuple[Made, ...], now: Instant) -> Judged:
    """Ask, once nothing is in the air any more or nothing has moved for a while."""
    texts = tuple(turn_text(game.rules, game.position, made) for made in choices)
    if game.question is not None and game.question.asked.choices == texts:
        return game, ()
    due = after(game.calm_since, PATIENCE if _away_names(game) else NUDGE)
    if now < due:
        return _unsettled(game, due), ()
    game, said = _righted(game)
    game, effects = ask(game, WHICH_TURN, texts, choices)
    return game, said + effects


def ask(game: Game, what: str, choices: tuple[str, ...], turns: tuple[Made, ...] = (), back: int = 0) -> Judged:
    """The game with a question put to the players; nothing is accepted before it is answered or has gone away."""
    asked = QuestionAsked(game.calm_since, what, choices)
    judgement = Judgement(Phase.ASKING, lifted=_away_names(game))
    return ruled(replace(game, question=Question(asked, turns, back), judgement=judgement), asked)


def _wrong(game: Game, verdict: Wrong, now: Instant) -> Judged:
    """Refuse, once patience has run out; a move to a full space allows no second thought (rule 5)."""
    if game.judgement.phase is Phase.WRONG:
        return _still_wrong(game), ()
    if game.question is not None and game.question.back:
        return game, ()
    patience = 0 if verdict.code == "timer15_running" else NUDGE if verdict.at_once else PATIENCE
    due = after(game.calm_since, patience)
    if now < due:
        return _unsettled(game, due), ()
    if verdict.code == "full" and game.rules.settings.full_space == "loses":
        return _lost_by_full_space(game, verdict)
    back = _turns_back(game)
    if back and game.temperament is not Temperament.SILENT:
        return ask(game, TAKE_BACK, (YES, NO), back=back)
    return refuse(game, verdict)


def refuse(game: Game, verdict: Wrong) -> Judged:
    """The game with a refusal; it is frozen until the board is put right."""
    put_right = tuple(step.text for step in verdict.repairs)
    game = replace(
        game,
        judgement=Judgement(Phase.WRONG, lifted=_away_names(game), repairs=verdict.repairs, code=verdict.code),
        question=None,
    )
    return ruled(game, IllegalRuled(verdict.at, PLAYERS[verdict.player], verdict.text, verdict.code, put_right))


def _lost_by_full_space(game: Game, verdict: Wrong) -> Judged:
    """Rule 5: moving onto a full space loses at once."""
    winner = PLAYERS[1 - verdict.player]
    game = replace(game, declared=Outcome(winner, "full_space"), under_way=None, judgement=Judgement(Phase.AGREED))
    refusal = IllegalRuled(verdict.at, PLAYERS[verdict.player], verdict.text, verdict.code, ())
    return ruled(game, refusal, GameOver(verdict.at, winner, "full_space", game.rules.score(game.position)))


def _turns_back(game: Game) -> int:
    """How many turns ago the board looked as it does now; 0: not lately."""
    scene = game.scene()
    for back, ply in enumerate(reversed(game.plies[-_FARTHEST_BACK:]), 1):
        if not repairs(scene._replace(position=ply.before, poles=ply.poles)):
            return back
    return 0
