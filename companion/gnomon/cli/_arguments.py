"""Read the settings, the moves and the number of a turn that a command line gives."""

from collections.abc import Iterable, Mapping
from typing import Any

from gnomon.cli.words import UnusableError
from gnomon.refusals import InvalidValueError, statement, statement_of
from gnomon.rules.protocol import Rules, RulesError, SettingsError


def parse_settings(texts: Iterable[str]) -> Mapping[str, str]:
    """Settings of a game that are given as KEY=VALUE. Raises SettingsError."""
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise SettingsError(statement("cli.setting", setting=text))
        settings[name] = value
    return settings


def play_moves(rules: Rules[Any, Any], texts: Iterable[str]) -> tuple[Any, str]:
    """The position after moves from the start, and the canonical text of the last. Raises InvalidValueError."""
    position, last = rules.start(), ""
    for number, text in enumerate(texts, 1):
        try:
            move = rules.parse(position, text)
            last, position = rules.text(position, move), rules.play(position, move)
        except RulesError as error:
            told = statement("cli.draw.move", number=number, move=text, why=statement_of(error))
            raise InvalidValueError(told) from error
    return position, last


def position_after(game: str, settings: Iterable[str], texts: Iterable[str]) -> tuple[Rules[Any, Any], Any]:
    """The rules that a command line gives, and the position after its moves. Raises UnusableError."""
    from gnomon.rules.registry import rules_of

    try:
        rules = rules_of(game, parse_settings(settings))
        position, _ = play_moves(rules, texts)
    except ValueError as error:
        raise UnusableError(error) from error
    return rules, position


def count_turns(ply: int | None, length: int) -> int:
    """After how many turns of so many: all of them unless it is said, and negative counts from the end.

    Raises InvalidValueError for more than there are.
    """
    number = length if ply is None else ply + length + 1 if ply < 0 else ply
    if 0 <= number <= length:
        return number
    if length == 1:
        raise InvalidValueError(statement("cli.ply.one", ply=ply))
    raise InvalidValueError(statement("cli.ply.other", ply=ply, number=length))
