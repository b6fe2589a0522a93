"""The only way in which a game in progress changes: `step(game, event)`, pure, told facts and answering with orders."""

from dataclasses import replace

from gnomon.referee import clocking
from gnomon.referee.accepting import Judged, accept
from gnomon.referee.corrections import answered, corrected, paused, resumed
from gnomon.referee.debounce import SETTLING, Change
from gnomon.referee.declaring import WHICH_STOPPED, answered_by_button, by_button
from gnomon.referee.denying import said_not_turned, touched
from gnomon.referee.effects import Effect
from gnomon.referee.events import DeadlineReached, Event, InputChanged
from gnomon.referee.explain import explain
from gnomon.referee.game import Game, Question
from gnomon.referee.judge import WHICH_TURN, ask, guided, judge, quarantine
from gnomon.referee.judgement import NOT_ON_TURN, NOT_PUT_DOWN, NOTHING_TO_END, Phase
from gnomon.referee.scene import Scene, before_completion, turn_text
from gnomon.referee.sight import UNSEEN
from gnomon.referee.tamsk_inputs import (
    BUTTON_ARBITER,
    BUTTON_BLACK,
    BUTTON_NOT_TURNED,
    BUTTON_RED,
    BUTTONS,
    POLES,
    SINGLE,
)
from gnomon.referee.timed import time_passes
from gnomon.referee.trail import Touch
from gnomon.referee.verdicts import Agreed, InHand, Made, MayGoOn, Review, Verdict
from gnomon.rules.tamsk import BOARD, PASS, START
from gnomon.timekeeping.instants import Instant

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
        game, said = _until(game, event.at)
        game = _edge(game, event)
    else:
        game, said = _until(game, Instant(event.at + 1))
        game, effects = corrected(game, event)
        said += effects
    return clocking.at_rest(game), said


def watched_until(game: Game, end: Instant) -> Judged:
    """The game when nothing more will be heard of the time up to and including board time `end`.

    What time decides needs no settling then, but for inputs that have not come to rest.
    """
    game, said = _until(game, Instant(end + 1))
    if game.paused_at is None and game.outcome is None:
        known = min((burst.first - 1 for burst in game.debouncer.bursts.values()), default=end)
        game, effects = time_passes(game, game.game_time(Instant(min(known, end))))
        said += effects
        game, effects = clocking.time_passes(game, game.game_time(Instant(min(known, end))))
        said += effects
    return clocking.at_rest(game), said


def _until(game: Game, end: Instant) -> Judged:
    """Do everything that is due before board time `end`, each at its own instant."""
    said: tuple[Effect, ...] = ()
    while (due := game.deadline()) is not None and due < end:
        game, effects = _due(game, due)
        said += effects
        if game.paused_at is None:
            game, effects = clocking.time_passes(game, Instant(game.game_time(due) - SETTLING))
            said += effects
    return game, said


def _due(game: Game, now: Instant) -> Judged:
    settles = game.debouncer.due()
    if settles is not None and settles <= now:
        return _settle(game, now)
    timed = game.time_decides_at()
    if timed is not None and timed <= now:
        game, said = time_passes(game, game.next_timed() or game.told)
    else:
        said = ()
    game, effects = judge(game, now)
    return game, said + effects


def _edge(game: Game, event: InputChanged) -> Game:
    if event.input in game.quarantined:
        return replace(game, debouncer=game.debouncer.follow(event.input, value=event.value))
    debouncer = game.debouncer.edge(event.at, event.input, value=event.value, uncertainty=event.uncertainty)
    return replace(game, debouncer=debouncer)


def _settle(game: Game, now: Instant) -> Judged:
    """Let the debounced changes in, one by one in the order of their stamps, and judge after each."""
    debouncer, settled = game.debouncer.settle(now)
    game = replace(game, debouncer=debouncer)
    said: tuple[Effect, ...] = ()
    for at, name in settled.chattering:
        game, effects = quarantine(game, at, name, "chatter")
        said += effects
    for change in settled.changes:
        game, effects = _changed(game, change, now)
        said += effects
    if settled.chattering:
        game, effects = judge(game, now)
        said += effects
    return game, said


def _changed(game: Game, change: Change, now: Instant) -> Judged:
    when = game.game_time(change.at)
    granted = Instant(when - change.uncertainty)
    said: tuple[Effect, ...] = ()
    if game.paused_at is None and game.outcome is None:
        # Changes come in the order of their stamps, so nothing can still arrive from before this one.
        game, said = time_passes(game, Instant(granted - 1))
        game, effects = clocking.time_passes(game, granted)
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
    game, effects = judge(game, now)
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
        return clocking.started(game, change.at, Instant(game.game_time(change.at) - change.uncertainty))
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
        return _turn_ended(game, verdict, change, now)
    if isinstance(verdict, Review) and verdict.made is not None and len(game.scene().sight.glasses) == len(START):
        # His reply stands already: he ends it, and with it the turn that it answers.
        game, said = accept(game, verdict.made)
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
    if isinstance(verdict, Agreed) and scene.position.penalty and scene.rules.cannot_move(scene.position):
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
        game, said = accept(game, made)
    else:
        return _told_why(game, NOTHING_TO_END if isinstance(verdict, Agreed) else NOT_PUT_DOWN), ()
    game, effects = judge(game, now)
    return game, said + effects


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
