"""List the numbers that can be picked where players bid, and convert numbers of any length to digits and back.

Python's own `int` and `str` refuse more than 4300 digits (CVE-2020-10735) unless the whole process is configured
otherwise, and a bid knows no upper bound (rule 2 of TAU). `decimal` has no such limit, and none of its roundings touch
these conversions.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from gnomon.refusals import statement
from gnomon.rules.protocol import Rules, RulesError

DIGITS: Final = re.compile(r"0|[1-9][0-9]*")
JSON_DIGITS: Final = 4300  # the longest integer that `json` writes
BID: Final = "bid:"
"""What stands before the number in the canonical text of a bid."""

_BIDS_LISTED: Final = 100
"""So many numbers can be stepped through with the buttons; greater ones are entered on the page."""


def digits(number: int) -> str:
    """The decimal digits of an integer."""
    return f"{Decimal(number):f}"


def number(text: str) -> int:
    """The integer >= 0 that the digits mean. Raises RulesError for anything else, leading zeros included."""
    if not DIGITS.fullmatch(text):
        raise RulesError(statement("told.number.not_whole", text=text))
    return int(Decimal(text))


def with_bids(rules: Rules[Any, Any], position: object, texts: Sequence[str]) -> Sequence[str]:
    """The texts of legal moves, and the legal bids above and below those that are listed among them."""

    def may_be_entered(text: str) -> bool:
        try:
            rules.parse(position, text)
        except RulesError:
            return False
        return True

    listed = [number(text.removeprefix(BID)) for text in texts if text.startswith(BID)]
    about = range(max(0, min(listed) - _BIDS_LISTED), max(listed) + _BIDS_LISTED)
    bids = (f"{BID}{digits(bid)}" for bid in about if bid not in listed)
    return [*texts, *(text for text in bids if may_be_entered(text))]
