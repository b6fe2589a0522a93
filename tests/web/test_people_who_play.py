"""The pages of people who play: who may see them, what stands there, and what arbiters decide."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Final, cast

import httpx
import pytest

from gnomon.people.register import Register
from gnomon.records.journal.hidden_names import MaskedArchive
from gnomon.records.journal.people_file import NAME, PeopleFile
from gnomon.records.journal.writer import Journal
from gnomon.web.access import Role
from gnomon.web.app import application
from gnomon.web.app_context import AppContext
from gnomon.web.live.delayed_feed import DelayedFeed
from gnomon.web.live.interfaces import LiveBoard
from gnomon.web.pages.players import link_to
from gnomon.words import LANGUAGES, words
from tests.web.spectators import SHEETS, Shelfful, World, fill
from tests.web.visitors import Browser, Reception

GAME: Final = SHEETS[0]
EVENING: Final = (
    GAME,
    GAME.replace("black resigned", "white resigned"),
    GAME.replace("Bo", "Cleo"),
    GAME.replace("Bo", "Gnomon, level 3"),
    GAME.replace("Player white: Bo\n", ""),
)
BELOW: Final = (Role.SPECTATOR, Role.PLAYER)
ACTIONS: Final = ("publish", "withdraw", "join", "part", "forget", "recall", "grant", "deny")


@dataclass
class Club:
    """A board with an evening's games, and those who come to its pages."""

    folder: Path
    journal: Journal
    reception: Reception

    @property
    def register(self) -> Register:
        return PeopleFile(self.folder / NAME).register()

    def browser(self, role: Role, name: str = "") -> Browser:
        return self.reception.browser() if role is Role.SPECTATOR else self.reception.signed_in(role, name)

    def account(self, name: str) -> str:
        [mark] = [f"{one.id}-{one.made!r}" for one in self.reception.door.store.people() if one.name == name]
        return mark


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with Journal.open(tmp_path / "table.journal") as journal:
        fill(journal, EVENING, day="2026-09-20")
        people = PeopleFile.beside(journal.path)
        reception = Reception()
        house = AppContext(
            cast(LiveBoard, None),
            MaskedArchive(journal, people),
            ("gnomon.local",),
            door=reception.door,
            people=people,
            wall=lambda: datetime(2026, 9, 30, tzinfo=UTC),
        )
        reception.app = application(house)
        yield Club(tmp_path, journal, reception)


def told(answer: httpx.Response) -> str:
    """The text of a page, without what no two pages have in common."""
    return unescape(answer.text)


@pytest.mark.parametrize("role", BELOW)
def test_a_stranger_sees_nothing_of_anybody_who_was_not_published(club: Club, role: Role) -> None:
    browser = club.browser(role)
    assert browser.get("/players").status_code == (303 if role is Role.SPECTATOR else 403)
    answers = [browser.get(link_to(name)) for name in ("Ada", "Nobody", "", "Gnomon, level 3")]
    assert {answer.status_code for answer in answers} == {404}
    bodies = {told(answer).replace(name, "") for answer, name in zip(answers, ("Ada", "Nobody", "", ""), strict=True)}
    assert all("Ada" not in body and "1662" not in body for body in bodies)
    for name in ("Ada", "Nobody"):
        assert browser.get(f"/players/export?name={name}").status_code == 404
    landing = told(browser.get("/games"))
    assert "/players" not in landing


def test_who_is_private_and_who_does_not_exist_get_the_same_answer(club: Club) -> None:
    browser = club.browser(Role.SPECTATOR)
    private, unknown = (browser.get(link_to(name)).text for name in ("Bob", "Ada"))
    assert private.replace("Bob", "") == unknown.replace("Ada", "")


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("role", BELOW)
def test_nobody_below_an_arbiter_decides_anything(club: Club, role: Role, action: str) -> None:
    browser = club.browser(role)
    assert browser.send(f"/players/{action}", name="Ada", other="Bo", account="1").status_code in {401, 403}
    assert club.register == Register()


def test_an_arbiter_sees_everybody_and_each_person(club: Club) -> None:
    arbiter = club.browser(Role.ARBITER)
    listed = told(arbiter.get("/players"))
    assert [listed.count(f">{name}</a>") for name in ("Ada", "Bo", "Cleo")] == [1, 1, 1]
    assert "2 won, 0 drawn, 1 lost · 1 game against a program" in listed
    ada = told(arbiter.get(link_to("ADA")))
    assert "3 rated games." in ada
    assert "95 % certain: between" in ada
    assert ada.count('href="/games/') == 4
    assert "Games against programs" in ada


def test_two_people_are_shown_head_to_head(club: Club) -> None:
    arbiter = club.browser(Role.ARBITER)
    met = told(arbiter.get(link_to("Ada", "Bo")))
    assert "Ada against Bo" in met
    assert "1 won, 0 drawn, 1 lost" in met
    assert met.count('href="/games/') == 2
    assert words("en")("people.never_met") in told(arbiter.get(link_to("Bo", "Cleo")))


def test_who_is_public_is_shown_to_everybody_and_private_opponents_are_not(club: Club) -> None:
    arbiter, stranger = club.browser(Role.ARBITER), club.browser(Role.SPECTATOR)
    for name in ("Ada", "Bo"):
        assert arbiter.send("/players/publish", name=name, back=name).headers["location"] == link_to(name)
    seen = told(stranger.get(link_to("Ada")))
    assert link_to("Bo") in told(stranger.get(link_to("Ada"))).replace("&amp;", "&")
    assert "Cleo" not in seen
    assert "people who are private" in seen
    assert 'href="/games/' not in seen
    assert "/players/export" not in seen
    assert f"{words('en')('people.head_to_head', name='Ada', other='Cleo')}" not in told(
        stranger.get(link_to("Ada", "Cleo"))
    )
    assert stranger.get("/players/export?name=Ada").status_code == 404
    arbiter.send("/players/withdraw", name="Ada")
    assert stranger.get(link_to("Ada")).status_code == 404


def test_a_person_sees_the_own_page_with_the_account_that_an_arbiter_chose(club: Club) -> None:
    arbiter, ada, bo = (
        club.browser(role, name) for role, name in ((Role.ARBITER, ""), (Role.PLAYER, "Ada"), (Role.PLAYER, "Bo"))
    )
    assert ada.get("/players/person").status_code == 404  # the name alone, which anybody may take, is no proof
    assert ada.get(link_to("Ada")).status_code == 404
    assert arbiter.send("/players/grant", name="Ada", account=club.account("Ada")).status_code == 303
    own = told(ada.get("/players/person"))
    assert own == told(ada.get(link_to("Ada"))).replace("?name=Ada", "") or "Cleo" in own
    assert "/players/forget" not in own
    assert ada.get(link_to("Bo")).status_code == bo.get(link_to("Ada")).status_code == 404
    exported = ada.get("/players/export")
    assert exported.status_code == 200
    assert arbiter.send("/players/deny", account=club.account("Ada")).status_code == 303
    assert ada.get("/players/person").status_code == 404


def test_an_account_that_has_somebody_elses_number_later_sees_nothing(club: Club) -> None:
    arbiter, ada = club.browser(Role.ARBITER), club.browser(Role.PLAYER, "Ada")
    arbiter.send("/players/grant", name="Ada", account=club.account("Ada"))
    [person] = [one for one in club.reception.door.store.people() if one.name == "Ada"]
    asyncio.run(club.reception.door.remove(person.id))
    club.reception.clock.seconds += 5
    later = club.browser(Role.PLAYER, "Eve")
    [other] = [one for one in club.reception.door.store.people() if one.name == "Eve"]
    assert other.id == person.id
    assert later.get("/players/person").status_code == ada.get("/players/person").status_code == 404


def test_everything_that_is_kept_of_a_person_is_taken_along(club: Club) -> None:
    answer = club.browser(Role.ARBITER).get("/players/export?name=Ada")
    assert answer.headers["content-disposition"] == 'attachment; filename="gnomon-person.json"'
    said = json.loads(answer.text)
    assert (said["format"], said["version"], said["name"]) == ("gnomon-person", 1, "Ada")
    assert [one["number"] for one in said["records"]] == [1, 2, 3, 4, 5]  # against nobody, too
    assert all(one["trace"].startswith('{"trace": 1') for one in said["records"])
    assert said["results"] == {"tabik": {"won": 2, "drawn": 0, "lost": 1}}


def test_who_is_forgotten_is_a_pseudonym_on_every_page_and_in_every_file(club: Club) -> None:
    arbiter, stranger = club.browser(Role.ARBITER), club.browser(Role.SPECTATOR)
    assert "Bo" in told(stranger.get("/games/1"))  # the replay is remembered, and must not bring the name back
    chained = arbiter.get("/desk/bundle/1.jsonl").text
    assert '"chain"' in chained
    assert arbiter.send("/players/forget", name="Bo").status_code == 303
    files = [f"/games/1/files/{kind}" for kind in ("sheet", "sgf", "json", "trace")]
    for path in ("/games", "/games/1", *files, "/desk/bundle/1.jsonl", "/api/v1/games/1"):
        answer = arbiter.get(path)
        assert answer.status_code == 200, path
        assert ">Bo<" not in answer.text, path
        assert '"Bo"' not in answer.text, path
        assert "N. N. 1" in answer.text, path
    assert '"chain"' not in arbiter.get("/desk/bundle/1.jsonl").text
    assert '"chain"' in arbiter.get("/desk/bundle/3.jsonl").text
    assert arbiter.get(link_to("Bo")).status_code == 404
    assert arbiter.get(link_to("N. N. 1")).status_code == 200
    assert club.journal.games()[0].start.players["white"] == "Bo"
    assert "Bo" not in (club.folder / NAME).read_text("utf-8")
    assert arbiter.send("/players/recall", name="Bo").status_code == 303
    assert arbiter.get(link_to("Bo")).status_code == 200


def test_spellings_are_joined_and_parted_again(club: Club) -> None:
    arbiter = club.browser(Role.ARBITER)
    arbiter.send("/players/join", name="Cleo", other="Bo")
    assert "1 won, 0 drawn, 2 lost" in told(arbiter.get(link_to("Cleo")))
    assert "Written as: Bo, Cleo" in told(arbiter.get(link_to("Bo")))
    assert "Cleo is another spelling of Bo now." in told(arbiter.get("/players"))
    arbiter.send("/players/part", name="Cleo")
    assert "1 won, 0 drawn, 1 lost" in told(arbiter.get(link_to("Bo")))


@pytest.mark.parametrize(
    ("action", "fields", "why"),
    [
        ("publish", {"name": "Zoe"}, "no game names Zoe"),
        ("join", {"name": "Ada", "other": "ada"}, "Ada and ada are already one person"),
        ("part", {"name": "Ada"}, "Ada is not joined to anybody"),
        ("recall", {"name": "Ada"}, "Ada is not forgotten"),
        ("grant", {"name": "Ada", "account": "99-1.0"}, "there is no such account"),
    ],
)
def test_what_cannot_be_decided_is_said_in_one_sentence(
    club: Club, action: str, fields: dict[str, str], why: str
) -> None:
    answer = club.browser(Role.ARBITER).send(f"/players/{action}", **fields)
    assert answer.status_code == 422
    assert why in told(answer).replace("No game", "no game").replace("There is", "there is")
    assert club.register == Register()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_are_in_every_language(club: Club, language: str) -> None:
    arbiter, say = club.browser(Role.ARBITER), words(language)
    headings = {"/players": "people.join", link_to("Ada"): "people.kept", link_to("Ada", "Bo"): "people.results"}
    for path, key in headings.items():
        page = told(arbiter.get(path, **{"accept-language": language}))
        assert f">{say(key)}</h2>" in page, path


def test_where_decisions_cannot_be_read_nothing_is_shown(club: Club) -> None:
    arbiter = club.browser(Role.ARBITER)
    (club.folder / NAME).write_text("{}", "utf-8")
    assert [arbiter.get(path).status_code for path in ("/players", "/games", link_to("Ada"))] == [503] * 3
    assert arbiter.send("/players/publish", name="Ada").status_code == 503


def test_one_damaged_decision_hides_nobody_and_arbiters_are_told(club: Club) -> None:
    PeopleFile(club.folder / NAME).change(lambda register: register.publish("Cleo"))
    damaged = (club.folder / NAME).read_text("utf-8").replace('"cleo"', '"clio"')
    (club.folder / NAME).write_text(damaged, "utf-8")
    shown = club.browser(Role.ARBITER).get("/players")
    assert shown.status_code == 200
    assert "A file of decisions about people was damaged and is kept as players.json.damaged-" in shown.text


def test_spectators_of_a_delayed_board_see_no_forgotten_name_either(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "table.journal") as journal:
        fill(journal, EVENING[:1])
        shelf = Shelfful.of(journal)
    shelf.durable_seq = shelf.last_of(1)
    people = PeopleFile(tmp_path / NAME)
    people.change(lambda register: register.forget("Bo"))

    async def look() -> str:
        world = World(shelf, delay=0)
        past = DelayedFeed(cast(LiveBoard, world.stage), shelf, 60.0, world.clock.wait, world.clock.now)
        house = AppContext(world.house.board, shelf, ("testserver",), door=world.house.door, past=past, people=people)
        world.app = application(house)
        following = asyncio.create_task(past.follow())
        await world.clock.go_to(200)
        answer = await world.ask("/games")
        following.cancel()
        return answer.text

    shown = asyncio.run(look())
    assert "N. N. 1" in shown
    assert ">Bo<" not in shown
