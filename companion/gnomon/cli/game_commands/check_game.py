"""Check a game before people play it (`gnomon check-game`): its words, its notation, its sample, and random games.

What a game forgets is found otherwise when it is needed: in the middle of somebody's game, which it stops.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gnomon.cli import localized
from gnomon.cli._arguments import parse_settings
from gnomon.cli.words import CommandRefusedError, command_words, say_line
from gnomon.refusals import Statement, statement, statement_of
from gnomon.rules.kinds import load
from gnomon.rules.protocol import NATURE, IllegalMoveError, Rules, RulesError
from gnomon.rules.registry import BARE_CLOCK, games, kind_of, rules_of
from gnomon.timekeeping.instants import SECOND, Instant

if TYPE_CHECKING:
    from gnomon.referee.game import Game
    from gnomon.views.show import Show

_GAMES = 20
_LONGEST = 2000  # turns of a random game
_SHOWN = 5  # of the last turns, where something failed
_TRIED = 3  # random games, for moves to be tried elsewhere
_EARLY = 60  # turns of these
_LOOKED_AT = 25  # positions of them, and moves tried in each
_PARTS = ("engine", "coach", "lines", "clerk", "reader", "hands")


class _Checked(NamedTuple):
    """A game under the settings that are checked."""

    name: str
    settings: Mapping[str, str]
    rules: Rules[Any, Any]
    show: "Show[Any]"


class _FindingError(Exception):
    """What is wrong with the game, found while it was played."""

    def __init__(self, told: Statement) -> None:
        super().__init__(told.key)
        self.told = told


@localized.command("check-game", help="command.check_game")
@localized.argument("game")
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.check_game.set")
@localized.option(
    "--games", "number", type=click.IntRange(min=1), default=_GAMES, show_default=True, help="option.check_game.games"
)
@localized.option("--seed", type=int, default=1, show_default=True, help="option.check_game.seed")
def check_game(*, game: str, settings: tuple[str, ...], number: int, seed: int) -> None:
    """Check GAME before people play it."""
    checked = _load(game, settings)
    found: list[Statement] = []
    for look in (_in_words, _in_show, _in_kind, _in_lessons, _in_choices, _in_refusals):
        try:
            found += look(checked)
        except Exception as error:  # noqa: BLE001 - whatever the game raises is a finding
            found.append(statement("cli.check_game.failed", detail=_name(error), moves=_last(())))
    turns = 0
    try:
        for count in range(number):
            turns += _play(checked, Random(seed + count), in_full=count == 0)  # noqa: S311 - it is to be repeated
    except _FindingError as error:
        found.append(error.told)
    for line in dict.fromkeys(map(say_line, found)):
        click.echo(line)
    if found:
        raise SystemExit(1)
    words = command_words()
    click.echo(words("cli.check_game.well", game=game, games=number, turns=turns))


def _load(game: str, settings: Sequence[str]) -> _Checked:
    from gnomon.views.show import show

    if game == BARE_CLOCK:
        raise CommandRefusedError(statement("cli.no_rules", game=game))
    try:
        chosen = parse_settings(settings)
        return _Checked(game, chosen, rules_of(game, chosen), show(game))
    except RulesError as error:
        raise CommandRefusedError(error) from error
    except Exception as error:
        raise CommandRefusedError(statement("cli.check_game.import", game=game, detail=_name(error))) from error


# Without playing


def _in_words(checked: _Checked) -> Iterator[Statement]:
    """Entries that some language lacks, of those that are known before a game is played."""
    from gnomon.words import LANGUAGES, own

    name, show = checked.name, checked.show
    asked = {f"game.{name}", f"players.about.{name}"}
    asked |= {f"reason.{name}.{code}" for code in show.reasons} | {f"ending.{why}" for why in show.endings}
    asked |= {key for phrase in show.turns for key in (phrase.said, phrase.brief) if "{" not in key}
    for choice in show.choices:
        asked.add(f"setting.{name}.{choice.name}")
        asked |= {f"setting.{name}.{choice.name}.{value}" for value in filter(None, choice.values)}
    asked |= {key for key in own("en") if name in key.split(".")}
    for language in LANGUAGES:
        for entry in sorted(asked - own(language).keys()):
            yield statement("cli.check_game.entry", entry=entry, language=language)


def _in_show(checked: _Checked) -> Iterator[Statement]:
    """A way of touching that no page knows, and a sample that cannot be played."""
    from gnomon.views.show import TOUCHES

    show = checked.show
    for touch in {show.touch, show.lesson_touch} - {*TOUCHES}:
        yield statement("cli.check_game.touch", text=touch, known=[each for each in TOUCHES if each])
    try:
        rules = rules_of(checked.name, show.sample_settings)
        for sample in (show.sample, show.example):
            position = rules.start()
            for text in sample.split():
                position = rules.play(position, rules.parse(position, text))
    except RulesError as error:
        yield statement("cli.check_game.sample", detail=statement_of(error))


def _in_kind(checked: _Checked) -> Iterator[Statement]:
    """Two names, parts that are not there, colours that nobody plays, and the number in SGF of another game."""
    kind = kind_of(checked.name)
    if checked.rules.name != kind.name:
        yield statement("cli.check_game.name", text=checked.rules.name, game=kind.name)
    for part in _PARTS:
        if meant := getattr(kind, part):
            try:
                load(meant)
            except Exception as error:  # noqa: BLE001 - importing runs the game's own code
                yield statement("cli.check_game.part", part=part, detail=_name(error))
    if not kind.sgf:
        return
    players = rules_of(checked.name, {}).players
    if missing := sorted({*kind.colours} - {*players}):
        yield statement("cli.check_game.colours", colours=missing, known=[*players])
    for other in games():
        if other != checked.name and kind_of(other).sgf == kind.sgf:
            yield statement("cli.check_game.sgf", number=kind.sgf, game=other)


def _in_lessons(checked: _Checked) -> Iterator[Statement]:
    """Lessons that cannot be used."""
    from gnomon.lessons import faults_of

    yield from faults_of(checked.name)


def _in_choices(checked: _Checked) -> Iterator[Statement]:
    """Settings of the form that the rules refuse, or with which no game can be played."""
    for choice in checked.show.choices:
        needed = {choice.when[0]: choice.when[1][0]} if choice.when[0] else {}
        values = [*filter(None, choice.values), *([str(choice.least)] if choice.is_number else ())]
        refused = []
        for value in values:
            chance = Random(1)  # noqa: S311 - it is to be repeated
            try:
                list(_positions(rules_of(checked.name, {**needed, choice.name: value}), chance))
            except RulesError as error:
                why = statement_of(error)
                refused.append(statement("cli.check_game.choice", setting=choice.name, value=value, detail=why))
            except Exception as error:  # noqa: BLE001 - whatever the rules raise is a finding
                yield statement("cli.check_game.variant", setting=choice.name, value=value, detail=_name(error))
        if len(refused) == len(values):  # one value alone may want other settings besides
            yield from refused[:1]


def _in_refusals(checked: _Checked) -> Iterator[Statement]:
    """Moves that are no legal ones: refusals that cannot be said, each code without a rule, the first not refused."""
    from gnomon.refusals import clause
    from gnomon.words import LANGUAGES, words

    rules, chance = checked.rules, Random(1)  # noqa: S311 - it is to be repeated
    positions = [each for _ in range(_TRIED) for each in _positions(rules, chance)]
    texts = {"?", *(rules.text(each, move) for each in positions for move in rules.legal_moves(each))}
    names = sorted(checked.show.places(rules), key=len, reverse=True)
    if names:
        either = re.compile("|".join(map(re.escape, names)))
        texts |= {either.sub(lambda _: chance.choice(names), text) for text in sorted(texts)}
    tried, codes = sorted(texts), set[str]()
    for position in chance.sample(positions, min(_LOOKED_AT, len(positions))):
        legal = {rules.text(position, move) for move in rules.legal_moves(position)}
        for text in sorted({"?", *chance.sample(tried, min(_LOOKED_AT, len(tried)))} - legal):
            try:
                move = rules.parse(position, text)
            except RulesError as error:
                for language in LANGUAGES:
                    try:
                        clause(statement_of(error), words(language))
                    except KeyError as missing:
                        yield statement("cli.check_game.entry", entry=missing.args[0], language=language)
                if isinstance(error, IllegalMoveError) and error.code not in {*checked.show.reasons, *codes}:
                    codes.add(error.code)
                    yield statement("cli.check_game.code", code=error.code, text=text)
            else:
                if not rules.open_bids and rules.text(position, move) not in legal:
                    yield statement("cli.check_game.accepted", text=text)
                    return


def _positions(rules: Rules[Any, Any], chance: Random) -> Iterator[Any]:
    """The positions of a random game in which somebody has to move, of a long one the first."""
    position = rules.start()
    for _ in range(_EARLY):
        moves = rules.legal_moves(position)
        if not moves:
            return
        yield position
        position = rules.play(position, chance.choice(moves))


# Playing


def _play(checked: _Checked, chance: Random, *, in_full: bool) -> int:
    """Play a random game to its end and look at it; answers its turns. Raises _FindingError."""
    texts: list[str] = []
    try:
        game = _play_on(checked, chance, texts, in_full=in_full)
        _look_at(checked, game, _now(texts))
        _write_down(checked, game)
    except _FindingError:
        raise
    except Exception as error:
        if isinstance(error, KeyError) and isinstance(error.args[0], str) and "." in error.args[0]:
            told = statement("cli.check_game.no_entry", entry=error.args[0], moves=_last(texts))
        else:
            told = statement("cli.check_game.failed", detail=_name(error), moves=_last(texts))
        raise _FindingError(told) from error
    return len(texts)


def _play_on(checked: _Checked, chance: Random, texts: list[str], *, in_full: bool) -> "Game":
    from gnomon.referee.events import DeadlineReached, TurnEntered
    from gnomon.referee.games import begin, tell

    find = partial(_find, texts)
    rules = checked.rules
    game = begin(checked.name, checked.settings)
    while True:
        if in_full:
            _look_at(checked, game, _now(texts))
        at = Instant(_now(texts) + SECOND)
        while game.outcome is None and (deadline := game.deadline()) is not None and deadline <= at:
            game, _ = tell(game, DeadlineReached(deadline))
        if game.outcome is not None:
            return game
        if len(texts) == _LONGEST:
            raise _FindingError(statement("cli.check_game.endless", number=_LONGEST))
        position = rules.elapse(game.position, game.game_time(at))
        text = rules.text(position, _choose(rules, position, chance, find))
        if not _is_said(checked, rules.turn(position), text):
            find(statement("cli.check_game.turn", text=text))
        texts.append(text)
        game, _ = tell(game, TurnEntered(at, text, "check"))
        if len(game.plies) < len(texts):
            find(statement("cli.check_game.refused", text=text))


def _is_said(checked: _Checked, player: str, text: str) -> bool:
    """Whether a turn is said in words of its own."""
    from gnomon.views.phrases import name
    from gnomon.words import ENGLISH

    said = checked.show.turn(player, text, ENGLISH)
    return said != ENGLISH("turn.other", player=name(player, ENGLISH), text=text)


def _choose(rules: Rules[Any, Any], position: Any, chance: Random, find: Any) -> Any:  # noqa: ANN401 - a game's own
    """One of the legal moves, after a look at all of them."""
    moves = rules.legal_moves(position)
    if not moves or rules.turn(position) not in {*rules.players, NATURE}:
        find(statement("cli.check_game.stuck", text=rules.turn(position), number=len(moves)))
    texts = [rules.text(position, move) for move in moves]
    for text, move in zip(texts, moves, strict=True):
        if not text.isascii() or not text or set(text) & set(" \t\n#") or texts.count(text) > 1:
            find(statement("cli.check_game.text", text=text))
        if rules.parse(position, text) != move:
            find(statement("cli.check_game.read", text=text))
    return chance.choice([move for move in moves if rules.is_turn(move)] or moves)


def _look_at(checked: _Checked, game: "Game", now: Instant) -> None:
    """Show the game as pages and a display do, in every language."""
    from gnomon.views.display import oled
    from gnomon.views.summary import summary
    from gnomon.words import LANGUAGES, words

    for language in LANGUAGES:
        json.dumps(summary(game, now, words=words(language)))
        oled.screen(game, now, words=words(language))
    checked.show.places(checked.rules)


def _write_down(checked: _Checked, game: "Game") -> None:
    """Write the score sheet of a game that is over, and its SGF, and play both."""
    from gnomon.records.formats.sgf_sheets import read_sgf, sgf_text
    from gnomon.records.formats.sheet_play import play_to_end
    from gnomon.records.formats.sheets import Sheet, SheetLine, read_sheet, settings_text, sheet_text

    kind = kind_of(checked.name)
    if kind.clerk:
        return  # its sheets say more than these turns
    lines = tuple(SheetLine(ply.text, ply.player) for ply in game.plies)
    sheet = Sheet(checked.name, settings_text(checked.settings), result=game.outcome, lines=lines)
    read = [read_sheet(sheet_text(sheet).encode())]
    if kind.sgf:
        read += read_sgf(sgf_text(sheet).encode())
    for each in read:
        if (each.lines, play_to_end(each).result) != (lines, game.outcome):
            raise _FindingError(statement("cli.check_game.record"))


def _find(texts: Sequence[str], told: Statement) -> None:
    raise _FindingError(statement("cli.check_game.after", moves=_last(texts), detail=told))


def _now(texts: Sequence[str]) -> Instant:
    return Instant(len(texts) * SECOND)


def _last(texts: Sequence[str]) -> str:
    """The last turns, to find the place by."""
    return " ".join((*(("…",) if len(texts) > _SHOWN else ()), *texts[-_SHOWN:])) or "-"


def _name(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
