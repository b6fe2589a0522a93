"""Parse the player lines (001) of a report file and define the result letters of their rounds."""

from typing import Final

from gnomon.tournament.particulars import PersonalData
from gnomon.tournament.trf.fields import TrfLine
from gnomon.tournament.trf.sheet import MOST_NUMBER, NAME_WIDTH, ROUND_START, ROUND_WIDTH, Cell, PlayerLine

MOST_RATING: Final = 9999
MOST_ROUNDS: Final = 99
RESULTS: Final = frozenset("10=+-WDLHFUZ")
SIDES: Final = frozenset("wb-")
BLANKS: Final = (4, 6, 8, 9)  # columns between those of a round that say nothing, counted from its first


def player_line(line: TrfLine) -> PlayerLine:
    """What a line 001 tells. Raises TrfError with the column of what is wrong."""
    number = line.whole(5, 8, "player's number", MOST_NUMBER)
    name = line.at(15, 14 + NAME_WIDTH)
    if number is None or not name:
        message = "a player needs a number and a name: write them in columns 5 to 8 and 15 to 47"
        raise line.refusal(message, 5 if number is None else 15)
    if len(line.text) >= ROUND_START + MOST_ROUNDS * ROUND_WIDTH:
        message = f"there are entries for more than {MOST_ROUNDS} rounds: leave the rest out"
        raise line.refusal(message, ROUND_START + MOST_ROUNDS * ROUND_WIDTH)
    person = PersonalData(line.at(10, 10), line.at(11, 13), line.at(54, 56), line.at(58, 68), line.at(70, 79))
    return PlayerLine(
        number,
        name,
        line.whole(49, 52, "rating", MOST_RATING),
        person,
        line.points(81, 84, "points") if line.at(81, 84) else None,
        line.whole(86, 89, "place", MOST_NUMBER),
        tuple(_cell(line, number, start) for start in range(ROUND_START, len(line.text) + 1, ROUND_WIDTH)),
        line.number,
    )


def _cell(line: TrfLine, number: int, start: int) -> Cell:
    for column in (start + blank for blank in BLANKS):
        if line.at(column, column):
            message = f"{line.at(column, column)} stands between the columns of a round: let them begin at 92, 102 …"
            raise line.refusal(message, column)
    opponent = line.whole(start, start + 3, "opponent", MOST_NUMBER)
    side, result = line.at(start + 5, start + 5).lower(), line.at(start + 7, start + 7).upper()
    if opponent == number:
        message = f"player {number} is their own opponent: write the number of another"
        raise line.refusal(message, start)
    if side and side not in SIDES:
        message = f"{side} is no side: write w, b, or - where there was none"
        raise line.refusal(message, start + 5)
    if result and result not in RESULTS:
        message = f"{result} is no result: write one of 1 0 = + - W D L H F U Z, or nothing"
        raise line.refusal(message, start + 7)
    return Cell(opponent, side or ("-" if opponent is None and result else " "), result or " ")
