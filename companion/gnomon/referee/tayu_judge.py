"""Judge the presence matrix of the Tayu board: which tile lies where, and what is wrong with it.

The tile in hand is known since the draw; one sensor per square shows its footprint, legality settles the half turn,
and a button settles what remains.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gnomon.games.protocol import NATURE
from gnomon.games.tayu.rules import Move, Tayu
from gnomon.referee.chooser import Chooser
from gnomon.referee.evidence import PATIENCE
from gnomon.referee.judge import BY_HAND, WHICH_TURN
from gnomon.referee.judgement import Action, Judgement, Phase, Repair
from gnomon.referee.quarantine import believed_again
from gnomon.referee.rulings import FaultRuled, IllegalRuled, QuestionAsked, Righted
from gnomon.referee.table_game import CLOCK_BUTTONS, TABLE_BUTTONS, TableGame, TableQuestion
from gnomon.referee.table_ruling import TableJudged, enter, ruled
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after

LAID_TIME: Final = Duration(600 * MILLISECOND)
"""A tile that has not been pushed for so long has been laid."""

_CELLS: Final = 3
_TILE: Final = ".tile"


def square_inputs(rules: Tayu) -> frozenset[str]:
    """The inputs of the presence matrix: one a square, named like `i9.tile`."""
    return frozenset(f"{name}{_TILE}" for name in rules.board.squares.index)


def rules_of_squares(game: TableGame) -> Tayu | None:
    """The rules by which the presence matrix is judged, or None where the board has none."""
    sensed = len(game.inputs.difference(TABLE_BUTTONS, CLOCK_BUTTONS)) > 0
    return game.rules if isinstance(game.rules, Tayu) and sensed else None


def judge_squares(game: TableGame, rules: Tayu, now: Instant) -> TableJudged:
    """The game after the matrix has been judged at board time `now`."""
    if game.outcome is not None:
        return game, ()
    blind = _squares(frozenset(game.quarantined))
    extra, missing = _difference(game, rules, blind)
    if game.paused_at is not None:
        # Nothing is ruled in a pause; but a correction is followed then, and its steps go on (issue 11).
        if game.judgement.phase is not Phase.WRONG:
            return game, ()
        return replace(game, judgement=replace(game.judgement, repairs=_repairs(game, rules, extra, missing))), ()
    if not extra and not missing:
        return _agreed(game)
    if not missing and game.turn != NATURE:
        fitting = [move for move in rules.legal_moves(game.position) if _fits(rules, move, extra, blind)]
        if fitting:
            return _laid(game, rules, fitting, now)
    doubtful = _doubtful(game, rules, extra, missing) if game.debouncer.evidence.squares else None
    if doubtful is not None:
        return _doubted(game, rules, doubtful, _repairs(game, rules, extra, missing), now)
    if not missing and game.turn != NATURE and len(extra) < _CELLS:
        return _being_laid(game, rules, extra), ()
    return _wrong(game, rules, extra, missing, now)


def believes_by_itself(game: TableGame) -> bool:
    """Whether an input that chattered, or was stuck and has moved, is believed again when it has been quiet."""
    return bool(game.debouncer.evidence.squares and game.debouncer.evidence.quiet)


def believe(game: TableGame, now: Instant) -> TableGame:
    """The game in which inputs that have been quiet are believed again, if they show what it says."""
    rules = rules_of_squares(game)
    if _is_moving(game):
        return replace(game, quiet={name: max(last, now) for name, last in game.quiet.items()})
    laid = frozenset() if rules is None else _laid_squares(game, rules)
    quiet = game.debouncer.evidence.quiet
    return believed_again(game, now, quiet, lambda name: name.removesuffix(_TILE) in laid)


def guided(game: TableGame, rules: Tayu) -> TableGame:
    """After a correction by hand the board may lag behind the game: it is guided there, and nobody is to blame."""
    # A tile that has just been laid has no need to be laid again.
    seen = replace(game, shown=game.debouncer.on) if game.debouncer.evidence.squares else game
    extra, missing = _difference(seen, rules, _squares(frozenset(game.quarantined)))
    if game.outcome is not None or not (extra or missing):
        return game
    steps = _repairs(game, rules, extra, missing)
    return replace(game, judgement=Judgement(Phase.WRONG, repairs=steps, code=BY_HAND), question=None)


def _difference(game: TableGame, rules: Tayu, blind: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The squares that show a tile too many, and those that lack one."""
    laid = _laid_squares(game, rules)
    seen = _squares(game.shown)
    return seen - laid - blind, laid - seen - blind


def _laid_squares(game: TableGame, rules: Tayu) -> frozenset[str]:
    return frozenset(square for move in game.position.laid for square in rules.squares_of(move))


def _squares(inputs: frozenset[str]) -> frozenset[str]:
    return frozenset(name.removesuffix(_TILE) for name in inputs if name.endswith(_TILE))


def _fits(rules: Tayu, move: Move, extra: frozenset[str], blind: frozenset[str]) -> bool:
    """Whether a tile laid there would show as just these squares, sensors that are not believed left out."""
    squares = frozenset(rules.squares_of(move)) if move.kind == "lay" else frozenset()
    return extra <= squares and squares - extra <= blind


def _agreed(game: TableGame) -> TableJudged:
    if game.judgement.phase is Phase.AGREED:
        return game, ()
    was_wrong = game.judgement.phase is Phase.WRONG
    game = replace(game, judgement=Judgement(Phase.AGREED), question=None, review_at=None)
    return ruled(game, Righted(game.calm_since)) if was_wrong else (game, ())


def _being_laid(game: TableGame, rules: Tayu, extra: frozenset[str]) -> TableGame:
    if game.judgement.phase is Phase.WRONG:
        return replace(game, judgement=replace(game.judgement, repairs=_repairs(game, rules, extra, frozenset())))
    return replace(game, judgement=Judgement(Phase.IN_HAND), question=None, review_at=None)


def _laid(game: TableGame, rules: Tayu, fitting: Sequence[Move], now: Instant) -> TableJudged:
    """A tile lies on squares where it may lie: accept it once it rests, or ask which way round it lies."""
    due = after(game.calm_since, LAID_TIME)
    if now < due or _is_moving(game):
        phase = game.judgement.phase if game.judgement.phase is Phase.WRONG else Phase.MAY_GO_ON
        review_at = due if now < due else None
        return replace(game, judgement=replace(game.judgement, phase=phase), review_at=review_at), ()
    texts = tuple(rules.text(game.position, move) for move in fitting)
    if game.question is not None and game.question.asked.choices == texts:
        return game, ()
    game, said = _agreed(game) if game.judgement.phase is Phase.WRONG else (game, ())
    if len(texts) == 1:
        game, effects = enter(game, texts[0], game.calm_since)
        return game, said + effects
    asked = QuestionAsked(game.calm_since, WHICH_TURN, texts)
    chooser = game.chooser
    if chooser is None or chooser.texts != texts or not game.debouncer.evidence.squares:
        chooser = Chooser.among(texts)  # else it is asked once more, and the answer stands where it stood
    game = replace(game, question=TableQuestion(asked), judgement=Judgement(Phase.ASKING), chooser=chooser)
    game, effects = ruled(game, asked)
    return game, said + effects


def _doubtful(game: TableGame, rules: Tayu, extra: frozenset[str], missing: frozenset[str]) -> str | None:
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


def _doubted(game: TableGame, rules: Tayu, square: str, steps: tuple[Repair, ...], now: Instant) -> TableJudged:
    """A square says what cannot be: do not believe it once patience has run out."""
    due = after(game.calm_since, PATIENCE)
    if now < due:
        is_wrong = game.judgement.phase is Phase.WRONG
        judgement = replace(game.judgement, repairs=steps) if is_wrong else Judgement(Phase.UNSETTLED)
        return replace(game, judgement=judgement, question=None, review_at=due), ()
    name = f"{square}{_TILE}"
    game, said = ruled(replace(game, quarantined=(*game.quarantined, name)), FaultRuled(game.calm_since, name, "stuck"))
    game, effects = judge_squares(game, rules, now)
    return game, said + effects


def _is_moving(game: TableGame) -> bool:
    """Whether a square changes, or has changed too lately to be evidence: the tile may be pushed, or another laid."""
    if not game.debouncer.evidence.squares:
        return False
    moving = {*game.debouncer.bursts, *(change.input for change in game.debouncer.waiting)}
    return any(name.endswith(_TILE) for name in moving)


def _wrong(game: TableGame, rules: Tayu, extra: frozenset[str], missing: frozenset[str], now: Instant) -> TableJudged:
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
    put_right = tuple(step.text for step in steps)
    return ruled(game, IllegalRuled(game.calm_since, _player(game), text, code, put_right))


def _player(game: TableGame) -> str:
    """Who is held to have done it: the player on turn, or the one who laid the last tile."""
    if game.turn != NATURE:
        return game.turn
    players = [ply.player for ply in game.plies if ply.player != NATURE]
    return players[-1] if players else game.rules.players[0]


def _why(game: TableGame, rules: Tayu, extra: frozenset[str], missing: frozenset[str]) -> tuple[str, str, str | None]:
    """Code, sentence and, where it is a placement, canonical text of what is wrong."""
    if missing:
        code = "tile_moved" if extra else "tile_removed"
        return code, "a tile that has been laid stays where it is", None
    if game.turn == NATURE:
        return "no_tile_drawn", "rule 2: a tile is drawn before it is laid", None
    footprint = rules.footprint(game.position, extra)
    refusals = [(refusal, move) for move in footprint if (refusal := rules.why_not(game.position, move))]
    if refusals:
        refusal, move = refusals[0]
        return refusal.code, refusal.message, rules.text(game.position, move)
    if len(extra) > _CELLS:
        return "two_tiles", "rule 2: one tile is laid a turn", None
    return "no_footprint", "a tile covers three squares in a row", None


def _repairs(game: TableGame, rules: Tayu, extra: frozenset[str], missing: frozenset[str]) -> tuple[Repair, ...]:
    """First what to take off, then the tiles to put back, each by its squares."""
    away = [rules.squares_of(move) for move in game.position.laid if missing.intersection(rules.squares_of(move))]
    return (
        *((Repair(Action.TAKE_TILE, " ".join(sorted(extra))),) if extra else ()),
        *(Repair(Action.PUT_TILE, " ".join(squares)) for squares in away),
    )
