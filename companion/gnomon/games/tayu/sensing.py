"""Referee the presence matrix of the Tayu board: which tile lies where, and what is wrong with it.

The tile in hand is known since the draw; one sensor per square shows its footprint, legality settles the half turn,
and a button settles what remains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from gnomon.games.tayu.rules import Move, Tayu
from gnomon.games.tayu.rules.settings import LARGEST
from gnomon.referee.announcements import announce
from gnomon.referee.chooser import Chooser
from gnomon.referee.debounce import Debouncer
from gnomon.referee.events import Correction, CorrectionUndone, PositionRestored, TurnEntered, TurnInserted, TurnsVoided
from gnomon.referee.evidence import BY_POLES, PATIENCE, Sensing
from gnomon.referee.game import Game, Judged, Question
from gnomon.referee.judgement import BY_HAND, WHICH_TURN, Action, Judgement, Phase, Repair
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import FaultRuled, IllegalRuled, QuestionAsked, Righted
from gnomon.referee.table import CLOCK_BUTTONS, TABLE_BUTTONS, Table
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after

LAID_TIME: Final = Duration(600 * MILLISECOND)
"""A tile that has not been pushed for so long has been laid."""

_CELLS: Final = 3
_TILE: Final = ".tile"


_MOVES_PIECES: Final = (TurnEntered, TurnsVoided, TurnInserted, PositionRestored, CorrectionUndone)
"""After these the board lags behind the game, and is guided to it."""


@dataclass(frozen=True, slots=True)
class TayuBoard(Table):
    """The Tayu board with a sensor under each square."""

    @property
    def name(self) -> str:
        """How the board is called where it is described."""
        return Tayu.name

    @property
    def is_sensed(self) -> bool:
        """Whether sensors show the pieces on the board."""
        return True

    def judge(self, game: Game, now: Instant) -> Judged[Game]:
        """Judge which tiles lie on the board at board time `now`."""
        return _judge(replace(game, review_at=None), game.rules, now)

    def foresee(self, game: Game) -> Game:
        """The game as the board shows it now, before all that it shows is evidence."""
        changes = game.debouncer.pending_changes()
        if not changes:
            return game
        coming = replace(game, debouncer=replace(game.debouncer, waiting=()))
        for change in changes:
            if change.input.endswith(_TILE):
                coming, _ = self.change(coming, change)
        coming, _ = _judge(coming, game.rules, coming.calm_since)
        return replace(coming, rulings=game.rulings)

    def is_expected(self, game: Game, name: str) -> bool:
        """Whether a tile lies on the square of an input."""
        return name.removesuffix(_TILE) in _laid_squares(game, game.rules)

    def is_moving(self, game: Game) -> bool:
        """Whether a square changes, or has changed too lately to be evidence: a tile may be pushed, or another laid."""
        if not game.debouncer.evidence.squares:
            return False
        moving = {*game.debouncer.bursts, *(change.input for change in game.debouncer.waiting)}
        return any(name.endswith(_TILE) for name in moving)

    def steps(self, game: Game, text: str) -> tuple[Repair, ...]:
        """What hands have to change for the board to show the position after a turn. Raises RulesError."""
        rules: Tayu = game.rules
        move = rules.parse(game.position, text)
        after = replace(game, position=rules.play(game.position, move))
        extra, missing = _difference(after, rules, _squares(frozenset(game.quarantined)))
        squares = " ".join(rules.squares_of(move)) if move.kind == "lay" else ""
        return tuple(
            replace(step, action=Action.LAY_TILE) if step == Repair(Action.PUT_TILE, squares) else step
            for step in _repairs(after, rules, extra, missing)
        )

    def guide(self, game: Game, before: Game, event: Correction) -> Judged[Game]:
        """After a correction by hand the board may lag behind the game: it is guided there, and nobody is to blame."""
        if not isinstance(event, _MOVES_PIECES):
            return super(TayuBoard, self).guide(game, before, event)
        game = replace(game, calm_since=event.at)
        # A tile that has just been laid has no need to be laid again.
        seen = replace(game, shown=game.debouncer.on) if game.debouncer.evidence.squares else game
        extra, missing = _difference(seen, game.rules, _squares(frozenset(game.quarantined)))
        if game.outcome is not None or not (extra or missing):
            return game, ()
        steps = _repairs(game, game.rules, extra, missing)
        return replace(game, judgement=Judgement(Phase.WRONG, repairs=steps, code=BY_HAND), question=None), ()


def new_game(rules: Tayu, sensing: Sensing = BY_POLES) -> Game:
    """A game on the board at board time 0: no tile lies on it."""
    debouncer = Debouncer(frozenset(), evidence=sensing.evidence)
    board = TayuBoard(frozenset(TABLE_BUTTONS) | square_inputs(rules))
    return Game(rules, rules.start(), debouncer, frozenset(), board, sensing=sensing)


def square_inputs(rules: Tayu) -> frozenset[str]:
    """The inputs of the presence matrix: one a square, named like `i9.tile`."""
    return frozenset(f"{name}{_TILE}" for name in rules.board.squares.index)


def largest_inputs(sensing: Sensing) -> frozenset[str]:
    """The inputs of the largest board: how large one is, the settings of its game say."""
    del sensing
    return _largest_inputs()


@cache
def _largest_inputs() -> frozenset[str]:
    return square_inputs(Tayu.from_settings({"size": LARGEST})) | {*TABLE_BUTTONS, *CLOCK_BUTTONS}


def _judge(game: Game, rules: Tayu, now: Instant) -> Judged[Game]:
    """The game after the matrix has been judged at board time `now`."""
    if game.outcome is not None:
        return game, ()
    blind = _squares(frozenset(game.quarantined))
    extra, missing = _difference(game, rules, blind)
    if game.paused_at is not None:
        # Nothing is ruled in a pause; but a correction is followed then, and its steps go on.
        if game.judgement.phase is not Phase.WRONG:
            return game, ()
        return replace(game, judgement=replace(game.judgement, repairs=_repairs(game, rules, extra, missing))), ()
    if not extra and not missing:
        return _agree(game)
    if not missing and game.turn != NATURE:
        fitting = [move for move in rules.legal_moves(game.position) if _fits(rules, move, extra, blind)]
        if fitting:
            return _lay(game, rules, fitting, now)
    doubtful = _doubtful(game, rules, extra, missing) if game.debouncer.evidence.squares else None
    if doubtful is not None:
        return _doubt(game, rules, doubtful, _repairs(game, rules, extra, missing), now)
    if not missing and game.turn != NATURE and len(extra) < _CELLS:
        return _being_laid(game, rules, extra), ()
    return _wrong(game, rules, extra, missing, now)


def _difference(game: Game, rules: Tayu, blind: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The squares that show a tile too many, and those that lack one."""
    laid = _laid_squares(game, rules)
    seen = _squares(game.shown)
    return seen - laid - blind, laid - seen - blind


def _laid_squares(game: Game, rules: Tayu) -> frozenset[str]:
    return frozenset(square for move in game.position.laid for square in rules.squares_of(move))


def _squares(inputs: frozenset[str]) -> frozenset[str]:
    return frozenset(name.removesuffix(_TILE) for name in inputs if name.endswith(_TILE))


def _fits(rules: Tayu, move: Move, extra: frozenset[str], blind: frozenset[str]) -> bool:
    """Whether a tile laid there would show as just these squares, sensors that are not believed left out."""
    squares = frozenset(rules.squares_of(move)) if move.kind == "lay" else frozenset()
    return extra <= squares and squares - extra <= blind


def _agree(game: Game) -> Judged[Game]:
    if game.judgement.phase is Phase.AGREED:
        return game, ()
    was_wrong = game.judgement.phase is Phase.WRONG
    game = replace(game, judgement=Judgement(Phase.AGREED), question=None, review_at=None)
    return announce(game, Righted(game.calm_since)) if was_wrong else (game, ())


def _being_laid(game: Game, rules: Tayu, extra: frozenset[str]) -> Game:
    if game.judgement.phase is Phase.WRONG:
        return replace(game, judgement=replace(game.judgement, repairs=_repairs(game, rules, extra, frozenset())))
    return replace(game, judgement=Judgement(Phase.IN_HAND), question=None, review_at=None)


def _lay(game: Game, rules: Tayu, fitting: Sequence[Move], now: Instant) -> Judged[Game]:
    """A tile lies on squares where it may lie: accept it once it rests, or ask which way round it lies."""
    due = after(game.calm_since, LAID_TIME)
    if now < due or game.board.is_moving(game):
        phase = game.judgement.phase if game.judgement.phase is Phase.WRONG else Phase.MAY_GO_ON
        review_at = due if now < due else None
        return replace(game, judgement=replace(game.judgement, phase=phase), review_at=review_at), ()
    texts = tuple(rules.text(game.position, move) for move in fitting)
    if game.announced is not None and game.announced.text in texts:
        texts = (game.announced.text,)  # whichever way round it may lie, it lies as it was announced
    if game.question is not None and game.question.asked.choices == texts:
        return game, ()
    game, said = _agree(game) if game.judgement.phase is Phase.WRONG else (game, ())
    if len(texts) == 1:
        game, effects = game.board.enter(game, texts[0], game.calm_since)
        return game, said + effects
    asked = QuestionAsked(game.calm_since, WHICH_TURN, texts)
    chooser, shown = game.chooser, Instant(0)
    if chooser is None or chooser.texts != texts or not game.debouncer.evidence.squares:
        chooser = Chooser.among(texts)  # else it is asked once more, and the answer stands where it stood
        shown = now if game.debouncer.evidence.contradictions else shown
    question = Question(asked, shown=shown)
    game = replace(game, question=question, judgement=Judgement(Phase.ASKING), chooser=chooser)
    game, effects = announce(game, asked)
    return game, said + effects


def _doubtful(game: Game, rules: Tayu, extra: frozenset[str], missing: frozenset[str]) -> str | None:
    """The one square that says what no tile makes it say, if all else is in order: a tile covers three or none.

    It lacks a tile that its neighbours still show; or it shows one alone, where none is to be laid, or beside a tile
    that has been laid.
    """
    blind = _squares(frozenset(game.quarantined))

    def may_lie(squares: frozenset[str]) -> bool:
        return game.turn != NATURE and any(
            _fits(rules, move, squares, blind) for move in rules.legal_moves(game.position)
        )

    if missing:
        torn = [tile for tile in map(rules.squares_of, game.position.laid) if missing.intersection(tile)]
        is_away = all(missing.union(blind).issuperset(tile) for tile in torn)
        return None if len(missing) > 1 or is_away or (extra and not may_lie(extra)) else next(iter(missing))
    if len(extra) == 1:
        return next(iter(extra)) if game.turn == NATURE or game.judgement.phase is Phase.WRONG else None
    lone = [square for square in extra if may_lie(extra - {square})] if len(extra) == _CELLS + 1 else []
    return lone[0] if len(lone) == 1 else None


def _doubt(game: Game, rules: Tayu, square: str, steps: tuple[Repair, ...], now: Instant) -> Judged[Game]:
    """A square says what cannot be: do not believe it once patience has run out."""
    due = after(game.calm_since, PATIENCE)
    if now < due:
        is_wrong = game.judgement.phase is Phase.WRONG
        judgement = replace(game.judgement, repairs=steps) if is_wrong else Judgement(Phase.UNSETTLED)
        return replace(game, judgement=judgement, question=None, review_at=due), ()
    name = f"{square}{_TILE}"
    game, said = announce(
        replace(game, quarantined=(*game.quarantined, name)), FaultRuled(game.calm_since, name, "stuck")
    )
    game, effects = _judge(game, rules, now)
    return game, said + effects


def _wrong(game: Game, rules: Tayu, extra: frozenset[str], missing: frozenset[str], now: Instant) -> Judged[Game]:
    """Tiles lie where they may not, or are away: refuse once patience has run out, and guide the repair."""
    steps = _repairs(game, rules, extra, missing)
    if game.judgement.phase is Phase.WRONG:
        return replace(game, judgement=replace(game.judgement, repairs=steps)), ()
    due = after(game.calm_since, PATIENCE)
    if now < due:
        return replace(game, judgement=Judgement(Phase.UNSETTLED), question=None, review_at=due), ()
    code, reason, text = _why(game, rules, extra, missing)
    judgement = Judgement(Phase.WRONG, repairs=steps, code=code, reason=reason)
    game = replace(game, judgement=judgement, question=None, chooser=None)
    return announce(game, IllegalRuled(game.calm_since, _player(game), text, code, steps))


def _player(game: Game) -> str:
    """Who is held to have done it: the player on turn, or the one who laid the last tile."""
    if game.turn != NATURE:
        return game.turn
    players = [ply.player for ply in game.plies if ply.player != NATURE]
    return players[-1] if players else game.rules.players[0]


def _why(game: Game, rules: Tayu, extra: frozenset[str], missing: frozenset[str]) -> tuple[str, Statement, str | None]:
    """Code, reason and, where it is a placement, canonical text of what is wrong."""
    if missing:
        code = "tile_moved" if extra else "tile_removed"
        return code, statement("told.tayu.stays"), None
    if game.turn == NATURE:
        return "no_tile_drawn", statement("told.tayu.no_tile_drawn", rules=(2,)), None
    footprint = rules.footprint(game.position, extra)
    refusals = [(refusal, move) for move in footprint if (refusal := rules.why_not(game.position, move))]
    if refusals:
        refusal, move = refusals[0]
        return refusal.code, refusal, rules.text(game.position, move)
    if len(extra) > _CELLS:
        return "two_tiles", statement("told.tayu.two_tiles", rules=(2,)), None
    return "no_footprint", statement("told.tayu.no_footprint"), None


def _repairs(game: Game, rules: Tayu, extra: frozenset[str], missing: frozenset[str]) -> tuple[Repair, ...]:
    """First what to take off, then the tiles to put back, each by its squares."""
    away = [rules.squares_of(move) for move in game.position.laid if missing.intersection(rules.squares_of(move))]
    return (
        *((Repair(Action.TAKE_TILE, " ".join(sorted(extra))),) if extra else ()),
        *(Repair(Action.PUT_TILE, " ".join(squares)) for squares in away),
    )
