"""The first ten seconds: what a newcomer finds, where every page leads to, and what is said when something is wrong."""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final, cast

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from gnomon.records.journal.entries import Archive
from gnomon.referee.events import Paused, TurnEntered
from gnomon.referee.games import begin, tell
from gnomon.refusals import sentence, statement
from gnomon.rules.registry import GAMES
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views import qr
from gnomon.web.access import Role
from gnomon.web.app import application
from gnomon.web.app_context import PACES, AppContext
from gnomon.web.live.interfaces import RefusedError
from gnomon.web.middleware.limits import Allowance
from gnomon.words import LANGUAGES, words
from tests.web.api_house import PaperBoard
from tests.web.visitors import Reception

SIMULATED: Final = "/bench/"
PHONES: Final = "http://192.168.1.7:8765/"
PRESENT: Final = Instant(7 * SECOND)


async def fail(_request: Request) -> Response:
    """A page that has a fault."""
    message = "a secret of ours"
    raise RuntimeError(message)


@dataclass
class Entrance(Reception):
    """A house that somebody sees for the first time; `refuses` says why the hands do not play."""

    simulated: str | None = SIMULATED
    address: str = ""
    refuses: str = ""
    pace: str = "usual"
    allowance: Allowance | None = None
    begun: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        board = self.board or PaperBoard()
        house = AppContext(
            board,
            cast(Archive, self.archive),
            ("gnomon.local",),
            self.simulated,
            wait=self.wait,
            door=self.door,
            address=lambda: self.address,
            demonstration=self if self.simulated else None,
            allowance=self.allowance,
            is_tournament=lambda: self.is_tournament,
        )
        self.app = application(house, Route("/fault", fail), *self.more)

    @property
    def is_on(self) -> bool:
        return bool(self.begun)

    async def start(self) -> None:
        if self.refuses:
            raise RefusedError(self.refuses)
        self.begun.append("demonstration")

    async def pause(self) -> None:
        self.begun.append("pause")

    async def go_on(self) -> None:
        self.begun.append("go on")

    async def stop(self) -> None:
        self.begun.append("stop")

    async def set_pace(self, pace: str) -> None:
        if pace not in PACES:
            message = f"There is no pace {pace!r}."
            raise RefusedError(message)
        self.pace = pace

    async def wait(self, _seconds: float) -> None:
        """Let no time pass."""


def playing(game: str = "tabik", turn: str = "d4e4") -> PaperBoard:
    """A board at which a turn has been made."""
    told, _ = tell(begin(game, {}), TurnEntered(Instant(SECOND), turn, "test"))
    return PaperBoard(told, PRESENT)


@dataclass
class Played(PaperBoard):
    """A board at which hands play by themselves."""

    @property
    def is_demonstrated(self) -> bool:
        return True


def links(page: str) -> set[str]:
    return set(re.findall(r'href="(/[^"?#]*)', page))


# The first page


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_newcomer_reads_what_this_is_and_has_four_choices(language: str) -> None:
    page = Entrance(open_to=Role.ARBITER).browser().get(f"/?language={language}").text
    say = words(language)
    assert f"<h1>{say('landing.lead')}</h1>" in page
    assert all(
        f"<h2>{say(key)}</h2>" in page for key in ("landing.demo", "opponent.title", "landing.bench", "landing.connect")
    )
    assert {"/bench/", "/connect", "/puzzles"} <= links(page)
    assert 'action="/demonstration"' in page
    assert 'href="/board/new?opponent=1&amp;at=bench"' in page
    assert page.count('class="choice"') == 4


def test_on_a_real_board_one_plays_people_or_gnomon_watches_or_takes_the_phone() -> None:
    page = Entrance(simulated=None, address=PHONES).browser().get("/").text
    assert {"/board/new", "/watch", "/connect", "/games", "/desk"} <= links(page)
    assert "/bench" not in page
    assert "demonstration" not in page
    assert 'href="/board/new?opponent=1"' in page
    assert page.count('class="choice"') == 4


@pytest.mark.parametrize("simulated", [SIMULATED, None])
def test_in_a_tournament_nobody_is_invited_to_play_against_gnomon(simulated: str | None) -> None:
    house = Entrance(simulated=simulated)
    assert words()("opponent.title") in house.browser().get("/").text
    house.is_tournament = True
    assert words()("opponent.title") not in house.browser().get("/").text


def test_while_a_game_goes_on_one_is_led_to_it() -> None:
    shown = Entrance(board=Played(playing().present, PRESENT), open_to=Role.ARBITER).browser().get("/").text
    assert 'action="/demonstration"' not in shown
    assert words()("landing.demo.runs") in shown
    assert words()("landing.demo.on") not in shown
    simulated = Entrance(board=playing()).browser().get("/").text
    assert words()("landing.demo.on") in simulated
    real = Entrance(board=playing(), simulated=None).browser().get("/").text
    assert words()("landing.play.on") in real


def test_the_first_admin_is_led_to_the_code_and_later_nobody_is() -> None:
    house = Entrance(simulated=None)
    first = words()("access.pair.first")
    assert first in house.browser().get("/").text
    house.person("Ada", Role.ADMIN)
    assert first not in house.browser().get("/").text


def test_phones_are_told_the_address_or_how_to_be_let_in() -> None:
    reached, alone = (Entrance(address=address).browser() for address in (PHONES, ""))
    assert PHONES in reached.get("/").text
    assert "--host 0.0.0.0" not in reached.get("/").text
    assert reached.get("/qr.svg").text == qr.svg(qr.code(PHONES))
    assert "--host 0.0.0.0" in alone.get("/").text
    assert alone.get("/qr.svg").status_code == 404


@pytest.mark.untraced
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_small_picture_is_of_the_position_in_the_language_of_the_page(language: str) -> None:
    waiting, on = (Entrance(board=board).browser() for board in (PaperBoard(), playing()))
    pictures = [browser.get(f"/now.svg?language={language}") for browser in (waiting, on)]
    assert [picture.headers["content-type"] for picture in pictures] == ["image/svg+xml"] * 2
    assert pictures[0].text != pictures[1].text
    assert words(language)("player.white") in pictures[1].text


@pytest.mark.parametrize("game", ["tamsk", "tau", "tayu", "twenty-squares"])
def test_every_game_has_its_small_picture(game: str) -> None:
    board = PaperBoard(begin(game, {"level": 1} if game == "tamsk" else {}), PRESENT)
    assert "<svg" in Entrance(board=board).browser().get("/now.svg").text


def test_the_small_picture_shows_the_sand_as_it_is_now_and_is_drawn_once_a_second() -> None:
    told, _ = tell(begin("tamsk", {"level": 2}), TurnEntered(Instant(SECOND), "D1-D2", "test"))
    board = PaperBoard(told, Instant(11 * SECOND))
    browser = Entrance(board=board).browser()
    first = browser.get("/now.svg").text
    assert "2:50" in first
    assert browser.get("/now.svg").text == first
    board.at = Instant(71 * SECOND)
    assert "1:50" in browser.get("/now.svg").text
    assert browser.get("/now.svg?language=de").text != browser.get("/now.svg").text


# The demonstration


def test_the_demonstration_begins_and_is_watched() -> None:
    house = Entrance(open_to=Role.ARBITER)
    answer = house.browser().send("/demonstration")
    assert (answer.status_code, answer.headers["location"]) == (303, "/watch")
    assert house.begun == ["demonstration"]


def test_a_demonstration_that_cannot_begin_says_why() -> None:
    house = Entrance(open_to=Role.ARBITER, refuses="The journal cannot be written.")
    answer = house.browser().send("/demonstration")
    assert answer.status_code == 409
    assert "The journal cannot be written." in answer.text


def test_an_unfinished_game_does_not_hide_the_demonstration() -> None:
    page = Entrance(board=playing(), open_to=Role.ARBITER).browser().get("/").text
    assert 'action="/demonstration"' in page
    assert words()("landing.demo.away") in page


def test_a_tournament_s_game_is_not_put_away_for_the_demonstration() -> None:
    page = Entrance(board=playing(), open_to=Role.ARBITER, is_tournament=True).browser().get("/").text
    assert 'action="/demonstration"' not in page
    assert words()("landing.demo.on") in page
    # Between two games nothing speaks against it.
    free = Entrance(open_to=Role.ARBITER, is_tournament=True).browser().get("/").text
    assert 'action="/demonstration"' in free


def test_the_demonstration_is_named_where_it_is_watched_and_stopped_and_sped_up_there() -> None:
    house = Entrance(board=Played(playing().present, PRESENT), open_to=Role.ARBITER)
    browser = house.browser()
    page = browser.get("/watch").text
    assert words()("watching.demo.hands") in page  # where hands play at random, no engine is spoken of
    engines = begin("tabik", {"opponent": "3", "opponent_plays": "all"})
    against = begin("tabik", {"opponent": "3"})  # simulated hands may make the turns of the person
    person = Entrance(board=Played(against, PRESENT), open_to=Role.ARBITER).browser().get("/watch").text
    assert words()("watching.demo.hands") in person
    exhibition = Entrance(board=Played(engines, PRESENT), open_to=Role.ARBITER).browser().get("/watch").text
    assert words()("watching.demo.what") in exhibition
    assert 'id="demonstration" aria-labelledby="demonstration-head">' in page  # not hidden
    assert browser.send("/demonstration/pace", pace="fast").headers["location"] == "/watch"
    assert house.pace == "fast"
    assert browser.send("/demonstration/pace", pace="headlong").status_code == 409
    for act in ("pause", "resume", "stop"):
        assert browser.send(f"/demonstration/{act}").headers["location"] == "/watch"
    assert house.begun == ["pause", "go on", "stop"]
    onlooker = Entrance(board=Played(playing().present, PRESENT)).browser()
    assert 'action="/demonstration' not in onlooker.get("/watch").text
    assert onlooker.send("/demonstration/stop").status_code == 401


@pytest.mark.parametrize(("path", "at"), [("/watch", ""), ("/board", "board")])
def test_every_page_of_the_board_has_its_controls_and_they_lead_back(path: str, at: str) -> None:
    house = Entrance(board=Played(playing().present, PRESENT), open_to=Role.ARBITER)
    browser = house.browser()
    page = browser.get(path).text
    assert f'name="at" value="{at}"' in page
    assert 'id="demonstration-pause">' in page
    assert 'id="demonstration-resume" hidden>' in page
    assert browser.send("/demonstration/pause", at=at).headers["location"] == path
    going_on = playing().game()
    assert going_on is not None
    stopped = tell(going_on, Paused(Instant(2 * SECOND), "test"))[0]
    page = Entrance(board=Played(stopped, PRESENT), open_to=Role.ARBITER).browser().get(path).text
    assert words()("watching.demo.paused") in page
    assert 'id="demonstration-pause" hidden>' in page
    assert 'id="demonstration-resume">' in page


def test_on_the_bench_its_banner_pauses_and_the_rest_is_beside_the_board() -> None:
    browser = Entrance(board=Played(playing().present, PRESENT), open_to=Role.ARBITER).browser()
    page = browser.get(SIMULATED).text
    assert 'action="/demonstration/pace"' in page
    assert 'action="/demonstration/pause"' not in page
    assert browser.send("/demonstration/pace", at="bench", pace="fast").headers["location"] == SIMULATED


def test_controls_lead_to_no_other_site() -> None:
    browser = Entrance(open_to=Role.ARBITER).browser()
    assert browser.send("/demonstration/pause", at="//elsewhere.example/").headers["location"] == "/watch"
    on_wires = Entrance(open_to=Role.ARBITER, simulated=None).browser()
    assert on_wires.send("/demonstration/pause", at="bench").status_code == 404


def test_who_may_not_stop_a_demonstration_sees_no_controls_at_the_board() -> None:
    page = Entrance(board=Played(playing().present, PRESENT), open_to=Role.PLAYER).browser().get("/board").text
    assert 'action="/demonstration' not in page


def test_a_game_of_people_is_no_demonstration() -> None:
    page = Entrance(board=playing(), open_to=Role.ARBITER).browser().get("/watch").text
    assert 'aria-labelledby="demonstration-head" hidden>' in page


@pytest.mark.parametrize(("simulated", "role", "status"), [(SIMULATED, Role.PLAYER, 401), (None, Role.ARBITER, 404)])
def test_only_who_may_use_the_bench_lets_hands_play_and_only_where_there_is_one(
    simulated: str | None, role: Role, status: int
) -> None:
    house = Entrance(open_to=role, simulated=simulated)
    assert house.browser().send("/demonstration").status_code == status
    assert house.begun == []


# What every page has


@pytest.mark.parametrize("path", ["/help", "/games", "/board", "/watch"])
def test_the_page_that_is_open_is_marked_and_the_others_are_reached(path: str) -> None:
    board = PaperBoard()
    page = Entrance(board=board, archive=NoGames()).browser().get(path).text  # type: ignore[arg-type]  # it reads none
    assert re.findall(r'<a href="([^"]*)" aria-current="page"', page) == [path]
    assert {"/", "/board", "/watch", "/games", "/help", "/sign-in", SIMULATED} <= links(page)
    assert '<a class="site-skip" href="#main">' in page
    assert len(re.findall(r'<main [^>]*id="main"', page)) == 1


def test_the_ways_of_arbiters_and_admins_are_shown_to_them() -> None:
    house = Entrance(simulated=None)
    ways = {role: links(house.signed_in(role).get("/help").text) for role in (Role.PLAYER, Role.ARBITER, Role.ADMIN)}
    assert ("/desk" in ways[Role.PLAYER], "/people" in ways[Role.ARBITER]) == (False, False)
    assert ("/desk" in ways[Role.ARBITER], "/people" in ways[Role.ADMIN]) == (True, True)


def test_a_language_is_chosen_on_the_page_and_kept() -> None:
    browser = Entrance().browser()
    assert '<a href="/language/fr?back=/help"' in browser.get("/help").text
    assert browser.get("/language/fr?back=/help").headers["location"] == "/help"
    assert '<html lang="fr">' in browser.get("/help").text


@pytest.mark.parametrize("path", ["/board/new?game=tamsk&at=bench", "/help?text=Z%C3%BC+x&page=2"])
def test_in_another_language_a_page_is_asked_the_same(path: str) -> None:
    browser = Entrance().browser()
    [choice] = re.findall(r'href="(/language/fr\?[^"]*)"', browser.get(f"{path}&language=de").text)
    assert browser.get(unescape(choice)).headers["location"] == path
    assert '<html lang="fr">' in browser.get(path).text


def test_a_language_leads_to_no_other_site() -> None:
    browser = Entrance().browser()
    for back in ("//elsewhere", "/%5Celsewhere", "/%09/elsewhere", "https://elsewhere"):
        assert browser.get(f"/language/fr?back={back}").headers["location"] == "/"


@pytest.mark.parametrize("path", ["/", "/help", "/connect", "/rules/tamsk", "/nowhere"])
def test_no_page_asks_elsewhere_or_brings_a_program_or_style_inside(path: str) -> None:
    page = Entrance(address=PHONES).browser().get(path).text
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    assert re.findall(r"<style|<script(?! type=\"module\" src=\"/static/)| style=| on\w+=", page) == []


class NoGames:
    """An archive in which nothing has been written."""

    def games(self) -> list[object]:
        return []

    def last_game(self) -> None:
        return None

    def endings(self, first: int = 1, last: int | None = None) -> dict[int, object]:
        del first, last
        return {}

    def cut_off(self) -> tuple[int, ...]:
        return ()


# Help and the way to a real board


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_tells_of_every_light_and_leads_to_all_rules(language: str) -> None:
    page = Entrance().browser().get(f"/help?language={language}").text
    assert page.count('class="light ') == 9
    assert {f"/rules/{game}" for game in GAMES} <= links(page)


def test_the_way_to_a_real_board_names_commands_that_there_are() -> None:
    from gnomon_pi.cli.daemon import main  # noqa: PLC0415  # the daemon's, which the pages do not know

    page = Entrance().browser().get("/connect").text
    named = set(re.findall(r"gnomond ([a-z][a-z-]+)", page))
    assert named == {"wiring", "doctor", "walk", "check-config"}
    assert named <= set(main.FUNCTIONS)


# When something is wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_there_is_said_in_the_language_of_the_reader(language: str) -> None:
    answer = Entrance().browser().get("/nowhere", **{"accept-language": language})
    assert answer.status_code == 404
    assert words(language)("landing.mistake.404") in answer.text
    assert "/" in links(answer.text)


def test_programs_get_one_sentence_and_its_code() -> None:
    answer = Entrance().browser().get("/nowhere", accept="application/json")
    said = {"error": "There is nothing at this address.", "code": "not_found", "values": {}}
    assert (answer.status_code, answer.json()) == (404, said)
    assert Entrance().browser().ask("DELETE", "/help").json()["error"].startswith("This address does not take")


@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_get_it_in_the_language_that_they_accept(language: str) -> None:
    asked = {"accept": "application/json", "accept-language": language}
    answer = Entrance().browser().get("/nowhere", **asked).json()
    assert answer["error"] == sentence(statement("refusal.address.not_found"), words(language))


def test_who_may_not_is_told_who_he_is_and_where_to_sign_in() -> None:
    answer = Entrance().signed_in(Role.PLAYER, "Ada").get("/people")
    assert answer.status_code == 403
    assert words()("landing.mistake.403") in answer.text
    assert words()("access.signed_in", name="Ada") in answer.text
    assert 'href="/sign-in?back=/people"' in answer.text


def test_a_fault_of_ours_tells_no_secret_and_keeps_the_guards_word() -> None:
    house = Entrance()
    with pytest.raises(RuntimeError, match="a secret of ours"):  # the server must know
        house.browser().get("/fault")
    app = house.app

    async def patient(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        except RuntimeError:
            return

    house.app = patient
    answer = house.browser().get("/fault")
    assert answer.status_code == 500
    assert words()("landing.mistake.500") in answer.text
    assert "secret" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_who_asks_too_often_is_told_to_wait() -> None:
    browser = Entrance(allowance=Allowance(rate=0.001, burst=1)).browser()
    assert browser.get("/help").status_code == 200
    answer = browser.get("/help")
    assert answer.status_code == 429
    assert words()("landing.mistake.429.do") in answer.text
    assert int(answer.headers["retry-after"]) > 0
