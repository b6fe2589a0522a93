"""Guess the moves of a recorded game (`gnomon guess`): points by an engine's values, with or without a terminal."""

import json
import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from gnomon.cli import localized
from gnomon.cli._searches import EngineSearch
from gnomon.cli.words import CommandRefusedError, command_words, say_sentence
from gnomon.refusals import statement, statement_of
from gnomon.rules.protocol import RulesError

_ALL: Final = "all"
_LIST: Final = "?"


@localized.command(help="command.guess")
@localized.argument("file")
@localized.option("--game", "number", type=int, help="option.game")
@localized.option("--player", help="option.guess.player")
@localized.option("--nodes", type=click.IntRange(min=1), help="option.nodes_searched")
@localized.option("--json", "as_json", is_flag=True, help="option.guess.json")
def guess(file: str, number: int | None, player: str | None, nodes: int | None, *, as_json: bool) -> None:
    """Guess the winner's moves in the game of FILE, turn by turn; one move on each line of standard input."""
    from gnomon.cli.record_commands.sheet import read_game
    from gnomon.coaching import Guess, guessable, summary, winning_seat
    from gnomon.records.formats.turns import play

    sheet = read_game(file, number)
    try:
        played = play(sheet)
    except ValueError as error:
        raise CommandRefusedError(statement("cli.failed", file=file, why=statement_of(error))) from error
    rules = played.rules
    seat = winning_seat(rules, played.last, None if played.result is None else played.result.winner)
    if player is not None:
        if player not in {_ALL, *rules.players}:
            raise CommandRefusedError(statement("coach.refused.player", player=player, known=[*rules.players, _ALL]))
        seat = None if player == _ALL else rules.seat(played.last, player) or player
    turns = list(guessable(rules, played.turns, seat))
    if not turns:
        raise CommandRefusedError(statement("coach.refused.turns"))
    search, answers = EngineSearch(rules, nodes), _lines()
    guesses: list[Guess] = []
    for turn in turns:
        text = _ask(search, turn, played.turns, answers, quiet=as_json)
        if text is None:
            break
        if not text:
            continue
        points = _points(search, turn, text)
        guesses.append(Guess(turn.number, text, points))
        if as_json:
            click.echo(json.dumps({"turn": turn.number, "guess": text, "played": turn.text, "points": points}))
        else:
            click.echo(_sentence(points, text, turn.text))
    if as_json:
        click.echo(json.dumps({**summary(guesses).dump(), "said": say_sentence(summary(guesses))}, ensure_ascii=False))
    else:
        click.echo(say_sentence(summary(guesses)))


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        yield line.strip()


def _ask(search: EngineSearch, turn: Any, turns: Any, answers: Iterator[str], *, quiet: bool) -> str | None:  # noqa: ANN401 - of any game
    """A legal move in its canonical text, empty for a turn that is skipped, None at the end of the input."""
    from gnomon.coaching import coach_of, piece_verdict

    words, rules = command_words(), search.rules
    if not quiet:
        if turn.number > 1:
            click.echo(words("coach.guess.last", move=turns[turn.number - 2].text))
        click.echo(words("coach.guess.turn", number=turn.number, player=words.player(turn.player)))
    for text in answers:
        if text == _LIST:
            click.echo(words("coach.guess.choices", moves=" ".join(rules.entries(turn.before))), err=quiet)
            continue
        if not text:
            return ""
        try:
            move = rules.parse(turn.before, text.removesuffix(_LIST))
        except RulesError as error:
            click.echo(say_sentence(error), err=quiet)
            continue
        if not text.endswith(_LIST):
            return rules.text(turn.before, move)
        scores = {each.move: each.score for each in search.report(turn.before).candidates}
        click.echo(say_sentence(piece_verdict(coach_of(rules), turn.before, scores, move)), err=quiet)
    return None


def _points(search: EngineSearch, turn: Any, text: str) -> int | None:  # noqa: ANN401 - a turn of any game
    """The points of a guess; None where the engine does not weigh it."""
    from gnomon.coaching import FULL, guess_points

    if text == turn.text:
        return FULL
    rules, position = search.rules, turn.before
    both = tuple(rules.parse(position, each) for each in (turn.text, text))
    for moves in ((), both):
        scores = {each.move: each.score for each in search.report(position, moves).candidates}
        if all(move in scores for move in both):
            return guess_points(scores[both[0]], scores[both[1]])
    return None


def _sentence(points: int | None, text: str, played: str) -> str:
    words = command_words()
    if points is None:
        return words("coach.guess.unjudged", move=played)
    return words.plural("coach.guess.same" if text == played else "coach.guess.played", points, move=played)
