"""Referee a table: moves are entered on a page or picked with buttons, and no sensor shows the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from gnomon.referee import clock_rulings
from gnomon.referee.announcements import announce
from gnomon.referee.chooser import Chooser
from gnomon.referee.corrections import arbiter_pressed
from gnomon.referee.debounce import Change
from gnomon.referee.distance import moment_between_boards
from gnomon.referee.effects import Effect
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    ClockPressed,
    Correction,
    GameCorrection,
    InputChanged,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnSet,
)
from gnomon.referee.evidence import OUTAGE
from gnomon.referee.game import Game, Held, Judged, Ply, Question
from gnomon.referee.judgement import Judgement, Phase, Repair
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.opponents import is_engines_turn
from gnomon.referee.player_roles import actor, side_of
from gnomon.referee.quarantine import UNSURE
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import FaultRuled, GameOver, IllegalRuled, Ruling, TurnRuled
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import IllegalMoveError
from gnomon.timekeeping.instants import Duration, Instant

TABLE: Final = "table"
"""How boards are called that have no sensor but buttons."""

NEXT: Final = "button.next"
PREVIOUS: Final = "button.previous"
ENTER: Final = "button.enter"
BACK: Final = "button.back"
ARBITER: Final = "button.arbiter"
TABLE_BUTTONS: Final = (NEXT, PREVIOUS, ENTER, BACK, ARBITER)
LEFT: Final = "button.left"
RIGHT: Final = "button.right"
CLOCK_BUTTONS: Final = (LEFT, RIGHT)
"""The players' own buttons of a match clock: the left one is that of the first player of the rules."""

_BUTTONS: Final = frozenset({*TABLE_BUTTONS, *CLOCK_BUTTONS})


@dataclass(frozen=True, slots=True)
class Table:
    """A table with buttons alone. A board whose sensors a game can explain extends it."""

    inputs: frozenset[str] = frozenset(TABLE_BUTTONS)

    @property
    def name(self) -> str:
        """How the board is called where it is described."""
        return TABLE

    @property
    def is_sensed(self) -> bool:
        """Whether sensors show the pieces on the board."""
        return False

    @property
    def turn_presses(self) -> bool:
        """Whether a turn on the board presses the match clock by itself."""
        return False

    def with_clock(self) -> Self:
        """The board with the players' own buttons of a match clock."""
        return replace(self, inputs=self.inputs | set(CLOCK_BUTTONS))

    def why_unplayable(self, missing: Sequence[str]) -> Statement:
        """Why the game cannot be played where inputs of the board are missing: there are fewer places."""
        return statement("told.host.larger", place=missing[0].partition(".")[0], more=len(missing) - 1)

    # What the board shows

    def quiet(self, game: Game) -> Duration:
        """For how long an input that is not believed has to be quiet; 0: it is believed again by hand alone."""
        return game.sensing.evidence.quiet if game.sensing.evidence.squares else Duration(0)

    def seen_before(self, game: Game, edge: InputChanged) -> Instant:
        """Up to which board time the board was looked at before that edge was seen."""
        del game
        return edge.at

    def settle(self, game: Game, changes: tuple[Change, ...], now: Instant) -> Judged[Game]:
        """Take in changes of inputs that have become evidence, and judge them together."""
        said: tuple[Effect, ...] = ()
        for change in changes:
            game, effects = self.change(game, change)
            said += effects
        game, effects = self.judge(game, now)
        return game, said + effects

    def change(self, game: Game, change: Change) -> Judged[Game]:
        """The game with a change in it that has not been judged yet."""
        shown = game.shown | {change.input} if change.value else game.shown - {change.input}
        game = replace(game, shown=shown)
        if change.input in _BUTTONS:
            return self._press(game, change) if change.value else (game, ())
        return replace(game, calm_since=Instant(max(change.at, game.calm_since))), ()

    def judge(self, game: Game, now: Instant) -> Judged[Game]:
        """The game as it is: without sensors there is nothing to judge."""
        del now
        return replace(game, review_at=None), ()

    def time_passes(self, game: Game, when: Instant) -> Judged[Game]:
        """The game as it is: no time plays in these games but that of the match clock."""
        del when
        return game, ()

    def foresee(self, game: Game) -> Game:
        """The game as it is: the board shows nothing before it is entered."""
        return game

    def is_expected(self, game: Game, name: str) -> bool:
        """Whether an input would be 1 on a board that shows the position: buttons rest."""
        del game, name
        return False

    def is_awaited(self, game: Game, name: str) -> bool:
        """Whether an input shows what a turn waits for: no turn waits for the board."""
        del game, name
        return False

    def is_moving(self, game: Game) -> bool:
        """Whether something on the board moves."""
        del game
        return False

    def believe(self, game: Game, quiet: Mapping[str, Instant]) -> Game:
        """The game as it is: what inputs have shown is not remembered."""
        del quiet
        return game

    def without(self, game: Game, names: tuple[str, ...]) -> Game:
        """The game as it is: what inputs have shown is not remembered."""
        del names
        return game

    def steps(self, game: Game, text: str) -> tuple[Repair, ...]:
        """None: nothing shows whether a turn has been made but who says so."""
        del game, text
        return ()

    def turn_to_confirm(self, game: Game) -> str | None:
        """What the next press of Enter would play."""
        chooser = game.chooser
        return None if chooser is None else chooser.complete_text or chooser.enter().complete_text

    def in_hand(self, game: Game) -> Held | None:
        """What has been picked with the buttons, as far as it leaves other turns out."""
        turns = () if game.chooser is None else game.chooser.begun
        return Held("".join(game.chooser.parts), turns) if game.chooser is not None and turns else None

    def is_same_turn(self, one: str, other: str) -> bool:
        """Whether two turns are the same."""
        return one == other

    # What people say

    def is_play(self, event: Correction) -> bool:
        """Whether the event is how a game at a table is played."""
        return isinstance(event, TurnEntered | ClockPressed)

    def enter(self, game: Game, text: str, at: Instant, granted: Instant | None = None) -> Judged[Game]:
        """The game after a move in canonical text; an illegal one is refused with the rule's reason and recorded.

        `granted` is the game time at which it was made, where that is not that of board time `at`.

        Raises CorrectionError for text that is no move of this game, in a pause and after the end.
        """
        _check_may_move(game)
        before, player, rules = game.position, game.turn, game.rules
        try:
            move = rules.parse(before, text)
            position = rules.play(before, move)
        except IllegalMoveError as error:
            refused = Judgement(Phase.AGREED, code=error.code, reason=error.statement)
            game = replace(game, judgement=refused, chooser=None)
            return announce(game, IllegalRuled(at, player, text, error.code, ()))
        canonical = rules.text(before, move)
        outcome = rules.outcome(position)
        made = moment_between_boards(game, game.game_time(at) if granted is None else granted)
        clock, behind, when = _on_the_clock(game, position, made)
        if clock is not None and outcome is not None:
            clock = clock.stop(game.game_time(at))
        game = replace(
            game,
            position=position,
            plies=(*game.plies, Ply(player, canonical, at, before, when, behind)),
            judgement=Judgement(Phase.AGREED),
            chooser=None,
            question=None,
            clock=clock,
        )
        rulings: list[Ruling] = [TurnRuled(at, player, canonical)]
        if outcome is not None:
            rulings.append(GameOver(at, outcome.winner, outcome.reason, rules.score(position)))
        return announce(game, *rulings)

    def insert(self, game: Game, number: int, text: str, at: Instant) -> Judged[Game]:
        """Raise CorrectionError: without sensors a move is missing only where all after it are wrong too."""
        del text, at
        raise CorrectionError(statement("told.correction.next", next=len(game.plies) + 1, number=number))

    def answer(self, game: Game, question: Question, choice: str, at: Instant) -> Judged[Game]:
        """The game after the move that was chosen."""
        del question
        return self.enter(game, choice, at)

    def correct(self, game: Game, event: GameCorrection) -> Judged[Game]:
        """The game after a correction of its match clock. Raises CorrectionError for what a table does not have."""
        if game.clock is not None:
            if isinstance(event, TurnSet):
                return clock_rulings.handed_to(game, event.player, event.at), ()
            if isinstance(event, TimeGiven):
                return clock_rulings.give_time(game, event.to, event.amount, event.at), ()
            if isinstance(event, TimeTaken):
                return clock_rulings.give_time(game, event.of, -event.amount, event.at), ()
        raise CorrectionError(statement("told.nothing_to_set", game=game.rules.name))

    def claim_flag(self, game: Game, player: str, at: Instant) -> Judged[Game]:
        """The game won by who claimed that the other's flag has fallen; without a clock the claim is noted."""
        return (game, ()) if game.clock is None else clock_rulings.claimed_flag(game, player, at)

    def put_aside(self, game: Game) -> Game:
        """The game as it is: a move is entered whole."""
        return game

    def reset(self, game: Game, ply: Ply, at: Instant) -> Judged[Game]:
        """The game as it is: the table knows nothing besides it."""
        del ply, at
        return game, ()

    def undo(self, game: Game, before: Game, at: Instant) -> Judged[Game]:
        """The game as it is: the table knows nothing besides it."""
        del before, at
        return game, ()

    def guide(self, game: Game, before: Game, event: Correction) -> Judged[Game]:
        """The game after a correction, with what the board shows judged."""
        del before
        return self.judge(replace(game, calm_since=event.at), event.at)

    def _press(self, game: Game, change: Change) -> Judged[Game]:
        """A button went down: a player's own, the arbiter's, or one of the four that pick a move."""
        at, when = change.at, Instant(game.game_time(change.at) - change.uncertainty)
        said: tuple[Effect, ...] = ()
        if game.paused_at is None:
            game, said = clock_rulings.time_passes(game, when)
        if game.outcome is not None:
            return game, said
        if change.input in CLOCK_BUTTONS:
            game, effects = clock_rulings.press_clock(game, CLOCK_BUTTONS.index(change.input), at, when)
        elif change.input == ARBITER:
            game, effects = arbiter_pressed(game, at)
        elif game.paused_at is not None or game.rules.ends_by_press:
            effects = ()
        else:
            game, effects = self._pick(game, change.input, at, when)
            if change.uncertainty > OUTAGE and game.debouncer.evidence.contradictions:
                # Nobody knows what was to be picked when it was pressed.
                game, unsure = announce(game, FaultRuled(at, change.input, UNSURE))
                effects += unsure
        return game, said + effects

    def _pick(self, game: Game, button: str, at: Instant, when: Instant) -> Judged[Game]:
        """One of the four buttons that pick a move went down: one is picked, or the announced one has been made."""
        if game.question is None and (game.is_elsewhere or is_engines_turn(game)):
            told = game.announced
            return (game, ()) if told is None or button != ENTER else self.enter(game, told.text, at, when)
        if button == ENTER and game.question is not None and game.question.is_unread(at):
            return game, ()
        if game.chooser is None:
            # The first press only shows where the cursor stands: no move is made by a hand that rests on a button.
            texts = game.texts() if game.question is None else game.question.asked.choices
            return replace(game, chooser=Chooser.among(texts)), ()
        chooser = game.chooser
        picked = {NEXT: chooser.next, PREVIOUS: chooser.previous, ENTER: chooser.enter, BACK: chooser.back}[button]()
        if button == BACK and picked == chooser:
            return replace(game, chooser=None), ()
        if button == ENTER and picked.complete_text is not None:
            return self.enter(game, picked.complete_text, at, when)
        return replace(game, chooser=picked), ()


def _check_may_move(game: Game) -> None:
    """Raise CorrectionError where no move can be made."""
    game.check_goes_on()
    if game.clock is not None and game.rules.ends_by_press and not game.clock.has_started:
        raise CorrectionError(statement("told.clock.start"))


def _on_the_clock(game: Game, position: object, when: Instant) -> tuple[MatchClock | None, MatchClock | None, Instant]:
    """The match clock after a move to a position, and as it was when the move was made, at a game time.

    A turn ends when another side is to act: a throw, or a second move of the same side, presses nothing.
    """
    match, rules = game.clock, game.rules
    if match is None:
        return None, None, when
    side = side_of(rules, match.teams, game.position, actor(rules, game.position))
    following = side_of(rules, match.teams, position, actor(rules, position))
    if side is None or side == following:
        return match, match, when
    entered = match.enter_turn(side, when, by_entry=rules.ends_by_press)
    last = game.plies[-1].when if game.plies else entered.when
    return entered.after, entered.before, max(entered.when, last)
