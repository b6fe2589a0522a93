"""Step a game of any kind: `step(game, event)` is pure and returns the game and its effects.

A change of the board is treated twice: `step` rules on it once it is evidence, `Board.foresee` shows what it leads to
if it stands.
"""

from gnomon.referee import clock_rulings
from gnomon.referee._announced_turns import hold_to_announcement
from gnomon.referee.announcements import announce
from gnomon.referee.corrections import correct
from gnomon.referee.debounce import SETTLING
from gnomon.referee.distance import let_time_go_on
from gnomon.referee.draws import let_lapse
from gnomon.referee.effects import Effect
from gnomon.referee.events import DeadlineReached, Event, InputChanged
from gnomon.referee.game import GameT, Judged
from gnomon.referee.help import forget_help
from gnomon.referee.quarantine import UNSURE, believe, quarantine
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import FaultRuled
from gnomon.referee.warnings import forget_warning
from gnomon.timekeeping.instants import Instant


def step(game: GameT, event: Event) -> Judged[GameT]:
    """The game after an event, and the orders that follow from it.

    Where an engine plays, its turns are held to what it announced. Raises ValueError for an input that the board does
    not have, and CorrectionError for a correction that cannot be.
    """
    if isinstance(event, DeadlineReached):
        game, said = _until(game, Instant(event.at + 1))
    elif isinstance(event, InputChanged):
        if event.input not in game.inputs:
            message = f"the board has no input {event.input!r}"
            raise ValueError(message)
        game, said = _until(game, game.board.seen_before(game, event))
        game = _edge(game, event)
    else:
        game, said = _until(game, Instant(event.at + 1))
        game, effects = hold_to_announcement(game, *correct(game, event), event)
        said += effects
    game = clock_rulings.at_rest(game)
    game = game if game.arrived_at is None else let_time_go_on(game, event.at)
    game = game if game.warned is None else forget_warning(game)
    game = game if game.helped is None else forget_help(game)
    return game if game.draw is None else let_lapse(game), said


def watched_until(game: GameT, end: Instant) -> Judged[GameT]:
    """The game when nothing more will be heard of the time up to and including board time `end`.

    What time decides needs no settling then, but for inputs that have not come to rest.
    """
    game, said = _until(game, Instant(end + 1))
    if game.paused_at is None and game.outcome is None and not game.is_elsewhere:
        began = game.debouncer.began()
        known = game.game_time(end if began is None else Instant(min(began - 1, end)))
        game, effects = game.board.time_passes(game, known)
        said += effects
        game, effects = clock_rulings.time_passes(game, known)
        said += effects
        if game.rest.ending is not None and game.review_at is not None and began is None:
            # What would end the game has shown to the last: it is ruled as if it had gone on showing.
            game, effects = hold_to_announcement(
                game, *game.board.judge(game, game.review_at), DeadlineReached(game.review_at)
            )
            said += effects
    return clock_rulings.at_rest(game), said


def _until(game: GameT, end: Instant) -> Judged[GameT]:
    """Do everything that is due before board time `end`, each at its own instant."""
    said: tuple[Effect, ...] = ()
    while (due := game.deadline()) is not None and due < end:
        game, effects = hold_to_announcement(game, *_due(game, due), DeadlineReached(due))
        said += effects
        if game.paused_at is None:
            game, effects = clock_rulings.time_passes(game, Instant(game.game_time(due) - SETTLING))
            said += effects
    return game, said


def _due(game: GameT, now: Instant) -> Judged[GameT]:
    settles = game.debouncer.due()
    if settles is not None and settles <= now:
        return _settle(game, now)
    quiet = game.believes_at()
    if quiet is not None and quiet <= now:
        believing = believe(game, now)
        return (believing, ()) if believing.quarantined == game.quarantined else game.board.judge(believing, now)
    timed, when = game.time_decides_at(), game.next_timed
    said: tuple[Effect, ...] = ()
    if timed is not None and timed <= now and when is not None and not game.is_elsewhere:
        game, said = game.board.time_passes(game, when)
    game, effects = game.board.judge(game, now)
    return game, said + effects


def _settle(game: GameT, now: Instant) -> Judged[GameT]:
    """Let the debounced changes in; inputs that chatter are not believed from here."""
    debouncer, settled = game.debouncer.settle(now)
    game = replace(game, debouncer=debouncer)
    said: tuple[Effect, ...] = ()
    for fault in settled.chattering:
        is_known = debouncer.evidence.one_message and bool(debouncer.register(fault.input) & game.quiet.keys())
        game, effects = quarantine(game, fault.at, fault.input, "chatter", fault.inputs, is_known=is_known)
        said += effects
    for change in settled.unsure:
        game, effects = announce(game, FaultRuled(change.at, change.input, UNSURE))
        said += effects
    game, effects = game.board.settle(game, settled.changes, now)
    said += effects
    if settled.chattering:
        game, effects = game.board.judge(game, now)
        said += effects
    return game, said


def _edge(game: GameT, event: InputChanged) -> GameT:
    if event.input in game.quarantined:
        debouncer = game.debouncer.follow(event.input, value=event.value)
        quiet = {**game.quiet, event.input: event.at} if game.board.quiet(game) else game.quiet
        return replace(game, debouncer=debouncer, quiet=quiet)
    debouncer = game.debouncer.edge(event.at, event.input, value=event.value, uncertainty=event.uncertainty)
    return replace(game, debouncer=debouncer)
