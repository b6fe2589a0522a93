"""What everybody sees of a tournament, live and as of any round; the log, the desk, the papers."""

import html
import re

import pytest

from gnomon.tournament.pairing.double_elimination import still_in
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System
from gnomon.web._templates import HERE
from gnomon.web.access import Role
from gnomon.web.director._tables import StandingRow, standing_rows
from gnomon.web.director.public import pages as public
from gnomon.web.director.public.games import GameKey
from gnomon.web.template_folder import templates_in
from gnomon.words import LANGUAGES
from tests.web_director.houses import DirectorHouse, Person

PUBLIC = ("", "/standings", "/cross", "/wall", "/players/1")
STAFF = (
    "/desk",
    "/entrants",
    "/entrants/1",
    "/round",
    "/results",
    "/boards",
    "/log",
    "/settings",
    "/door",
    "/prizes",
    "/stages",
)
OPEN = "/tournaments/open"
FORMS = {
    System.SWISS: {"count": 9},
    System.MCMAHON: {"count": 8, "bars": (1995,), "tie_breaks": ("SOS", "SOSOS", "DE")},
    System.ROUND_ROBIN: {"count": 5, "rounds": 5},
    System.KNOCKOUT: {"count": 5, "tie_breaks": ()},
}


@pytest.mark.parametrize(
    ("system", "games"), [(System.SWISS, 2), (System.MCMAHON, 1), (System.ROUND_ROBIN, 1), (System.KNOCKOUT, 2)]
)
def test_every_page_is_there_from_the_entries_to_the_end(
    house: DirectorHouse, dora: Person, system: System, games: int
) -> None:
    house.tournament(system=system, games=games, **FORMS[system])  # type: ignore[arg-type]  # its own fields
    bracket = ("/bracket",) if system is System.KNOCKOUT else ()
    rounds = house.hall.book("open").tournament().settings.rounds
    for stage in range(2 * rounds + 1):
        anybody = house.anybody()
        for path in (*PUBLIC, *bracket):
            anybody.page(f"{OPEN}{path}")
        for path in STAFF:
            dora.page(f"{OPEN}{path}")
        if stage < 2 * rounds:
            house.play(results=[GameResult.FIRST_WON]) if stage % 2 else house.publish()
    assert "All rounds have been played" in dora.page(f"{OPEN}/desk")
    assert dora.page("/tournaments").count("mark-over") == 1


def test_a_double_elimination_is_read_round_by_round_in_both_brackets(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=5, system=System.KNOCKOUT, rounds=9, lives=2, tie_breaks=())
    anybody = house.anybody()
    assert f'href="{OPEN}/bracket"' in anybody.page(OPEN)
    for _ in range(2):
        house.publish()
        house.play(results=[GameResult.FIRST_WON])
    shown = anybody.page(f"{OPEN}/bracket")
    titles = re.findall(r"<h[23]>([^<]*)</h[23]>", shown)
    assert titles == [
        *("Winners’ bracket", "Round 1", "Round 2", "Round 3"),
        *("Losers’ bracket", "Round 2", "Final", "Second final, if needed"),
    ]
    lists = [re.findall(r'class="name">([^<]*)<', part) for part in re.findall(r"<ol>(.*?)</ol>", shown)]
    tournament = house.hall.book("open").tournament()
    first = [pairing for pairing in sorted(tournament.rounds[0].pairings) if pairing.second is not None]
    met = [tournament.label_of(number) for pairing in first for number in pairing.entrants]
    assert len(lists[0]) == 8
    assert [html.unescape(name) for name in lists[0] if html.unescape(name) in met] == met
    assert "Waiting for the next round: " in shown
    assert shown.count('<span class="unseen"> (won)</span>') == 4 + 2 + 1
    house.publish()
    still = len(still_in(house.play(results=[GameResult.FIRST_WON])))
    assert still < len(tournament.entrants)
    assert f"Round 4 can be paired for {still} players." in dora.page(f"{OPEN}/desk")
    assert "Losers’ bracket" in anybody.page(f"{OPEN}/wall")
    assert "Losers’ bracket" in anybody.page(f"{OPEN}/print/bracket")
    assert "Verliererrunde" in anybody.page(f"{OPEN}/bracket?language=de")
    assert "Tableau des perdants" in anybody.page(f"{OPEN}/bracket?language=fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_every_language(house: DirectorHouse, dora: Person, language: str) -> None:
    house.tournament()
    house.publish()
    for path in (*PUBLIC, *STAFF):
        assert f'<html lang="{language}">' in dora.page(f"{OPEN}{path}?language={language}")
    for path in ("/tournaments", "/tournaments/new"):
        dora.page(f"{path}?language={language}")


def test_there_is_nothing_where_there_is_no_tournament(house: DirectorHouse) -> None:
    house.tournament()
    anybody = house.anybody()
    for path in ("/tournaments/none", "/tournaments/..%2fopen", f"{OPEN}/players/99", f"{OPEN}?round=7"):
        assert anybody.get(path).status_code == 404
    assert anybody.get(f"{OPEN}/bracket").status_code == 404
    assert anybody.get(f"{OPEN}/standings?round=x").status_code == 404
    assert "There is no tournament yet" not in anybody.page("/tournaments")


def test_a_hall_without_a_tournament_says_what_to_do(house: DirectorHouse, dora: Person) -> None:
    assert "sign in and open it here" in house.anybody().page("/tournaments")
    assert "its name and its system" in dora.page("/tournaments")


def test_a_player_finds_their_board_by_a_part_of_their_name(house: DirectorHouse) -> None:
    tournament = house.tournament()
    anybody = house.anybody()
    tournament = house.publish()
    seat = next(pairing for pairing in tournament.rounds[0].pairings if 7 in pairing.entrants)
    text = anybody.page(f"{OPEN}?find=HOPP")
    assert text.count('class="card hits"') == 1
    if seat.second is None:
        assert "a bye: no game in this round" in text
    else:
        assert f"board {seat.board}" in text
    assert "Result:" not in text
    bye = next(pairing.first for pairing in tournament.rounds[0].pairings if pairing.second is None)
    assert "a bye: no game" in anybody.page(f"{OPEN}?find={tournament.entrants[bye].name}")
    assert "No player found" in anybody.page(f"{OPEN}?find=xyz")


def test_a_player_who_looks_for_their_board_when_the_games_are_over_sees_how_theirs_ended(house: DirectorHouse) -> None:
    house.tournament()
    house.publish()
    tournament = house.play(results=[GameResult.DRAWN] * 4)
    text = house.anybody().page(f"{OPEN}?find={tournament.entrants[tournament.rounds[0].pairings[0].first].name}")
    assert "You move first" in text
    assert "Result: ½-½." in text


def test_who_is_not_paired_is_told_so(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    dora.send(f"{OPEN}/entrants/1/withdraw", since="1")
    house.publish()
    anybody = house.anybody()
    assert "no game in this round" in anybody.page(f"{OPEN}?find=ada")
    assert "no game in this round" in anybody.page(f"{OPEN}/players/1")
    assert "Ada" not in anybody.page(f"{OPEN}/standings")
    for number in ("0", "10", "9" * 5000):
        assert anybody.get(f"{OPEN}/players/{number}").status_code == 404


def test_standings_are_those_of_any_round(house: DirectorHouse) -> None:
    house.tournament()
    for _ in range(2):
        house.publish()
        house.play(results=[GameResult.FIRST_WON])
    anybody = house.anybody()
    now, before = anybody.page(f"{OPEN}/standings"), anybody.page(f"{OPEN}/standings?round=1")
    assert "after round 2 of 3" in now
    assert "after round 1 of 3" in before
    assert now.count("<tbody>") == 2  # the players, and the teams
    assert 'title="Shared with others"' in before
    assert "Buchholz without the lowest opponent" in now
    assert anybody.get(f"{OPEN}/standings?part=1").text.startswith('<div class="scroll">')


def test_standings_with_a_bye_of_a_round_that_is_being_played_say_so(house: DirectorHouse, dora: Person) -> None:
    said, pages = "A bye of this round counts already.", ("/standings", "/wall", "/print/standings")
    house.tournament(count=5)
    house.publish()
    assert [page for page in pages if said in dora.page(f"{OPEN}{page}")] == list(pages)
    house.play()
    assert not [page for page in pages if said in dora.page(f"{OPEN}{page}")]


def test_a_table_is_made_once_for_all_who_read_alike(house: DirectorHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Tournament] = []

    def rows(seen: Tournament) -> list[StandingRow]:
        made.append(seen)
        return standing_rows(seen)

    monkeypatch.setattr(public, "standing_rows", rows)
    house.tournament()
    house.publish()
    anybody = house.anybody()
    for _ in range(3):
        anybody.page(f"{OPEN}/standings")
    assert len(made) == 1
    house.play()
    anybody.page(f"{OPEN}/standings")
    assert len(made) == 2


def test_names_are_shown_as_they_are_and_not_run(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=2)
    dora.send(f"{OPEN}/entrants/add", name='<script>alert("x")</script>', team="<b>")
    house.publish()
    for path in (*PUBLIC, *STAFF, "/print/names"):
        assert "<script>alert" not in dora.page(f"{OPEN}{path}")
        assert "<b>" not in dora.page(f"{OPEN}{path}")


def test_the_log_tells_who_did_what_and_why_and_makes_it_good(house: DirectorHouse, dora: Person, anna: Person) -> None:
    house.tournament()
    house.publish()
    anna.send(f"{OPEN}/results/enter", round="1", board="1", was="", result="1")
    last = len(house.hall.book("open").read())
    text = anna.page(f"{OPEN}/log")
    assert "Round 1, board 1:  1-0" in text
    assert "Anna" in text
    assert "Club Open was opened: swiss, rounds: 3" in text
    assert "Undo" not in text
    assert "A new event reverses event" in dora.page(f"{OPEN}/log?undo={last}")
    assert "Give a reason" in dora.send(f"{OPEN}/log/undo", number=str(last)).text
    assert dora.send(f"{OPEN}/log/undo", number=str(last), why="wrong slip").status_code == 303
    assert house.hall.book("open").tournament().rounds[0].results == {}
    assert "wrong slip" in dora.page(f"{OPEN}/log")
    assert "opened the tournament and cannot be undone" in dora.send(f"{OPEN}/log/undo", number="1", why="x").text
    assert "there is no event" in dora.send(f"{OPEN}/log/undo", number="999", why="x").text.lower()


def test_a_long_log_goes_on_below(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=250)
    assert dora.page(f"{OPEN}/log").count('class="log-n"') == 100
    assert dora.page(f"{OPEN}/log?to=51").count('class="log-n"') == 51


def test_every_kind_of_event_has_its_sentence(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    for action, sent in (
        ("entrants/1/correct", {"name": "Ada"}),
        ("entrants/2/withdraw", {"since": "1"}),
        ("entrants/2/return", {}),
        ("entrants/3/bye", {"round": "2", "worth": "zero"}),
        ("entrants/3/bye", {"round": "2", "worth": "none"}),
        ("entrants/apart", {"one": "1", "other": "2"}),
        ("entrants/allow", {"one": "1", "other": "2"}),
    ):
        assert dora.send(f"{OPEN}/{action}", **sent).status_code == 303, action
    house.publish()
    dora.send(f"{OPEN}/round/change", one="1", other="2", why="asked")
    dora.send(f"{OPEN}/results/enter", round="1", board="1", was="", result="1")
    dora.send(f"{OPEN}/results/correct", round="1", board="1", was="1-0", result="0", why="slip")
    dora.send(f"{OPEN}/results/correct", round="1", board="1", was="0-1", result="", why="board 2")
    dora.send(f"{OPEN}/round/revoke", why="again")
    house.publish()
    house.play(results=[GameResult.DRAWN])
    assert dora.send(f"{OPEN}/desk/lot", order="1 2 3 4 5 6 7 8 9").status_code == 303
    assert dora.send(f"{OPEN}/desk/decide", order="3, 4", why="a play-off").status_code == 303
    for language in LANGUAGES:
        assert dora.page(f"{OPEN}/log?language={language}").count('class="log-n"') > 20


def test_ties_are_parted_by_a_lot_or_the_director(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=4, rounds=2, tie_breaks=())
    house.publish()
    house.play(results=[GameResult.DRAWN])
    assert "Still level" not in dora.page(f"{OPEN}/desk")  # the next round may part them
    house.publish()
    house.play(results=[GameResult.DRAWN])
    text = dora.page(f"{OPEN}/desk")
    assert "Still level" in text
    for action in ("lot", "decide"):
        said = dora.send(f"{OPEN}/desk/{action}", order="4 3", why="a play-off")
        assert said.status_code == 409
        assert "are level: name them all, the best first" in said.text
    assert "Still level" in dora.page(f"{OPEN}/desk")
    dora.send(f"{OPEN}/desk/decide", order="4 3 2 1", why="a play-off")
    assert "Still level" not in dora.page(f"{OPEN}/desk")
    assert dora.send(f"{OPEN}/desk/lot", order="one two").status_code == 422
    assert "separates nobody" in dora.send(f"{OPEN}/desk/lot", order="1").text


@pytest.mark.parametrize("sheet", ["entrants", "pairings", "names", "standings", "cross", "teams", "slips", "score"])
def test_every_sheet_is_printed(house: DirectorHouse, dora: Person, sheet: str) -> None:
    house.tournament()
    house.publish()
    answer = dora.get(f"{OPEN}/print/{sheet}?paper=letter")
    assert answer.status_code == 200
    assert "style-src 'unsafe-inline'" in answer.headers["content-security-policy"]
    assert "letter" in answer.text
    assert dora.get(f"{OPEN}/print/pairings?round=9").status_code == 404


@pytest.mark.parametrize(
    "file", ["entrants.csv", "pairings.csv", "results.csv", "standings.csv", "trf16.trf", "trf26.trf", "events.json"]
)
def test_every_file_is_given_out(house: DirectorHouse, dora: Person, file: str) -> None:
    house.tournament()
    house.publish()
    answer = dora.get(f"{OPEN}/files/{file}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="open-{file}"'
    assert "Ada Lovelace" in answer.text
    assert dora.get(f"{OPEN}/files/nothing.csv").status_code == 404


def test_a_sheet_before_the_first_round_is_none(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    assert dora.get(f"{OPEN}/print/pairings").status_code == 404
    assert dora.get(f"{OPEN}/files/pairings.csv").status_code == 404
    assert dora.get(f"{OPEN}/print/bracket").status_code == 404


def test_the_round_clock_is_pressed_from_the_desk(house: DirectorHouse, anna: Person) -> None:
    house.tournament()
    assert "1:00:00" in anna.page(f"{OPEN}/desk")
    anna.send(f"{OPEN}/desk/set", minutes="45")
    anna.send(f"{OPEN}/desk/start")
    house.clock.wait(60)
    assert "44:00" in anna.page(f"{OPEN}/desk")
    anna.send(f"{OPEN}/desk/more", minutes="5")
    anna.send(f"{OPEN}/desk/pause")
    house.clock.wait(600)
    assert "49:00" in house.anybody().page(f"{OPEN}/wall")
    assert anna.send(f"{OPEN}/desk/set", minutes="soon").status_code == 422
    assert house.person(Role.PLAYER).send(f"{OPEN}/desk/start").status_code == 403


def test_the_screen_in_the_hall_says_where_to_sit_only_while_a_round_is_played(house: DirectorHouse) -> None:
    house.tournament(count=4, rounds=2)
    seen, text = [], ""
    for stage in range(5):
        text = house.anybody().page(f"{OPEN}/wall")
        seen.append([each for each in ("Find your board", "Standings", "Final standings", ">Over<") if each in text])
        assert ("data-clock" in text) is (stage < 4)  # no round is left that it could run for
        if stage < 4:
            house.play() if stage % 2 else house.publish()
    playing, between = ["Find your board", "Standings"], ["Standings"]
    assert seen == [between, playing, between, playing, ["Final standings", ">Over<"]]
    assert text.index("panel-standings") < text.index("panel-boards")


@pytest.mark.parametrize(
    ("result", "numbers", "shown"),
    [
        ("1-0", (1,), [("1-0", "1-1")]),
        ("1-0 0-1", (1, 2), [("1-0", "1-1"), ("0-1", "1-1-2")]),
        ("1-0 +/-", (1,), [("1-0 +/-", "1-1")]),
        ("1-0 ½-½ 0-1", (1, 3), [("1", "1-1"), ("2", "1-1-3")]),
    ],
)
def test_each_game_of_a_result_leads_to_its_replay(
    result: str, numbers: tuple[int, ...], shown: list[tuple[str, str]]
) -> None:
    macro = templates_in(HERE / "templates").get_template("tournament_games.html").module.result_of  # type: ignore[attr-defined]  # a macro
    games = [GameKey(1, 1, number) for number in numbers]
    made = macro(result, 1, 1, [GameKey(2, 1, 1), *games], "/tournaments/open", str)
    assert [(text, address) for address, text in re.findall(r'games/([\d-]+)"[^>]*>([^<]+)<', made)] == shown
