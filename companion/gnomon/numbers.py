"""Parse whole numbers of bounded size, and sort text by the numbers in it."""

from typing import Final

MOST_DIGITS: Final = 100
"""Digits of a number in a file that programs write; no field has room for more than twenty."""


def parse_whole(text: str, most: int) -> int | None:
    """The number from 0 to `most` that some digits say, leading zeros allowed; None for anything else.

    The digits are counted before they are converted: Python's `int` raises ValueError for more than 4300.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0")
    if len(digits) > len(str(most)):
        return None
    number = int(digits or "0")
    return number if number <= most else None


def json_whole(text: str) -> int:
    """The whole number that JSON says, for `json.loads(parse_int=...)`.

    Raises ValueError with a sentence for people: Python's own names a function that a reader of files cannot call.
    """
    digits = len(text.removeprefix("-"))
    if digits > MOST_DIGITS:
        message = f"a number has {digits} digits, and {MOST_DIGITS} are the most"
        raise ValueError(message)
    return int(text)


def natural_order(part: str) -> tuple[int, int, str]:
    """A key that puts digits in the order of their numbers, 9 before 10, and before everything else; of any length."""
    if not (part.isascii() and part.isdigit()):
        return 1, 0, part
    digits = part.lstrip("0")
    return 0, len(digits), digits
