"""Encode, sign and decode the reports that two boards send each other.

A report says all that the other board does not have yet, so any of them may be lost, come twice, or come late. What
the other side sends is checked like anything from a stranger: anyone who guesses a code can send what they like.
"""

import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple, NoReturn

from gnomon.distance._turns import OwnTurn
from gnomon.refusals import Refusal, Statement, statement

VERSION: Final = 1
LARGEST: Final = 16 * 1024
"""Bytes of a report."""
MOST: Final = 16
"""Turns in a report; more follow when these have come."""
HOST: Final = "host"
GUEST: Final = "guest"

_SIGNED: Final = 32  # hexadecimal digits
_LONGEST: Final = 200
_GREATEST: Final = 1 << 53
_DEEPEST: Final = 4096  # characters of the settings of a game
_ID: Final = re.compile(r"[0-9a-f]{16}|")
_SUM: Final = re.compile(r"[0-9a-f]{16}")
_SHARE: Final = re.compile(r"[0-9a-f]{64}|")
_ROLES: Final = (HOST, GUEST)


class ReportError(Refusal, ValueError):
    """What came is no report of the other board; one sentence says why."""


class Echo(NamedTuple):
    """The last report that came: the run of its sender, when it was sent by their clock, and how long ago it came."""

    run: str
    at: int
    held: int


class Ending(NamedTuple):
    """How a board has ended the game, after so many turns; a natural end is not told, both see it."""

    winner: str | None
    reason: str
    turns: int


class Invitation(NamedTuple):
    """What the host plays: game and settings, the sides of both, and what the players are called."""

    game: str
    settings: Mapping[str, str]
    temperament: str
    host: str
    guest: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Report:
    """What one board tells the other.

    `number` rises by one in each `run` of a daemon, `at` is the clock of the sender. `have` is how many turns of the
    other are written down here, `count` how many stand here, and `total` their sum; `turns` are the own ones that the
    other is not known to have. `offer` is after how many turns a draw was offered by this side that is still open, and
    `declined` after how many the other offered one that this side does not want. `charged` is what was taken from the
    other's clock. `differs` is the number of the first turn that is another one there, with all sums in `sums`.
    `name` is who plays here, empty where nobody has said it. `anchor` is the end of this board's chain of shares, and
    `link` the share of the throw number `throws`, of which earlier ones follow (`gnomon.distance.shares`).
    """

    role: str
    ident: str
    run: str
    number: int
    at: int
    to: str = ""
    echo: Echo | None = None
    invitation: Invitation | None = None
    have: int = 0
    count: int = 0
    total: str = ""
    turns: tuple[OwnTurn, ...] = ()
    ending: Ending | None = None
    offer: int | None = None
    declined: int | None = None
    is_paused: bool = False
    charged: int = 0
    refusal: Statement | None = None
    sums: tuple[str, ...] = ()
    name: str = ""
    anchor: str = ""
    throws: int = 0
    link: str = ""


def encode(report: Report, key: bytes) -> bytes:
    """The report as it is sent. Raises ReportError for one that is too long."""
    record = asdict(report)
    record["refusal"] = None if report.refusal is None else report.refusal.dump()
    record["version"] = VERSION
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    if len(body) + _SIGNED > LARGEST:
        raise ReportError(statement("told.distance.long", bytes=len(body)))
    return _signature(body, key) + body


def decode(payload: bytes, key: bytes) -> Report:
    """The report that was sent. Raises ReportError."""
    if len(payload) > LARGEST:
        raise ReportError(statement("told.distance.long", bytes=len(payload)))
    signed, body = payload[:_SIGNED], payload[_SIGNED:]
    if not hmac.compare_digest(signed, _signature(body, key)):
        raise ReportError(statement("told.distance.unsigned"))
    try:
        record = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ReportError(statement("told.distance.garbled", field="JSON")) from error
    if not isinstance(record, dict):
        raise ReportError(statement("told.distance.garbled", field="JSON"))
    if record.get("version") != VERSION:
        raise ReportError(statement("told.distance.version"))
    return _report(record)


def _signature(body: bytes, key: bytes) -> bytes:
    return hmac.digest(key, body, "sha256").hex()[:_SIGNED].encode()


def _report(record: Mapping[str, Any]) -> Report:
    role = _text(record, "role")
    if role not in _ROLES:
        _refuse("role")
    return Report(
        role=role,
        ident=_match(_ID, record.get("ident"), "ident"),
        run=_match(_ID, record.get("run"), "run"),
        number=_whole(record, "number"),
        at=_whole(record, "at"),
        to=_match(_ID, record.get("to", ""), "to"),
        echo=_parse_echo(record.get("echo")),
        invitation=_parse_invitation(record.get("invitation")),
        have=_whole(record, "have"),
        count=_whole(record, "count"),
        total="" if record.get("total") == "" else _match(_SUM, record.get("total"), "total"),
        turns=_parse_turns(record.get("turns")),
        ending=_parse_ending(record.get("ending")),
        offer=_whole_or_none(record, "offer"),
        declined=_whole_or_none(record, "declined"),
        is_paused=record.get("is_paused") is True,
        charged=_whole(record, "charged"),
        refusal=_parse_refusal(record.get("refusal")),
        sums=tuple(_match(_SUM, each, "sums") for each in _list(record.get("sums"), "sums", LARGEST)),
        name=_text(record, "name") if "name" in record else "",
        anchor=_match(_SHARE, record.get("anchor", ""), "anchor"),
        throws=_whole(record, "throws") if "throws" in record else 0,
        link=_match(_SHARE, record.get("link", ""), "link"),
    )


def _parse_echo(value: object) -> Echo | None:
    if value is None:
        return None
    match value:
        case [str(run), int(at), int(held)] if 0 <= held < _GREATEST and 0 <= at < _GREATEST:
            return Echo(_match(_ID, run, "echo"), at, held)
        case _:
            return _refuse("echo")


def _parse_ending(value: object) -> Ending | None:
    if value is None:
        return None
    match value:
        case [None | str() as winner, str(reason), int(turns)] if (
            0 <= turns < _GREATEST and len(winner or "") <= _LONGEST and len(reason) <= _LONGEST
        ):
            return Ending(winner, reason, turns)
        case _:
            return _refuse("ending")


def _parse_turns(value: object) -> tuple[OwnTurn, ...]:
    turns: list[OwnTurn] = []
    for each in _list(value, "turns", MOST):
        match each:
            case [int(before), str(text), int(when)] if (
                0 <= before < _GREATEST and 0 <= when < _GREATEST and len(text) <= _LONGEST
            ):
                turns.append(OwnTurn(before, text, when))
            case _:
                _refuse("turns")
    if any(one.before >= other.before or one.when > other.when for one, other in pairwise(turns)):
        _refuse("turns")
    return tuple(turns)


def _parse_invitation(value: object) -> Invitation | None:
    if value is None:
        return None
    match value:
        case [str(game), dict(settings), str(temperament), str(host), str(guest), dict(names)] if _are_texts(
            [game, temperament, host, guest, *settings, *settings.values(), *names, *names.values()]
        ):
            return Invitation(game, settings, temperament, host, guest, names)
        case _:
            return _refuse("invitation")


def _are_texts(values: Sequence[object]) -> bool:
    return all(isinstance(each, str) for each in values) and sum(len(str(each)) for each in values) <= _DEEPEST


def _parse_refusal(value: object) -> Statement | None:
    if value is None:
        return None
    text = value.get("text", "") if isinstance(value, dict) else ""
    return Statement.from_message(str(text)[:_LONGEST], value, _DEEPEST)


def _list(value: object, field: str, most: int) -> Sequence[Any]:
    if not isinstance(value, list) or len(value) > most:
        _refuse(field)
    return value


def _match(pattern: re.Pattern[str], value: object, field: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        _refuse(field)
    return value


def _text(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    if not isinstance(value, str) or len(value) > _LONGEST:
        _refuse(field)
    return value


def _whole(record: Mapping[str, Any], field: str) -> int:
    value = record.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _GREATEST:
        _refuse(field)
    return value


def _whole_or_none(record: Mapping[str, Any], field: str) -> int | None:
    return None if record.get(field) is None else _whole(record, field)


def _refuse(field: str) -> NoReturn:
    raise ReportError(statement("told.distance.garbled", field=field))
