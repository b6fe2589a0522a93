"""Provide report files for the tests, and read their lines."""

from dataclasses import replace

from gnomon.tournament.formats.trf import by_seeds, read_trf
from gnomon.tournament.state import Tournament


def exported(tournament: Tournament) -> Tournament:
    """What a file tells of a tournament: entrants numbered by rank, without the round that is being played."""
    numbered, _ = by_seeds(tournament)
    return replace(numbered, rounds=numbered.rounds[:-1]) if numbered.waiting else numbered


# Three rounds told of five players, the second of them still to be played: the layout of FIDE's own description.
SAMPLE = """\
### written by hand
012 Ely Open
022 Ely
032 ENG
042 2026/11/20
052 2026/11/22
062 5
072 4
082 2
092 Individual: Swiss-System
102 IA Bell, Ann
112 FA Kay, Jo
112 NA Lee, Max
122 90 min + 30 s
132                                                                                        26/11/20  26/11/21
XXR 4
XXC white1 rank
001    1 m GM Ashe, Tom                         2500 ENG     4000001 1990/02/03  2.0    1     3 w 1     2 b 1
001    2 wWIM Byrd, Eve                         2400 IRL     4000002 1991        1.0    2     4 b +     1 w 0
001    3   FM Carr, Ian                         2300 ENG     4000003             1.0    2     1 b 0  0000 - U
001    4      Dale, Una                         2200                             1.0    4     2 w -     5 b 1
001    5      Ede, Sol                                                           0.5    5  0000 - H     4 w 0
013 Ely Castle                         1    2
013 Ship of Fools                      5
XXP 1 5
"""


def told(text: str = SAMPLE) -> Tournament:
    return read_trf(text).tournament


def player(number: int, *cells: str, name: str = "", rating: int = 0, points: str = "") -> str:
    told_name = name or f"P{number}"
    head = f"001 {number:4d}      {told_name:33} {rating or '':>4}"
    return head.ljust(80) + f"{points:>4} {number:4d}" + "".join(f"  {cell}" for cell in cells) + "\n"


def file(*lines: str, rounds: int = 3) -> str:
    return f"012 Cup\n142 {rounds}\n" + "".join(lines)


TWO = (player(1, "   2 w 1"), player(2, "   1 b 0"))
