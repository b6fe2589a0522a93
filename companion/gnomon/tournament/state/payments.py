"""Define what an entrant owes and has paid, and parse and format amounts of money.

Amounts are whole hundredths of whatever money is used, so that sums are exact. No page or sheet for the public shows
them.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote

_HUNDRED: Final = 100
_AMOUNT: Final = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class Payment:
    """What somebody owes and has paid so far, in hundredths, and a remark such as `member`."""

    owed: int = 0
    paid: int = 0
    note: str = ""

    def __post_init__(self) -> None:
        """Raise TournamentError for less than nothing."""
        if min(self.owed, self.paid) < 0:
            raise TournamentError(statement("tournament.payment.negative"))

    @property
    def due(self) -> int:
        """What is still to be paid; below 0 where there is change to give."""
        return self.owed - self.paid


NO_PAYMENT: Final = Payment()


class Till(NamedTuple):
    """What all entrants together owe, have paid and still have to pay."""

    owed: int
    paid: int
    due: int


def till(payments: Collection[Payment]) -> Till:
    """The sums of all payments; change that is still to be given does not make up for what others owe."""
    return Till(
        sum(one.owed for one in payments),
        sum(one.paid for one in payments),
        sum(max(0, one.due) for one in payments),
    )


def parse_amount(text: str) -> int:
    """An amount such as 12, 12.5 or 12,50 in hundredths. Raises TournamentError for what is none."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise TournamentError(statement("tournament.payment.amount", text=quote(text)))
    whole, rest = found.groups()
    return int(whole) * _HUNDRED + int((rest or "").ljust(2, "0"))


def amount_text(amount: int) -> str:
    """Hundredths as people write them: 12 or 12.50."""
    whole, rest = divmod(abs(amount), _HUNDRED)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole}.{rest:02}" if rest else f"{sign}{whole}"
