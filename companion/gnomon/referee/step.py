"""Step a TAMSK game on a sensor board: `step(game, event)` is pure and returns the game and its effects.

A change of the board is treated twice: `step` rules on it once it is evidence, `foreseen` shows what it leads to if
it stands.
"""

from dataclasses import replace
from typing import Final

from gnomon.games.tamsk.rules import BOARD, PASS, START
from gnomon.referee import clock_rulings
from gnomon.referee.acceptance import Judged, accept
from gnomon.referee.board_reading import UNSEEN
from gnomon.referee.change_history import Touch
from gnomon.referee.corrections import answered, corrected, paused, resumed
from gnomon.referee.debounce import SETTLING, Change
from gnomon.referee.effects import Effect
from gnomon.referee.events import DeadlineReached, Event, InputChanged
from gnomon.referee.evidence import OUTAGE, PATIENCE
from gnomon.referee.explain import explain
from gnomon.referee.game import Game, Question
from gnomon.referee.judge import WHICH_TURN, accepted, ask, believe, guided, judge, quarantine
from gnomon.referee.judgement import NOT_ON_TURN, NOT_PUT_DOWN, NOTHING_TO_END, Phase
from gnomon.referee.not_turned import said_not_turned, touched
from gnomon.referee.sand_by_eye import WHICH_STOPPED, answered_by_button, by_button
from gnomon.referee.sand_rulings import time_passes
from gnomon.referee.scene import Scene, before_completion, turn_text
from gnomon.referee.tamsk_inputs import (
    BUTTON_ARBITER,
    BUTTON_BLACK,
    BUTTON_NOT_TURNED,
    BUTTON_RED,
    BUTTONS,
    POLES,
    SINGLE,
)
from gnomon.referee.verdicts import Agreed, Away, Doubt, InHand, Made, MayGoOn, Review, Several, Verdict, Wrong
from gnomon.timekeeping.instants import Duration, Instant, after

PRESS_HOLDS: Final = Duration(2 * PATIENCE)
"""For so long the mover's press waits for a board that is in doubt."""

_ALL_BUTTONS = frozenset({*BUTTONS, BUTTON_NOT_TURNED})
_BUTTON_OF = {BUTTON_RED: 0, BUTTON_BLACK: 1}


def step(game: Game, event: Event) -> Judged:
    """The game after an event, and the orders that follow from it.

    Raises ValueError for an input that the board does not have, and CorrectionError for a correction that cannot be.
    """
    if isinstance(event, DeadlineReached):
        game, said = _until(game, Instant(event.at + 1))
    elif isinstance(event, InputChanged):
        if event.input not in game.sensing.inputs:
            message = f"the TAMSK board has no input {event.input!r}"
            raise ValueError(message)
        game, said = _until(game, _known_before(game, event))
        game = _edge(game, event)
    else:
        game, said = _until(game, Instant(event.at + 1))
        game, effects = corrected(game, event)
        said += effects
    return clock_rulings.at_rest(game), said


def watched_until(game: Game, end: Instant) -> Judged:
    """The game when nothing more will be heard of the time up to and including board time `end`.

    What time decides needs no settling then, but for inputs that have not come to rest.
    """
    game, said = _until(game, Instant(end + 1))
    if game.paused_at is None and game.outcome is None:
        began = game.debouncer.began()
        known = end if began is None else Instant(min(began - 1, end))
        game, effects = time_passes(game, game.game_time(known))
        said += effects
        game, effects = clock_rulings.time_passes(game, game.game_time(known))
        said += effects
    return clock_rulings.at_rest(game), said


def foreseen(game: Game) -> Game:
    """The game as the board shows it now, before all that it shows is evidence: for lights and pages, not for rulings.

    Nothing in it has been ruled that is not ruled in the game. Nobody is shown an end that may still be taken back:
    what would end the game is left out, and all after it.
    """
    debouncer, changes = game.debouncer.released()
    shown = replace(game, debouncer=debouncer) if changes else game
    for change in changes:
        coming, _ = _changed(shown, change, change.at)
        if coming.outcome is not None:
            return replace(shown, rulings=game.rulings)
        shown = coming
    if shown.review_at is not None and isinstance(verdict := explain(shown.scene(), shown.calm_since), Review):
        coming, _ = judge(shown, verdict.at)  # as if nothing more were to come until then
        shown = coming if coming.outcome is None else shown
    return shown if shown is game else replace(shown, rulings=game.rulings)


def _known_before(game: Game, edge: InputChanged) -> Instant:
    """Up to when the board was looked at before an edge was seen: time decides nothing while nobody looked."""
    unseen = edge.uncertainty > OUTAGE and game.sensing.evidence.causes
    return Instant(edge.at - edge.uncertainty) if unseen else edge.at


def _until(game: Game, end: Instant) -> Judged:
    """Do everything that is due before board time `end`, each at its own instant."""
    said: tuple[Effect, ...] = ()
    while (due := game.deadline()) is not None and due < end:
        game, effects = _due(game, due)
        said += effects
        if game.paused_at is None:
            game, effects = clock_rulings.time_passes(game, Instant(game.game_time(due) - SETTLING))
            said += effects
    return game, said


def _due(game: Game, now: Instant) -> Judged:
    settles = game.debouncer.due()
    if settles is not None and settles <= now:
        return _settle(game, now)
    quiet = game.believes_at()
    if quiet is not None and quiet <= now:
        believing = believe(game, now)
        return (believing, ()) if believing.quarantined == game.quarantined else _judged(believing, now)
    timed = game.time_decides_at()
    said: tuple[Effect, ...] = ()
    if timed is not None and timed <= now:
        game, said = time_passes(game, game.next_timed() or game.told)
    game, effects = _judged(game, now)
    return game, said + effects


def _judged(game: Game, now: Instant) -> Judged:
    """The game after the board has been judged, and the turn ended of which its mover has said that it was made."""
    game, said = judge(game, now)
    change, verdict = game.pressed, game.under_way
    if change is None:
        return game, said
    ends: Verdict | None = None
    if game.judgement.phase is Phase.MAY_GO_ON and isinstance(verdict, MayGoOn):
        ends = verdict
    elif game.judgement.phase is Phase.AGREED and _may_only_pass(game.scene()):
        ends = Agreed(clean=True)
    if ends is None:
        return game, said
    game = replace(game, pressed=None)
    if now > after(change.at, PRESS_HOLDS) or (isinstance(ends, MayGoOn) and ends.made.at > change.at):
        return game, said
    game, effects = _turn_ended(game, ends, change, now)
    return game, said + effects


def _edge(game: Game, event: InputChanged) -> Game:
    if event.input in game.quarantined:
        debouncer = game.debouncer.follow(event.input, value=event.value)
        quiet = {**game.quiet, event.input: event.at} if game.sensing.evidence.quiet else game.quiet
        return replace(game, debouncer=debouncer, quiet=quiet)
    debouncer = game.debouncer.edge(event.at, event.input, value=event.value, uncertainty=event.uncertainty)
    return replace(game, debouncer=debouncer)


def _settle(game: Game, now: Instant) -> Judged:
    """Let the debounced changes in, one by one in the order of their stamps, and judge after each."""
    debouncer, settled = game.debouncer.settle(now)
    game = replace(game, debouncer=debouncer)
    said: tuple[Effect, ...] = ()
    for fault in settled.chattering:
        game, effects = quarantine(game, fault.at, fault.input, "chatter", fault.inputs)
        said += effects
    began = debouncer.began()
    nexts = [*(change.at for change in settled.changes[1:]), now if began is None else began]
    for change, following, later in zip(settled.changes, nexts, (*settled.changes[1:], None), strict=False):
        game, effects = _reviewed(game, change.at)
        said += effects
        # What waited until it was evidence is judged as of then, not with the patience of those who waited.
        seen = min(now, Instant(max(change.at, following))) if game.sensing.evidence.stands else now
        game, effects = _changed(game, change, seen, has_more=later is not None and _came_with(game, change, later))
        said += effects
    if settled.chattering:
        game, effects = _judged(game, now)
        said += effects
    return game, said


def _reviewed(game: Game, end: Instant) -> Judged:
    """The game when the board has been judged at every instant before `end` at which only time could tell."""
    said: tuple[Effect, ...] = ()
    while game.sensing.evidence.stands and (at := game.review_at) is not None and at < end and _goes_on(game):
        game, effects = _judged(game, at)
        said += effects
    return game, said


def _goes_on(game: Game) -> bool:
    return game.paused_at is None and game.outcome is None


def _came_with(game: Game, change: Change, later: Change) -> bool:
    """Whether both were seen at the end of one outage: neither came first, so they are judged together."""
    if later.at != change.at or later.input in _ALL_BUTTONS or not game.sensing.evidence.causes:
        return False
    return min(change.uncertainty, later.uncertainty) > OUTAGE


def _changed(game: Game, change: Change, now: Instant, *, has_more: bool = False) -> Judged:
    """The game with a change in it, judged unless `has_more` that must be judged with it."""
    if game.paused_at is not None and change.at < game.paused_at and game.sensing.evidence.stands:
        # It was made before the game was stopped, and counts as of then.
        paused_at = game.paused_at
        at = Instant(min(now, paused_at))
        game, effects = _changed(replace(game, paused_at=None), change, at, has_more=has_more)
        return replace(game, paused_at=paused_at), effects
    when = game.game_time(change.at)
    granted = Instant(when - change.uncertainty)
    said: tuple[Effect, ...] = ()
    if _goes_on(game):
        # Changes come in the order of their stamps, so nothing can still arrive from before this one.
        game, said = time_passes(game, Instant(granted - 1))
        game, effects = clock_rulings.time_passes(game, granted)
        said += effects
    shown = game.shown | {change.input} if change.value else game.shown - {change.input}
    game = replace(game, shown=shown)
    if change.input in _ALL_BUTTONS:
        game, effects = _pressed(game, change, now) if change.value else (game, ())
        return game, said + effects
    touch = Touch(change.at, when, granted, change.input, change.value)
    game = touched(game, touch)
    game = replace(game, trail=game.trail.add(touch), calm_since=Instant(max(change.at, game.calm_since)))
    if game.outcome is not None:
        return game, said
    if game.paused_at is not None:
        return guided(game), said
    if has_more:
        return game, said
    game, effects = _judged(game, now)
    return game, said + effects


def _pressed(game: Game, change: Change, now: Instant) -> Judged:
    """A button went down."""
    if change.input == BUTTON_ARBITER:
        return _arbiter_pressed(game, change.at, now)
    if game.paused_at is not None or game.outcome is not None:
        return game, ()
    if change.input == BUTTON_NOT_TURNED:
        return said_not_turned(game, change.at, now)
    player = _BUTTON_OF[change.input]
    if game.clock is not None and not game.clock.has_started and player != game.position.mover:
        return clock_rulings.started(game, change.at, Instant(game.game_time(change.at) - change.uncertainty))
    return _pressed_by(game, player, change, now)


def _pressed_by(game: Game, player: int, change: Change, now: Instant) -> Judged:
    """The button of a player went down."""
    if game.question is not None:
        return _answered_by_button(game, game.question, player, change.at, now)
    declared = by_button(game, player, change.at, now)
    if declared is not None:
        return declared
    verdict = explain(game.scene(), now)
    if player == game.position.mover:
        if isinstance(verdict, Away | Doubt | Several | Wrong) and game.sensing.evidence.causes:
            game = replace(game, pressed=change)
        return _turn_ended(game, verdict, change, now)
    if isinstance(verdict, Review) and verdict.made is not None and len(game.scene().sight.glasses) == len(START):
        # His reply stands already: he ends it, and with it the turn that it answers.
        game, said = accepted(game, verdict.made)
        game, effects = _turn_ended(game, explain(game.scene(), now), change, now)
        return game, said + effects
    return _told_why(game, NOT_ON_TURN), ()


def _arbiter_pressed(game: Game, at: Instant, now: Instant) -> Judged:
    """The arbiter stops the game or lets it go on."""
    if game.outcome is not None:
        return game, ()
    if game.paused_at is None:
        return paused(game, at)
    game, said = resumed(game, at)
    game, effects = judge(game, now)
    return game, said + effects


def _answered_by_button(game: Game, question: Question, player: int, at: Instant, now: Instant) -> Judged:
    """Red's button is the first choice; a take-back is agreed to by the player who is on turn."""
    if question.asked.question == WHICH_STOPPED:
        game, said = answered_by_button(game, question, player)
        if game.question is not None:
            return game, said
        game, effects = judge(game, now)
        return game, said + effects
    index = int(player != game.position.mover) if question.back else player
    game, said = answered(game, question.asked.choices[index], at)
    game, effects = judge(game, now)
    return game, said + effects


def _turn_ended(game: Game, verdict: Verdict, change: Change, now: Instant) -> Judged:
    """The player on turn says that his turn is complete (rule 22); without a turn on the board that says nothing."""
    scene = game.scene()
    pressed = game.game_time(change.at)
    if isinstance(verdict, Review) and verdict.made is not None:
        verdict = MayGoOn(verdict.made)
    if isinstance(verdict, Agreed) and _may_only_pass(scene):
        game, said = accept(game, Made(PASS, pressed, pressed, pressed, change.at))
    elif isinstance(verdict, InHand | MayGoOn) and (made := _ended(scene, verdict, now)) is not None:
        done = Instant(max(made.placed, pressed - change.uncertainty))
        made = made._replace(done=done, at=change.at)
        heights = scene.sight.heights(made.move.target)
        if heights.fewest != heights.most and not made.move.ring:
            # The stack cannot be seen there: only the players know whether a ring fell.
            choices = tuple(made._replace(move=made.move._replace(ring=ring)) for ring in (True, False))
            texts = tuple(turn_text(scene.rules, scene.position, choice) for choice in choices)
            return ask(replace(game, calm_since=change.at), WHICH_TURN, texts, choices)
        if scene.rules.why_not(before_completion(scene.rules, scene.position, made), made.move) is not None:
            return game, ()  # With ring=auto a turn ends by its ring alone.
        game, said = accepted(game, made)
    else:
        return _told_why(game, NOTHING_TO_END if isinstance(verdict, Agreed) else NOT_PUT_DOWN), ()
    game, effects = judge(game, now)
    return game, said + effects


def _may_only_pass(scene: Scene) -> bool:
    """Whether the player on turn cannot move, and may drop the second ring or pass (rule 18)."""
    return scene.position.penalty and scene.rules.cannot_move(scene.position)


def _told_why(game: Game, code: str) -> Game:
    """The game, which a button has not changed, with why it has not; the next touch makes that void."""
    if game.judgement.phase not in {Phase.AGREED, Phase.IN_HAND}:
        return game  # what is to be done is said already
    return replace(game, judgement=replace(game.judgement, code=code))


def _ended(scene: Scene, verdict: InHand | MayGoOn, now: Instant) -> Made | None:
    """The turn that stands on the board, or the only one that ends on a socket whose sensor is not believed."""
    if isinstance(verdict, MayGoOn):
        return verdict.made
    blind = scene.sight.blind - set(scene.position.glasses)
    found = []
    for space in sorted(blind & set(BOARD.neighbours[verdict.space])):
        pole = 1 - scene.poles[scene.position.glasses.index(verdict.space)]
        kind = POLES[pole]
        if scene.sensing.trusts_sockets:
            pole, (kind,) = UNSEEN, SINGLE
        sight = scene.sight._replace(glasses={**scene.sight.glasses, space: pole}, blind=scene.sight.blind - {space})
        lifted = scene.trail.lifted(verdict.space)
        name = f"{BOARD.names[space]}.{kind}"
        placed = Touch(now, verdict.lifted, verdict.lifted, name, value=True) if lifted is None else lifted
        trail = scene.trail.add(placed._replace(input=name, value=True))
        shown = explain(scene._replace(sight=sight, trail=trail), now)
        if isinstance(shown, MayGoOn):
            found.append(shown.made)
    return found[0] if len(found) == 1 else None
