"""Read the JSON objects of a journal, and refuse what could not be written again."""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Final

_HALF: Final = r"\ud"
"""How JSON in ASCII writes half of a letter beyond the 65 536th."""


def read_object(text: str) -> Mapping[str, object]:
    """What was written as an object in JSON. Raises ValueError, TypeError and RecursionError for anything else.

    Links can be made for anything, and nothing may be read here that cannot be written again for a page.
    """
    said = json.loads(text, parse_float=_finite, parse_constant=_finite)
    if not isinstance(said, dict):
        message = "it is no object in JSON"
        raise ValueError(message)  # noqa: TRY004 - one kind of error for everything malformed
    if _HALF in text.lower():  # of a pair in almost every text, such as a name with a picture
        json.dumps(said, ensure_ascii=False).encode()
    return said


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        message = f"{text[:20]} is no number"
        raise ValueError(message)
    return number
