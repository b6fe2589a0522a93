"""Read and write enrolments, the broker credentials of a board or reader, as files and as QR code text.

One board is one user of the broker: `HALL/BOARD`, so that halls on one broker may have boards of one name; `BOARD`
alone where a board speaks protocol 1, or somebody has set up the users by hand. The code holds the same data as the
file, in characters that a QR code packs densely: `GNOMON-HALL:2/HOST:PORT/HALL/BOARD/PASSWORD/AUTHORITY/CHECK`, the
last three in base 32 and hexadecimal digits; without HALL and with 1 in front for a board of protocol 1.
"""

import base64
import ipaddress
import json
import re
import secrets
import ssl
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

from gnomon.bounded_toml import parse_toml
from gnomon.hall.messaging.hall_topics import VERSION, checked_hall
from gnomon.hall.messaging.messages import VERSION as FORMER
from gnomon.hall.messaging.messages import MessageError, checked_name
from gnomon.refusals import InvalidValueError, Statement, statement, statement_of
from gnomon.whole_files import SECRET, write_whole

SCHEME: Final = "GNOMON-HALL:"
TLS_PORT: Final = 8883
SYSTEM: Final = "system"
"""The authority of a broker whose certificate the machine's own list of authorities proves."""
NONE: Final = "none"
"""The authority of a broker without TLS: for one machine, or a wire that nobody else reaches."""

_FIELDS: Final = {"1": 4, "2": 5}
"""How many fields a code of each version has; the version is that of the protocol."""
_MARKS: Final = {SYSTEM: "*", NONE: "-"}
_NO_CHECK_TIME: Final = ssl.VerifyFlags(0x20_0000)  # X509_V_FLAG_NO_CHECK_TIME, which the module ssl does not name
_ENTROPY: Final = 16  # bytes of a password: 128 bits, which nobody guesses
_LARGEST: Final = 64 * 1024
_LONGEST_PASSWORD: Final = 128
_LAST_PORT: Final = 65_535
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,252}[A-Za-z0-9])?|::1?")
_KEYS: Final = ("host", "port", "user", "password", "authority")
_OPTIONAL: Final = ("protocol", "hall", "protocol-1", "home-assistant")
_HEAD: Final = """\
# How this board gets into its hall, made by `gnomon hall enrol`. Anyone who has it is the board: keep it secret.
"""


class EnrolmentError(InvalidValueError):
    """An enrolment cannot be read, written or used; one sentence that names where it stands and what is wrong."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What one needs to get into a hall: the broker, who one is there, and what proves each to the other.

    `authority` is the certificate (PEM) that proves the broker, or "system", or "none". `home_assistant`: the board
    describes itself to Home Assistant, too. `hall` is the name of the hall in all topics, empty for protocol 1.
    `understands_former`: the hall understands boards of protocol 1, too. `web_path` is where the broker speaks MQTT
    over WebSocket, empty where it speaks plain MQTT; it is in no file.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    authority: str
    home_assistant: bool = False
    hall: str = ""
    understands_former: bool = False
    web_path: str = ""

    @property
    def board(self) -> str:
        """What the user is called in the hall."""
        return self.user.rpartition("/")[2]

    @property
    def protocol(self) -> int:
        """The number in all topics."""
        return VERSION if self.hall else FORMER

    @property
    def broker(self) -> str:
        """The broker's name and port, for people."""
        return f"{self.host}:{self.port}"


def user_of(board: str, hall: str) -> str:
    """The user of the broker that a board is, or another process of a hall; without a hall it speaks protocol 1."""
    return f"{hall}/{board}" if hall else board


def new_password() -> str:
    """A password that nobody guesses, in letters that nobody mistakes."""
    return _base32(secrets.token_bytes(_ENTROPY)).lower()


def tls_context(enrolment: Enrolment) -> ssl.SSLContext | None:
    """What checks the broker's certificate, None without TLS. Raises EnrolmentError for an unreadable authority.

    The dates of a hall's own certificates are not looked at: a board may have no clock that knows the day, and who may
    come in is said by the hall's list. Those of the world's authorities are.
    """
    if enrolment.authority == NONE:
        return None
    if enrolment.authority == SYSTEM:
        return ssl.create_default_context()
    try:
        context = ssl.create_default_context(cadata=enrolment.authority)
    except ssl.SSLError as error:
        raise EnrolmentError(statement("hall.enrolment.no_certificate", broker=enrolment.broker)) from error
    context.verify_flags |= _NO_CHECK_TIME
    return context


# As a file


def read(path: Path) -> Enrolment:
    """The enrolment in a file. Raises EnrolmentError."""
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        raise EnrolmentError(statement("hall.folder.not_read", file=str(path), text=str(error.strerror))) from error
    if len(raw) > _LARGEST:
        raise EnrolmentError(statement("hall.enrolment.long", file=str(path)))
    return parse_enrolment(raw, str(path))


def parse_enrolment(raw: bytes, where: str) -> Enrolment:
    """The enrolment in the text of a file, which `where` names. Raises EnrolmentError."""
    try:
        whole = parse_toml(raw.decode("utf-8-sig"))
    except ValueError as error:
        raise EnrolmentError(statement("hall.enrolment.no_toml", where=where, text=str(error))) from error
    table = whole.get("hall")
    if not isinstance(table, dict) or len(whole) != 1:
        raise EnrolmentError(statement("hall.enrolment.table", where=where))
    for key in table:
        if key not in (*_KEYS, *_OPTIONAL):
            _refuse(where, statement("hall.enrolment.unknown", field=key, known=[*_KEYS, *_OPTIONAL]))
    texts = {key: _text(table, key, where) for key in _KEYS if key != "port"}
    port = table.get("port", TLS_PORT)
    if not isinstance(port, int) or isinstance(port, bool):
        _refuse(where, statement("hall.enrolment.port"))
    home, former = _truth(table, "home-assistant", where), _truth(table, "protocol-1", where)
    made = Enrolment(port=port, home_assistant=home, understands_former=former, hall=_hall(table, where), **texts)
    return _check_enrolment(made, where)


def format_enrolment(enrolment: Enrolment) -> str:
    """The text of a file, which reads back as the same."""
    authority = enrolment.authority
    proof = json.dumps(authority) if authority in _MARKS else f'"""\n{authority}"""'
    lines = [
        "[hall]",
        f"host = {json.dumps(enrolment.host)}",
        f"port = {enrolment.port}",
        f"user = {json.dumps(enrolment.user)}",
        # The letters that JSON and TOML escape differently are no letters of a password.
        f"password = {json.dumps(enrolment.password, ensure_ascii=False)}",
        f"authority = {proof}",
    ]
    if enrolment.hall:
        lines += [f"protocol = {enrolment.protocol}", f"hall = {json.dumps(enrolment.hall)}"]
    if enrolment.understands_former:
        lines.append("protocol-1 = true")
    if enrolment.home_assistant:
        lines.append("home-assistant = true")
    return _HEAD + "\n".join(lines) + "\n"


def keep(path: Path, enrolment: Enrolment, owner: tuple[int, int] | None = None) -> None:
    """Write the file whole or not at all, for its owner's eyes alone. Raises EnrolmentError."""
    keep_secret(path, format_enrolment(enrolment), owner)


def keep_secret(path: Path, text: str, owner: tuple[int, int] | None = None) -> None:
    """Write a text whole or not at all, for the eyes of `owner` (user and group) alone. Raises EnrolmentError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text, SECRET, owner)
    except OSError as error:
        raise EnrolmentError(statement("hall.folder.not_written", file=str(path), text=str(error.strerror))) from error


# As a code


def code(enrolment: Enrolment) -> str:
    """The enrolment as a text for a QR code."""
    authority = enrolment.authority
    proof = _MARKS.get(authority) or _base32(ssl.PEM_cert_to_DER_cert(authority))
    password = _base32(enrolment.password.encode())
    who = user_of(enrolment.board, enrolment.hall)
    text = f"{SCHEME}{enrolment.protocol}/{enrolment.host}:{enrolment.port}/{who}/{password}/{proof}".upper()
    return f"{text}/{_check(text)}"


def parse_code(text: str) -> Enrolment:
    """The enrolment in a code, as a scanner or a person has typed it. Raises EnrolmentError."""
    where = "the code"
    folded = "".join(text.split()).upper()
    if not folded.startswith(SCHEME):
        _refuse(where, statement("hall.enrolment.scheme", scheme=SCHEME.lower()))
    body, _, check = folded.rpartition("/")
    if check != _check(body):
        _refuse(where, statement("hall.enrolment.damaged"))
    version, *fields = body.removeprefix(SCHEME).split("/")
    if len(fields) != _FIELDS.get(version):
        _refuse(where, statement("hall.enrolment.version"))
    broker, *halls, user, password, proof = fields
    host, _, port = broker.lower().rpartition(":")
    marks = {mark: authority for authority, mark in _MARKS.items()}
    try:
        secret = _unbase32(password).decode()
        authority = marks.get(proof) or ssl.DER_cert_to_PEM_cert(_unbase32(proof))
        number = int(port)
    except ValueError as error:
        raise EnrolmentError(statement("hall.enrolment.foreign", where=where)) from error
    hall = "".join(halls).lower()
    if halls and not hall:
        _refuse(where, statement("hall.enrolment.protocol"))
    return _check_enrolment(Enrolment(host, number, user_of(user.lower(), hall), secret, authority, hall=hall), where)


def _check(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08X}"


def _base32(raw: bytes) -> str:
    return base64.b32encode(raw).decode("ascii").rstrip("=")


def _unbase32(text: str) -> bytes:
    """The bytes of a text. Raises ValueError: `binascii.Error` is one."""
    return base64.b32decode(text + "=" * (-len(text) % 8))


# What an enrolment may say


def checked_host(host: str) -> str:
    """The name or address of a machine. Raises EnrolmentError for what is none."""
    if not _HOST.fullmatch(host) or (":" in host and not _is_address(host)):
        raise EnrolmentError(statement("hall.enrolment.host", host=host[:80]))
    return host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _check_enrolment(enrolment: Enrolment, where: str) -> Enrolment:
    try:
        checked_host(enrolment.host)
        checked_name(enrolment.board)
        if enrolment.hall:
            checked_hall(enrolment.hall)
    except (EnrolmentError, MessageError) as error:
        _refuse(where, statement_of(error))
    if enrolment.user not in {enrolment.board, user_of(enrolment.board, enrolment.hall)}:
        _refuse(where, statement("hall.board.name", name=enrolment.user[:40]))
    if not 0 < enrolment.port <= _LAST_PORT:
        _refuse(where, statement("hall.enrolment.no_port", port=enrolment.port, most=_LAST_PORT))
    if not 0 < len(enrolment.password) <= _LONGEST_PASSWORD or not enrolment.password.isprintable():
        _refuse(where, statement("hall.enrolment.password", most=_LONGEST_PASSWORD))
    if enrolment.authority not in _MARKS:
        _check_certificate(enrolment.authority, where)
    return enrolment


def _check_certificate(authority: str, where: str) -> None:
    try:
        ssl.create_default_context(cadata=authority)
    except (ssl.SSLError, ValueError):
        _refuse(where, statement("hall.enrolment.authority", system=SYSTEM, none=NONE))
    try:
        ssl.PEM_cert_to_DER_cert(authority)
    except ValueError:
        _refuse(where, statement("hall.enrolment.authority_alone"))


def _text(table: dict[str, object], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        _refuse(where, statement("hall.enrolment.missing", field=key))
    return value


def _truth(table: dict[str, object], key: str, where: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        _refuse(where, statement("hall.enrolment.truth", field=key))
    return value


def _hall(table: dict[str, object], where: str) -> str:
    """The name of the hall; empty for protocol 1, which files of earlier versions do not name."""
    protocol, hall = table.get("protocol", FORMER), table.get("hall", "")
    if not isinstance(hall, str) or isinstance(protocol, bool) or protocol != (VERSION if hall else FORMER):
        _refuse(where, statement("hall.enrolment.protocol"))
    return hall


def _refuse(where: str, what: Statement) -> NoReturn:
    raise EnrolmentError(statement("hall.enrolment.wrong", where=where, cause=what))
