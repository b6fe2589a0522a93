"""Provide published cross tables as fields for the tests of tie-breaks."""

import re
from fractions import Fraction
from math import floor

from gnomon.tournament.state.results import Points
from gnomon.tournament.state.round_history import History, RoundKind, Turn
from gnomon.tournament.state.settings import Scoring
from gnomon.tournament.tiebreaks.fields import Field
from gnomon.tournament.tiebreaks.rule_sets import FIDE_2026, RuleSet

WORTH = {"+": Points(1), "=": Fraction(1, 2), "-": Points(0)}
BYES = {
    "+BYE": RoundKind.PAIRING_BYE,
    "+OWN": RoundKind.FULL_BYE,
    "=BYE": RoundKind.HALF_BYE,
    "-BYE": RoundKind.ZERO_BYE,
    "+F": RoundKind.FORFEIT_WIN,
    "-F": RoundKind.FORFEIT_LOSS,
}

# "Exercises in Tie-Breaking" of FIDE's technical commission (tec.fide.com, 18 March 2024), its Swiss of page 5.
TEC_SWISS = {
    1: "+W9 =B13 =W2 +B15 =W4",
    2: "+B10 +W7 =B1 +W16 =B3",
    3: "=W11 +B6 +W8 =B4 =W2",
    4: "+B12 =BYE +W13 =W3 =B1",
    5: "-W13 -B15 +W11 =B7 +W10",
    6: "-B14 -W3 +BYE +W10 +B8",
    7: "+W15 -B2 -B16 =W5 -B11",
    8: "=B16 +W14 -B3 +W13 -W6",
    9: "-B1 -W10 =BYE -F11 +BYE",
    10: "-W2 +B9 -W15 -B6 -B5",
    11: "=B3 -W16 -B5 +F9 +W7",
    12: "-W4 +BYE +F14 -BYE -BYE",
    13: "+B5 =W1 -B4 -B8 -W14",
    14: "+W6 -B8 -F12 -BYE +B13",
    15: "-B7 +W5 +B10 -W1 -B16",
    16: "=W8 +B11 +W7 -B2 +W15",
}
TEC_RATINGS = {number: 2250 - 50 * number for number in TEC_SWISS}

# The same on page 43, with another end to the fifth round and four more, for the direct encounters.
_LATER = {
    1: "=B6 =B3 =W16 +B8",
    2: "=W4 -W6 =B15 =W5",
    3: "+B16 =W1 +W14 +B10",
    4: "=B2 =W16 =B6 +W15",
    5: "-B14 +B9 -W8 =B2",
    6: "=W1 +B2 =W4 +B16",
    7: "-B10 +W13 +W9 +B14",
    8: "=B11 =W15 +B5 -W1",
    9: "+B13 -W5 -B7 =W12",
    10: "+W7 +B12 +W11 -W3",
    11: "=W8 -B14 -B10 =W13",
    12: "-B15 -W10 =B13 =B9",
    13: "-W9 -B7 =W12 =B11",
    14: "+W5 +W11 -B3 -W7",
    15: "+W12 =B8 =W2 -B4",
    16: "-W3 =B4 =B1 -W6",
}
TEC_LONG = {number: f"{games} {_LATER[number]}" for number, games in TEC_SWISS.items()} | {
    2: f"+B10 +W7 =B1 +W16 +B3 {_LATER[2]}",
    3: f"=W11 +B6 +W8 =B4 -W2 {_LATER[3]}",
}

# Its round robin, on page 6.
TEC_ROUND_ROBIN = {
    1: "=W5 +W2 +B3 -W4 +B6",
    2: "+W6 -B1 +W5 =W3 +B4",
    3: "+W4 +B6 -W1 =B2 +W5",
    4: "-B3 -B5 =W6 +B1 -W2",
    5: "=B1 +W4 -B2 -F6 -B3",
    6: "-B2 -W3 =B4 +F5 -W1",
}
# A Swiss with many unplayed rounds, on which the program of the technical commission, gacrux, tries itself. "+OWN" was
# asked for.
MANY_UNPLAYED = {
    1: "=B8 +W6 =B3 +F14 =W5 -B2 =W9",
    2: "-W9 +B11 +W15 -F5 +B7 +W1 -B5",
    3: "+F10 +B7 =W1 =B9 =BYE -BYE =BYE",
    4: "-F11 -F13 -F6 +BYE =W8 =B15 =W6",
    5: "+B13 =W9 =B7 +F2 =B1 =W11 +W2",
    6: "=W14 -B1 +F4 =W7 -B9 -W10 =B4",
    7: "+B15 -W3 =W5 =B6 -W2 -B14 +BYE",
    8: "=W1 -F14 -BYE -BYE =B4 +W13 -B14",
    9: "+B2 =B5 =BYE =W3 +W6 =BYE =B1",
    10: "-F3 -F15 =W13 +B15 +W14 +B6 -W11",
    11: "-F4 -W2 +BYE +B13 +W15 =B5 +B10",
    12: "=BYE +OWN +B14 =BYE -BYE +OWN -BYE",
    13: "-W5 -F4 =B10 -W11 +BYE -B8 -W15",
    14: "=B6 +F8 -W12 -F1 -B10 +W7 +W8",
    15: "-W7 +F10 -B2 -W10 -B11 =W4 +B13",
}
ROUND_ROBIN_RATINGS = {1: 2200, 2: 2150, 3: 2100, 4: 2050, 5: 1950, 6: 2000}


def line(games: str) -> History:
    """Rounds as cross tables print them: how it went, the side, the opponent; `+F7` is a forfeit."""
    turns = []
    for round_, game in enumerate(games.split(), start=1):
        idle = next((kind for text, kind in BYES.items() if game.startswith(text)), None)
        opponent = int(found[0]) if (found := re.findall(r"\d+", game)) else None
        won, drawn = (idle is None and game[0] == sign for sign in "+=")
        turns.append(
            Turn(
                round_,
                idle or RoundKind.PLAYED,
                opponent,
                "W" in game,
                WORTH[game[0]],
                (),
                int(won),
                int(drawn),
                int("+F" in game),
            )
        )
    return tuple(turns)


def hundredths(value: Points) -> Fraction:
    """An average as sheets have it, to two places, halves up."""
    return Fraction(floor(value * 100 + Fraction(1, 2)), 100)


def field(lines: dict[int, str], rules: RuleSet = FIDE_2026) -> Field:
    """A table whose rounds are all that the tournament has; the numbers are the seeds."""
    told = {number: line(games) for number, games in lines.items()}
    rounds = max(map(len, told.values()))
    start = dict.fromkeys(lines, Points(0))
    return Field(told, start, Scoring(), 1, rules, rounds=rounds, seeds=tuple(sorted(lines)))
