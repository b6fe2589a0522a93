"""What is known of people on the pages of tournaments: what a file brings is kept, what is private is shown nowhere."""

import re
from dataclasses import replace

from starlette.routing import Route

from gnomon.tournament.events import Event, HeadingTold, PersonTold
from gnomon.tournament.formats.trf import write_trf
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.web.access.gate import role_of
from gnomon.web.director import routes
from gnomon.web.director.public.papers import FILES
from tests.tournament._evening import after, gathered, settings
from tests.web_director import houses
from tests.web_director.houses import DirectorHouse

OPEN = "/tournaments/open"
BORN = "1815/12/10"
# The year alone, as a form's random token of hexadecimal digits may hold the same four digits.
YEAR = re.compile(r"(?<![0-9a-f])1815(?![0-9a-f])")
ADA = PersonalData("w", "WGM", "ENG", "400123", BORN, "SC Bonn")
REPORTS = ("trf16.trf", "trf26.trf")


def known(house: DirectorHouse, person: PersonalData = ADA) -> None:
    house.tournament()
    house.publish()
    book = house.hall.book("open")
    events: list[Event] = [
        HeadingTold(Heading("Bad Ems", starts="2026/11/20")),
        PersonTold(1, person),
        PersonTold(2, person),
    ]
    book.extend(events, "Dora", after=len(book.read()))


def open_to_everybody(house: DirectorHouse) -> list[str]:
    """Every address of a tournament at which anybody may look, files and sheets too."""
    paths = [
        route.path.replace("{name}", "open")
        .replace("{number:number}", "1")
        .replace("{code}", house.hall.player_codes("open")[1])
        for route in routes(house.office)
        if isinstance(route, Route) and "GET" in (route.methods or ()) and role_of(route.endpoint) is None
    ]
    files = ("entrants.csv", "pairings.csv", "results.csv", "standings.csv", *REPORTS)
    # Nobody plays in teams here, and no game was recorded.
    absent = ("/live", "/bracket", "/boards", "/lineups", "/teams", "{file}")
    found = [path for path in paths if not path.endswith(absent) and "/games/" not in path]
    return [*found, *(FILES.replace("{name}", "open").replace("{file}", file) for file in files)]


def test_nobody_sees_when_somebody_was_born_or_their_sex(house: DirectorHouse) -> None:
    known(house, PersonalData("SEXED", "WGM", "ENG", "400123", BORN, "SC Bonn"))
    addresses = open_to_everybody(house)
    assert len(addresses) > 15
    shown = {path: house.anybody().page(path) for path in addresses}
    assert [path for path, page in shown.items() if "SEXED" in page or YEAR.search(page)] == []
    assert [path for path in shown if "WGM" in shown[path]] != []
    assert "400123" in shown[f"{OPEN}/files/trf26.trf"]


def test_the_staff_see_it_in_report_files_alone(house: DirectorHouse, dora: houses.Person) -> None:
    known(house)
    for file in REPORTS:
        assert f"   1 wWGM {houses.NAMES[0]}" in dora.page(f"{OPEN}/files/{file}")
        assert BORN in dora.page(f"{OPEN}/files/{file}")
    for path in ("/log", "/entrants", "/desk", "/print/entrants"):
        assert YEAR.search(dora.page(f"{OPEN}{path}")) is None
    assert (
        "Ada Lovelace: title WGM, federation ENG, FIDE number 400123, club SC Bonn, sex noted, date of birth noted"
        in dora.page(f"{OPEN}/log")
    )
    assert "The event: city Bad Ems; " in dora.page(f"{OPEN}/log")


def confirmed(house: DirectorHouse, dora: houses.Person, file: str, content: str) -> dict[str, PersonalData]:
    """What is known, by names, of those who have come by a file."""
    said = dora.upload(f"{OPEN}/entrants/read", file, content.encode()).text
    upload = re.search(r'name="upload" value="([\w-]+)"', said)
    assert upload is not None
    assert dora.send(f"{OPEN}/entrants/confirm", upload=upload[1]).status_code == 303
    tournament = house.hall.book("open").tournament()
    return {tournament.entrants[number].name: person for number, person in tournament.persons.items()}


def test_a_table_that_is_read_on_the_page_brings_what_it_knows(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    table = "Name;Titel;Land;Geburtsjahr;m/w\nZoe;FM;GER;1999;w\nYve;;;;\nXun;Professor;;;\n"
    assert confirmed(house, dora, "a.csv", table) == {"Zoe": PersonalData("w", "FM", "GER", born="1999")}


def test_a_report_that_is_read_on_the_page_brings_what_it_knows(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    ten = after(
        gathered(10, settings()), PersonTold(8, PersonalData("m")), PersonTold(10, PersonalData("w", born="1999"))
    )
    brought = confirmed(house, dora, "a.trf", write_trf(ten).text)
    assert brought == {"Hal": PersonalData("m"), "Entrant 10": PersonalData("w", born="1999")}


def test_a_director_writes_down_what_is_known_of_somebody(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    page = f"{OPEN}/entrants/1"
    sent = {"title": " WGM ", "federation": "eng", "fide_number": "400123", "born": "10.12.1815", "sex": "f"}
    assert dora.send(f"{page}/person", **sent, club="SC Bonn").status_code == 303
    assert house.hall.book("open").tournament().person(1) == ADA
    assert f'value="{BORN}"' in dora.page(page)
    wrong = dora.send(f"{page}/person", **{**sent, "federation": "England"})
    assert "England is not the code of a federation: write its three letters such as GER" in wrong.text
    assert 'value="England"' in wrong.text
    assert dora.send(f"{page}/person").status_code == 303
    assert house.hall.book("open").tournament().persons == {}


def test_a_director_tells_where_and_when_the_event_is(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    page = f"{OPEN}/event"
    sent = {"city": "Bad Ems", "starts": "20.11.2026", "ends": "2026-11-22", "dates": "2026-11-20, 21.11.2026"}
    assert dora.send(f"{page}/tell", **sent, deputies="Kay, Jo; Lee;", arbiter=" Bell,  Ann ").status_code == 303
    told = Heading("Bad Ems", "", "2026/11/20", "2026/11/22", "", "Bell, Ann", ("Kay, Jo", "Lee"))
    assert house.hall.book("open").tournament().heading == replace(told, dates=("26/11/20", "26/11/21"))
    shown = dora.page(page)
    for value in ("Kay, Jo; Lee", "2026-11-22", "2026-11-20, 2026-11-21"):
        assert f'value="{value}"' in shown
    assert "Bad Ems · 2026-11-20 – 2026-11-22 · Chief arbiter: Bell, Ann" in house.anybody().page(
        f"{OPEN}/print/entrants"
    )
    wrong = dora.send(f"{page}/tell", **{**sent, "ends": "2026-11-19"}).text
    assert "The event ends on 2026-11-19, before it starts on 2026-11-20" in wrong
    assert 'value="20.11.2026"' in wrong
