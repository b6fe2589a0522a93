"""Name the hall of each board on sheets of tournaments that use several halls."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gnomon.web.sheets.paper import PaperColumn
from gnomon.words import Words

Halls = Mapping[int, str]
"""The hall of each board of the tournament; empty where all stand in one."""
ONE_HALL: Final[Halls] = MappingProxyType({})


def head_of(halls: Halls, words: Words) -> tuple[PaperColumn, ...]:
    """The column of halls, if there is one."""
    return (PaperColumn(words("sheet.hall"), "hall"),) if halls else ()


def cell_of(halls: Halls, board: int) -> tuple[str, ...]:
    """The hall of a board in that column."""
    return (halls.get(board, ""),) if halls else ()


def in_hall(halls: Halls, board: int, words: Words) -> str:
    """In which hall a board stands, in words that may follow its number."""
    return words("director.public.hall", hall=halls[board]) if board in halls else ""
