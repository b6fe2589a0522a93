"""Convert integers of any length to decimal digits and back.

Python's own `int` and `str` refuse more than 4300 digits (CVE-2020-10735) unless the whole process is configured
otherwise; rule 2 sets no upper bound. `decimal` has no such limit, and none of its roundings touch these conversions.
"""

import re
from decimal import Decimal
from typing import Final

DIGITS: Final = re.compile(r"0|[1-9][0-9]*")
JSON_DIGITS: Final = 4300  # the longest integer that `json` writes


def digits(number: int) -> str:
    """The decimal digits of an integer."""
    return f"{Decimal(number):f}"


def number(text: str) -> int:
    """The integer >= 0 that the digits mean. Raises ValueError for anything else, leading zeros included."""
    if not DIGITS.fullmatch(text):
        message = f"{text!r} is not a whole number"
        raise ValueError(message)
    return int(Decimal(text))
