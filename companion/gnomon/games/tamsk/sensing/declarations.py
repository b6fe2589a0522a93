"""Handle what players declare: that a glass was not turned over, or that its sand has run out.

Where no sensor sees the turning, a glass that comes to stand elsewhere is taken to have been turned, and so is the
15-second glass when it was off its stand for longer than a nudge. The not-turned button denies it for the glass that
was set down last. Either player may press it, until the next glass has been set down: until then nothing has been
built on the turn.

With time=sand no sand runs out by itself. While the board agrees with the game, either player may declare by button
that a glass has run out: the likeliest one is asked about first, the same button goes on to the next, and the button
of the other player agrees. The player who is not on turn declares by button that the 15-second glass has run out, and
that counts at once: a player in a hurry would not agree.
"""

from typing import Final

from gnomon.games.tamsk.rules import BOARD, PLAYERS, START, STOP15, UNTIL_SEEN, Move, Position
from gnomon.games.tamsk.sensing._acceptance import accept, follow_up, nothing_to_deny
from gnomon.games.tamsk.sensing._board_reading import NORTH, SOUTH, Touch
from gnomon.games.tamsk.sensing._explain import explain
from gnomon.games.tamsk.sensing._judge import judge
from gnomon.games.tamsk.sensing._refusals import refuse
from gnomon.games.tamsk.sensing._scene import TIMED, Denied, Moved, hold, turn_text
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import GLASS, TIMER
from gnomon.games.tamsk.sensing.verdicts import Agreed, Away, InHand, Made, MayGoOn, Review, Verdict, Wrong
from gnomon.referee.announcements import announce
from gnomon.referee.effects import Effect
from gnomon.referee.evidence import NUDGE
from gnomon.referee.game import Judged, Question
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import Corrected, GlassStopped, QuestionAsked, SandDeclared
from gnomon.refusals import statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant

WHO: Final = statement("button.not_turned")
TIMER_WAS_NOT: Final = statement("corrected.timer15_not_turned")
_STAND: Final = f"{TIMER}.{GLASS}"


def touch_input(game: TamskGame, touch: Touch) -> TamskGame:
    """The game when an input has changed: what stands again after longer than a nudge was turned."""
    trust = game.trust
    if touch.input == _STAND and trust.timer is not None:
        if touch.value and trust.timer_lifted is not None and touch.at - trust.timer_lifted >= NUDGE:
            trust = replace(trust, timer=1 - trust.timer)
        return replace(game, trust=replace(trust, timer_lifted=None if touch.value else touch.at))
    denied = trust.denied
    if denied is None or touch.input != f"{BOARD.names[denied.space]}.{GLASS}":
        return game
    if not touch.value:
        return replace(game, trust=replace(trust, denied=replace(denied, lifted=touch.at)))
    nudged = denied.lifted is None or touch.at - denied.lifted < NUDGE
    return replace(game, trust=replace(trust, denied=replace(denied, lifted=None) if nudged else None))


def said_not_turned(game: TamskGame, at: Instant, now: Instant) -> Judged[TamskGame]:
    """The game when the button says at board time `at` that the glass that was set down last was not turned over."""
    if game.rules.settings.level < TIMED or game.question is not None:
        return game, ()
    said: tuple[Effect, ...] = ()
    verdict = explain(game.scene, now)
    if isinstance(verdict, Review) and verdict.made is not None and len(game.scene.sight.glasses) == len(START):
        # The reply to it stands already: of that the button speaks.
        game, said = accept(game, verdict.made)
        verdict = explain(game.scene, now)
    made = verdict.made if isinstance(verdict, MayGoOn | Review) else None
    if _is_about_the_timer(game, made):
        game, effects = _timer_not_turned(game, at, now)
    elif made is not None:
        game, effects = _refuse(game, made, at, now)
    else:
        game, effects = _taken_back(game, verdict, at, now)
    return game, said + effects


def _is_about_the_timer(game: TamskGame, made: Made | None) -> bool:
    """Whether the 15-second glass was set down after every other glass, as if turned."""
    if game.trust.timer is None:
        return False
    if game.timer_refused is not None:
        return True
    turned = game.trust.timer_turn
    placed = None if made is None else game.trail.last_set_down(made.move.target)
    return turned is not None and (placed is None or placed.at <= turned.at)


def _timer_not_turned(game: TamskGame, at: Instant, now: Instant) -> Judged[TamskGame]:
    """The 15-second glass as if it had not been touched."""
    trust, turned = game.trust, game.trust.timer_turn
    if game.timer_refused is None and turned is not None:
        game = replace(game, position=turned.position, timer_pole=turned.pole)
    trust = replace(trust, timer=SOUTH if trust.timer == NORTH else NORTH, timer_turn=None)
    game, said = announce(
        replace(game, trust=trust, timer_refused=None, calm_since=at),
        Corrected(at, TIMER_WAS_NOT, WHO, ""),
    )
    game, effects = judge(game, now)
    return game, said + effects


def _refuse(game: TamskGame, made: Made, at: Instant, now: Instant) -> Judged[TamskGame]:
    """The turn that stands on the board is refused, as two poles would have it refused."""
    denied = replace(
        game,
        under_way=InHand(made.move.origin, made.lifted),
        calm_since=at,
        trust=replace(game.trust, denied=Denied(made.move.target)),
    )
    verdict = explain(denied.scene, now)
    if not isinstance(verdict, Wrong) or verdict.code != "not_turned":
        return game, ()  # its socket is not believed any more
    return refuse(denied, verdict._replace(at=at))


def _taken_back(game: TamskGame, verdict: Verdict, at: Instant, now: Instant) -> Judged[TamskGame]:
    """The last turn was accepted, and no glass has been set down since: it is as if it never had been."""
    moved = game.trust.moved
    if moved is None or not isinstance(verdict, Agreed | InHand | Away | Review):
        return game, ()
    if [ply.before for ply in game.plies[moved.number :][:1]] != [moved.before]:
        return game, ()  # somebody has put the turns in another order by hand
    before = _as_before(game, moved)
    text = turn_text(before.rules, before.position, moved.made)
    taken, said = announce(before, Corrected(at, statement("corrected.turn_taken_back", text=text), WHO, ""))
    refused, effects = _refuse(taken, moved.made, at, now)
    return (refused, said + effects) if effects else (game, ())


def _as_before(game: TamskGame, moved: Moved) -> TamskGame:
    """The game as it was when that turn was about to be accepted, with what the board has done since."""
    known = moved.trail.touches
    since = tuple(touch for touch in game.trail.touches if touch not in known)
    return replace(
        game,
        position=moved.before,
        poles=game.plies[moved.number].poles,
        plies=game.plies[: moved.number],
        turn_began=moved.turn_began,
        trail=moved.trail._replace(touches=known + since),
        under_way=None,
        judgement=Judgement(Phase.AGREED),
        trust=replace(game.trust, moved=None),
    )


WHICH_STOPPED: Final = "which_stopped"
NONE: Final = "none"
TOO_SOON: Final = Duration(2 * SECOND)
"""A button so soon after a turn, or after the 15-second glass was turned, still means the turn that is over."""


def by_button(game: TamskGame, player: int, at: Instant, now: Instant) -> Judged[TamskGame] | None:
    """What the button of a player says of sand at board time `at`, or None when it says nothing of it."""
    if not game.rules.by_eye or at - game.turn_began < TOO_SOON:
        return None
    timer15, position = game.position.timer15, game.position
    if player != position.mover and timer15 is not None and position.bound_until == UNTIL_SEEN:
        soon = game.game_time(at) - timer15.since < TOO_SOON
        return (game, ()) if soon else declare(game, TIMER, at, PLAYERS[player])
    if game.judgement.phase is not Phase.AGREED or not isinstance(explain(game.scene, now), Agreed):
        return None
    choices = _running_glasses(game.rules.elapse(position, game.game_time(at)))
    if not choices or position.penalty:
        return None  # with a second ring due, the button ends the turn
    asked = QuestionAsked(at, WHICH_STOPPED, (*choices, NONE))
    question = Question(asked, (), 0, by=player)
    return announce(replace(game, question=question, judgement=Judgement(Phase.ASKING)), asked)


def answered_by_button(game: TamskGame, question: Question, player: int) -> Judged[TamskGame]:
    """The next glass is asked about when the player says so who began, and the other one agrees to it."""
    choices = question.asked.choices
    if player == question.by:
        asked = replace(question.asked, choices=(*choices[1:], choices[0]))
        return replace(game, question=question._replace(asked=asked)), ()
    return agree(game, question, choices[0], PLAYERS[player])


def agree(game: TamskGame, question: Question, choice: str, who: str = "") -> Judged[TamskGame]:
    """The question has been answered: the glass had run out when its player said so, or none had."""
    game = replace(game, question=None, judgement=Judgement(Phase.AGREED))
    if choice == NONE:
        return game, ()
    return declare(game, choice, question.asked.at, PLAYERS[question.by], who)


def declare(game: TamskGame, glass: str, at: Instant, by: str, agreed_by: str = "") -> Judged[TamskGame]:
    """The game when the sand of the glass on a space, or of `timer15`, is said to have run out at board time `at`.

    Raises RulesError for what does not run, and where the players' eyes do not decide.
    """
    rules, before = game.rules, _as_it_stands(game)
    space = BOARD.index.get(glass, -1)
    move = STOP15 if glass == TIMER else Move(origin=space, kind="stop")
    position = rules.play(rules.elapse(before, game.game_time(at)), move)
    said: tuple[Effect, ...]
    game = replace(game, position=position, trust=nothing_to_deny(game.trust))
    game, said = announce(game, SandDeclared(at, glass, by, agreed_by))
    if glass == TIMER:
        return game, said
    owner = PLAYERS[position.owner_of(space)]
    game, effects = announce(game, GlassStopped(at, owner, glass))
    return follow_up(game, said + effects, at)


def _as_it_stands(game: TamskGame) -> Position:
    """The position with the lift that has begun a turn in it, at its own instant."""
    match game.under_way:
        case InHand():
            return game.position_with_turn
        case MayGoOn(made=made):
            return hold(game.rules, game.position, made.move.origin, made.lifted)
        case _:
            return game.position


def _running_glasses(position: Position) -> tuple[str, ...]:
    """The spaces of the running glasses, the one first that should run out first by its nominal duration."""
    now = position.now
    running = [(sand, space) for sand, space in zip(position.sands, position.glasses, strict=True)]
    by_estimate = sorted((sand.remaining(now), space) for sand, space in running if sand.is_running(now))
    return tuple(BOARD.names[space] for _, space in by_estimate)
