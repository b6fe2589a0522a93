"""Parse the player lines (001) of a report file and define the result letters of their rounds."""

from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.formats.trf._fields import PLAYER_NUMBER, TrfLine
from gnomon.tournament.formats.trf.sheet import MOST_NUMBER, NAME_WIDTH, ROUND_START, ROUND_WIDTH, Cell, PlayerLine
from gnomon.tournament.state.particulars import PersonalData

MOST_RATING: Final = 9999
MOST_ROUNDS: Final = 99
RESULTS: Final = frozenset("10=+-WDLHFUZ")
SIDES: Final = frozenset("wb-")
BLANKS: Final = (4, 6, 8, 9)  # columns between those of a round that say nothing, counted from its first


def player_line(line: TrfLine) -> PlayerLine:
    """What a line 001 tells. Raises TrfError with the column of what is wrong."""
    number = line.whole(5, 8, PLAYER_NUMBER, MOST_NUMBER)
    name = line.at(15, 14 + NAME_WIDTH)
    if number is None or not name:
        raise line.refusal(statement("tournament.trf.player"), 5 if number is None else 15)
    if len(line.text) >= ROUND_START + MOST_ROUNDS * ROUND_WIDTH:
        raise line.refusal(
            statement("tournament.trf.many_rounds", most=MOST_ROUNDS), ROUND_START + MOST_ROUNDS * ROUND_WIDTH
        )
    person = PersonalData(line.at(10, 10), line.at(11, 13), line.at(54, 56), line.at(58, 68), line.at(70, 79))
    return PlayerLine(
        number,
        name,
        line.whole(49, 52, statement("tournament.word.rating"), MOST_RATING),
        person,
        line.points(81, 84) if line.at(81, 84) else None,
        line.whole(86, 89, statement("tournament.word.place"), MOST_NUMBER),
        tuple(_cell(line, number, start) for start in range(ROUND_START, len(line.text) + 1, ROUND_WIDTH)),
        line.number,
    )


def _cell(line: TrfLine, number: int, start: int) -> Cell:
    for column in (start + blank for blank in BLANKS):
        if line.at(column, column):
            raise line.refusal(statement("tournament.trf.between", text=line.at(column, column)), column)
    opponent = line.whole(start, start + 3, statement("tournament.word.opponent"), MOST_NUMBER)
    side, result = line.at(start + 5, start + 5).lower(), line.at(start + 7, start + 7).upper()
    if opponent == number:
        raise line.refusal(statement("tournament.trf.own_opponent", number=number), start)
    if side and side not in SIDES:
        raise line.refusal(statement("tournament.trf.no_side", text=side), start + 5)
    if result and result not in RESULTS:
        raise line.refusal(statement("tournament.trf.no_result", text=result), start + 7)
    return Cell(opponent, side or ("-" if opponent is None and result else " "), result or " ")
