"""Handle declarations by players that sand has run out, by button or by hand (time=sand).

No sand runs out by itself then. While the board agrees with the game, either player may declare by button that a
glass has run out: the likeliest one is asked about first, the same button goes on to the next, and the button of the
other player agrees. The player who is not on turn declares by button that the 15-second glass has run out, and that
counts at once: a player in a hurry would not agree.
"""

from dataclasses import replace
from typing import Final

from gnomon.games.tamsk.rules import BOARD, PLAYERS, STOP15, UNTIL_SEEN, Move, Position
from gnomon.games.tamsk.sensing._acceptance import follow_up, nothing_to_deny
from gnomon.games.tamsk.sensing._explain import explain
from gnomon.games.tamsk.sensing._scene import held
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon.games.tamsk.sensing.verdicts import Agreed, InHand, MayGoOn
from gnomon.referee.announcements import ruled
from gnomon.referee.effects import Effect
from gnomon.referee.game import Judged, Question
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.rulings import GlassStopped, QuestionAsked, SandDeclared
from gnomon.timekeeping.instants import SECOND, Duration, Instant

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
        return (game, ()) if soon else declared(game, TIMER, at, PLAYERS[player])
    if game.judgement.phase is not Phase.AGREED or not isinstance(explain(game.scene(), now), Agreed):
        return None
    choices = _running(game.rules.elapse(position, game.game_time(at)))
    if not choices or position.penalty:
        return None  # with a second ring due, the button ends the turn
    asked = QuestionAsked(at, WHICH_STOPPED, (*choices, NONE))
    question = Question(asked, (), 0, by=player)
    return ruled(replace(game, question=question, judgement=Judgement(Phase.ASKING)), asked)


def answered_by_button(game: TamskGame, question: Question, player: int) -> Judged[TamskGame]:
    """The next glass is asked about when the player says so who began, and the other one agrees to it."""
    choices = question.asked.choices
    if player == question.by:
        asked = replace(question.asked, choices=(*choices[1:], choices[0]))
        return replace(game, question=question._replace(asked=asked)), ()
    return agreed(game, question, choices[0], PLAYERS[player])


def agreed(game: TamskGame, question: Question, choice: str, who: str = "") -> Judged[TamskGame]:
    """The question has been answered: the glass had run out when its player said so, or none had."""
    game = replace(game, question=None, judgement=Judgement(Phase.AGREED))
    if choice == NONE:
        return game, ()
    return declared(game, choice, question.asked.at, PLAYERS[question.by], who)


def declared(game: TamskGame, glass: str, at: Instant, by: str, agreed_by: str = "") -> Judged[TamskGame]:
    """The game when the sand of the glass on a space, or of `timer15`, is said to have run out at board time `at`.

    Raises RulesError for what does not run, and where the players' eyes do not decide.
    """
    rules, before = game.rules, _as_it_stands(game)
    space = BOARD.index.get(glass, -1)
    move = STOP15 if glass == TIMER else Move(origin=space, kind="stop")
    position = rules.play(rules.elapse(before, game.game_time(at)), move)
    said: tuple[Effect, ...]
    game = replace(game, position=position, trust=nothing_to_deny(game.trust))
    game, said = ruled(game, SandDeclared(at, glass, by, agreed_by))
    if glass == TIMER:
        return game, said
    owner = PLAYERS[position.owner_of(space)]
    game, effects = ruled(game, GlassStopped(at, owner, glass))
    return follow_up(game, said + effects, at)


def _as_it_stands(game: TamskGame) -> Position:
    """The position with the lift that has begun a turn in it, at its own instant."""
    match game.under_way:
        case InHand():
            return game.standing()
        case MayGoOn(made=made):
            return held(game.rules, game.position, made.move.origin, made.lifted)
        case _:
            return game.position


def _running(position: Position) -> tuple[str, ...]:
    """The spaces of the running glasses, the one first that should run out first by its nominal duration."""
    now = position.now
    running = [(sand, space) for sand, space in zip(position.sands, position.glasses, strict=True)]
    by_estimate = sorted((sand.remaining(now), space) for sand, space in running if sand.is_running(now))
    return tuple(BOARD.names[space] for _, space in by_estimate)
