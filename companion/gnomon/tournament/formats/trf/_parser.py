"""Parse the text of a report file into a sheet: every line type of TRF16, TRF26 and the older extensions."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.formats.trf._fields import PLAYER_NUMBER, TrfLine, lines
from gnomon.tournament.formats.trf._players import player_line
from gnomon.tournament.formats.trf.sheet import (
    MOST_NUMBER,
    ApartLine,
    Bonus,
    ByeLine,
    ForfeitLine,
    OrderLine,
    PlayerLine,
    Remark,
    TeamByeLine,
    TeamLine,
    TrfError,
    TrfSheet,
)
from gnomon.tournament.state.particulars import Heading, Virtual
from gnomon.tournament.state.results import Points

MOST_ROUNDS: Final = 99
MOST_APART: Final = 5_000  # pairs; a team of a hundred has fewer

_HEADINGS: Final[Mapping[str, Callable[[Heading, str], Heading]]] = {
    "022": lambda heading, told: replace(heading, city=told),
    "032": lambda heading, told: replace(heading, federation=told),
    "042": lambda heading, told: replace(heading, starts=told),
    "052": lambda heading, told: replace(heading, ends=told),
    "092": lambda heading, told: replace(heading, kind=told),
    "102": lambda heading, told: replace(heading, arbiter=told),
    "112": lambda heading, told: replace(heading, deputies=(*heading.deputies, told)),
    "122": lambda heading, told: replace(heading, time=told),
    "132": lambda heading, told: replace(heading, dates=tuple(told.split())),
    "182": lambda heading, told: replace(heading, paired_by=told),
    "222": lambda heading, told: replace(heading, encoded_time=told),
}
# The format before TRF26 had a line for each value of a point system, of the engines that pair from it.
_OLD_POINTS: Final = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBF": "A", "BBU": "P"}
_SIDES: Final = {"white1": "W", "black1": "B"}
_LETTERS: Final = "WDLAPX"
_COUNTED: Final = frozenset({"062", "072", "082", "801", "802"})  # how many there are is counted again
_FORFEITS: Final = frozenset({"+-", "-+", "--"})
MOST_TEAMS: Final = 999
_TEAM_NUMBER: Final = statement("tournament.word.team_number")


@dataclass(slots=True)
class _Draft:
    """A sheet of which some lines are still to be read."""

    sheet: TrfSheet = field(default_factory=TrfSheet)
    heading: Heading = field(default_factory=Heading)
    players: dict[int, PlayerLine] = field(default_factory=dict)
    absent: list[tuple[TrfLine, int]] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def left_out(self, line: TrfLine, what: Statement) -> None:
        """Keep in mind that something of a line is not kept."""
        self.remarks.append(Remark(what, line.number))


_Handler = Callable[[_Draft, TrfLine], None]


def parse(text: str) -> tuple[TrfSheet, tuple[Remark, ...]]:
    """A file as a sheet, and what of it no sheet holds. Raises TrfError with line and column at the first mistake."""
    draft = _Draft()
    for line in lines(text):
        _read(draft, line)
    players = tuple(draft.players.values())
    sheet = replace(draft.sheet, heading=draft.heading, players=players)
    _check_players(sheet, frozenset(draft.players))
    # A line XXZ names who is absent from the round after those that anybody played.
    following = 1 + max((r for p in players for r, cell in enumerate(p.cells, 1) if cell.opponent), default=0)
    absences = tuple(ByeLine("Z", following, (number,), line.number) for line, number in draft.absent)
    return replace(sheet, byes=(*sheet.byes, *absences)), tuple(draft.remarks)


def _check_players(sheet: TrfSheet, players: frozenset[int]) -> None:
    """Raise TrfError for a line that names a player who has none, or a second team for one."""
    in_team: dict[int, str] = {}
    # Where teams play teams, byes and prohibitions are theirs.
    of_players = (sheet.teams,) if sheet.of_teams else (sheet.byes, sheet.apart, sheet.bonuses, sheet.teams)
    naming: list[tuple[tuple[int, ...], int | None]] = [
        (line.numbers, line.line) for lines_of in of_players for line in lines_of
    ]
    naming += [(tuple(filter(None, order.players)), order.line) for order in sheet.orders]
    for numbers, where in naming:
        stranger = next((number for number in numbers if number not in players), None)
        if stranger is not None:
            raise TrfError(statement("tournament.trf.stranger", number=stranger), where)
    for team in sheet.teams:
        for number in team.numbers:
            if in_team.setdefault(number, team.name) != team.name:
                raise TrfError(
                    statement("tournament.trf.two_teams", number=number, one=in_team[number], other=team.name),
                    team.line,
                )


def _read(draft: _Draft, line: TrfLine) -> None:
    if line.tag == "###":
        return
    if line.tag in _HEADINGS:
        draft.heading = _HEADINGS[line.tag](draft.heading, " ".join(line.rest.split()))
    elif line.tag in _OLD_POINTS:
        _worth(draft, line, _OLD_POINTS[line.tag], line.points(5, 8))
    elif line.tag in _HANDLERS:
        _HANDLERS[line.tag](draft, line)
    elif line.tag not in _COUNTED:
        draft.left_out(line, statement("tournament.trf.unknown_line", tag=line.tag))


def _name(draft: _Draft, line: TrfLine) -> None:
    draft.sheet = replace(draft.sheet, name=line.rest)


def _player(draft: _Draft, line: TrfLine) -> None:
    player = player_line(line)
    if player.number in draft.players:
        raise line.refusal(
            statement("tournament.trf.line_twice", number=player.number, line=draft.players[player.number].line), 5
        )
    draft.players[player.number] = player


def _rounds(draft: _Draft, line: TrfLine) -> None:
    rounds = line.positive_number(line.rest, 5, statement("tournament.word.round_count"), MOST_ROUNDS)
    draft.sheet = replace(draft.sheet, rounds=rounds)


def _first_side(draft: _Draft, line: TrfLine) -> None:
    if line.rest.upper() not in {"W", "B"}:
        raise line.refusal(
            statement("tournament.trf.colour", text=line.rest or statement("tournament.word.nothing")), 5
        )
    draft.sheet = replace(draft.sheet, first_side=line.rest.upper())


def _point_system(draft: _Draft, line: TrfLine) -> None:
    for column in range(6, len(line.text) + 1, 9):
        letter = line.at(column, column).upper()
        if letter not in _LETTERS or not letter:
            raise line.refusal(
                statement("tournament.trf.letter", text=letter or statement("tournament.word.nothing")), column
            )
        _worth(draft, line, letter, line.points(column + 1, column + 4))


def _worth(draft: _Draft, line: TrfLine, letter: str, points: Points) -> None:
    if letter == "A" and points:
        raise line.refusal(statement("tournament.trf.absence"))
    if letter == "X":
        draft.left_out(line, statement("tournament.trf.unknown_result"))
        return
    draft.sheet = replace(draft.sheet, points={**draft.sheet.points, letter: points})


def _system(draft: _Draft, line: TrfLine) -> None:
    draft.sheet = replace(draft.sheet, system=line.rest.upper())


def _tie_breaks(draft: _Draft, line: TrfLine) -> None:
    codes = tuple(code.strip().upper() for code in line.rest.split(",") if code.strip())
    # 212 says the same as 202 and begins with the points.
    if line.tag == "202" or draft.sheet.tie_breaks is None:
        draft.sheet = replace(draft.sheet, tie_breaks=tuple(code for code in codes if code != "PTS"))


def _configuration(draft: _Draft, line: TrfLine) -> None:
    for _, word in line.words():
        if word in _SIDES:
            draft.sheet = replace(draft.sheet, first_side=_SIDES[word])
        else:
            draft.left_out(line, statement("tournament.trf.engine_wish", word=word))


def _byes(draft: _Draft, line: TrfLine) -> None:
    kind, number = line.at(5, 5).upper(), line.round(7, 9)
    if kind not in {"F", "H", "Z"}:
        raise line.refusal(statement("tournament.trf.bye_kind", text=kind or statement("tournament.word.nothing")), 5)
    if number is None:
        raise line.refusal(statement("tournament.trf.bye_round"), 7)
    bye = ByeLine(kind, number, line.numbers(11), line.number)
    draft.sheet = replace(draft.sheet, byes=(*draft.sheet.byes, bye))


def _apart(draft: _Draft, line: TrfLine) -> None:
    if line.tag == "260":
        found = ApartLine(line.round(5, 7) or 1, line.round(9, 11), line.numbers(13), line.number)
    else:
        numbers = tuple(line.positive_number(word, column, PLAYER_NUMBER, MOST_NUMBER) for column, word in line.words())
        found = ApartLine(None, None, numbers, line.number)
    if len(found.numbers) < 2 or len(set(found.numbers)) < len(found.numbers):  # noqa: PLR2004 - two make a pair
        raise line.refusal(statement("tournament.trf.apart"))
    pairs = sum(len(each.numbers) * (len(each.numbers) - 1) // 2 for each in (*draft.sheet.apart, found))
    if pairs > MOST_APART:
        raise line.refusal(statement("tournament.trf.apart_many", pairs=pairs, most=MOST_APART))
    draft.sheet = replace(draft.sheet, apart=(*draft.sheet.apart, found))


def _virtual(draft: _Draft, line: TrfLine) -> None:
    first, last = line.round(15, 17), line.round(19, 21)
    one = line.whole(23, 26, PLAYER_NUMBER, MOST_NUMBER)
    other = line.whole(28, 31, PLAYER_NUMBER, MOST_NUMBER)
    if first is None or last is None or one is None or other is None or last < first or other < one:
        raise line.refusal(statement("tournament.trf.acceleration"), 15)
    games = line.points(10, 13) if line.at(10, 13) or not line.at(5, 8) else Points(0)
    _parse_acceleration(
        draft, Virtual(games, first, last, one, other, line.points(5, 8) if line.at(5, 8) else Points(0))
    )


def _virtual_of_one(draft: _Draft, line: TrfLine) -> None:
    number = line.positive_number(line.at(5, 8), 5, PLAYER_NUMBER, MOST_NUMBER)
    told = [
        line.points(column, column + 3) if line.at(column, column + 3) else Points(0)
        for column in range(10, len(line.text) + 1, 5)
    ]
    for points, same in groupby(enumerate(told, start=1), key=lambda each: each[1]):
        rounds = [number_of for number_of, _ in same]
        if points:
            _parse_acceleration(draft, Virtual(points, rounds[0], rounds[-1], number, number))


def _parse_acceleration(draft: _Draft, virtual: Virtual) -> None:
    draft.heading = replace(draft.heading, virtual=(*draft.heading.virtual, virtual))


def _abnormal(draft: _Draft, line: TrfLine) -> None:
    letter, numbers = line.at(5, 5), line.numbers(24)
    points = line.points(14, 17)
    if letter:
        draft.left_out(line, statement("tournament.trf.abnormal", letter=letter, points=float(points)))
        return
    bonus = Bonus(points, line.round(20, 22), numbers, line.number)
    draft.sheet = replace(draft.sheet, bonuses=(*draft.sheet.bonuses, bonus))


def _team(draft: _Draft, line: TrfLine) -> None:
    first, last, members = (5, 36, 37) if line.tag == "013" else (9, 40, 74)
    name = line.at(first, last)
    if not name:
        raise line.refusal(statement("tournament.trf.team_name"), first)
    number = line.whole(5, 7, _TEAM_NUMBER, MOST_TEAMS) if line.tag == "310" else None
    points = line.points(55, 60) if line.tag == "310" and line.at(55, 60) else None
    place = line.at(69, 71) if line.tag == "310" else ""
    rank = int(place) if place.isascii() and place.isdecimal() else None  # of use in a cup alone: no file fails by it
    team = TeamLine(name, line.numbers(members), line.number, number, match_points=points, rank=rank)
    draft.sheet = replace(draft.sheet, teams=(*draft.sheet.teams, team))


def _team_number(line: TrfLine, first: int) -> int:
    """The team in three columns. Raises TrfError where none is written."""
    return line.positive_number(line.at(first, first + 2), first, _TEAM_NUMBER, MOST_TEAMS)


def _order(draft: _Draft, line: TrfLine) -> None:
    number = line.positive_number(line.at(5, 7), 5, statement("tournament.word.round"), MOST_ROUNDS)
    columns = range(17, len(line.text) + 1, 5)
    players = tuple(line.whole(column, column + 3, PLAYER_NUMBER, MOST_NUMBER) or 0 for column in columns)
    order = OrderLine(number, _team_number(line, 9), _team_number(line, 13), players, line.number)
    draft.sheet = replace(draft.sheet, orders=(*draft.sheet.orders, order))


def _team_bye(draft: _Draft, line: TrfLine) -> None:
    columns = range(15, len(line.text) + 1, 4)
    teams = tuple(line.whole(column, column + 2, _TEAM_NUMBER, MOST_TEAMS) or 0 for column in columns)
    bye = TeamByeLine(line.points(5, 8), line.points(10, 13), teams, line.number)
    draft.sheet = replace(draft.sheet, team_bye=bye)


def _forfeit(draft: _Draft, line: TrfLine) -> None:
    result = line.at(5, 6)
    if result not in _FORFEITS:
        raise line.refusal(statement("tournament.trf.forfeit", text=result or statement("tournament.word.nothing")), 5)
    number = line.positive_number(line.at(8, 10), 8, statement("tournament.word.round"), MOST_ROUNDS)
    forfeit = ForfeitLine(result, number, _team_number(line, 12), _team_number(line, 16), line.number)
    draft.sheet = replace(draft.sheet, forfeits=(*draft.sheet.forfeits, forfeit))


def _colour_sequence(draft: _Draft, line: TrfLine) -> None:
    sides = line.rest.upper()
    alternates = all(one != other for one, other in pairwise(sides))
    if not sides or set(sides) - {"W", "B"} or not (alternates or len(set(sides)) == 1):
        raise line.refusal(statement("tournament.trf.sequence", text=sides or statement("tournament.word.nothing")), 5)
    draft.sheet = replace(draft.sheet, sides=sides)


def _match_points(draft: _Draft, line: TrfLine) -> None:
    found = re.findall(r"T([WDL])\s*(\d{1,2}(?:[.,]\d)?)", line.text[3:].upper())
    if not found:
        raise line.refusal(statement("tournament.trf.match_points"), 5)
    points = {letter: Points(worth.replace(",", ".")) for letter, worth in found}
    draft.sheet = replace(draft.sheet, match_points={**draft.sheet.match_points, **points})


def _parse_scoring(draft: _Draft, line: TrfLine) -> None:
    known = {"W": "W", "WW": "W", "BW": "W", "FW": "W", "D": "D", "WD": "D", "BD": "D", "HPB": "D"}
    known |= {"L": "L", "WL": "L", "BL": "L", "FL": "A", "ZPB": "A", "PAB": "P", "FPB": "W"}
    for column, word in line.words():
        found = re.fullmatch(r"([A-Z]+)=(\d{1,2}(?:[.,]\d)?)", word.upper())
        if found is None or found[1] not in known:
            raise line.refusal(statement("tournament.trf.result_points", word=word), column)
        letter, points = known[found[1]], Points(found[2].replace(",", "."))
        if draft.sheet.points.get(letter, points) != points:
            raise line.refusal(statement("tournament.trf.other_points", word=word), column)
        _worth(draft, line, letter, points)


def _absent(draft: _Draft, line: TrfLine) -> None:
    for column, word in line.words():
        draft.absent.append((line, line.positive_number(word, column, PLAYER_NUMBER, MOST_NUMBER)))


def _parse_ranking(draft: _Draft, line: TrfLine) -> None:
    draft.left_out(line, statement("tournament.trf.ranking", text=line.rest))


_HANDLERS: Final[Mapping[str, _Handler]] = {
    "001": _player,
    "012": _name,
    "013": _team,
    "142": _rounds,
    "152": _first_side,
    "162": _point_system,
    "172": _parse_ranking,
    "192": _system,
    "202": _tie_breaks,
    "212": _tie_breaks,
    "240": _byes,
    "250": _virtual,
    "260": _apart,
    "299": _abnormal,
    "300": _order,
    "310": _team,
    "320": _team_bye,
    "330": _forfeit,
    "352": _colour_sequence,
    "362": _match_points,
    "XXA": _virtual_of_one,
    "XXC": _configuration,
    "XXP": _apart,
    "XXR": _rounds,
    "XXS": _parse_scoring,
    "XXZ": _absent,
}
