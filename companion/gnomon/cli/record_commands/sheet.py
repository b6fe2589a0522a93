"""Check, show and convert score sheets and other game records (`gnomon sheet`)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from gnomon.cli import localized
from gnomon.cli._arguments import count_turns
from gnomon.cli._files import read_file, write_file
from gnomon.cli.words import UnusableError, command_words, say_line
from gnomon.records.formats.sheets import Sheet
from gnomon.refusals import statement, statement_of
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.words import lower

_TENTH = SECOND // 10
_NARROWEST = 14
_WIDEST = 40  # letters of a move; a longer one pushes what stands behind it to the right
_ROWS = 19  # of the largest board that is told in rows


_game = localized.option("--game", type=int, help="option.game")


@localized.group(help="command.sheet")
def sheet() -> None:
    """Check, show and convert the score sheet of a game."""


@sheet.command(help="command.sheet.check")
@localized.argument("file")
@_game
@click.pass_context
def check(context: click.Context, file: str, game: int | None) -> None:
    """Play FILE by the rules, and name the first illegal turn with its rule."""
    from gnomon.records.formats.sheet_play import IllegalTurnError, WrongResultError, play_to_end

    read = read_game(file, game)
    try:
        end = play_to_end(read)
    except (IllegalTurnError, WrongResultError) as error:
        click.echo(say_line(statement("cli.failed", file=file, why=statement_of(error))))
        context.exit(1)
    except ValueError as error:
        raise UnusableError.in_file(file, error) from error
    result, turns = _result(end.result, by_the_rules=end.by_the_rules), len(read.lines)
    key = "cli.legal.one" if turns == 1 else "cli.legal.other"
    click.echo(command_words()(key, file=file, number=turns, result=result))


@sheet.command(help="command.sheet.show")
@localized.argument("file")
@localized.option("--ply", type=int, help="option.sheet.ply")
@_game
def show(file: str, ply: int | None, game: int | None) -> None:
    """Show who played, the turns with their times, and the result; or the position after --ply turns."""
    read = read_game(file, game)
    try:
        for line in _summary(read) if ply is None else _position(read, ply):
            click.echo(line)
    except ValueError as error:
        raise UnusableError.in_file(file, error) from error


@sheet.command(help="command.sheet.convert")
@localized.argument("file")
@localized.option(
    "--to", type=click.Choice(["sheet", "sgf", "trace"]), default="sheet", show_default=True, help="option.sheet.to"
)
@localized.option("--output", "-o", default="-", metavar="FILE", help="option.output")
@_game
def convert(file: str, to: str, output: str, game: int | None) -> None:
    """Write the game of FILE as a score sheet, as SGF, or as the trace that steady hands at the board would leave."""
    read = read_game(file, game)
    try:
        text = _convert(read, to)
    except ValueError as error:
        raise UnusableError.in_file(file, error) from error
    write_file(output, text)


def read_game(file: str, game: int | None) -> Sheet:
    """One game of a file. Raises UnusableError."""
    from gnomon.records.files import is_journal, read_sheets, sheet_of_stored
    from gnomon.records.journal.store import JournalError

    data = read_file(file)
    try:
        if is_journal(data):
            return sheet_of_stored(Path(file), game)
        sheets = read_sheets(data)
    except (JournalError, ValueError) as error:
        raise UnusableError.in_file(file, error) from error
    if game is None and len(sheets) > 1:
        raise UnusableError(statement("cli.games", file=file, number=len(sheets)))
    if not 1 <= (game or 1) <= len(sheets):
        raise UnusableError(statement("cli.no_game", file=file, game=game, number=len(sheets)))
    return sheets[(game or 1) - 1]


def read_games(file: str) -> Iterator[Sheet]:
    """Every game of a file; of a journal those that are over. Raises UnusableError."""
    from gnomon.records.files import is_journal, read_sheets, sheet_of_stored, stored_games
    from gnomon.records.journal.store import JournalError

    data = read_file(file)
    try:
        if is_journal(data):
            for stored in stored_games(Path(file)):
                if stored.ended is not None:
                    yield sheet_of_stored(Path(file), stored.id)
        else:
            yield from read_sheets(data)
    except (JournalError, ValueError) as error:
        raise UnusableError.in_file(file, error) from error


def _convert(read: Sheet, to: str) -> str:
    from gnomon.records.formats.sgf_sheets import sgf_text
    from gnomon.records.formats.sheets import sheet_text
    from gnomon.records.sheet_traces import sheet_trace

    if to == "trace":
        return "".join(sheet_trace(read).lines())
    return sgf_text(read) if to == "sgf" else sheet_text(read)


def _summary(read: Sheet) -> Iterator[str]:
    """Who played what and when, turn by turn as far as they are legal, and how it ended."""
    from gnomon.records.formats.sheet_play import IllegalTurnError, WrongResultError, play_to_end, steps

    settings = ", ".join(f"{name} {value}" for name, value in read.settings.items())
    yield f"{read.game}{f' ({settings})' if settings else ''}"
    names = {**read.headers, **read.players}
    width = max(map(len, names), default=0)
    yield from (f"  {name:<{width}}  {said}" for name, said in names.items())
    yield ""
    yield from (f"  {remark}" for remark in read.remarks)
    players = max((len(line.player) for line in read.lines), default=0)
    wide = max(_NARROWEST, min(max((len(line.text) for line in read.lines), default=0), _WIDEST))
    try:
        for step in steps(read):
            time = "" if step.line.at is None else _clock(step.at)
            turn = f"{step.number:>4}  {step.player:<{players}}  {step.text:<{wide}} {time:>9}"
            yield "   ".join(filter(None, (turn, " / ".join(step.line.comment)))).rstrip()
        end = play_to_end(read)
    except (IllegalTurnError, WrongResultError) as error:
        yield f"      {say_line(error)}"
        return
    yield ""
    result, score = _result(end.result, by_the_rules=end.by_the_rules), _score(read, end.position)
    told = command_words()("cli.sheet.line", result=result, score=score) if score else result
    yield f"  {told}"


def _position(read: Sheet, ply: int) -> Iterator[str]:
    """What is true after so many turns."""
    from gnomon.records.formats.sheet_play import steps
    from gnomon.rules.registry import rules_of

    number = count_turns(ply, len(read.lines))
    rules = rules_of(read.game, read.settings)
    words = command_words()
    position, head = rules.start(), words("cli.sheet.start", game=read.game)
    for step in steps(read):
        if step.number > number:
            break
        position = step.position
        head = words(
            "cli.sheet.after", game=read.game, number=step.number, actor=words.player(step.player), text=step.text
        )
    said: dict[str, Any] = {"turn": rules.turn(position), "score": rules.score(position), **rules.state(position)}
    yield head
    width = max(map(len, said))
    for name, value in said.items():
        first, *more = _values(value)
        yield f"  {name:<{width}}  {first}".rstrip()
        yield from (f"  {'':<{width}}  {line}" for line in more)


def _values(value: object) -> list[str]:
    """A value of a position in lines: counts without those that are 0, and each of several things by itself."""
    if isinstance(value, dict) and all(isinstance(count, int) for count in value.values()):
        return [" ".join(f"{name}:{count}" for name, count in value.items() if count) or "none"]
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        return [", ".join(f"{name} {_plain(said)}" for name, said in each.items()) for each in value]
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return list(value) if len(value) <= _ROWS and len({*map(len, value)}) == 1 else [" ".join(value)]
    return [_plain(value)]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value)


def _score(read: Sheet, position: object) -> str:
    from gnomon.rules.registry import rules_of

    rules = rules_of(read.game, read.settings)
    score = {"score": rules.score(position), **rules.state(position)}["score"]
    assert isinstance(score, dict)  # noqa: S101 - so the protocol has it
    words = command_words()
    points = ", ".join(
        f"{words.player(name) if name in rules.players else name} {points}" for name, points in score.items()
    )
    return words("cli.sheet.score", points=points) if score else ""


def _result(result: Outcome | None, *, by_the_rules: bool) -> str:
    from gnomon.views.endings import reason_of

    words = command_words()
    if result is None:
        return words("cli.sheet.none")
    winner, reason = result
    nobody = words("cli.sheet.none" if result.is_void else "cli.sheet.draw")
    told = nobody if winner is None else words("cli.sheet.won", player=words.player(winner))
    why = [lower(reason_of(reason, {}, words).text.rstrip("."))] if reason else []
    if not by_the_rules:
        why.append(words("cli.sheet.said"))
    return words("cli.sheet.reason", result=told, reason=", ".join(why)) if why else told


def _clock(at: Instant) -> str:
    minutes, tenths = divmod(at // _TENTH, 600)
    return f"{minutes}:{tenths // 10:02d}.{tenths % 10}"
