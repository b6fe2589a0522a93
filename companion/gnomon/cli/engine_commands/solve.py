"""Solve a position (`gnomon engine solve`): who wins after each legal turn if both play perfectly."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from gnomon.cli import localized
from gnomon.cli._arguments import position_after
from gnomon.cli.record_commands.sheet import read_game
from gnomon.cli.words import CommandRefusedError, UnusableError, command_words, say_sentence
from gnomon.engines import engine_of
from gnomon.engines.cores import compiled_library
from gnomon.engines.solutions import ExactSolver, Solution, SolvedTurns, dump_solution, exact_solver
from gnomon.engines.solutions import solve as solve_turns
from gnomon.hall.clock import monotonic_now
from gnomon.records.formats.turns import play
from gnomon.refusals import statement
from gnomon.rules.protocol import NATURE, OVER, Rules
from gnomon.rules.registry import games
from gnomon.timekeeping.instants import SECOND

_STOPPED = 1  # exit status of a search that was not finished


@localized.command(help="command.engine.solve")
@localized.argument("what", metavar="GAME|FILE")
@localized.argument("moves", nargs=-1)
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.setting_of_game")
@localized.option("--seconds", type=click.IntRange(min=1), help="option.engine.seconds")
@localized.option("--json", "as_json", is_flag=True, help="option.json")
def solve(*, what: str, moves: tuple[str, ...], settings: tuple[str, ...], seconds: int | None, as_json: bool) -> None:
    """Say who wins after each legal turn, if both play perfectly."""
    rules, position = _position(what, moves, settings)
    solver = _solver(rules)
    if rules.turn(position) in {NATURE, OVER}:
        raise CommandRefusedError(statement("solve.nobody"))
    end = None if seconds is None else monotonic_now() + seconds * SECOND
    with _progress(rules, position, solver) as (tell, look):

        def is_late() -> bool:
            look()
            return end is not None and monotonic_now() >= end

        solution = solve_turns(rules, solver, position, tell, is_late)
    if as_json:
        click.echo(json.dumps(dump_solution(solution), ensure_ascii=False))
    else:
        for line in _lines(rules, position, solution):
            click.echo(line)
    if not solution.is_whole:
        click.echo(say_sentence(statement("solve.stopped", seconds=seconds or 0)), err=True)
        raise SystemExit(_STOPPED)


def _position(what: str, moves: Sequence[str], settings: Sequence[str]) -> tuple[Rules[Any, Any], Any]:
    """The rules and the position that are asked about. Raises UnusableError."""
    if what in games():
        return position_after(what, settings, moves)
    if moves or settings:
        raise UnusableError(statement("coach.refused.moves" if moves else "coach.refused.settings"))
    try:
        played = play(read_game(what, None))
    except ValueError as error:
        raise UnusableError.in_file(what, error) from error
    return played.rules, played.last


def _solver(rules: Rules[Any, Any]) -> ExactSolver:
    """What solves the game, with its compiled core where there is one. Raises CommandRefusedError."""
    solver: Any = exact_solver(engine_of(rules))
    if solver is None:
        raise CommandRefusedError(statement("solve.none", game=rules.name))
    found: ExactSolver = solver.with_library(compiled_library(solver.core, os.environ))
    return found


@contextmanager
def _progress(
    rules: Rules[Any, Any], position: object, solver: ExactSolver
) -> Iterator[tuple[Callable[[int, int, SolvedTurns], None], Callable[[], None]]]:
    """What tells of each kind of turn on a line of standard error, and of the positions where somebody looks."""
    is_seen = sys.stderr.isatty()

    def tell(done: int, number: int, solved: SolvedTurns) -> None:
        texts = " ".join(f"{rules.text(position, move)}:{int(solved.wins)}" for move in solved.moves)
        click.echo(f"{_clear if is_seen else ''}{done}/{number} {texts}", err=True)

    shown = monotonic_now()

    def look() -> None:
        nonlocal shown
        if is_seen and monotonic_now() > shown + SECOND:
            shown = monotonic_now()
            click.echo(f"{_clear}{command_words()('solve.positions', number=solver.positions)}", err=True, nl=False)

    yield tell, look
    if is_seen:
        click.echo(_clear, err=True, nl=False)


_clear = "\r\x1b[K"


def _lines(rules: Rules[Any, Any], position: object, solution: Solution) -> Iterator[str]:
    """The solution in words: who wins, by which turns, and which ones lose."""
    words, won = command_words(), solution.winner_is_on_turn
    if won is not None:
        others = [player for player in rules.players if player != solution.turn]
        winner = solution.turn if won else others[0]
        yield say_sentence(statement("solve.winner", player=winner, to=solution.turn))
    if wins := sorted(text for text, each in solution.wins.items() if each):
        yield words("solve.win", number=len(wins), moves=" ".join(wins))
    if losses := sorted(text for text, each in solution.wins.items() if not each):
        yield words("solve.lose", number=len(losses), moves=" ".join(losses))
    if not solution.is_whole:
        open_turns = sorted({rules.text(position, move) for move in rules.legal_moves(position)} - {*solution.wins})
        yield words("solve.open", number=len(open_turns), moves=" ".join(open_turns))
    yield words("solve.positions", number=solution.positions)
