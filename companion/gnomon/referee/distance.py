"""Keep the time of a game that two boards play together, so that both have every turn at the same game time.

Each board rules on its own side. While the other board has the turn, nothing here decides by time; when its turn
arrives, game time is set to the instant at which it was ruled there, and stands until hands have made the turn. So the
way of a message, and the time in which hands follow, cost neither player anything (decision 38).
"""

from typing import Final

from gnomon.referee import events
from gnomon.referee.effects import Sound, Tune
from gnomon.referee.errors import CorrectionError
from gnomon.referee.game import Announced, Game, GameT, Judged
from gnomon.referee.opponents import is_engines_turn
from gnomon.referee.people import people
from gnomon.referee.replacement import replace
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Duration, Instant

WHO: Final = "the other board"

_NEVER_APART: Final = (
    events.TurnsVoided,
    events.TurnInserted,
    events.PositionRestored,
    events.CorrectionUndone,
    events.TurnSet,
    events.SandSet,
    events.RingsSet,
    events.StopDeclared,
    events.GlassPlaced,
    events.PenaltySet,
    events.TimeGiven,
    events.ClockCorrected,
    events.MoveAnnounced,
)
"""What would make the two boards disagree, because the other one does not hear of it."""


def check_between_boards(game: Game, event: events.Correction) -> None:
    """Raise CorrectionError for what cannot be done on one of two boards alone."""
    opponent = game.opponent
    is_distant = opponent is not None and opponent.is_distant
    if isinstance(event, events.TurnArrived | events.PlayerNamed) and not (is_distant and event.who == WHO):
        raise CorrectionError(statement("told.distance.none"))
    if not is_distant:
        return
    if isinstance(event, _NEVER_APART):
        raise CorrectionError(statement("told.distance.correction"))
    if event.who == WHO:
        return
    match event:
        case events.TimeTaken():
            raise CorrectionError(statement("told.distance.correction"))
        case events.TurnEntered() if game.is_natures and game.is_elsewhere:
            raise CorrectionError(statement("told.distance.throws"))
        case events.DrawOffered(player=player) | events.DrawAnswered(player=player) if _is_other(game, player):
            raise CorrectionError(statement("told.distance.answers"))
        case events.ResultDeclared(winner=winner) if winner is not None and not _is_other(game, winner):
            raise CorrectionError(statement("told.distance.result"))
        case _:
            pass


def _is_other(game: Game, player: str) -> bool:
    """Whether somebody plays at the other board."""
    return game.opponent is not None and game.seat_of(player, game.position) in game.opponent.seats


def with_name(game: GameT, player: str, name: str) -> GameT:
    """The game in which it is known who plays a side at the other board, with a name or without one.

    Raises CorrectionError for another side.
    """
    if game.opponent is None or player not in game.opponent.seats:
        raise CorrectionError(statement("told.distance.answers"))
    names = {**dict(game.people), **({player: name} if name else {})}
    known = people({each: names[each] for each in game.rules.players if each in names})
    return replace(game, people=known, opponent=game.opponent._replace(is_met=True))


def take_turn(game: GameT, text: str, when: Duration, at: Instant) -> Judged[GameT]:
    """The game that has been told of a turn of the other board, ruled there at game time `when`.

    Raises CorrectionError for one that cannot be now, and RulesError for one that the rules do not allow.
    """
    game.check_goes_on()
    if not game.is_elsewhere or game.announced is not None:
        raise CorrectionError(statement("told.distance.not_on_turn", text=text[:40]))
    last = game.plies[-1].when if game.plies else 0
    if when < last:
        raise CorrectionError(statement("told.distance.time", text=text[:40]))
    game = replace(game, standstill=at - when)
    game, said = game.board.time_passes(game, Instant(when))
    position = game.rules.elapse(game.position, Instant(when))
    text = game.rules.text(position, game.rules.parse(position, text))
    if not is_engines_turn(game):
        game, effects = game.board.enter(game, text, at)
        return game, said + effects
    told = Announced(game.turn, text, at, Instant(when))
    return replace(game, announced=told, arrived_at=at, chooser=None), (*said, Sound(Tune.QUESTION))


def moment_between_boards(game: Game, made: Instant) -> Instant:
    """At which game time a turn counts that was made here at `made`, so that both boards have the same order of time.

    One that has arrived counts as of the other board, whenever hands made it here, and however late that is told; no
    turn counts as of before the one that it follows.
    """
    if game.arrived_at is not None:
        return game.game_time(game.arrived_at)
    is_distant = game.opponent is not None and game.opponent.is_distant
    return max(made, game.plies[-1].when) if is_distant and game.plies else made


def let_time_go_on(game: GameT, at: Instant) -> GameT:
    """The game whose time goes on from board time `at`, if nothing waits for hands any more.

    In a pause it has stood until the pause began, and it goes on after it.
    """
    arrived = game.arrived_at
    if arrived is None or game.announced is not None:
        return game
    until = at if game.paused_at is None else game.paused_at
    return replace(game, standstill=game.standstill + until - arrived, arrived_at=None)
