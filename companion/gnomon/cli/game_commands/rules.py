"""Serve the rules of a game as a line protocol on standard input and output (`gnomon rules`).

Every command line gets exactly one reply line.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from gnomon.cli import localized
from gnomon.cli._arguments import parse_settings
from gnomon.cli.words import UnusableError, command_words, say_line
from gnomon.refusals import Statement, statement
from gnomon.rules.perft import perft
from gnomon.rules.protocol import OVER, GameOverError, IllegalMoveError, RulesError, SettingsError
from gnomon.rules.protocol import Rules as RulesOfAGame
from gnomon.rules.registry import BARE_CLOCK, rules_of
from gnomon.timekeeping.instants import Instant, parse_seconds, seconds
from gnomon.words import ENGLISH

_WHOLE_NUMBER = re.compile(r"[0-9]{1,3}")
_COMMENT = b"#"

# The codes of error replies.
SYNTAX = "syntax"  # ill-written
ILLEGAL = "illegal"  # well-written, not allowed now
STATE = "state"  # the command does not fit now
UNKNOWN = "unknown"  # no such command


class ReplyError(Exception):
    """A command that gets an error reply: its code and one sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Talk:
    """One game played by lines: takes a command, returns its reply."""

    def __init__(self, rules: RulesOfAGame[Any, Any]) -> None:
        self._rules = rules
        self._commands: Mapping[bytes, tuple[int, Callable[..., str]]] = {
            b"new": (0, self._new),
            b"turn": (0, self._turn),
            b"moves": (0, self._moves),
            b"play": (1, self._play),
            b"at": (1, self._at),
            b"state": (0, self._state),
            b"perft": (1, self._perft),
            b"undo": (0, self._undo),
            b"quit": (0, _nothing_more),
        }
        self._new()

    def reply(self, line: bytes) -> str | None:
        """The reply to a line, or None for an empty line and a comment; an error changes nothing."""
        words = line.split()
        if not words or words[0].startswith(_COMMENT):
            return None
        try:
            rest = self._obey(words[0], words[1:])
        except ReplyError as error:
            return f"error {error.code} {_one_line(error)}"
        return f"ok {rest}" if rest else "ok"

    def _obey(self, command: bytes, words: Sequence[bytes]) -> str:
        if command not in self._commands:
            message = f"there is no command {_text(command)!r}"
            raise ReplyError(UNKNOWN, message)
        count, obey = self._commands[command]
        if len(words) != count:
            message = f"{_text(command)} takes {count or 'no'} word{'' if count == 1 else 's'} more, not {len(words)}"
            raise ReplyError(SYNTAX, message)
        return obey(*map(_text, words))

    def _new(self) -> str:
        self._now = Instant(0)
        self._position = self._rules.start()
        self._before: list[Any] = []
        return ""

    def _turn(self) -> str:
        return self._rules.turn(self._position)

    def _moves(self) -> str:
        may_bid = getattr(self._rules, "may_bid", None)
        if may_bid is not None and may_bid(self._position):
            return "bid pass"  # the numbers that may be bid have no end
        moves = self._rules.legal_moves(self._position)
        return " ".join(sorted((self._rules.text(self._position, move) for move in moves), key=str.encode))

    def _play(self, text: str) -> str:
        try:
            move = self._rules.parse(self._position, text)
            position = self._rules.play(self._position, move)
        except IllegalMoveError as error:
            raise ReplyError(ILLEGAL, str(error)) from error
        except GameOverError as error:
            raise ReplyError(STATE, str(error)) from error
        except RulesError as error:
            raise ReplyError(SYNTAX, str(error)) from error
        self._before.append(self._position)
        self._position = position
        return ""

    def _at(self, text: str) -> str:
        try:
            now = Instant(parse_seconds(text))
        except ValueError as error:
            raise ReplyError(SYNTAX, str(error)) from error
        if now < self._now:
            message = f"time does not run backwards: it is {seconds(self._now)} s already"
            raise ReplyError(STATE, message)
        self._now = now
        self._position = self._rules.elapse(self._position, now)
        return ""

    def _state(self) -> str:
        rules, position = self._rules, self._position
        outcome = rules.outcome(position)
        state: dict[str, object] = {
            "game": rules.name,
            "turn": rules.turn(position),
            "at": seconds(self._now),
            "over": rules.turn(position) == OVER,
            "winner": None if outcome is None else outcome.winner or "draw",
            "reason": None if outcome is None else outcome.reason,
            "score": rules.score(position),
        }
        # A game may have its own idea of a key, such as a score too great for a JSON number.
        return json.dumps({**state, **rules.state(position)})

    def _perft(self, text: str) -> str:
        if not _WHOLE_NUMBER.fullmatch(text):
            message = f"{text!r} is not a number of turns from 0 to 999"
            raise ReplyError(SYNTAX, message)
        return str(perft(self._rules, self._position, int(text)))

    def _undo(self) -> str:
        if not self._before:
            message = "nothing has been played that could be taken back"
            raise ReplyError(STATE, message)
        self._position = self._rules.elapse(self._before.pop(), self._now)
        return ""


@localized.command(help="command.rules")
@localized.argument("game")
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.set")
def rules(game: str, settings: tuple[str, ...]) -> None:
    """Play GAME by lines on standard input, with one reply line each."""
    if game == BARE_CLOCK:
        raise UnusableError(statement("cli.no_rules", game=game))
    try:
        talk = Talk(rules_of(game, parse_settings(settings)))
    except SettingsError as error:
        raise UnusableError(Statement.plain(_line_of(error))) from error
    while line := sys.stdin.buffer.readline():
        if line.strip() == b"quit":
            return
        reply = talk.reply(line)
        if reply is not None:
            click.echo(reply)


def _nothing_more() -> str:
    """The reply to `quit`, which ends the command before it is printed."""
    return ""


def _text(word: bytes) -> str:
    try:
        return word.decode()
    except UnicodeDecodeError as error:
        message = "the line is not UTF-8"
        raise ReplyError(SYNTAX, message) from error


def _one_line(error: Exception) -> str:
    """The error's sentence in one line of ASCII, whatever was quoted in it and wherever it is printed."""
    return " ".join(str(error).encode("ascii", "backslashreplace").decode().split())


def _line_of(error: Exception) -> str:
    """The same in the language of the run; in English it is ASCII."""
    return _one_line(error) if command_words() is ENGLISH else say_line(error)
