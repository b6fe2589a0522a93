"""Who is named above a replay of TAU, whose bidders become HIGH and LOW."""

import asyncio
import re
from collections.abc import Sequence

import pytest

from tests.web.desk_house import Notes, VirtualBoard
from tests.web.visitors import Reception


def seats_above(turns: Sequence[str]) -> list[str]:
    """The players that the replay of a game of TAU names in its head."""
    board = VirtualBoard("table")
    board.begin({}, "tau")
    for text in turns:
        asyncio.run(board.enter(text, "Ann"))
    page = Reception(board=board, archive=Notes(board)).browser().get("/games/1")
    head = re.search(r'<p class="who">(.*?)</p>', page.text, re.DOTALL)
    assert head is not None, page.text
    return re.findall(r"<span>([^<]+)</span>", head[1])


@pytest.mark.parametrize(
    ("turns", "seats"),
    [((), ["Player 1", "Player 2"]), (("bid:512", "pass"), ["HIGH", "LOW"])],
    ids=["while they bid", "when it is decided"],
)
def test_only_those_who_sit_at_the_table_are_named(turns: Sequence[str], seats: list[str]) -> None:
    assert seats_above(turns) == seats
