"""Parse form fields, JSON bodies and uploaded files of requests, and numbers in fields and addresses.

Fields and files of multipart/form-data (RFC 7578) are gathered as they arrive.
No other module imports python_multipart, which does the parsing.
"""

import json
from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass, field
from logging import CRITICAL, Logger
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

MULTIPART: Final = "multipart/form-data"
PARTS: Final = 50  # more than any form of ours has

_SILENT: Final = Logger("python_multipart", CRITICAL)  # noqa: LOG001 - none that a configuration could let speak
"""The parser warns of everything malformed, and a stranger could fill the machine's log with that."""


class FormPart(NamedTuple):
    """A field of such a form: what it holds, and the name of the file, None where it is no file."""

    content: bytes
    file: str | None = None

    @property
    def text(self) -> str:
        """What a field that is no file says."""
        return self.content.decode("utf-8", "replace")


async def parts_of(content_type: str, chunks: AsyncIterable[bytes]) -> Mapping[str, FormPart]:
    """The fields by their names; of two with the same name the last, and none of what is no such form.

    A form counts when it is whole and has at most `PARTS` parts.
    """
    form = _Form()
    try:
        boundary = parse_options_header(content_type)[1][b"boundary"]
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": form.begin,
                "on_header_field": lambda data, start, end: form.label.extend(data[start:end]),
                "on_header_value": lambda data, start, end: form.value.extend(data[start:end]),
                "on_header_end": form.take_heading,
                "on_part_data": lambda data, start, end: form.content.extend(data[start:end]),
                "on_part_end": form.take_part,
                "on_end": form.end,
            },
        )
        parser.logger = _SILENT
        async for chunk in chunks:
            parser.write(chunk)
    except (KeyError, ValueError):  # without a boundary, malformed (FormParserError), too many parts
        return {}
    return form.fields if form.is_whole else {}


@dataclass(slots=True)
class _Form:
    """What the parser has found so far."""

    fields: dict[str, FormPart] = field(default_factory=dict)
    is_whole: bool = False
    label: bytearray = field(default_factory=bytearray)  # of the heading that arrives
    value: bytearray = field(default_factory=bytearray)
    content: bytearray = field(default_factory=bytearray)  # of the part that arrives
    _begun: int = 0
    _options: Mapping[bytes, bytes] = field(default_factory=dict)

    def begin(self) -> None:
        """A part begins. Raises FormParserError for one too many."""
        self._begun += 1
        if self._begun > PARTS:
            message = f"a form has at most {PARTS} parts"
            raise FormParserError(message)
        self._options, self.content = {}, bytearray()

    def take_heading(self) -> None:
        """A heading of the part is whole."""
        if self.label.lower() == b"content-disposition":
            self._options = parse_options_header(bytes(self.value))[1]
        self.label.clear()
        self.value.clear()

    def take_part(self) -> None:
        """The part is whole."""
        name, file = self._options.get(b"name"), self._options.get(b"filename")
        if name is not None:
            self.fields[_plain(name)] = FormPart(bytes(self.content), None if file is None else _plain(file))

    def end(self) -> None:
        """The form is whole."""
        self.is_whole = True


def _plain(text: bytes) -> str:
    return text.decode("utf-8", "replace").replace("%22", '"')  # as HTML has browsers write quotation marks


FORM: Final = "application/x-www-form-urlencoded"
FIELDS: Final = 200  # more than any form has
_PARTS: Final = "gnomon.parts"
DIGITS: Final = 9  # no game and no person has more; Python refuses to read thousands of them


def is_form(request: Request) -> bool:
    """Whether a plain HTML form sent this, one with files too."""
    return _type_of(request) in {FORM, MULTIPART}


async def read(request: Request) -> Mapping[str, str]:
    """The fields by their names, empty ones too; of two with the same name the last, and none of what is no form.

    What files hold is not among them.
    """
    if not is_form(request):
        return {}
    if _type_of(request) == MULTIPART:
        return {name: part.text for name, part in (await _parts(request)).items() if part.file is None}
    try:
        text = (await request.body()).decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS, errors="replace"))
    except ValueError:  # bytes that no browser sends, or too many fields
        return {}


async def texts(request: Request) -> Mapping[str, str]:
    """The texts that were sent, as the fields of a form or as a JSON object."""
    if is_form(request):
        return await read(request)
    try:
        body: Any = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return {key: value for key, value in body.items() if isinstance(value, str)} if isinstance(body, dict) else {}


async def file(request: Request, name: str) -> tuple[str, bytes] | None:
    """The name of a file that a form brings along, and what it holds; None where none was chosen."""
    part = (await _parts(request)).get(name) if _type_of(request) == MULTIPART else None
    return (part.file, part.content) if part is not None and part.file else None


async def _parts(request: Request) -> Mapping[str, FormPart]:
    """The fields and files of a form, which are parsed as they arrive and kept with the request."""
    if _PARTS not in request.scope:
        request.scope[_PARTS] = await parts_of(request.headers.get("content-type", ""), request.stream())
    parts: Mapping[str, FormPart] = request.scope[_PARTS]
    return parts


def _type_of(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def number(text: str) -> int | None:
    """The whole number that a text is; None for what is none, or has more digits than anything here."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS else None


class NumberConvertor(Convertor[int]):
    """A number in an address, `{entrant:number}`; one with more digits than anything here is no address of ours."""

    regex = f"[0-9]{{1,{DIGITS}}}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """The number as it stands in an address."""
        return str(value)


register_url_convertor("number", NumberConvertor())
