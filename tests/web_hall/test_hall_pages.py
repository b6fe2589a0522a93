"""The pages of a hall: what everybody sees, who may ask a board for what, and what became of it."""

import asyncio
import json
import re

import httpx
import pytest
from starlette.applications import Starlette

from gnomon.hall.board_alarms import Alarm, Dispute, Trouble
from gnomon.hall.demo._board import Casual
from gnomon.hall.public_boards import PublicBoards
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.referee.events import Paused
from gnomon.refusals import sentence, statement
from gnomon.timekeeping.instants import SECOND
from gnomon.web.access import Role, role_of
from gnomon.web.access.gate import actions
from gnomon.web.hall import _live
from gnomon.web.hall._live import FoldError
from gnomon.words import LANGUAGES, words
from tests.web_hall.party import ADDRESS, Guest, Party

TABIK = Casual("tabik", {"size": 8, "clock": "3+2"}, ("Ada <Love>", "Ben"))
PAGES = ("/", "/wall", "/boards", "/boards/d1", "/boards/d5", "/tournaments", "/sign-in")


def said(answer: httpx.Response) -> str:
    """What stands on a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def fates(party: Party, board: str = "t01") -> list[tuple[str, str]]:
    return [(str(asked.action.get("do")), asked.fate) for asked in party.hall.asked_of(board)]


# What everybody sees


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_everybody_may_look_at_every_page(evening: Party, path: str, language: str) -> None:
    answer = evening.visitor().get(f"{path}?language={language}")
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text
    assert "hall." not in said(answer), "an entry of the words shows its key"


def test_the_wall_leads_to_its_pictures_and_back(evening: Party) -> None:
    assert 'href="/wall?pictures=yes">With pictures</a>' in evening.visitor().get("/wall").text
    assert 'href="/wall">Without pictures</a>' in evening.visitor().get("/wall?pictures=yes").text
    slow, with_pictures = (evening.visitor().get(f"/wall?seconds=20{more}").text for more in ("", "&pictures=yes"))
    assert 'href="/wall?seconds=20&amp;pictures=yes">With pictures</a>' in slow
    assert 'href="/wall?seconds=20">Without pictures</a>' in with_pictures


def test_a_game_that_cannot_be_shown_is_explained_in_the_language(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise FoldError(statement("hall.fold.endless"))

    party.board("t01", TABIK)
    party.run(10)
    monkeypatch.setattr(_live, "fold", fail)
    page = said(party.visitor().get("/boards/t01", **{"accept-language": "de"}))
    assert words("de")("hall.board.unfolded") in page
    assert sentence(statement("hall.fold.endless"), words("de")) in page


def test_the_first_page_of_an_empty_hall_says_how_boards_join(party: Party) -> None:
    text = said(party.visitor().get("/"))
    assert words()("hall.front.none") in text
    for line in (
        "gnomon hall broker",
        "gnomon hall enrol",
        "gnomon hall --broker",
        "gnomond join",
        "gnomon hall --demo",
    ):
        assert line in text


def test_the_first_page_counts_the_boards(evening: Party) -> None:
    assert "6 boards" in said(evening.visitor().get("/"))


def test_an_empty_hall_has_a_wall_and_a_list_all_the_same(party: Party) -> None:
    guest = party.visitor()
    assert words()("hall.wall.empty") in said(guest.get("/wall"))
    assert words()("hall.wall.empty") in said(guest.get("/boards"))
    assert guest.get("/wall/boards.json").json()["boards"] == []


def test_a_board_is_shown_with_its_players_its_rulings_and_no_forms(party: Party) -> None:
    party.board("t01", TABIK)
    party.run(30)
    answer = party.visitor().get("/boards/t01")
    assert "Board t01" in said(answer)
    assert 'method="post"' not in answer.text
    assert "Ada <Love>" not in answer.text


def test_there_is_no_page_for_a_board_that_was_never_heard_of(evening: Party) -> None:
    for path in ("/boards/t99", "/boards/t99/events", "/boards/t99/pictures/none.svg"):
        assert evening.visitor().get(path).status_code == 404


def test_the_picture_of_a_position_is_found_by_its_name(party: Party) -> None:
    party.board("t01", TABIK)
    party.run(30)
    guest = party.visitor()
    answer = asyncio.run(_first_summary(party, "t01"))
    picture = guest.get(f"/boards/t01/pictures/{answer['picture']}.svg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert guest.get("/board/pictures.css").headers["content-type"].startswith("text/css")


async def _first_summary(party: Party, board: str) -> dict[str, str]:
    """The first event of a board's stream, as a browser is sent it."""
    sent: list[bytes] = []
    enough = asyncio.Event()

    async def receive() -> dict[str, object]:
        await asyncio.Event().wait()
        return {}

    async def send(message: dict[str, object]) -> None:
        body = message.get("body", b"")
        assert isinstance(body, bytes)
        sent.append(body)
        if b"event: summary" in body:
            enough.set()

    scope = {
        "type": "http", "method": "GET", "path": f"/boards/{board}/events", "raw_path": b"", "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")], "scheme": "http", "client": ("192.168.1.20", 1), "root_path": "",
    }  # fmt: skip
    async with asyncio.timeout(60):
        serving = asyncio.ensure_future(party.app(scope, receive, send))  # type: ignore[arg-type]  # as a server calls it
        await enough.wait()
        serving.cancel()
    event = next(part for part in b"".join(sent).decode().split("\n\n") if part.startswith("event: summary"))
    told: dict[str, str] = json.loads(event.partition("data: ")[2])
    return told


def test_other_sites_get_a_file_that_says_what_the_wall_shows(evening: Party) -> None:
    guest = evening.visitor()
    answer = guest.get("/hall.json")
    told = answer.json()
    assert (told["schema"], told["name"], len(told["boards"])) == (1, "Chess Club", 6)
    assert told["tournaments"][0]["standings"][0]["place"] == 1
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "max-age" in answer.headers["cache-control"]
    again = guest.get("/hall.json", **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


# Who may do what


def test_every_action_is_for_those_alone_who_may_do_it(party: Party) -> None:
    """Every action of the hall's pages is tried as everybody; one that is refused has changed nothing."""
    app = party.app
    assert isinstance(app, Starlette)
    guests = {role: party.visitor(role) for role in (Role.PLAYER, Role.ARBITER, Role.DIRECTOR, Role.ADMIN)}
    guests[Role.SPECTATOR] = party.visitor()
    tried = 0
    for path, route in actions(app.routes):
        if not path.startswith("/boards"):
            continue
        needed = role_of(route.endpoint)
        assert needed is not None
        for role, guest in guests.items():
            status = guest.send(path.format(name="t99")).status_code
            assert (status == 404) == role.may(needed), (path, role, status)
            tried += 1
    assert tried == 20
    assert guests[Role.SPECTATOR].get("/boards/events").status_code == 303
    assert guests[Role.PLAYER].get("/boards/events").status_code == 403


def test_a_form_without_its_token_asks_for_nothing(party: Party) -> None:
    party.board("t01", TABIK)
    party.run(20)
    arbiter = party.visitor(Role.ARBITER)
    answer = arbiter.ask("POST", "/boards/t01/notice", headers={"accept": "application/json"}, data={"text": "Hello"})
    assert answer.status_code == 403
    assert fates(party) == []


# What is asked of a board


@pytest.fixture
def arbiter(party: Party) -> Guest:
    """An arbiter in a hall with one board at which a game is played."""
    party.board("t01", TABIK)
    party.run(20)
    return party.visitor(Role.ARBITER)


def test_a_game_is_paused_and_goes_on_again_with_a_proof(party: Party, arbiter: Guest) -> None:
    assert words()("hall.board.pause") in said(arbiter.get("/boards/t01"))
    assert arbiter.send("/boards/t01/ask", do="pause").headers["location"] == "/boards/t01#asked"
    party.hall.thread.step()
    assert words()("hall.fate.waiting") in said(arbiter.get("/boards/t01"))
    party.run(2)
    text = said(arbiter.get("/boards/t01"))
    assert party.hall.place("t01").phase == "paused"
    assert "The arbiter ·" in text
    assert re.search(r"Done · record \d+", text)
    arbiter.send("/boards/t01/ask", do="resume")
    party.run(2)
    assert party.hall.place("t01").phase == "running"


def test_time_is_given_on_the_clock_of_a_player(party: Party, arbiter: Guest) -> None:
    before = party.hall.place("t01").remaining("black", party.clock())
    arbiter.send("/boards/t01/ask", do="sand", how="give", glass="black", time="5:00", why="a fire alarm")
    party.run(2)
    after = party.hall.place("t01").remaining("black", party.clock())
    assert before is not None
    assert after is not None
    assert after - before > 280 * SECOND


def test_a_result_is_declared_and_a_note_written(party: Party, arbiter: Guest) -> None:
    arbiter.send("/boards/t01/ask", do="note", text="They shook hands.")
    arbiter.send("/boards/t01/ask", do="result", winner="black", reason="resigned")
    party.run(3)
    assert fates(party) == [("correct", "done"), ("correct", "done")]
    assert party.hall.archive("t01").endings()[1]["winner"] == "black"


def test_words_are_shown_at_the_board(party: Party, arbiter: Guest) -> None:
    arbiter.send("/boards/t01/notice", text="Ten minutes more")
    party.run(2)
    assert party.hall.place("t01").card["health"] == ["From the hall: Ten minutes more"]
    assert party.hall.alarms() == []
    assert arbiter.send("/boards/t01/notice", text=" ").status_code == 422
    assert arbiter.send("/boards/t01/notice", text="x" * 99).status_code == 422


def test_what_cannot_be_is_said_on_the_page(party: Party, arbiter: Guest) -> None:
    wrong = arbiter.send("/boards/t01/ask", do="sand", how="give", glass="black", time="soon")
    assert (wrong.status_code, words()("arbiter.wrong.time") in said(wrong)) == (422, True)
    assert arbiter.send("/boards/t01/ask", do="dance").status_code == 422
    party.boards["t01"].leave()
    party.boards.clear()
    party.run(2)
    gone = arbiter.send("/boards/t01/ask", do="pause")
    assert gone.status_code == 409
    assert "Board t01 is not connected: check that it is switched on" in said(gone)
    assert words()("hall.board.offline") in said(gone)


def test_a_board_without_a_game_is_asked_for_none(party: Party) -> None:
    party.board("t01")
    party.run(12)
    assert party.visitor(Role.ARBITER).send("/boards/t01/ask", do="pause").status_code == 422


def test_what_a_board_refuses_is_told_with_its_reason(party: Party, arbiter: Guest) -> None:
    director = party.visitor(Role.DIRECTOR)
    director.send("/boards/t01/new-game", game="tabik")
    party.run(2)
    assert fates(party) == [("new_game", "refused")]
    assert "The current game is not finished" in said(arbiter.get("/boards/t01"))
    german = said(arbiter.get("/boards/t01", **{"accept-language": "de"}))
    assert sentence(statement("told.unfinished.who"), words("de")) in german


def test_a_director_begins_a_game_in_the_place_of_one_that_is_given_up(party: Party, arbiter: Guest) -> None:
    del arbiter
    director = party.visitor(Role.DIRECTOR)
    asked = {"game": "tabik", "name-1": "Cleo", "name-2": "Dan", "clock": "25+10", "abandon": "yes"}
    director.send("/boards/t01/new-game", **asked)
    party.run(2)
    assert [player["name"] for player in party.hall.place("t01").players] == ["Cleo", "Dan"]
    assert director.send("/boards/t01/new-game", game="chess").status_code == 422


def test_a_wish_that_nobody_answers_is_told_to_have_no_answer(party: Party, arbiter: Guest) -> None:
    party.boards.clear()
    arbiter.send("/boards/t01/ask", do="pause")
    party.run(20)
    assert words()("hall.fate.unanswered") in said(arbiter.get("/boards/t01"))


def test_the_game_of_a_pairing_is_begun_at_its_board(party: Party) -> None:
    party.demonstrate(4)
    party.run(3)
    party.hall.set_plan("demo-1", BoardAssignment("tabik", {"size": 5}, boards={1: "d2", 2: "d1"}))
    director = party.visitor(Role.DIRECTOR)
    text = said(director.get("/boards/d2"))
    assert "Demonstration, round 1, board 1" in text
    stranger = director.send("/boards/d1/pairing", tournament="demo-1", board="1")
    assert (stranger.status_code, "is not the board of that pairing" in said(stranger)) == (409, True)
    begun = director.send("/boards/d2/pairing", tournament="demo-1", board="1", abandon="yes")
    assert begun.status_code in {303, 409}
    party.run(3)
    assert any(asked.seating is not None for asked in party.hall.asked_of("d2"))


def test_pages_say_so_while_the_database_is_away_and_no_longer(party: Party, arbiter: Guest) -> None:
    party.demonstrate(2)
    party.run(3)
    (kept,) = party.hall.tournaments()
    pages = ["/boards/t01", *(f"/tournaments/{kept.id}{page}" for page in ("", "/standings", "/wall", "/desk"))]
    assert [arbiter.get(page).status_code for page in pages] == [200] * 5
    where = party.where / "hall.db"
    where.rename(party.where / "elsewhere")
    where.mkdir()
    party.hall._database._pool.close()  # type: ignore[attr-defined]  # of SQLite
    for guest in (arbiter, party.visitor()):
        for page in pages[: 5 if guest is arbiter else 4]:
            answer = guest.get(page)
            assert (answer.status_code, answer.headers["refresh"], answer.headers["retry-after"]) == (503, "5", "5")
            assert words()("landing.mistake.database") in said(answer)
            assert words()("landing.mistake.503.do") not in said(answer)
            assert ("cannot be used" in said(answer)) == (guest is arbiter)
    sent = arbiter.send("/boards/t01/pairing", tournament=kept.id, board="1")
    assert (sent.status_code, "refresh" in sent.headers) == (403, False)
    told = arbiter.ask("GET", pages[1], headers={"accept": "application/json"})
    assert (told.status_code, "cannot be used" in told.json()["error"]) == (503, True)
    for page in ("/", "/wall", "/boards", "/hall.json", "/wall/boards.json"):
        assert arbiter.get(page).status_code == 200
    where.rmdir()
    (party.where / "elsewhere").rename(where)
    assert [arbiter.get(page).status_code for page in pages] == [200] * 5


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_fault_of_the_hall_points_to_its_own_log(party: Party, monkeypatch: pytest.MonkeyPatch, accept: str) -> None:
    def fail(_: object) -> None:
        message = "a fault"
        raise RuntimeError(message)

    monkeypatch.setattr(PublicBoards, "counts", fail)

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(party.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as http:
            return await http.get("/", headers={"accept": accept})

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    assert "gnomon-hall" in answer.text
    assert "gnomond" not in answer.text


def test_corrections_of_the_hall_bear_the_name_of_who_made_them(party: Party, arbiter: Guest) -> None:
    arbiter.send("/boards/t01/ask", do="pause", why="a dispute")
    party.run(2)
    game = party.boards["t01"]._sitting
    assert game is not None
    events = [record.entry.body for record in party.hall.archive("t01").read(1) if "who" in record.entry.body]
    assert ("The arbiter (hall)", Paused.__name__.lower()) in [(body["who"], body.get("event")) for body in events]


def test_who_comes_first_is_led_to_the_code_in_the_terminal(party: Party) -> None:
    guest, say = party.visitor(), words()
    assert say("hall.pair.first.why") in said(guest.get("/"))
    assert say("hall.pair.show") in said(guest.get("/sign-in"))
    assert say("hall.sign_in.why") in said(guest.get("/sign-in"))
    assert say("hall.front.to.pairings") in said(guest.get("/"))
    assert guest.send("/sign-in/code").headers["location"] == "/sign-in?done=code#pair"
    assert say("hall.pair.shown") in said(guest.get("/sign-in?done=code"))
    admin = party.visitor(Role.ADMIN)
    assert say("hall.front.to.tournaments") in said(admin.get("/"))
    assert say("hall.pair.show") not in said(guest.get("/sign-in"))


def test_a_result_that_differs_leads_to_where_it_is_entered(
    party: Party, arbiter: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispute = Dispute("open", "Club Open", 2, 5)
    found = [Alarm("t01@south", Trouble.DIFFERS, dispute=dispute), Alarm("t02", Trouble.BEHIND, detail="700")]
    monkeypatch.setattr(party.hall, "alarms", lambda: found)
    table = Dispute("open", "Club Open", 1, 3, is_table=True)
    found.append(Alarm("", Trouble.DISPUTED, dispute=table))
    shown = arbiter.get("/boards", **{"accept-language": "de"}).text
    assert '<a href="/tournaments/open/results?round=2">Club Open, Runde 2, Brett 5</a>' in shown
    name = '<b class="alarm-board">Club Open, Runde 1, Tisch 3</b>'
    assert f'<a href="/tournaments/open/tables?round=1">{name}' in shown
    assert '<span class="device">t01</span> <span class="soft in-hall">im Saal south</span>' in shown
    assert "<p>700 " in shown
