"""Referee the TAMSK board: explain what its sensors and buttons show, and rule on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Tamsk
from gnomon.games.tamsk.sensing._acceptance import accept, catch_up, follow_up, nothing_to_deny
from gnomon.games.tamsk.sensing._board_reading import NORTH, Touch
from gnomon.games.tamsk.sensing._corrections import (
    correct,
    enter_turn,
    hand_over,
    insert_turn,
    is_same_turn,
    now_at,
    steps,
)
from gnomon.games.tamsk.sensing._deadlines import lost_at, time_passes
from gnomon.games.tamsk.sensing._explain import explain
from gnomon.games.tamsk.sensing._judge import guide, judge, say_unsure
from gnomon.games.tamsk.sensing._judgements import NO, TAKE_BACK, TIMER_FIRST, YES
from gnomon.games.tamsk.sensing._presses import may_only_pass, pressed_by, told_why, turn_ended, was_there
from gnomon.games.tamsk.sensing._refusals import refuse
from gnomon.games.tamsk.sensing._scene import TIMED, Trust, repairs, turn_text
from gnomon.games.tamsk.sensing._stand_contradictions import is_put_back_late
from gnomon.games.tamsk.sensing._timer_turns import PRESS_HOLDS, accept_after_timer, believe_stand
from gnomon.games.tamsk.sensing._unsure_ends import find_lift_after_the_end
from gnomon.games.tamsk.sensing.declarations import WHICH_STOPPED, agree, said_not_turned, touch_input
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import (
    BUTTON_ARBITER,
    BUTTON_NOT_TURNED,
    BUTTON_OF,
    BUTTONS,
    GLASS,
    POLES,
    TIMER,
    inputs_of,
    place_of,
    start_inputs,
    trusts_timer,
)
from gnomon.games.tamsk.sensing.verdicts import ENDS, Agreed, InHand, Made, MayGoOn, Review, Verdict, Wrong
from gnomon.referee import clock_rulings
from gnomon.referee.announcements import announce
from gnomon.referee.corrections import arbiter_pressed, void_turns
from gnomon.referee.debounce import SHOWED, Change, Debouncer
from gnomon.referee.effects import Effect
from gnomon.referee.events import (
    Adjourned,
    Claimed,
    ClockCorrected,
    Correction,
    CorrectionUndone,
    GameCorrection,
    InputChanged,
    NoteTaken,
    Paused,
    PositionRestored,
    ResultDeclared,
    TurnsVoided,
)
from gnomon.referee.evidence import BY_POLES, OUTAGE, Sensing
from gnomon.referee.game import Held, Judged, Ply, Question
from gnomon.referee.judgement import BY_HAND, NOT_PUT_DOWN, NOTHING_TO_END, Judgement, Phase, Repair, Temperament
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import Righted
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import Duration, Instant, after

_WITH_TIMER: Final = 3
_ALL_BUTTONS = frozenset({*BUTTONS, BUTTON_NOT_TURNED})


def new_game(rules: Tamsk, temperament: Temperament = Temperament.ASSISTANT, sensing: Sensing = BY_POLES) -> TamskGame:
    """A game at board time 0: six glasses on their corners, each showing its north pole where poles are seen."""
    level = rules.settings.level
    on = start_inputs(level, sensing)
    timer_pole = NORTH if level == _WITH_TIMER else None
    return TamskGame(
        rules,
        rules.start(),
        Debouncer(on, evidence=sensing.evidence, registers=sensing.registers),
        on,
        TamskBoard(inputs_of(sensing)),
        timer_pole=timer_pole,
        temperament=temperament,
        sensing=sensing,
        trust=Trust(timer=timer_pole if trusts_timer(sensing) else None),
    )


@dataclass(frozen=True, slots=True)
class TamskBoard:
    """The TAMSK board: sensors for glasses and rings under every space, and a button for each player."""

    inputs: frozenset[str]

    @property
    def name(self) -> str:
        """How the board is called where it is described."""
        return Tamsk.name

    @property
    def is_sensed(self) -> bool:
        """Whether sensors show the pieces on the board."""
        return True

    @property
    def turn_presses(self) -> bool:
        """Whether a turn on the board presses the match clock by itself: its ring or the player's button does."""
        return True

    def with_clock(self) -> Self:
        """The board as it is: its buttons end turns, and so press a match clock."""
        return self

    def why_unplayable(self, missing: Sequence[str]) -> Statement:
        """Why the game cannot be played where inputs of the board are missing: sensors see one pole there, or both."""
        return statement("told.host.both_poles" if missing[0].endswith(POLES) else "told.host.one_pole")

    # What the board shows

    def quiet(self, game: TamskGame) -> Duration:
        """For how long an input that is not believed has to be quiet; 0: it is believed again by hand alone."""
        return game.sensing.evidence.quiet

    def seen_before(self, game: TamskGame, edge: InputChanged) -> Instant:
        """Up to when the board was looked at before an edge was seen: time decides nothing while nobody looked."""
        unseen = edge.uncertainty > OUTAGE and game.sensing.evidence.causes
        return Instant(edge.at - edge.uncertainty) if unseen else edge.at

    def settle(self, game: TamskGame, changes: tuple[Change, ...], now: Instant) -> Judged[TamskGame]:
        """Let debounced changes in, one by one in the order of their stamps, and judge after each."""
        said: tuple[Effect, ...] = ()
        began = game.debouncer.began()
        nexts = [*(change.at for change in changes[1:]), now if began is None else began]
        for change, following, later in zip(changes, nexts, (*changes[1:], None), strict=False):
            asked = game.question
            game, effects = self._review(game, change.at)
            said += effects
            game = _put_now(game, asked, now)
            if change.input in BUTTON_OF and change.value and game.sensing.evidence.contradictions:
                game, effects = say_unsure(game, _before_press(change, changes))
                said += effects
            # What waited until it was evidence is judged as of then, not with the patience of those who waited.
            seen = min(now, Instant(max(change.at, following))) if game.sensing.evidence.stands else now
            game, effects = self._change(
                game, change, seen, has_more=later is not None and _came_with(game, change, later)
            )
            said += effects
            game = _put_now(game, asked, now)
        return game, said

    def judge(self, game: TamskGame, now: Instant) -> Judged[TamskGame]:
        """The game after the board has been judged, and the turn ended of which its mover has said that it was made."""
        game, said = judge(game, now)
        change, verdict = game.pressed, game.under_way
        if change is None or game.ending is not None:
            return game, said
        ends: Verdict | None = None
        if game.judgement.phase is Phase.MAY_GO_ON and isinstance(verdict, MayGoOn):
            ends = verdict
        elif game.judgement.phase is Phase.AGREED and may_only_pass(game.scene):
            ends = Agreed(clean=True)
        if ends is None:
            is_lost = game.judgement.phase is Phase.AGREED and game.sensing.evidence.contradictions
            if is_lost and any(isinstance(each, Righted) and each.at > change.at for each in game.rulings[-2:]):
                return replace(game, pressed=None), said  # what it should have ended was refused
            return (told_why(replace(game, pressed=None), NOTHING_TO_END) if is_lost else game), said
        game = replace(game, pressed=None)
        is_older = isinstance(ends, MayGoOn) and ends.made.at > change.at and not was_there(game, ends, change)
        if now > after(change.at, PRESS_HOLDS) or is_older:
            if game.sensing.evidence.contradictions:
                game = replace(game, judgement=replace(game.judgement, code=NOT_PUT_DOWN))
            return game, said
        game, effects = turn_ended(game, ends, change, now)
        return game, said + effects

    def time_passes(self, game: TamskGame, when: Instant) -> Judged[TamskGame]:
        """Rule on everything that sand decides up to and including a game time."""
        return time_passes(game, when)

    def foresee(self, game: TamskGame) -> TamskGame:
        """The game as the board shows it now, before all that it shows is evidence: for lights and pages.

        Nothing in it has been ruled that is not ruled in the game. Nobody is shown an end that may still be taken
        back: what would end the game is left out, and all after it.
        """
        changes = game.debouncer.pending_changes()
        shown = replace(game, debouncer=replace(game.debouncer, waiting=())) if changes else game
        for change in changes:
            coming, _ = self._change(shown, change, change.at)
            if coming.outcome is not None:
                return replace(shown, rulings=game.rulings)
            shown = coming
        if shown.review_at is not None and isinstance(verdict := explain(shown.scene, shown.calm_since), Review):
            coming, _ = judge(shown, verdict.at)  # as if nothing more were to come until then
            shown = coming if coming.outcome is None else shown
        return shown if shown is game else replace(shown, rulings=game.rulings)

    def is_expected(self, game: TamskGame, name: str) -> bool:
        """Whether an input would be 1 on a board that shows the position."""
        place, _, what = name.partition(".")
        if place == TIMER:
            stand = {f"{TIMER}.{pole}" for pole in POLES}
            if game.sensing.evidence.contradictions and len(stand & game.debouncer.on) == 1:
                return name in game.debouncer.on  # nobody knows how it stood meanwhile
            return game.timer_pole is not None and what in (GLASS, POLES[game.timer_pole])
        if place not in BOARD.index:
            return False  # a button
        space = BOARD.index[place]
        if what.startswith("ring"):
            return game.position.rings_on(space) >= int(what[4:])
        if space not in game.position.glasses:
            return False
        if game.rules.settings.level < TIMED and what != GLASS:
            # It may stand either way up, as long as it shows one pole.
            poles = [f"{place}.{pole}" in game.debouncer.on for pole in POLES]
            return poles[POLES.index(what)] if sum(poles) == 1 else not poles[POLES.index(what)]
        return what in (GLASS, POLES[game.poles[game.position.glasses.index(space)]])

    def is_awaited(self, game: TamskGame, name: str) -> bool:
        """Whether an input shows the ring of the turn under way, fallen since its glass was set down."""
        turn = game.under_way
        if not isinstance(turn, MayGoOn) or turn.made.move.kind != "turn" or not _may_go_on(game):
            return False
        target = turn.made.move.target
        ring = f"{BOARD.names[target]}.ring{game.position.rings_on(target) + 1}"
        placed = game.scene.last_set_down(target)
        return name == ring and name in game.debouncer.on and placed is not None and game.quiet[name] > placed.at

    def is_moving(self, game: TamskGame) -> bool:
        """Whether something moves on the board: what does is not asked about."""
        del game
        return False

    def believe(self, game: TamskGame, quiet: Mapping[str, Instant]) -> TamskGame:
        """The game in which inputs are believed again: a ring that a turn waits for has fallen when it moved last.

        Where the stand is, how the 15-second glass stands is seen.
        """
        for name, at in quiet.items() if _may_go_on(game) else ():
            when = game.game_time(at)
            game = replace(game, trail=game.trail.add(Touch(at, when, when, name, value=True)))
        quiet_since = [at for name, at in quiet.items() if place_of(name) == TIMER]
        return believe_stand(game, max(quiet_since)) if quiet_since else game

    def without(self, game: TamskGame, names: tuple[str, ...]) -> TamskGame:
        """The game that remembers nothing of what inputs have shown which are not believed any more."""
        trail = game.trail
        for name in names:
            trail = trail.without(name)
        return replace(game, trail=trail)

    def steps(self, game: TamskGame, text: str) -> tuple[Repair, ...]:
        """What hands have to change for the board to show the position after a turn, the glass turned on its way.

        Raises RulesError for a turn that cannot be made now.
        """
        return steps(game, text)

    def turn_to_confirm(self, game: TamskGame) -> str | None:
        """The turn that stands on the board and waits for its ring, the button, or the opponent's lift."""
        verdict, rules = game.under_way, game.rules
        if not isinstance(verdict, MayGoOn) or game.judgement.phase is not Phase.MAY_GO_ON:
            return None
        move = verdict.made.move
        ring = move.ring or (move.kind == "turn" and rules.settings.ring == "auto")
        return turn_text(rules, game.position, verdict.made._replace(move=move._replace(ring=ring)))

    def in_hand(self, game: TamskGame) -> Held | None:
        """The one glass that is in the air, and every turn that is made with it."""
        lifted = game.judgement.lifted if game.judgement.phase is Phase.IN_HAND else ()
        if len(lifted) != 1:
            return None
        origin, rules, position = BOARD.index[lifted[0]], game.rules, game.position
        moves = [move for move in rules.legal_moves(position) if move.kind == "turn" and move.origin == origin]
        return Held(lifted[0], tuple(rules.text(position, move) for move in moves))

    def is_same_turn(self, one: str, other: str) -> bool:
        """Whether two turns are the same but for the ring that the other player had forgotten."""
        return is_same_turn(one, other)

    # What people say

    def is_play(self, event: Correction) -> bool:
        """Whether the event is how the game is played: turns are made on the board, and to enter one corrects it."""
        del event
        return False

    def enter(self, game: TamskGame, text: str, at: Instant, granted: Instant | None = None) -> Judged[TamskGame]:
        """The game after a turn that the board did not show. Raises CorrectionError."""
        del granted
        return enter_turn(game, text, at)

    def insert(self, game: TamskGame, number: int, text: str, at: Instant) -> Judged[TamskGame]:
        """The game with a missed turn before those made since. Raises RulesError."""
        return insert_turn(game, number, text, at)

    def answer(self, game: TamskGame, question: Question, choice: str, at: Instant) -> Judged[TamskGame]:
        """The question answered with one of its choices."""
        if question.asked.question == WHICH_STOPPED:
            return agree(game, question, choice)
        game = replace(game, question=None)
        if question.asked.question == ENDS and choice == NO:
            return arbiter_pressed(game, at)  # what is written down is to be put right first
        if not question.turns and question.asked.question == ENDS:
            return catch_up(replace(game, overdue=None), lost_at(game, game.overdue or at))
        if question.asked.question != TAKE_BACK:
            made: Made = question.turns[question.asked.choices.index(choice)]._replace(at=at)
            timer_first = question.asked.question == TIMER_FIRST and choice == YES
            if timer_first:
                return accept_after_timer(game, made)
            # The 15-second glass may have been turned, and ruled upon, since the question was put.
            return accept(game, made.not_before(game.position.now))
        if choice == YES:
            game, said = announce(game, Righted(at))
            game, effects = void_turns(game, question.back, at, give_back=True)
            return game, said + effects
        verdict = explain(game.scene, at)
        return refuse(game, verdict) if isinstance(verdict, Wrong) else (game, ())

    def correct(self, game: TamskGame, event: GameCorrection) -> Judged[TamskGame]:
        """The game after a correction that only TAMSK knows. Raises RulesError."""
        return correct(game, event)

    def claim_flag(self, game: TamskGame, player: str, at: Instant) -> Judged[TamskGame]:
        """The turn is handed to the player who claimed that the other's time to begin it had run out (rule 19)."""
        return (game, ()) if PLAYERS[game.position.mover] == player else hand_over(game, player, at)

    def put_aside(self, game: TamskGame) -> TamskGame:
        """The game without the turn that is under way on the board."""
        return replace(game, under_way=None)

    def reset(self, game: TamskGame, ply: Ply, at: Instant) -> Judged[TamskGame]:
        """The game, which has been set back to before a ply, with poles and sand as they were."""
        game = replace(
            game,
            poles=ply.poles,
            told=game.game_time(at),
            under_way=None,
            turn_began=at,
            calm_since=at,
            trust=nothing_to_deny(game.trust),
        )
        return follow_up(replace(game, position=now_at(game, at)), (), at)

    def undo(self, game: TamskGame, before: TamskGame, at: Instant) -> Judged[TamskGame]:
        """The game, in which a correction has been undone, with poles as they were and what time decided since."""
        game = replace(game, poles=before.poles, told=before.told, under_way=None, turn_began=at)
        return time_passes(game, game.game_time(at))

    def guide(self, game: TamskGame, before: TamskGame, event: Correction) -> Judged[TamskGame]:
        """After a correction the board may lag behind the game: then the lights guide it, and nobody is to blame.

        A voided turn that still stands on the board must come off before anything else counts.
        """
        is_said_only = isinstance(event, Claimed) and game.position is before.position
        if is_said_only or isinstance(event, Paused | Adjourned | NoteTaken | ResultDeclared | ClockCorrected):
            return game, ()
        game = replace(game, calm_since=event.at)
        if game.outcome is not None:
            return game, ()
        is_strict = isinstance(event, TurnsVoided | PositionRestored | CorrectionUndone)
        fits = (Agreed,) if is_strict else (Agreed, MayGoOn, InHand)
        game = replace(game, judgement=Judgement(Phase.AGREED))
        if not isinstance(explain(game.scene, event.at), fits):
            game = replace(game, judgement=Judgement(Phase.WRONG, repairs=repairs(game.scene), code=BY_HAND))
        return judge(game, event.at)

    def _review(self, game: TamskGame, end: Instant) -> Judged[TamskGame]:
        """The game when the board has been judged at every instant before `end` at which only time could tell."""
        said: tuple[Effect, ...] = ()
        while game.sensing.evidence.stands and (at := game.review_at) is not None and at < end and _goes_on(game):
            game, effects = self.judge(game, at)
            said += effects
        return game, said

    def _change(self, game: TamskGame, change: Change, now: Instant, *, has_more: bool = False) -> Judged[TamskGame]:
        """The game with a change in it, judged unless `has_more` that must be judged with it."""
        if game.paused_at is not None and change.at < game.paused_at and game.sensing.evidence.stands:
            # It was made before the game was stopped, and counts as of then.
            paused_at = game.paused_at
            at = Instant(min(now, paused_at))
            game, effects = self._change(replace(game, paused_at=None), change, at, has_more=has_more)
            return replace(game, paused_at=paused_at), effects
        when = game.game_time(change.at)
        granted = Instant(when - change.uncertainty)
        flicker = (change.first, change.last) if game.sensing.evidence.contradictions else ()
        touch = Touch(change.at, when, granted, change.input, change.value, *flicker)
        said: tuple[Effect, ...] = ()
        if _goes_on(game):
            # Changes come in the order of their stamps, so nothing can still arrive from before this one.
            game, said = time_passes(game, Instant(granted - 1), touch)
            game, effects = clock_rulings.time_passes(game, granted)
            said += effects
        shown = game.shown | {change.input} if change.value else game.shown - {change.input}
        if change.input in _ALL_BUTTONS:
            game = replace(game, shown=shown)
            game, effects = self.press(game, change, now) if change.value else (game, ())
            return game, said + effects
        game = touch_input(game, touch)
        if (game.sensing.evidence.contradictions and _comes_again(game, touch)) or is_put_back_late(game, touch):
            game, effects = say_unsure(game, (touch,))
            said += effects
        calm_since = Instant(max(change.at, game.calm_since))
        game = replace(game, shown=shown, trail=game.trail.add(touch), calm_since=calm_since)
        if game.outcome is not None:
            game, effects = say_unsure(game, find_lift_after_the_end(game, touch))
            return game, said + effects
        if game.paused_at is not None:
            return guide(game), said
        if has_more:
            return game, said
        game, effects = self.judge(game, now)
        return game, said + effects

    def press(self, game: TamskGame, change: Change, now: Instant) -> Judged[TamskGame]:
        """A button went down."""
        if change.input == BUTTON_ARBITER:
            return self._arbiter_pressed(game, change.at, now)
        if game.paused_at is not None or game.outcome is not None:
            return game, ()
        if change.input == BUTTON_NOT_TURNED:
            return said_not_turned(game, change.at, now)
        player = BUTTON_OF[change.input]
        if game.clock is not None and not game.clock.has_started and player != game.position.mover:
            return clock_rulings.start_clock(game, change.at, Instant(game.game_time(change.at) - change.uncertainty))
        game, said = pressed_by(game, player, change, now)
        if game.pressed is not change or game.judgement.phase is not Phase.UNSETTLED:
            return game, said
        if not game.sensing.evidence.contradictions:
            return game, said
        game, effects = self.judge(game, now)  # what is in doubt may be clear now
        return game, said + effects

    def _arbiter_pressed(self, game: TamskGame, at: Instant, now: Instant) -> Judged[TamskGame]:
        """The arbiter stops the game or lets it go on."""
        was_stopped = game.paused_at is not None
        game, said = arbiter_pressed(game, at)
        if not was_stopped:
            return game, said
        game, effects = judge(game, now)
        return game, said + effects


def _may_go_on(game: TamskGame) -> bool:
    return game.judgement.phase is Phase.MAY_GO_ON and game.sensing.evidence.contradictions


def _goes_on(game: TamskGame) -> bool:
    return game.paused_at is None and game.outcome is None


def _put_now(game: TamskGame, before: Question | None, now: Instant) -> TamskGame:
    """The game in which a question that is new is shown from `now` on, though the board was judged as of before."""
    question = game.question
    if question is None or question is before or not question.shown:
        return game
    return replace(game, question=question._replace(shown=now))


def _before_press(press: Change, changes: Sequence[Change]) -> list[Change]:
    """The rings that were seen after an outage, and may have fallen in it before a press."""
    rings = [change for change in changes if ".ring" in change.input and change.value and change.uncertainty > OUTAGE]
    return [change for change in rings if change.may_precede(press.at)]


def _comes_again(game: TamskGame, touch: Touch) -> bool:
    """Whether a ring that has been ruled upon, and has not shown for long, shows again after it was away."""
    place, _, height = touch.input.partition(".ring")
    if not height or not touch.value or game.judgement.phase in {Phase.WRONG, Phase.ASKING}:
        return False  # people know
    space = BOARD.index[place]
    gone = [each.at for each in game.trail.rings(space) if each.input == touch.input and not each.value]
    if not gone or game.position.rings_on(space) < int(height):
        return False  # it is the next ring
    fell = next((ply.at for ply in reversed(game.plies) if ply.before.rings_on(space) < int(height)), Instant(0))
    return gone[-1] < fell + SHOWED


def _came_with(game: TamskGame, change: Change, later: Change) -> bool:
    """Whether one was seen at the end of an outage with the other: neither came first, so they are judged together."""
    if later.at != change.at or later.input in _ALL_BUTTONS or not game.sensing.evidence.causes:
        return False
    which = max if game.sensing.evidence.contradictions else min
    return which(change.uncertainty, later.uncertainty) > OUTAGE
