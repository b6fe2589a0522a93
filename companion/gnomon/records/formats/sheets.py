"""Read and write score sheets as text: headers and numbered turns, one format for all games.

A sheet records what was written down, not that it was legal: `gnomon.records.formats.sheet_play` plays it by the
rules. The format is specified in `docs/sheets.md`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from gnomon.records.formats.line_errors import LineError
from gnomon.refusals import InvalidValueError, statement, statement_of
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, Duration, Instant, parse_seconds

VERSION: Final = 1
DRAW: Final = "draw"
VOID: Final = "void"

_SHEET: Final = "Sheet"
_GAME: Final = "Game"
_SETTINGS: Final = "Settings"
_RESULT: Final = "Result"
_PLAYER: Final = "Player "
_RESERVED: Final = frozenset({_SHEET, _GAME, _SETTINGS, _RESULT})

# A header's name begins with a capital: `throw:4` is a turn.
_HEADER: Final = re.compile(r"([A-Z](?:[A-Za-z0-9 _-]*[A-Za-z0-9_-])?)[ \t]*:(.*)")
_LIKE_A_HEADER: Final = re.compile(r"([^#:]*):(?=\s|$)")
"""No first turn has a colon before a blank: that of a move stands within it, as in `throw:5`."""
_NUMBER: Final = re.compile(r"([0-9]{1,9})\.")
_TIME: Final = re.compile(r"[0-9]+(?:\.[0-9]*)?")
_MARK: Final = re.compile(r"([a-z]+)=([0-9.]+)")
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
_SETTING_VALUE: Final = re.compile(r"[^\s#]*")
_TEXT: Final = re.compile(r"[^\s#]+")
_AT: Final = ""
_LIFT: Final = "lift"
_DOWN: Final = "down"
_CLOCK: Final = "clock"
_INSTANTS: Final = (_AT, _LIFT, _DOWN)
_WIDEST: Final = 24  # characters of a column; longer texts push the rest of their line to the right


class SheetError(LineError):
    """A sheet cannot be read; `line` is the number of the line from 1."""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One turn, or one other act that the rules count (a throw, a draw of a tile, a turned 15-second glass).

    `text` is canonical notation. Instants are microseconds since the game began: `at` when the turn was complete,
    `lifted` and `placed` when its piece was taken up and put down where that matters; None where the sheet does not
    say. `clock` is what the player's match clock showed after the turn, in microseconds. `player` is a name of the
    rules, empty where the sheet does not say. `comment` holds its lines, `source` the number of the line in the file
    that was read, else 0.
    """

    text: str
    player: str = ""
    at: Instant | None = None
    lifted: Instant | None = None
    placed: Instant | None = None
    comment: tuple[str, ...] = ()
    clock: Duration | None = None
    source: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game as it was written down.

    `settings` are those of the rules, as text; `players` are the people by their names in the rules; `headers` are
    Event, Date, Round, Site and whatever else somebody notes; `remarks` are the comments before the first turn;
    the reason of `result` may be empty.
    """

    game: str
    settings: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    result: Outcome | None = None
    lines: tuple[SheetLine, ...] = ()
    remarks: tuple[str, ...] = ()


def read_sheet(data: bytes) -> Sheet:
    """Read a sheet. Raises SheetError at the first line that is malformed."""
    return _Reader().read(data)


def sheet_text(sheet: Sheet) -> str:
    """The text of a sheet, which reads back as the same sheet. Raises ValueError for what no sheet can say."""
    return "".join(f"{line}\n" for line in (*_head(sheet), "", *_body(sheet.lines)))


def settings_text(settings: Mapping[str, object]) -> dict[str, str]:
    """Settings as a sheet holds them: every value as text, a list by commas, a truth value as yes or no."""
    return {name: _setting_text(value) for name, value in settings.items()}


def time_text(instant: int) -> str:
    """Microseconds as decimal seconds, exactly and as short as can be."""
    whole, rest = divmod(instant, SECOND)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".")


def read_settings(text: str) -> dict[str, str]:
    """Read `KEY=VALUE` pairs between blanks. Raises ValueError with one sentence."""
    settings: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise InvalidValueError(statement("records.sheet.setting", text=word))
        if name in settings:
            raise InvalidValueError(statement("records.sheet.setting_twice", name=name))
        settings[name] = value
    return settings


def written_settings(settings: Mapping[str, str]) -> str:
    """Settings as `read_settings` reads them. Raises ValueError for what cannot be written so."""
    for name, value in settings.items():
        if not _NAME.fullmatch(name) or not _SETTING_VALUE.fullmatch(value):
            raise InvalidValueError(statement("records.sheet.setting_unwritable", name=name, value=str(value)))
    return " ".join(f"{name}={value}" for name, value in settings.items())


def read_result(text: str) -> Outcome:
    """Read `WINNER REASON`: the winner `draw` for nobody, `void` for no result, and any reason. Raises ValueError."""
    winner, _, reason = text.partition(" ")
    if not _NAME.fullmatch(winner):
        raise InvalidValueError(statement("records.sheet.result", text=text))
    return Outcome(None if winner in (DRAW, VOID) else winner, reason.strip())


def written_result(result: Outcome) -> str:
    """A result as `read_result` reads it."""
    return f"{result.winner or (VOID if result.is_void else DRAW)} {result.reason}".rstrip()


class _Reader:
    """Reads a sheet line by line."""

    def __init__(self) -> None:
        self._version = False
        self._sheet = Sheet("")
        self._lines: list[SheetLine] = []
        self._remarks: list[str] = []
        self._comments: list[str] = []
        self._headers: dict[str, str] = {}
        self._players: dict[str, str] = {}
        self._seen: set[str] = set()

    def read(self, data: bytes) -> Sheet:
        number = 0
        for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
            try:
                self._take(_decode(raw).strip(), number)
            except ValueError as error:
                raise SheetError(number, statement_of(error)) from error
        if not self._sheet.game:
            raise SheetError(number, statement("records.sheet.no_game"))
        self._finish_line()
        return replace(
            self._sheet,
            lines=tuple(self._lines),
            remarks=tuple(self._remarks),
            headers=self._headers,
            players=self._players,
        )

    def _take(self, text: str, number: int) -> None:
        if not text:
            return
        if text.startswith("#"):
            self._comment(text[1:].strip())
        elif (header := _HEADER.fullmatch(text)) is not None:
            self._header(header[1], header[2].strip())
        else:
            self._turn(text, number)

    def _comment(self, text: str) -> None:
        (self._comments if self._lines else self._remarks).append(text)

    def _finish_line(self) -> None:
        """Put the comments that follow a turn to it: all at once, for there may be many."""
        if self._comments:
            last = self._lines[-1]
            self._lines[-1] = replace(last, comment=(*last.comment, *self._comments))
            self._comments = []

    def _header(self, name: str, value: str) -> None:
        if self._lines:
            raise InvalidValueError(statement("records.sheet.header_late", name=name))
        if name in self._seen:
            raise InvalidValueError(statement("records.sheet.header_twice", name=name))
        if not self._seen and name != _SHEET:
            raise InvalidValueError(statement("records.sheet.first_line", line=f"{_SHEET}: {VERSION}"))
        self._seen.add(name)
        if name == _SHEET:
            _check_version(value)
        elif name == _GAME:
            self._sheet = replace(self._sheet, game=_require(name, value))
        elif name == _SETTINGS:
            self._sheet = replace(self._sheet, settings=read_settings(value))
        elif name == _RESULT:
            self._sheet = replace(self._sheet, result=read_result(value))
        elif name.startswith(_PLAYER):
            player = _checked_name(name.removeprefix(_PLAYER))
            self._players[player] = value
        else:
            self._headers[name] = value

    def _turn(self, text: str, number: int) -> None:
        if _SHEET not in self._seen:
            raise InvalidValueError(statement("records.sheet.none", line=f"{_SHEET}: {VERSION}"))
        if not self._lines and (header := _LIKE_A_HEADER.match(text)) is not None:
            raise InvalidValueError(statement("records.sheet.header", text=header[1]))
        self._finish_line()
        turn, hash_sign, comment = text.partition("#")
        line = _read_turn(turn.split(), len(self._lines) + 1)
        self._lines.append(replace(line, comment=(comment.strip(),) if hash_sign else (), source=number))


def _read_turn(words: list[str], expected: int) -> SheetLine:
    """Read `[NUMBER.] [PLAYER] TEXT [TIME] [lift=TIME] [down=TIME] [clock=TIME]`."""
    if words and (number := _NUMBER.fullmatch(words[0])) is not None:
        if int(number[1]) != expected:
            raise InvalidValueError(statement("records.sheet.number", expected=expected, number=int(number[1])))
        words = words[1:]
    said = [word for word in words if not _TIME.fullmatch(word) and not _MARK.fullmatch(word)]
    if not 1 <= len(said) <= 2 or words[: len(said)] != said:  # noqa: PLR2004 - the player's name, and the move
        raise InvalidValueError(statement("records.sheet.turn", example="3. red D1-D2 17.25 lift=15.9 down=16.8"))
    *player, text = said
    return _with_times(SheetLine(text, "".join(map(_checked_name, player))), words[len(said) :])


def _with_times(line: SheetLine, words: Iterable[str]) -> SheetLine:
    """The line with the instants that follow its move."""
    instants: dict[str, Duration] = {}
    for word in words:
        mark = _MARK.fullmatch(word)
        name = _AT if mark is None else mark[1]
        if name not in (_AT, _LIFT, _DOWN, _CLOCK):
            raise InvalidValueError(statement("records.sheet.mark", name=name, lift=_LIFT, down=_DOWN, clock=_CLOCK))
        if name in instants:
            raise InvalidValueError(statement("records.sheet.two_times", text=word))
        instants[name] = parse_seconds(word if mark is None else mark[2])
    at, lifted, placed = (None if (time := instants.get(name)) is None else Instant(time) for name in _INSTANTS)
    return replace(line, at=at, lifted=lifted, placed=placed, clock=instants.get(_CLOCK))


def _decode(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        why = statement("records.sheet.utf8", byte=error.start + 1, value=f"0x{raw[error.start]:02x}")
        raise InvalidValueError(why) from error


def _check_version(value: str) -> None:
    if value != str(VERSION):
        raise InvalidValueError(statement("records.sheet.format", text=value, version=VERSION))


def _require(name: str, value: str) -> str:
    if not _NAME.fullmatch(value):
        raise InvalidValueError(statement("records.sheet.game", name=name, text=value))
    return value


def _checked_name(player: str) -> str:
    if not _NAME.fullmatch(player) or player in (DRAW, VOID):
        raise InvalidValueError(statement("records.sheet.player", text=player))
    return player


def _setting_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(_setting_text, value))
    return str(value)


def _head(sheet: Sheet) -> Iterator[str]:
    yield f"{_SHEET}: {VERSION}"
    yield f"{_GAME}: {_require(_GAME, sheet.game)}"
    if sheet.settings:
        yield f"{_SETTINGS}: {written_settings(sheet.settings)}"
    for name, value in sheet.headers.items():
        header = _HEADER.fullmatch(f"{name}:")
        if name in _RESERVED or name.startswith(_PLAYER) or header is None or header[1] != name:
            raise InvalidValueError(statement("records.sheet.header_name", name=name))
        yield f"{name}: {_one_line(value)}".rstrip()
    for name, person in sheet.players.items():
        yield f"{_PLAYER}{_checked_name(name)}: {_one_line(person)}".rstrip()
    if sheet.result is not None:
        _one_line(sheet.result.reason)
        yield f"{_RESULT}: {written_result(sheet.result)}"
    yield from _comments(sheet.remarks, "")


def _body(lines: tuple[SheetLine, ...]) -> Iterator[str]:
    digits = len(str(len(lines)))
    players = max((len(line.player) for line in lines), default=0)
    texts = min(_WIDEST, max((len(line.text) for line in lines), default=0))
    for number, line in enumerate(lines, 1):
        if line.player:
            _checked_name(line.player)
        if not _TEXT.fullmatch(line.text) or _TIME.fullmatch(line.text) or _MARK.fullmatch(line.text):
            raise InvalidValueError(statement("records.sheet.turn_unwritable", text=line.text))
        words = [f"{number:>{digits}}.", f"{line.player:<{players}}", f"{line.text:<{texts}}", *_times(line)]
        turn = " ".join(filter(None, words)).rstrip()
        first, rest = line.comment[:1], line.comment[1:]
        yield turn + "".join(f"  {comment}" for comment in _comments(first, ""))
        yield from _comments(rest, " " * (digits + 2))


def _times(line: SheetLine) -> Iterator[str]:
    if line.at is not None:
        yield f" {time_text(line.at)}"
    if line.lifted is not None:
        yield f"{_LIFT}={time_text(line.lifted)}"
    if line.placed is not None:
        yield f"{_DOWN}={time_text(line.placed)}"
    if line.clock is not None:
        yield f"{_CLOCK}={time_text(line.clock)}"


def _comments(lines: Iterable[str], indent: str) -> Iterator[str]:
    return (f"{indent}# {_one_line(line)}".rstrip() for line in lines)


def _one_line(text: str) -> str:
    if text != text.strip() or "\n" in text:
        raise InvalidValueError(statement("records.sheet.one_line", text=text))
    return text
