"""Serve the list of tournaments and the form that opens one, empty or from a report file."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.hall import Hall, HallError
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import Event, TeamPlayTold, TournamentOpened
from gnomon.tournament.formats.go.opengotha import is_opengotha, read_opengotha
from gnomon.tournament.formats.tables.csv import decode
from gnomon.tournament.formats.tables.entrants import MOST_NAME, is_name
from gnomon.tournament.formats.trf import Imported, read_trf
from gnomon.tournament.settings.scope import check_scope
from gnomon.tournament.settings.texts import parse_names, parse_several_points
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import parse_points
from gnomon.tournament.state.particulars import shown_day
from gnomon.tournament.state.settings import MOST_ROUNDS, MOST_SEATS, GradeRules, Scoring, System, TournamentSettings
from gnomon.tournament.state.team_play import MOST_BOARDS, USUAL_BREAKS, TeamPlay
from gnomon.tournament.strength.grades import is_grade, parse_grade
from gnomon.tournament.teams.tiebreaks import USUAL, check_team_tie_break
from gnomon.tournament.tiebreaks.rule_sets import RULE_SETS, usual_rules, usual_tie_breaks
from gnomon.tournament.tiebreaks.values import NAMES, check_tie_break, name_of
from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web._tie_breaks import tie_break_text
from gnomon.web.access import Role, allow
from gnomon.web.access.answers import go_to
from gnomon.web.director._event_writer import announce
from gnomon.web.director._office import (
    FormError,
    FormMistake,
    FormProblem,
    TournamentApp,
    form_mistake,
    number_or_none,
    path_of,
    who,
)
from gnomon.web.director.setup._go_form import go_form, parse_go_form

PATH: Final = "/tournaments"
SYSTEMS: Final = {system.value.replace(" ", "_"): system for system in System}
REACH: Final = 3  # rungs
ROUNDS: Final = 5  # an evening's
_LONGEST: Final = 60  # letters of a name in addresses
_EXPECTED: Final = 9_999
_MOST_GAMES: Final = 200  # letters of the games of all rounds
_FORM: Final = "new"  # stands in the place of a name in the address of the form


_DAY: Final = len("2026-11-20")


class Listed(NamedTuple):
    """A tournament of the list.

    `day` is that on which it starts, else that on which it was opened; `is_namesake` where another has its title.
    """

    name: str
    tournament: Tournament
    state: str
    disputed: int
    day: str
    is_namesake: bool

    @property
    def label(self) -> str:
        """Its title, by which no other of the hall is meant."""
        title = self.tournament.settings.name
        return f"{title} ({self.name})" if self.is_namesake else title


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The list for everybody, the form for directors."""
    desk = _Opening(office)
    return (
        Route(PATH, desk.show),
        Route(f"{PATH}/new", allow(Role.DIRECTOR, desk.form)),
        Route(f"{PATH}/new", allow(Role.DIRECTOR, desk.open), methods=["POST"]),
        Route(f"{PATH}/new/read", allow(Role.DIRECTOR, desk.read), methods=["POST"]),
    )


def state_of(tournament: Tournament) -> str:
    """How far a tournament has come: `entries`, `playing`, `between` two rounds, or `over`."""
    if not tournament.rounds:
        return "entries"
    if tournament.waiting:
        return "playing"
    return "over" if len(tournament.rounds) >= tournament.settings.rounds else "between"


def list_tournaments(hall: Hall) -> list[Listed]:
    """The tournaments of a hall, the newest first. Raises StoreError and BookError."""
    names = [kept.id for kept in reversed(hall.tournaments())]
    books = [(name, hall.book(name).read(), hall.book(name).tournament()) for name in names]
    titles = Counter(tournament.settings.name for _, _, tournament in books)
    return [
        Listed(
            name,
            tournament,
            state_of(tournament),
            len(hall.disputes(name)),
            shown_day(tournament.heading.starts) or told[0].at_wall[:_DAY],
            titles[tournament.settings.name] > 1,
        )
        for name, told, tournament in books
    ]


class _Opening:
    """What is answered at each address."""

    def __init__(self, office: TournamentApp) -> None:
        self._office = office

    async def show(self, request: Request) -> Response:
        """Every tournament, the newest first."""
        listed = await self._office.ask(lambda: list_tournaments(self._office.hall))
        return page(request, "director_list.html", listed=listed)

    async def form(self, request: Request) -> Response:
        """The form of a new tournament, with what is usual for its system."""
        return self._form(request, dict(request.query_params))

    async def open(self, request: Request) -> Response:
        """Open a tournament."""
        sent = await forms.read(request)
        try:
            settings, play = _settings(sent), _play(sent)
            check_scope(settings)
            name = await self._office.ask(lambda: self._open(settings, play, who(request)))
        except (TournamentError, HallError) as error:
            return self._form(request, sent, form_mistake(request, "open", sent, error))
        except FormError as error:
            return self._form(request, sent, form_mistake(request, "open", sent, error))
        return go_to(f"{path_of(name)}/entrants")

    async def read(self, request: Request) -> Response:
        """Open a tournament as a report file of a federation tells it, with everything that happened in it."""
        sent, found = await forms.read(request), await forms.file(request, "file")
        if found is None:
            return self._form(request, sent, form_mistake(request, "open", sent, FormError(FormProblem.FILE)))
        try:
            content = found[1]
            told = await self._office.work_out(lambda: _read_report(content))
            name = await self._office.ask(lambda: self._import(told.tournament, told.events, found[0], who(request)))
        except (TournamentError, HallError) as error:
            return self._form(request, sent, form_mistake(request, "read", sent, error))
        return go_to(f"{path_of(name)}/desk")

    def _open(self, settings: TournamentSettings, play: TeamPlay | None, teller: str) -> str:
        hall, name = self._office.hall, free_name(self._office.hall, settings.name)
        if play is not None:
            fold([TournamentOpened(settings), TeamPlayTold(play)])  # what cannot be opens nothing
        hall.open_tournament(name, settings, teller)
        if play is not None:
            hall.tell(name, TeamPlayTold(play), teller, after=1)
        return name

    def _import(self, tournament: Tournament, events: Sequence[Event], file: str, teller: str) -> str:
        name = free_name(self._office.hall, tournament.settings.name)
        open_told(self._office.hall, name, events, teller, file)
        return name

    def _form(self, request: Request, sent: Mapping[str, str], wrong: FormMistake | None = None) -> Response:
        system = SYSTEMS.get(sent.get("system", ""), System.SWISS)
        return page(
            request,
            "director_new.html",
            200 if wrong is None else wrong.status,
            wrong=wrong or FormMistake(),
            sent=sent,
            systems=list(SYSTEMS),
            chosen=system.value.replace(" ", "_"),
            rounds=ROUNDS,
            rule_sets=list(RULE_SETS.values()),
            rule_set=usual_rules(system).name,
            tie_breaks=_usual(system),
            all_tie_breaks=NAMES,
            tie_break_text=tie_break_text,
            most_boards=MOST_BOARDS,
            go=go_form(None, sent),
        )


def _read_report(content: bytes) -> Imported:
    """What a report file tells. Raises TournamentError."""
    text = decode(content)
    return read_opengotha(text) if is_opengotha(text) else read_trf(text)


def open_told(  # noqa: PLR0913, PLR0917 - what there is to say of a tournament
    hall: Hall, name: str, events: Sequence[Event], teller: str, why: str, plan: BoardAssignment | None = None
) -> None:
    """Open a tournament with everything that has happened in it."""
    hall.book(name).extend(events, teller, why, after=0)
    hall.set_plan(name, plan or BoardAssignment())
    announce(hall, name)


def free_name(hall: Hall, name: str) -> str:
    """The name for addresses of a tournament that is to be opened; no other has it."""
    wanted = slug(name)
    taken = {_FORM, *(kept.id for kept in hall.tournaments())}
    number, free = 1, wanted
    while free in taken:
        number += 1
        free = f"{wanted}-{number}"
    return free


def slug(name: str) -> str:
    """A name for addresses: its letters and digits without accents, with hyphens between the words."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST].strip("-") or "tournament"


def _settings(sent: Mapping[str, str]) -> TournamentSettings:
    """What a form settles. Raises TournamentError and FormError."""
    name = " ".join(sent.get("name", "").split())
    if not is_name(name[:MOST_NAME]):
        raise FormError(FormProblem.NAME)
    system, in_teams = SYSTEMS.get(sent.get("system", ""), System.SWISS), bool(_number(sent, "boards", 0))
    cycles, lives = _number(sent, "cycles", 1), _number(sent, "lives", 1)
    win = parse_points(sent.get("win") or "1")
    draw, loss = parse_points(sent.get("draw") or "½"), parse_points(sent.get("loss") or "0")
    rounds = _number(sent, "rounds", 0) or _rounds(system, _number(sent, "expected", 0), cycles, lives)
    return TournamentSettings(
        name=name[:MOST_NAME],
        system=system,
        rounds=rounds,
        games=_number(sent, "games", 1),
        match_score="match_score" in sent,
        balance=sent.get("balance", "yes") == "yes",
        leader_first=sent.get("lot", "first") == "first",
        scoring=Scoring(win, draw, loss, parse_points(sent["bye"]) if sent.get("bye") else win),
        team_mates_meet="apart" not in sent,
        bars=tuple(sorted(_bars(sent.get("bars", "")))),
        grades=_grades(sent),
        cycles=cycles if system is System.ROUND_ROBIN else 1,
        annul=sent.get("annul", "yes") == "yes" or system is not System.ROUND_ROBIN,
        third_place="third_place" in sent and system is System.KNOCKOUT,
        rule_set=sent.get("rule_set") or usual_rules(system).name,
        tie_breaks=_team_tie_breaks(sent, system) if in_teams else _tie_breaks(sent, system),
        accelerated="accelerated" in sent and system is System.SWISS,
        check_in="check_in" in sent,
        round_games=parse_names(sent.get("round_games", "")[:_MOST_GAMES]),
        open_rounds=1 if system is System.KNOCKOUT else _number(sent, "open_rounds", 1),
        streak="streak" in sent and system is System.ARENA,
        reach=_number(sent, "reach", REACH) if system is System.LADDER else REACH,
        table_size=_number(sent, "table_size", MOST_SEATS) if system is System.TABLES else MOST_SEATS,
        place_points=parse_several_points(sent.get("place_points", "")) if system is System.TABLES else (),
        lives=lives if system is System.KNOCKOUT else 1,
    )


def _usual(system: System) -> tuple[str, ...]:
    return usual_tie_breaks(system, usual_rules(system))


def _tie_breaks(sent: Mapping[str, str], system: System) -> tuple[str, ...]:
    if "tie_breaks" not in sent:
        return _usual(system)
    chosen = tuple(map(name_of, re.findall(r"[\w/+-]+", sent["tie_breaks"])))
    for name in chosen:
        check_tie_break(name)
    return tuple(dict.fromkeys(chosen))


def _team_tie_breaks(sent: Mapping[str, str], system: System) -> tuple[str, ...]:
    chosen = tuple(re.findall(r"[\w:]+", sent.get("tie_breaks", "").upper()))
    if chosen in {(), _usual(system)}:  # what the form proposes is for single entrants
        return USUAL.get(system, ())
    for name in chosen:
        check_team_tie_break(name)
    return tuple(dict.fromkeys(chosen))


def _play(sent: Mapping[str, str]) -> TeamPlay | None:
    """How teams play each other, None where nobody plays in teams. Raises TournamentError and FormError."""
    boards = _number(sent, "boards", 0)
    if not boards:
        return None
    win, draw, loss = (
        parse_points(sent.get(name) or usual)
        for name, usual in (("match_win", "2"), ("match_draw", "1"), ("match_loss", "0"))
    )
    bye = parse_points(sent["match_bye"]) if sent.get("match_bye") else draw
    scheveningen = "scheveningen" in sent
    return TeamPlay(
        boards,
        Scoring(win, draw, loss, bye),
        parse_points(sent.get("board_bye") or "½"),
        games_first=sent.get("rank_by") == "games" or scheveningen,
        alternate=sent.get("alternate", "yes") == "yes",
        scheveningen=scheveningen,
        cup_breaks=tuple(re.findall(r"\w+", sent["cup_breaks"].upper())) if sent.get("cup_breaks") else USUAL_BREAKS,
    )


def _rounds(system: System, expected: int, cycles: int, lives: int) -> int:
    """How many rounds so many need. Raises FormError where that is not known."""
    if system in {System.ARENA, System.LADDER}:
        return MOST_ROUNDS
    if not 2 <= expected <= _EXPECTED:  # noqa: PLR2004 - two can play
        if system in {System.SWISS, System.MCMAHON, System.TABLES, System.KEIZER}:
            return ROUNDS
        raise FormError(FormProblem.ROUNDS)
    if system is System.ROUND_ROBIN:
        return (expected - 1 + expected % 2) * cycles
    if system is System.KNOCKOUT:
        return (expected - 1).bit_length() * lives + (lives > 1)
    return max(3, (expected - 1).bit_length() + 1)


def _bars(text: str) -> list[int]:
    found = re.findall(r"\b[0-9]{1,4}\b", text)
    return [int(each) for each in found]


def _grades(sent: Mapping[str, str]) -> GradeRules | None:
    """What is settled for Go; a McMahon may have grades, one or two, where the others have ratings."""
    rules, text = parse_go_form(sent), sent.get("bars", "")
    found = sorted(parse_grade(word) for word in re.split(r"[\s,;]+", text) if is_grade(word))
    if not found:
        return rules
    between = GradeRules(bar=found[-1], floor=found[0]) if len(found) > 1 else GradeRules(bar=found[0])
    return between if rules is None else replace(rules, bar=between.bar, floor=between.floor)


def _number(sent: Mapping[str, str], field: str, default: int) -> int:
    found = number_or_none(sent.get(field, ""))
    return default if found is None else found
