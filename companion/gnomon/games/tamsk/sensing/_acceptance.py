"""Accept turns of TAMSK, and rule on what follows from them, from time alone and from the 15-second glass.

Time decides stopped glasses, lost turns, passes and the end (rules 12, 13, 19). Of the 15-second glass is judged
whether it was turned, in whose turn, and whether it was legal.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD, LOST, PASS, PLAYERS, Position
from gnomon.games.tamsk.sensing._board_reading import BOTH, NORTH, SOUTH, UNSEEN, Touch, flickers
from gnomon.games.tamsk.sensing._contradictions import find_hidden_lifts, first_shown, first_there
from gnomon.games.tamsk.sensing._explain import explain, find_haste
from gnomon.games.tamsk.sensing._scene import (
    TIMED,
    Moved,
    Scene,
    TimerTurn,
    Trust,
    difference,
    hold,
    may_be_carried,
    play,
    timer_is_turned,
    turn_text,
)
from gnomon.games.tamsk.sensing._unsure_ends import may_be_no_end
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import BUTTON_OF, POLES, TIMER, is_socket, place_of, trusts_sockets, trusts_timer
from gnomon.games.tamsk.sensing.verdicts import Complete, Doubt, InHand, Made, MayGoOn, Review, Several, Verdict, Wrong
from gnomon.referee.announcements import announce
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.evidence import PATIENCE
from gnomon.referee.game import Judged, Ply
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.quarantine import UNSURE
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    FaultRuled,
    GameOver,
    GlassStopped,
    PenaltyRuled,
    Ruling,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.glasses import fifteen_second_glass
from gnomon.timekeeping.instants import Duration, Instant, after

PRESS_HOLDS: Final = Duration(2 * PATIENCE)
"""For so long the mover's press waits for a board that is in doubt."""
_BY_TIME: Final = (PASS.kind, LOST.kind)
"""Turns that no hand has made."""


def accept(game: TamskGame, made: Made) -> Judged[TamskGame]:
    """The game after a whole turn that was made by hand."""
    before = game.position
    if find_haste(game.scene, made):
        made = made._replace(placed=made.done)  # nobody knows when its glass was set down: in its player's favour
    text = turn_text(game.rules, before, made)
    shown = _as_first_shown(game, made)
    after_turn = play(game.rules, before, shown)
    lifts, overdue = put_back(game), game.overdue
    others = [space for space in game.scene.own if space != made.move.origin]
    if game.sensing.evidence.contradictions and made.move.kind == "turn" and before.sands:
        game, after_turn = _in_favour(game, made, after_turn)
    poles = game.poles
    moved = Moved(made, before, game.trail, game.turn_began, len(game.plies)) if _is_trusted(game, made) else None
    game = replace(game, poles=_poles_after(game, made))
    at = Instant(max(made.at, game.resumed_at, game.turn_began))
    pressed = None
    if made.answered is not None and game.sensing.evidence.reply_presses:
        pressed = Instant(min(made.answered, made.done))
    game, said, at = apply_turn(game, before, after_turn, text, at, made.done, poles, pressed)
    plies = game.plies
    if made.move.kind == "turn":
        plies = (*plies[:-1], plies[-1]._replace(lifted=made.lifted, placed=shown.placed))
    game = replace(
        game,
        plies=plies,
        trail=game.trail.about(difference(game.scene).spaces),
        trust=replace(game.trust, moved=moved),
    )
    game, said = follow_up(game, said, at)
    if overdue is not None:
        game, effects = announce_overdue(game, overdue, others)  # they were in no hand, after all
        said += effects
    for space, lift in lifts:
        game, effects = announce_unseen(game, space, lift.game)  # it was in a hand, and the board in doubt
        said += effects
    # A turn is older than its ruling: its glass may have run out since.
    stopped = _stopped_since(game, made.move.target, game.position.now)
    if stopped is None or _is_lifted_by(game, made.move.target, stopped.at):
        return game, said
    game, unseen = announce_unseen(game, made.move.target, game.position.now)
    at = stopped.at
    position = game.rules.elapse(game.position, game.game_time(at))
    return follow_up(replace(game, position=position), said + unseen, at)


def _as_first_shown(game: TamskGame, made: Made) -> Made:
    """The turn whose sand runs from when its socket first showed the glass, if that was lost while its ring fell."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    if placed is None or placed.since < placed.at or not game.sensing.evidence.contradictions:
        return made
    by = placed.at - first_shown(game, made, placed)
    return made._replace(placed=Instant(max(made.lifted, made.placed - by))) if by > 0 else made


def put_back(game: TamskGame) -> Sequence[tuple[int, Touch]]:
    """The spaces on which glasses stand again that were lifted in this turn, each with the lift."""
    if not game.sensing.evidence.contradictions:
        return ()
    trail, standing = game.trail, game.scene.sight.glasses
    return [(space, lift) for space in game.position.glasses if space in standing and (lift := trail.last_lift(space))]


def _in_favour(game: TamskGame, made: Made, position: Position) -> tuple[TamskGame, Position]:
    """The game, and the position after a turn, with as much sand in its glass as it may hold.

    Nobody saw when the glass was turned, in this turn or in one before: its sand ends no game too soon.
    """
    glass = game.position.glasses.index(made.move.origin)
    placed = game.scene.last_set_down(made.move.target)
    if placed is None:
        lifted = game.trail.last_lift(made.move.origin)
        since = made.lifted if lifted is None else min(lifted.granted, made.lifted)
        unseen = Duration(made.placed - since if made.move.target in game.scene.sight.blind else 0)
    elif placed.since < placed.at:
        unseen = Duration(placed.game - placed.granted)
    else:
        # A reply counts from the end of the turn that it answers, which may have been shown late.
        unseen = Duration(placed.at - first_there(game, made, placed) + max(0, made.placed - placed.game))
    sand = position.sands[glass]
    less = Duration(min(game.vague[glass], game.position.sands[glass].remaining(made.placed)))
    if less and not sand.by_eye:
        most = Duration(min(sand.durations[sand.up], sand.remaining(position.now) + less))
        sands = (*position.sands[:glass], sand.with_remaining(most, position.now), *position.sands[glass + 1 :])
        position = position._replace(sands=sands)
    # What runs from the upper bulb before it is turned, and what has run since, are both unknown by so much.
    vague = (*game.vague[:glass], Duration(less + 2 * unseen), *game.vague[glass + 1 :])
    return (game if vague == game.vague else replace(game, vague=vague)), position


def apply_turn(  # noqa: PLR0913, PLR0917 - a turn has so many sides
    game: TamskGame,
    before: Position,
    position: Position,
    text: str,
    at: Instant,
    when: Instant,
    poles: tuple[int, ...] = (),
    pressed: Instant | None = None,
) -> tuple[TamskGame, tuple[Effect, ...], Instant]:
    """The game with a turn written down: ruling, ply and penalty.

    `poles` as they were before it; `pressed` is when the turn ended on the match clock, if not `when` it was done.
    """
    player = PLAYERS[before.mover]
    rulings: list[Ruling] = [TurnLost(at, player) if text == "lost" else TurnRuled(at, player, text)]
    if position.penalty and position.rings_left[position.mover]:
        rulings.append(PenaltyRuled(at, PLAYERS[position.mover]))
    presses = (game.pressed, game.answered) if game.sensing.evidence.contradictions else ()
    pending = {BUTTON_OF[press.input]: press for press in presses if press is not None and press.at > at}
    clock = behind = game.clock
    if clock is not None:
        # Without sand the referee keeps no game time of what follows by itself.
        done = when if before.sands else Instant(max(when, game.game_time(at)))
        turn = clock.enter_turn(before.mover, done if pressed is None else pressed)
        clock, behind = turn.after, turn.before
    game = replace(
        game,
        position=position,
        plies=(*game.plies, Ply(player, text, at, before, when, behind, poles or game.poles)),
        turn_began=at,
        clock=clock,
        pressed=pending.get(position.mover),
        answered=pending.get(1 - position.mover),
        under_way=None,
        overdue=None,
        put_back=Instant(0),
        pressed_in_vain=game.pressed_in_vain if text in _BY_TIME else Instant(0),
        timer_unsure=None,
        question=None,
        judgement=game.judgement if game.judgement.phase is Phase.WRONG else Judgement(Phase.AGREED),
        trust=game.trust if text == PASS.kind else nothing_to_deny(game.trust),
    )
    game, said = announce(game, *rulings)
    return game, said, at


def follow_up(game: TamskGame, said: tuple[Effect, ...], at: Instant) -> Judged[TamskGame]:
    """What follows of itself, at that instant: forced passes, turns already lost, the end of the game."""
    while game.declared is None:
        outcome = game.rules.outcome(game.position)
        if outcome is not None:
            game, effects = announce(
                game, GameOver(at, outcome.winner, outcome.reason, game.rules.score(game.position))
            )
            return game, said + effects
        before = game.position
        move = game.rules.forced_turn(before)
        if move is None or game.rules.is_lined_up(before):
            break
        position = game.rules.play(before, move)
        game, effects, at = apply_turn(game, before, position, game.rules.text(before, move), at, before.now)
        said += effects
    return game, said


def nothing_to_deny(trust: Trust) -> Trust:
    """From now on nobody can say that a glass was not turned before."""
    return replace(trust, denied=None, moved=None, timer_turn=None)


def _is_trusted(game: TamskGame, made: Made) -> bool:
    """Whether a glass was moved of which only hands know that it was turned over (rule 10)."""
    return made.move.kind == "turn" and trusts_sockets(game.sensing) and game.rules.settings.level >= TIMED


def _poles_after(game: TamskGame, made: Made) -> tuple[int, ...]:
    move = made.move
    if move.kind != "turn":
        return game.poles  # a pass, or the second ring of a player who cannot move
    glass = game.position.glasses.index(move.origin)
    seen = game.scene.sight.glasses.get(move.target, BOTH)
    poles = list(game.poles)
    poles[glass] = 1 - poles[glass] if seen in (BOTH, UNSEEN) else seen
    return tuple(poles)


def time_passes(game: TamskGame, when: Instant, coming: Touch | None = None) -> Judged[TamskGame]:
    """Everything that time decides up to and including game time `when`; nothing after a turn that may be the last.

    `coming` is the next change of the board, if there is one.
    """
    if game.ending is not None:
        when = min(when, game.game_time(game.ending))
    said: tuple[Effect, ...] = ()
    while game.outcome is None and (due := game.next_timed) is not None and due <= when:
        game, effects = _at_deadline(game, due, coming)
        said += effects
    return replace(game, told=Instant(max(game.told, when))), said


def catch_up(game: TamskGame, at: Instant) -> Judged[TamskGame]:
    """What time has decided against a player who has no turn under way: a lost turn, a pass, the end (13 and 19)."""
    position = game.rules.elapse(game.position, game.told)
    return follow_up(replace(game, position=position), (), at)


def lost_at(game: TamskGame, at: Instant) -> Instant:
    """When the turn was lost: as the 15-second glass emptied, though only the instant after it shows it (rule 19)."""
    lost = game.rules.lost_is_due(game.rules.elapse(game.position, game.told)) and game.position.timer15_binds
    return Instant(min(at, game.board_time(Instant(game.position.bound_until)))) if lost else at


def has_begun(game: TamskGame, when: Instant) -> bool:
    """Whether the player on turn had a glass off its space by game time `when` (rule 17)."""
    if game.under_way is not None:
        return game.under_way.lifted <= when if isinstance(game.under_way, InHand) else True
    return _in_the_air(game, when) is not None


def _in_the_air(game: TamskGame, when: Instant) -> int | None:
    """The space from which the player on turn had lifted a glass by game time `when`, or None."""
    scene = game.scene
    for space in scene.own:
        touch = scene.trail.last_lift(space)
        if space not in scene.sight.glasses and touch is not None and touch.granted <= when:
            return space if scene.may_be_lifted(space, touch.granted) else None
    return None


def _lifted_in_doubt(game: TamskGame, when: Instant) -> set[int]:
    """The opponent's spaces from which a glass was lifted, while nothing explains the board, by game time `when`."""
    scene = game.scene
    if game.judgement.phase is not Phase.UNSETTLED or not game.sensing.evidence.contradictions:
        return set()
    lifts = ((space, scene.trail.last_lift(space)) for space in scene.theirs if space not in scene.sight.glasses)
    return {space for space, touch in lifts if touch is not None and touch.granted <= when}


def _at_deadline(game: TamskGame, due: Instant, coming: Touch | None) -> Judged[TamskGame]:
    game = replace(game, told=due)
    at = game.board_time(due)
    carried = may_be_carried(game.scene, due, coming, game.set_down_after(at))
    game, said = _announce_stopped(game, due, at, carried)
    if carried:
        return replace(game, overdue=at), said
    if has_begun(game, due):
        return game, said
    if _ends_in_doubt(game):
        return (replace(game, overdue=at) if game.sensing.evidence.contradictions else game), said
    if (stands := ring_stands_at(game, at)) is not None:
        return replace(game, overdue=at, review_at=stands), said
    if game.position.bound_until == due:
        # A lift at the very instant is in time, and would be known by now: the turn is lost (rule 19).
        game = replace(game, told=Instant(due + 1))
    hidden = find_hidden_lifts(game, at) if game.sensing.evidence.contradictions else ()
    game, turned = _turned_in_doubt(game, at)
    said += turned
    ended, effects = catch_up(game, lost_at(game, at))
    if may_be_no_end(game, ended):
        return replace(game, overdue=at, review_at=at), said
    game = ended
    if hidden and any(isinstance(each, Announce) and isinstance(each.ruling, TurnLost | TurnRuled) for each in effects):
        game, faults = announce(game, *(FaultRuled(change.at, change.input, UNSURE) for change in hidden))
        effects += faults
    return game, said + effects


def _turned_in_doubt(game: TamskGame, at: Instant) -> Judged[TamskGame]:
    """The game after the 15-second glass was turned on a board in doubt, if time alone ends that turn at `at`."""
    touch = _set_down(game.scene) if timer_is_turned(game.scene) else None
    ends = game.rules.forced_turn(game.rules.elapse(game.position, game.told)) is not None
    if touch is None or touch.at > at or not ends or not game.sensing.evidence.contradictions:
        return game, ()
    return timer_turned(game)


def ring_stands_at(game: TamskGame, at: Instant) -> Instant | None:
    """Until when a ring must go on showing that fell shortly before the sand ends the game; None: it ends at once.

    So must a glass that was put back, or whose socket has just moved: it is only its socket that says so. Where the
    mover has said in vain that a turn was made, people have a minute to say what it was.
    """
    evidence = game.sensing.evidence
    if not evidence.contradictions or game.rules.outcome(game.rules.elapse(game.position, game.told)) is None:
        return None
    rings = game.position.rings
    fell = next((ply.at for ply in reversed(game.plies) if ply.before.rings != rings), None)
    own = {BOARD.names[space] for space in game.scene.own}
    its = (starts for name, starts in game.debouncer.history.items() if place_of(name) in own and is_socket(name))
    moved = max((start for starts in its for start in starts if game.turn_began < start < at), default=Instant(0))
    shown = max(fell or Instant(0), game.put_back, moved)
    stands = after(shown, evidence.last_ring) if shown else Instant(0)
    if game.pressed_in_vain:
        stands = max(stands, after(game.pressed_in_vain, evidence.full_longer))
    return None if at >= stands else stands


def _ends_in_doubt(game: TamskGame) -> bool:
    """Whether the sand ends a game whose board nothing explained before: it is ended when the board agrees again."""
    is_in_doubt = game.judgement.phase in (Phase.UNSETTLED, Phase.WRONG)
    is_in_doubt = is_in_doubt and not all(it.granted >= game.told for it in game.trail.touches)
    # Nobody sees whether a glass is lifted from a socket that is not believed.
    is_blind = game.sensing.evidence.contradictions and not game.scene.sight.blind.isdisjoint(game.scene.own)
    if not (is_in_doubt or is_blind) or not game.sensing.evidence.wary:
        return False
    return game.rules.outcome(game.rules.elapse(game.position, game.told)) is not None


def _announce_stopped(game: TamskGame, due: Instant, at: Instant, carried: Collection[int]) -> Judged[TamskGame]:
    """Announce the glasses that ran out at `due`; one in the hand is turned when it is set down, and goes on."""
    standing = game.position_with_turn
    too_soon = _shown_too_soon(game)
    in_hand = {standing.lifted, _in_the_air(game, due), *_lifted_in_doubt(game, due), *carried, too_soon}
    rulings: list[Ruling] = []
    for glass, sand in enumerate(standing.sands):
        space = standing.glasses[glass]
        if sand.runs_out_at() == due and space not in in_hand:
            rulings.append(GlassStopped(at, PLAYERS[glass // 3], BOARD.names[space]))
        elif sand.runs_out_at() == due and space == too_soon and isinstance(game.under_way, MayGoOn):
            doubtful = find_haste(game.scene, game.under_way.made)
            rulings += [FaultRuled(touch.at, touch.input, UNSURE) for touch in doubtful]
    return announce(game, *rulings)


def _shown_too_soon(game: TamskGame) -> int | None:
    """The space that has shown a glass since before the one was lifted that may stand there; that may be in a hand."""
    if not isinstance(game.under_way, MayGoOn) or not game.sensing.evidence.contradictions:
        return None
    move = game.under_way.made.move
    lifted, placed = game.trail.last_lift(move.origin), game.scene.last_set_down(move.target)
    return move.target if lifted is not None and placed is not None and placed.at < lifted.at else None


def announce_unseen(game: TamskGame, space: int, since: Instant) -> Judged[TamskGame]:
    """Announce the glass on a space that has run out since, when it was not known to stand there."""
    stopped = _stopped_since(game, space, since)
    is_told = stopped in game.rulings and game.sensing.evidence.contradictions
    return (game, ()) if stopped is None or is_told else announce(game, stopped)


def announce_overdue(game: TamskGame, overdue: Instant, spaces: Iterable[int]) -> Judged[TamskGame]:
    """Announce the sand of those of the mover's glasses that ran out while one of them may have been in a hand."""
    said: tuple[Effect, ...] = ()
    for space in spaces:
        game, effects = announce_unseen(game, space, Instant(game.game_time(overdue) - 1))
        said += effects
    return game, said


def _is_lifted_by(game: TamskGame, space: int, at: Instant) -> bool:
    """Whether the glass that went to a space had left it again by a board time: its lift may have ended the turn."""
    lifted = game.trail.last_lift(space)
    is_away = lifted is not None and space not in game.scene.sight.glasses and lifted.at <= at
    return is_away and game.sensing.evidence.contradictions


def _stopped_since(game: TamskGame, space: int, since: Instant) -> GlassStopped | None:
    """That the glass on a space has run out since; None: it has not, or nothing is told of it."""
    if not game.sensing.evidence.unseen or game.outcome is not None or space not in game.position.glasses:
        return None
    glass = game.position.glasses.index(space)
    end = game.position.sands[glass].runs_out_at() if game.position.sands else None
    if end is None or not since < end <= game.told:
        return None
    return GlassStopped(game.board_time(end), PLAYERS[glass // 3], BOARD.names[space])


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
