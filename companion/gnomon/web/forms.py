"""The only place that reads what a form of a page sends, and the numbers in its fields and addresses."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

FORM: Final = "application/x-www-form-urlencoded"
FIELDS: Final = 200  # more than any form has
DIGITS: Final = 9  # no game and no person has more; Python refuses to read thousands of them


def is_form(request: Request) -> bool:
    """Whether a plain HTML form sent this."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == FORM


async def read(request: Request) -> Mapping[str, str]:
    """The fields by their names, empty ones too; of two with the same name the last, and none of what is no form."""
    if not is_form(request):
        return {}
    try:
        text = (await request.body()).decode("ascii")
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS, errors="replace"))
    except ValueError:  # bytes that no browser sends, or too many fields
        return {}


def number(text: str) -> int | None:
    """The whole number that a text is; None for what is none, or has more digits than anything here."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS else None
