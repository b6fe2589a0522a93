"""Gather the fields and files of multipart/form-data requests as they arrive (RFC 7578).

No other module imports python_multipart, which does the parsing.
"""

from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass, field
from logging import CRITICAL, Logger
from typing import Final, NamedTuple

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

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


async def parts(content_type: str, chunks: AsyncIterable[bytes]) -> Mapping[str, FormPart]:
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
