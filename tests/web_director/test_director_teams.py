"""Teams on the pages: they are entered, lined up and paired, and everybody sees matches with their boards."""

import json
import re

import pytest

from gnomon.tournament.events import PersonTold, TeamTold
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import PersonalData
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of, match_view, team_view
from gnomon.web.sheets.paper import render
from gnomon.web.sheets.teams import boards_sheet, lineup_sheet
from gnomon.words import LANGUAGES, words
from tests.web_director.houses import DirectorHouse, Person
from tests.web_director.test_director_rounds import mark_of, paired

TEAMS = "/tournaments/open/teams"
OPENING = {"name": "Open", "boards": "2", "rounds": "3", "tie_breaks": "DE BHC1 BH SB WIN"}


@pytest.fixture
def cup(house: DirectorHouse, dora: Person) -> DirectorHouse:
    """Three teams of three at two boards, from the column of entrants."""
    assert dora.send("/tournaments/new", **OPENING).headers["location"] == "/tournaments/open/entrants"
    for number in range(9):
        dora.send("/tournaments/open/entrants/add", name=f"Player {number + 1}", team=f"Team {'ABC'[number % 3]}")
    assert dora.send(f"{TEAMS}/gather").status_code == 303
    return house


def tournament(house: DirectorHouse) -> Tournament:
    return house.hall.book("open").tournament()


def plain(text: str) -> str:
    """The text of a page without its marks."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_a_tournament_of_teams_is_opened_with_its_settings(house: DirectorHouse, dora: Person) -> None:
    sent = {**OPENING, "rank_by": "games", "alternate": "no", "match_win": "3", "match_bye": "2", "board_bye": "1"}
    dora.send("/tournaments/new", **sent)
    opened = tournament(house)
    play = book_of(opened).play
    assert (play.boards, play.games_first, play.alternate) == (2, True, False)
    assert [*map(int, (play.scoring.win, play.scoring.bye, play.board_bye))] == [3, 2, 1]
    assert opened.settings.tie_breaks == ("MPVGP", "BH:MP", "EMGSB", "EDE")
    dora.send("/tournaments/new", **{**OPENING, "name": "Two", "tie_breaks": "bh:gp EMMSB", "system": "round_robin"})
    assert house.hall.book("two").tournament().settings.tie_breaks == ("BH:GP", "EMMSB")
    sent = {**OPENING, "name": "Three", "system": "round_robin", "scheveningen": "yes"}
    dora.send("/tournaments/new", **sent)
    assert book_of(house.hall.book("three").tournament()).play.scheveningen


def test_what_teams_cannot_play_opens_nothing(house: DirectorHouse, dora: Person) -> None:
    answer = dora.send("/tournaments/new", **{**OPENING, "system": "keizer"})
    assert (answer.status_code, "eams cannot play a keizer" in answer.text) == (409, True)
    answer = dora.send("/tournaments/new", **{**OPENING, "tie_breaks": "XX"})
    assert (answer.status_code, "XX is not a tie-break" in answer.text) == (409, True)
    assert list(house.hall.tournaments()) == []


def test_teams_are_entered_and_changed(cup: DirectorHouse, dora: Person) -> None:
    text = plain(dora.page(TEAMS))
    assert "1 Team A" in text
    assert "A match has 2 boards" in text
    assert "In no team yet" not in text
    dora.send("/tournaments/open/entrants/add", name="Player 10")
    assert "In no team yet: 10 Player 10" in plain(dora.page(TEAMS))
    dora.send(f"{TEAMS}/enter", name="Team D", members="10", captain="Player 10")
    dora.send(f"{TEAMS}/enter", number="1", name="The A", members="7, 4 1")
    book = book_of(tournament(cup))
    assert (book.rosters[1].members, book.rosters[4].captain) == ((7, 4, 1), "Player 10")
    assert tournament(cup).entrants[7].team == "The A"
    assert "number" in dora.send(f"{TEAMS}/enter", name="E", members="x").text
    assert dora.send(f"{TEAMS}/enter", name="/", members="1").status_code != 303
    answer = dora.send(f"{TEAMS}/enter", name="E", members="1")
    assert "nobody plays for two teams" in answer.text


def test_a_line_up_is_set_and_refused_in_a_sentence(cup: DirectorHouse, dora: Person) -> None:
    assert dora.send(f"{TEAMS}/lineup", number="1", round="1", players="1 -").status_code == 303
    assert 'value="1 -"' in dora.page(TEAMS)
    answer = dora.send(f"{TEAMS}/lineup", number="1", round="1", players="4 1")
    assert (answer.status_code, "1 Player 1 comes before 4 Player 4 in the roster" in answer.text) == (409, True)
    dora.send(f"{TEAMS}/lineup", number="1", round="1", players="")
    assert book_of(tournament(cup)).lineups == {}


def test_teams_come_and_go(cup: DirectorHouse, dora: Person) -> None:
    dora.send(f"{TEAMS}/withdraw", number="3")
    assert "out from round 1" in plain(dora.page(TEAMS))
    dora.send(f"{TEAMS}/return", number="3")
    dora.send(f"{TEAMS}/bye", number="3", round="2", worth="half")
    assert "half bye in round 2" in plain(dora.page(TEAMS))
    dora.send(f"{TEAMS}/bye", number="3", round="2", worth="none")
    dora.send(f"{TEAMS}/apart", one="1", other="2")
    assert "Team A – Team B" in plain(dora.page(TEAMS))
    dora.send(f"{TEAMS}/allow", one="1", other="2")
    assert book_of(tournament(cup)).matches.byes == {}
    assert team_view(tournament(cup)).prohibited == frozenset()
    assert "1 Team A and 2 Team B may meet" in plain(dora.page("/tournaments/open/log"))


def test_somebody_who_was_quicker_is_named(cup: DirectorHouse, dora: Person) -> None:
    seen = str(len(cup.hall.book("open").read()))
    dora.send(f"{TEAMS}/lineup", number="1", round="1", players="1 7")
    answer = dora.send(f"{TEAMS}/lineup", number="1", round="1", players="4 7", seen=seen)
    assert (answer.status_code, "Dora" in answer.text) == (409, True)
    assert dora.send(f"{TEAMS}/lineup", number="2", round="1", players="2 5", seen=seen).status_code == 303


def test_a_round_of_teams_from_the_preview_to_the_wall(cup: DirectorHouse, dora: Person) -> None:
    text = paired(cup, dora)
    assert "Match" in plain(text)
    assert "Team A" in plain(text)
    assert dora.send("/tournaments/open/round/publish", mark=mark_of(text)).status_code == 303
    public = cup.anybody()
    pairings = plain(public.page("/tournaments/open"))
    assert re.search(r"Match 1 · Team [AB] \(0\) – Team [AB] \(0\)", pairings)
    assert "Match 2 · Team C (0) , bye" in pairings
    results = "/tournaments/open/results/enter"
    dora.send(results, round="1", board="1", was="", result="1")
    assert "1 : 0 …" in plain(public.page("/tournaments/open"))
    wall = plain(public.page("/tournaments/open/wall"))
    assert "Matches 1 Team" in wall
    dora.send(results, round="1", board="2", was="", result="=")
    standings = plain(public.page("/tournaments/open/standings"))
    assert "Players by board" in standings
    assert "Buchholz, the points of all opponents, by match points" in standings
    assert "1½ : ½" in plain(public.page("/tournaments/open"))
    assert "1½" in plain(public.page("/tournaments/open/cross"))
    assert match_view(tournament(cup)).rounds[0].results[1] == (GameResult.FIRST_WON,)
    first = tournament(cup).rounds[0].at(1).first
    player = plain(public.page(f"/tournaments/open/players/{first}"))
    assert f"Player {first}" in player
    assert "Team" in plain(dora.page("/tournaments/open/desk"))
    assert "0 of 0" not in plain(dora.page("/tournaments/open/desk"))
    changed = dora.send("/tournaments/open/round/change", one="1", other="3", why="swap")
    assert "have a result" in changed.text


def test_an_empty_board_says_so(cup: DirectorHouse, dora: Person) -> None:
    dora.send(f"{TEAMS}/lineup", number="1", round="1", players="1 -")
    cup.publish()
    assert "nobody" in plain(cup.anybody().page("/tournaments/open"))
    alone = next(pairing for pairing in tournament(cup).rounds[0].pairings if pairing.second is None)
    name = tournament(cup).entrants[alone.first].name
    hits = plain(cup.anybody().page(f"/tournaments/open?find={name.replace(' ', '+')}"))
    assert f"{name} : board {alone.board}, against nobody" in hits
    assert f"{name} {alone.board} " in plain(cup.anybody().page("/tournaments/open/wall"))
    assert "nobody" in plain(dora.page("/tournaments/open/results"))
    assert ",nobody," in cup.anybody().get("/tournaments/open/files/pairings.csv").text


@pytest.mark.parametrize("sheet", ["pairings", "names", "standings", "cross", "entrants", "boards", "slips", "lineups"])
@pytest.mark.parametrize("system", ["swiss", "round_robin"])
def test_every_sheet_of_a_tournament_of_teams_is_printed(
    house: DirectorHouse, dora: Person, sheet: str, system: str
) -> None:
    dora.send("/tournaments/new", **{**OPENING, "system": system})
    for number in range(9):
        dora.send("/tournaments/open/entrants/add", name=f"Player {number + 1}", team=f"Team {'ABC'[number % 3]}")
    dora.send(f"{TEAMS}/gather")
    house.publish()
    house.play()
    text = plain(dora.page(f"/tournaments/open/print/{sheet}"))
    expected = {"pairings": "Match 1: 1 Team A" if system == "swiss" else "Match 1: 2 Team B", "lineups": "3 Team C"}
    expected["slips"] = "Player 2 · Team B"
    assert expected.get(sheet, "Team B" if sheet in {"standings", "cross", "boards"} else "Player 2") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_of_teams_speak_every_language(house: DirectorHouse, dora: Person, language: str) -> None:
    dora.send("/tournaments/new", **OPENING)
    dora.send("/tournaments/open/entrants/add", name="Ann", team="A")
    dora.send("/tournaments/open/entrants/add", name="Bob", team="B")
    dora.send(f"{TEAMS}/gather")
    dora.send(f"{TEAMS}/withdraw", number="2")
    say = words(language)
    text = render(lineup_sheet(tournament(house), 1, say), say)
    assert "1 A" in text
    assert "2 B" not in text
    assert render(boards_sheet(tournament(house), say), say)


def test_nobody_sees_what_is_private_of_the_players_of_teams(cup: DirectorHouse, dora: Person) -> None:
    book = cup.hall.book("open")
    told = [PersonTold(number, PersonalData("SEXED", born="1815/12/10")) for number in (1, 2, 3)]
    book.extend(told, "Dora", after=len(book.read()))
    cup.publish()
    cup.play()
    everybody = cup.anybody()
    public = ("", "/standings", "/cross", "/wall", "/print/boards", "/print/pairings", "/files/trf26.trf")
    shown = [everybody.page(f"/tournaments/open{path}") for path in public]
    shown += [dora.page(TEAMS), dora.page("/tournaments/open/print/lineups")]
    assert [text for text in shown if "1815" in text or "SEXED" in text] == []


def test_tables_and_the_hall_tell_of_teams(cup: DirectorHouse) -> None:
    cup.publish()
    cup.play()
    table = cup.anybody().get("/tournaments/open/files/standings.csv").text
    assert table.splitlines()[1].split(",")[2].startswith("Team")


def test_where_nobody_plays_in_teams_there_is_no_such_page(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    answer = dora.get(TEAMS, accept="application/json")
    assert (answer.status_code, "o teams play in Club Open" in answer.text) == (404, True)
    assert dora.get("/tournaments/open/print/boards").status_code == 404
    assert "/open/teams" not in dora.page("/tournaments/open/desk")


@pytest.mark.usefixtures("cup")
def test_what_a_program_asks_it_is_told(dora: Person) -> None:
    answer = dora.send(f"{TEAMS}/lineup", wants="application/json", number="1", round="1", players="4 1")
    assert json.loads(answer.text)["code"] == "order"


def test_teams_of_a_league_are_paired_by_the_table(house: DirectorHouse, dora: Person) -> None:
    dora.send("/tournaments/new", **{**OPENING, "system": "round_robin"})
    for number in range(4):
        dora.send("/tournaments/open/entrants/add", name=f"Player {number}", team=f"Team {number}")
    dora.send(f"{TEAMS}/gather")
    assert tournament(house).settings.system is System.ROUND_ROBIN
    assert len(pair(tournament(house))) == 2
    assert isinstance(house.hall.book("open").read()[-1].event, TeamTold)
    assert book_of(tournament(house)).play == TeamPlay(2)
    house.publish()
    # Each team has one player: the second boards stay empty.
    assert [pairing.board for pairing in tournament(house).rounds[0].pairings] == [1, 3]


def test_teams_have_a_till_and_prizes(cup: DirectorHouse, dora: Person, anna: Person) -> None:
    door = "/tournaments/open/door"
    assert dora.send(f"{door}/team-payment", number="2", owed="60", paid="20", note="cash").status_code == 303
    assert book_of(tournament(cup)).matches.payments == {2: Payment(6000, 2000, "cash")}
    assert "Owed 60, paid 20, still due 40." in dora.page(door)
    assert "cash" not in anna.page(door)
    assert anna.send(f"{door}/team-payment", number="2", owed="0").status_code == 403
    assert dora.send(f"{door}/team-payment", number="9", owed="1").status_code == 409
    lines = "1: 300\nTop = board 1\nTop 1: 40"
    assert dora.send("/tournaments/open/prizes/announce", prizes=lines, one_each="yes").status_code == 303
    assert dora.send("/tournaments/open/prizes/announce", prizes="Last = board 9").status_code == 409
    awards = dora.page("/tournaments/open/prizes").partition('id="awards"')[2].partition("</section>")[0]
    assert "Team A" in plain(awards)
    assert "A team is in a category if all its members are" in dora.page("/tournaments/open/prizes")


def test_match_points_are_changed_on_the_page_of_settings(cup: DirectorHouse, dora: Person) -> None:
    page = "/tournaments/open/settings"
    assert 'name="boards"' in dora.page(page)
    assert 'name="cup_breaks"' not in dora.page(page)
    sent = {"match_win": "3", "rank_by": "match-points", "board_bye": "½"}
    looked = dora.send(f"{page}/look", **sent, why="as voted").text
    assert "Match points for a win 3 (was 2)" in looked
    assert dora.send(f"{page}/change", **sent, name="Night Open", why="as voted").status_code == 303
    told = tournament(cup)
    assert (int(book_of(told).play.scoring.win), told.settings.name) == (3, "Night Open")
    again = dora.send(f"{page}/change", **sent, why="as voted")
    assert (again.status_code, "nothing" in again.text.casefold()) == (409, True)
    assert dora.send(f"{page}/change", match_win="2", why="no").status_code == 303


def test_the_desk_says_what_is_missing_until_the_teams_can_be_paired(house: DirectorHouse, dora: Person) -> None:
    dora.send("/tournaments/new", **OPENING, check_in="yes", games="2")
    desk, round_ = "/tournaments/open/desk", "/tournaments/open/round"
    assert "Enter at least two teams." in plain(dora.get(desk).text)
    for number in range(4):
        dora.send("/tournaments/open/entrants/add", name=f"Player {number + 1}", team=f"Team {'AB'[number % 2]}")
    dora.send(f"{TEAMS}/gather")
    assert "2 teams are missing and would not be paired. Door and till" in plain(dora.get(desk).text)
    assert "TRF26" not in dora.get(desk).text, "a report file knows one game a round of teams"
    assert "nobody is there to play" in plain(paired(house, dora))
    dora.send("/tournaments/open/door/check-in", number="1")
    assert "1 team is missing and would not be paired." in plain(dora.get(desk).text)
    for late in ("2", "3", "4"):
        dora.send("/tournaments/open/door/check-in", number=late)
    assert "Everybody is here." in plain(dora.get("/tournaments/open/door").text)
    assert "Round 1 can be paired for 2 teams." in plain(dora.get(desk).text)
    page = plain(dora.get(round_).text)
    assert "nobody is there to play" not in page, "what was missing has come"
    assert "Round 1 is for 2 teams. Pair round 1" in page


def test_both_games_at_a_board_are_entered_on_the_page(house: DirectorHouse, dora: Person) -> None:
    dora.send("/tournaments/new", **OPENING, games="2")
    for number in range(4):
        dora.send("/tournaments/open/entrants/add", name=f"Player {number + 1}", team=f"Team {'AB'[number % 2]}")
    dora.send(f"{TEAMS}/gather")
    dora.send("/tournaments/open/round/publish", mark=mark_of(paired(house, dora)))
    dora.send("/tournaments/open/results/enter", round="1", board="1", was="", result="1-0 ½-½")
    dora.send("/tournaments/open/results/enter", round="1", board="2", was="", result="0-1 0-1")
    played = tournament(house)
    assert not played.waiting
    assert "3½ : ½" in plain(dora.get("/tournaments/open").text)
