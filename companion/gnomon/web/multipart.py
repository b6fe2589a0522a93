"""Parse multipart/form-data request bodies with files (RFC 7578)."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

MULTIPART: Final = "multipart/form-data"
PARTS: Final = 50  # more than any form of ours has

_BOUNDARY: Final = re.compile(r'boundary="?([0-9A-Za-z\'()+_,./:=? -]{1,70}?)"?(?:;|$)')
_NAME: Final = re.compile(rb'[; ]name="([^"]*)"')
_FILE: Final = re.compile(rb'[; ]filename="([^"]*)"')


class Part(NamedTuple):
    """A field of such a form: what it holds, and the name of the file, None where it is no file."""

    content: bytes
    file: str | None = None

    @property
    def text(self) -> str:
        """What a field that is no file says."""
        return self.content.decode("utf-8", "replace")


def parts(content_type: str, body: bytes) -> Mapping[str, Part]:
    """The fields by their names; of two with the same name the last, and none of what is no such form."""
    found = _BOUNDARY.search(content_type)
    if found is None:
        return {}
    pieces = (b"\r\n" + body).split(b"\r\n--" + found[1].encode())
    if len(pieces) > PARTS + 2 or not pieces[-1].startswith(b"--"):
        return {}
    told: dict[str, Part] = {}
    for piece in pieces[1:-1]:
        head, blank, content = piece.partition(b"\r\n\r\n")
        name, file = _NAME.search(head), _FILE.search(head)
        if blank and name is not None:
            is_file = None if file is None else _plain(file[1])
            told[_plain(name[1])] = Part(content, is_file)
    return told


def _plain(text: bytes) -> str:
    return text.decode("utf-8", "replace").replace("%22", '"')
