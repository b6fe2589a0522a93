"""Read a tournament file of OpenGotha (XML): entrants, grades, absences, games and settings.

A hostile file gets nowhere: a document type, and with it every entity, is refused before it is looked at; no other file
is opened, and size and depth are bounded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from xml.parsers import expat

from gnomon.numbers import parse_whole
from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.formats.trf import Imported, Remark, RoundColumn, TrfError, course_of
from gnomon.tournament.formats.trf.sheet import PlayerLine, TrfSheet
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData, day_of, line_of
from gnomon.tournament.state.results import GameResult, Points, Result
from gnomon.tournament.state.settings import MOST_STONES, Bye, GradeRules, Rounding, Scoring, System, TournamentSettings
from gnomon.tournament.strength.grades import grade_text, is_grade, parse_grade
from gnomon.tournament.strength.stones import handicaps

MOST_LETTERS: Final = 5_000_000
MOST_ELEMENTS: Final = 100_000
MOST_DEPTH: Final = 10
_ROOT: Final = "Tournament"
_PLAYER: Final = "Player"
_GAME: Final = "Game"
_BYE: Final = "ByePlayer"
_GENERAL: Final = "GeneralParameterSet"
_HANDICAP: Final = "HandicapParameterSet"
_CRITERION: Final = "PlacementCriterion"
_KEPT: Final = frozenset({_ROOT, _PLAYER, _GAME, _BYE, _GENERAL, _HANDICAP, _CRITERION})
_BY_DEFAULT: Final = "_BYDEF"
_RESULTS: Final[Mapping[str, Result]] = {
    "RESULT_UNKNOWN": (),
    "RESULT_BLACKWINS": (GameResult.FIRST_WON,),
    "RESULT_WHITEWINS": (GameResult.SECOND_WON,),
    "RESULT_EQUAL": (GameResult.DRAWN,),
    "RESULT_BOTHWIN": (GameResult.BOTH_WON,),
    "RESULT_BOTHLOSE": (GameResult.BOTH_LOST,),
    "RESULT_BLACKWINS_BYDEF": (GameResult.FIRST_BY_FORFEIT,),
    "RESULT_WHITEWINS_BYDEF": (GameResult.SECOND_BY_FORFEIT,),
    "RESULT_BOTHLOSE_BYDEF": (GameResult.DOUBLE_FORFEIT,),
}
_BYES: Final = {"0": Bye.ZERO, "1": Bye.HALF, "2": Bye.FULL}
_TIE_BREAKS: Final = {
    "SOSM": "SOS",
    "SOSW": "SOS",
    "SOSOSM": "SOSOS",
    "SOSOSW": "SOSOS",
    "SODOSM": "SODOS",
    "SODOSW": "SODOS",
    "CUSSM": "PS",
    "CUSSW": "PS",
    "DC": "DE",
    "SDC": "DE",
}
_SCORES: Final = frozenset({"NULL", "MMS", "NBW"})
_MCMAHON: Final = "MMS"

_Attributes = Mapping[str, str]


class _Elements(NamedTuple):
    """What a file has, element by element."""

    players: Sequence[_Attributes]
    games: Sequence[_Attributes]
    byes: Sequence[_Attributes]
    general: _Attributes
    handicap: _Attributes
    criteria: Sequence[_Attributes]


def is_opengotha(text: str) -> bool:
    """Whether a text looks like such a file: it begins as XML does, and has the element of a tournament."""
    return text.lstrip("\ufeff \r\n\t").startswith("<") and f"<{_ROOT}" in text


def read_opengotha(text: str) -> Imported:
    """The events that a file of OpenGotha tells; the player who moves first has black.

    Raises TrfError for what is no such file, is larger than any tournament, contradicts itself, breaks an absolute
    rule, or cannot be held.
    """
    file = _parse(text)
    if not file.players:
        raise _refusal(statement("tournament.go.nobody"))
    remarks: list[Remark] = []
    settings = _settings(file, remarks)
    numbers = _numbers_of(file)
    columns = _columns(file, settings, numbers)
    sheet = TrfSheet(
        name=settings.name, heading=_heading(file.general), rounds=settings.rounds, players=_players(file, remarks)
    )
    course = course_of(sheet, settings, columns)
    if unlike := _unlike_stones(file, course.tournament, numbers):
        if any(game.get("handicap", "0") != "0" for game in file.games):
            remarks.append(Remark(statement("tournament.go.stones", count=unlike)))
        else:
            course = course_of(sheet, replace(settings, grades=_even(settings)), columns)
    return Imported(tuple(course.events), course.tournament, (*remarks, *course.remarks))


def _even(settings: TournamentSettings) -> GradeRules:
    """The rules without stones: the file has none, whatever it says of them."""
    return replace(settings.grades or GradeRules(), handicap=None)


def _unlike_stones(file: _Elements, tournament: Tournament, numbers: Mapping[str, int]) -> int:
    """At how many boards the file has other stones than Gnomon computes."""
    given = {
        (_number(game, "roundNumber", tournament.settings.rounds), _who(game, "blackPlayer", numbers)): _number(
            game, "handicap", MOST_STONES, 0
        )
        for game in file.games
    }
    return sum(
        given[round_.number, pairing.first] != stones.get(pairing.board, 0)
        for round_ in tournament.rounds
        for stones in (handicaps(tournament, round_.number, round_.pairings),)
        for pairing in round_.pairings
        if pairing.second is not None
    )


def _parse(text: str) -> _Elements:
    if len(text) > MOST_LETTERS:
        raise _refusal(statement("tournament.go.large", most=MOST_LETTERS))
    found: dict[str, list[_Attributes]] = {name: [] for name in _KEPT}
    depth = count = 0

    def refuse(*_: object) -> int:
        raise _refusal(statement("tournament.go.doctype"))

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > MOST_DEPTH or count > MOST_ELEMENTS:
            raise _refusal(statement("tournament.go.large", most=MOST_ELEMENTS))
        if name in found:
            found[name].append(attributes)

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate("utf-8")  # a declaration of another is about the bytes, which are read already
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(text.lstrip("\ufeff \r\n\t").encode("utf-8", "replace"), True)  # noqa: FBT003 - its last part
    except expat.ExpatError as error:
        what = statement("tournament.go.not_xml", line=error.lineno, detail=expat.ErrorString(error.code))
        raise _refusal(what) from error
    if not found[_ROOT]:
        raise _refusal(statement("tournament.go.none"))
    return _Elements(
        found[_PLAYER],
        found[_GAME],
        found[_BYE],
        _first(found[_GENERAL]),
        _first(found[_HANDICAP]),
        found[_CRITERION],
    )


def _first(elements: Sequence[_Attributes]) -> _Attributes:
    return elements[0] if elements else {}


def _refusal(what: Statement) -> TrfError:
    return TrfError(what)


def _number(attributes: _Attributes, name: str, most: int, usual: int | None = None) -> int:
    """A number of an element. Raises TrfError for anything else."""
    text = attributes.get(name, "")
    if not text and usual is not None:
        return usual
    found = parse_whole(text, most)
    if found is None:
        raise _refusal(statement("tournament.go.attribute", name=name, text=quote(text)))
    return found


def _grade(text: str) -> int:
    """A grade. Raises TrfError for anything else."""
    try:
        return parse_grade(text)
    except TournamentError as error:
        raise _refusal(error.statement) from error


def _settings(file: _Elements, remarks: list[Remark]) -> TournamentSettings:
    general, criteria = file.general, [one.get("name", "") for one in file.criteria]
    system = System.MCMAHON if _MCMAHON in criteria[:1] else System.SWISS
    used = [name for name in criteria if name not in _SCORES and not name.startswith(("TEAM", "BDW", "MNR"))]
    remarks += [Remark(statement("tournament.trf.tie_break", code=name)) for name in used if name not in _TIE_BREAKS]
    breaks = tuple(dict.fromkeys(_TIE_BREAKS[name] for name in used if name in _TIE_BREAKS))
    prefix = "genMMS2Value" if system is System.MCMAHON else "genNBW2Value"
    grades = GradeRules(
        bar=_grade(general.get("genMMBar") or "9d"),
        floor=_grade(general.get("genMMFloor") or "30k"),
        handicap=_handicap(file.handicap),
        rounding=Rounding.DOWN if general.get("genRoundDownNBWMMS") == "true" else Rounding.NONE,
    )
    try:
        return TournamentSettings(
            line_of(general.get("name") or "Tournament"),
            system,
            _number(general, "numberOfRounds", 99),
            balance=False,  # OpenGotha prefers even sides, and plays on where they are not
            scoring=Scoring(bye=Points(_number(general, f"{prefix}Bye", 2, 2), 2)),
            rule_set="GO",
            tie_breaks=breaks,
            grades=grades,
        )
    except TournamentError as error:
        raise _refusal(error.statement) from error


def _handicap(attributes: _Attributes) -> int | None:
    """By how many stones the difference is reduced, None where those who could have any are too strong for them."""
    threshold = attributes.get("hdNoHdRankThreshold", "30K")
    if not attributes or (is_grade(threshold) and parse_grade(threshold) <= parse_grade("30k")):
        return None
    text = attributes.get("hdCorrection", "0")
    # A negative correction gives more stones than the difference, which Gnomon does not.
    return 0 if text.startswith("-") else _number(attributes, "hdCorrection", MOST_STONES, 0)


def _heading(general: _Attributes) -> Heading:
    try:
        return Heading(
            city=line_of(general.get("location", "")),
            starts=day_of(general.get("beginDate", "")),
            ends=day_of(general.get("endDate", "")),
            arbiter=line_of(general.get("director", "")),
        )
    except TournamentError as error:
        raise _refusal(error.statement) from error


def _key(attributes: _Attributes) -> str:
    """What games call a player: the name and the first name in capitals, without blanks."""
    return (attributes.get("name", "") + attributes.get("firstName", "")).replace(" ", "").upper()


def _numbers_of(file: _Elements) -> Mapping[str, int]:
    numbers: dict[str, int] = {}
    for number, player in enumerate(file.players, start=1):
        if _key(player) in numbers:
            raise _refusal(statement("tournament.go.twice", name=quote(_key(player))))
        numbers[_key(player)] = number
    return numbers


def _players(file: _Elements, remarks: list[Remark]) -> tuple[PlayerLine, ...]:
    lines = []
    for number, player in enumerate(file.players, start=1):
        name = ", ".join(filter(None, (line_of(player.get("name", "")), line_of(player.get("firstName", "")))))
        if player.get("smmsCorrection", "0") != "0":
            correction = player["smmsCorrection"]
            remarks.append(Remark(statement("tournament.go.correction", name=quote(name), points=quote(correction))))
        rating = player.get("rating", "")
        listed = next((player[one] for one in ("egfPin", "agaId") if player.get(one, "").isdecimal()), "")
        person = PersonalData(
            title=grade_text(_grade(player.get("rank", "") or player.get("grade", ""))),
            federation=player.get("country", "")[:3].upper(),
            fide_number=listed[:11],
            club=line_of(player.get("club", "")),
        )
        lines.append(PlayerLine(number, name, parse_whole(rating, 9999) or None, person))
    return tuple(lines)


def _columns(file: _Elements, settings: TournamentSettings, numbers: Mapping[str, int]) -> tuple[RoundColumn, ...]:
    """The rounds that were paired, each with its games, who had the bye, and who was absent."""
    games: dict[int, dict[tuple[int, int], Result]] = {}
    for game in file.games:
        black, white = (_who(game, name, numbers) for name in ("blackPlayer", "whitePlayer"))
        games.setdefault(_number(game, "roundNumber", settings.rounds), {})[black, white] = _result(game)
    idle: dict[int, list[int]] = {}
    for bye in file.byes:
        idle.setdefault(_number(bye, "roundNumber", settings.rounds), []).append(_who(bye, "player", numbers))
    prefix = "genMMS2Value" if settings.system is System.MCMAHON else "genNBW2Value"
    absent = _BYES.get(file.general.get(f"{prefix}Absent", "0"), Bye.ZERO)
    last = max((*games, *idle), default=0)
    columns = []
    for number in range(1, last + 1):
        paired, without = games.get(number, {}), tuple(idle.get(number, ()))
        there = {one for pair in paired for one in pair} | {*without}
        granted = {one: absent for one in numbers.values() if one not in there}
        columns.append(RoundColumn(paired, without, granted))
    return tuple(columns)


def _who(attributes: _Attributes, name: str, numbers: Mapping[str, int]) -> int:
    key = attributes.get(name, "")
    if key not in numbers:
        raise _refusal(statement("tournament.go.stranger", name=quote(key)))
    return numbers[key]


def _result(game: _Attributes) -> Result:
    told = game.get("result", "")
    # A draw or two wins without a game are what they are worth.
    result = _RESULTS.get(told, _RESULTS.get(told.removesuffix(_BY_DEFAULT)))
    if result is None:
        raise _refusal(statement("tournament.go.result", text=quote(told)))
    return result
