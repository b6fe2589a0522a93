"""Write a sheet as the fixed-column text of a report file."""

from collections.abc import Iterable, Iterator
from typing import Final

from gnomon.tournament.formats.trf._regulations import points_of
from gnomon.tournament.formats.trf.sheet import ROUND_START, Cell, PlayerLine, TrfEdition, TrfSheet
from gnomon.tournament.state.particulars import Heading, Virtual
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import Scoring

LINE_END: Final = "\r\n"  # the format asks for CR, and most programs read the two together

_USUAL: Final = points_of(Scoring())
# How engines were told a point system before line 162.
_OLD_POINTS: Final = {"W": "BBW", "D": "BBD", "L": "BBL", "P": "BBU"}


def format_sheet(sheet: TrfSheet, edition: TrfEdition, line_end: str = LINE_END) -> str:
    """The text of a file in one of the editions; what an edition has no line for is left out."""
    last = _after_26(sheet) if edition is TrfEdition.TRF26 else _after_16(sheet)
    players = (_player(sheet, player, edition) for player in sheet.players)
    return "".join(f"{line.rstrip()}{line_end}" for line in (*_head(sheet, edition), *players, *last))


def _head(sheet: TrfSheet, edition: TrfEdition) -> Iterator[str]:
    yield f"012 {sheet.name}"
    yield from _heading_lines(sheet, sheet.heading)
    if edition is TrfEdition.TRF16:
        yield f"XXR {sheet.rounds}"
        yield f"XXC {'white1' if sheet.first_side == 'W' else 'black1'}"
        yield from (f"{_OLD_POINTS[letter]} {_points(worth)}" for letter, worth in _unusual(sheet))
        return
    yield f"142 {sheet.rounds}"
    yield f"152 {sheet.first_side}"
    if any(_unusual(sheet)):
        yield "162  " + "    ".join(f"{letter}{_points(worth)}" for letter, worth in sheet.points.items())
    yield f"192 {sheet.system}"
    yield from [f"352 {sheet.sides}"] if sheet.sides else []
    if sheet.match_points:
        yield "362 " + "   ".join(f"T{letter}{_points(worth)}" for letter, worth in sheet.match_points.items())
    yield f"202 {','.join(sheet.tie_breaks)}" if sheet.tie_breaks else "212 PTS"


def _heading_lines(sheet: TrfSheet, heading: Heading) -> Iterator[str]:
    told = {"022": heading.city, "032": heading.federation, "042": heading.starts, "052": heading.ends}
    yield from (f"{tag} {text}" for tag, text in told.items() if text)
    rated = sum(player.rating is not None for player in sheet.players)
    yield f"062 {len(sheet.players)}"
    yield f"072 {rated}"
    yield f"082 {len({team.name for team in sheet.teams})}"
    yield from (f"{tag} {text}" for tag, text in (("092", heading.kind), ("102", heading.arbiter)) if text)
    yield from (f"112 {deputy}" for deputy in heading.deputies)
    later = (("122", heading.time), ("182", heading.paired_by), ("222", heading.encoded_time))
    yield from (f"{tag} {text}" for tag, text in later if text)
    if heading.dates:
        yield "132".ljust(ROUND_START - 1) + "".join(date.ljust(10) for date in heading.dates)


def _unusual(sheet: TrfSheet) -> Iterator[tuple[str, Points]]:
    """The results that are not worth what FIDE gives for them; the bye of a pairing is worth a win unless it says."""
    usual = {**_USUAL, "P": sheet.points.get("W", _USUAL["P"])}
    return ((letter, worth) for letter, worth in sheet.points.items() if worth != usual[letter])


def _points(points: Points | None) -> str:
    return f"{float(points or 0):4.1f}"


def _player(sheet: TrfSheet, player: PlayerLine, edition: TrfEdition) -> str:
    person = player.person
    told = (
        f"001 {player.number:4d} {person.sex:1.1}{person.title:>3.3} {player.name:33.33} "
        f"{player.rating or '':>4} {person.federation:3.3} {person.fide_number:>11.11} {person.born:10.10} "
        f"{_points(player.points)} {player.rank or '':>4}"
    )
    cells = [*player.cells, *(_next_byes(sheet, player) if edition is TrfEdition.TRF16 else ())]
    return told + "".join(f"  {_cell(cell)}" for cell in cells)


def _cell(cell: Cell) -> str:
    if cell.empty:
        return " " * 8
    opponent = "0000" if cell.opponent is None else f"{cell.opponent:4d}"
    return f"{opponent} {cell.side} {cell.result}"


def _next_byes(sheet: TrfSheet, player: PlayerLine) -> Iterable[Cell]:
    """The older format tells who will be absent in the column of the next round, of a Swiss that nobody has played."""
    games = 2 if "DOUBLESWISS" in sheet.system else 1 if "SWISS" in sheet.system else 0
    for number in range(sheet.columns + 1, sheet.columns + games + 1):
        letter = next((bye.bye for bye in sheet.byes if bye.round == number and player.number in bye.numbers), None)
        yield Cell() if letter is None else Cell(None, "-", letter)


def _after_26(sheet: TrfSheet) -> Iterator[str]:
    for bye in sheet.byes:
        yield f"240 {bye.bye} {bye.round:03d} {_numbers(bye.numbers)}"
    for virtual in sheet.heading.virtual:
        rounds = f"{virtual.first:03d} {virtual.last:03d}"
        matches = _points(virtual.match_points) if virtual.match_points else " " * len(_points(virtual.points))
        yield f"250 {matches} {_points(virtual.points)} {rounds} {virtual.one:4d} {virtual.other:4d}"
    for line in sheet.apart:
        yield f"260 {line.first or 1:03d} {line.last or sheet.rounds or 1:03d} {_numbers(line.numbers)}"
    for bonus in sheet.bonuses:
        yield f"299          {_points(bonus.points)}  {bonus.round or 0:03d} {_numbers(bonus.numbers)}"
    for order in sheet.orders:
        players = " ".join(f"{number:4d}" if number else "0000" for number in order.players)
        yield f"300 {order.round:03d} {order.team:3d} {order.opponent:3d} {players}"
    numbers = {name: number for number, name in enumerate(dict.fromkeys(team.name for team in sheet.teams), start=1)}
    for team in sheet.teams:
        told = f"310 {team.number or numbers[team.name]:3d} {team.name:32.32}"
        if team.match_points is not None and team.game_points is not None:
            points = f"{float(team.match_points):6.1f} {float(team.game_points):6.1f}"
            told = f"{told} {'':5} {team.strength or '':>6} {points} {team.rank or '':>3}"
        yield told.ljust(73) + _numbers(team.numbers)
    if sheet.team_bye is not None:
        worth = f"{_points(sheet.team_bye.match_points)} {_points(sheet.team_bye.game_points)}"
        yield f"320 {worth} {' '.join(f'{number:03d}' for number in sheet.team_bye.teams)}"
    for forfeit in sheet.forfeits:
        yield f"330 {forfeit.result} {forfeit.round:03d} {forfeit.first:3d} {forfeit.second:3d}"


def _after_16(sheet: TrfSheet) -> Iterator[str]:
    for team in sheet.teams:
        yield f"013 {team.name:32.32}{_numbers(team.numbers)}"
    for line in sheet.apart:
        yield "XXP " + " ".join(map(str, line.numbers))
    for number in sorted({one for virtual in sheet.heading.virtual for one in range(virtual.one, virtual.other + 1)}):
        yield _acceleration_line(number, [each for each in sheet.heading.virtual if each.one <= number <= each.other])


def _acceleration_line(number: int, lines: list[Virtual]) -> str:
    last = max(line.last for line in lines)
    worth = (next((v.points for v in lines if v.first <= one <= v.last), Points(0)) for one in range(1, last + 1))
    return f"XXA {number:4d} " + " ".join(map(_points, worth))


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(f"{number:4d}" for number in numbers)
