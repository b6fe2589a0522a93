"""Parse form fields, JSON bodies and uploaded files of requests, and numbers in fields and addresses."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

from gnomon.web import multipart

FORM: Final = "application/x-www-form-urlencoded"
FIELDS: Final = 200  # more than any form has
_PARTS: Final = "gnomon.parts"
DIGITS: Final = 9  # no game and no person has more; Python refuses to read thousands of them


def is_form(request: Request) -> bool:
    """Whether a plain HTML form sent this, one with files too."""
    return _type_of(request) in {FORM, multipart.MULTIPART}


async def read(request: Request) -> Mapping[str, str]:
    """The fields by their names, empty ones too; of two with the same name the last, and none of what is no form.

    What files hold is not among them.
    """
    if not is_form(request):
        return {}
    if _type_of(request) == multipart.MULTIPART:
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
    part = (await _parts(request)).get(name) if _type_of(request) == multipart.MULTIPART else None
    return (part.file, part.content) if part is not None and part.file else None


async def _parts(request: Request) -> Mapping[str, multipart.FormPart]:
    """The fields and files of a form, which are parsed as they arrive and kept with the request."""
    if _PARTS not in request.scope:
        request.scope[_PARTS] = await multipart.parts(request.headers.get("content-type", ""), request.stream())
    parts: Mapping[str, multipart.FormPart] = request.scope[_PARTS]
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
