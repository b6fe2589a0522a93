"""What programs may ask: each operation as it is described, by those who may, and every refusal as one sentence."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from starlette.routing import BaseRoute, Mount, Route

from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Paused, ResultDeclared, TurnEntered
from gnomon.referee.games import begin
from gnomon.rules.registry import GAMES
from gnomon.timekeeping.instants import Instant
from gnomon.web._later_pages import LaterPages
from gnomon.web.access import Role
from gnomon.web.api._routing import OPERATIONS
from gnomon.web.api.schemas import components
from tests.conftest import examples
from tests.records.rewriting import rewrite
from tests.web.api_house import ROOT, ApiHouse, PaperBoard, written

JSON = {"content-type": "application/json"}
FIRST_TURNS = {"tamsk": "D1-D2", "tabik": "a1b1", "tau": "bid:5", "tayu": "", "twenty-squares": ""}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiHouse]:
    """A house for all tests that only read, and for those that begin a game of their own."""
    with written(tmp_path_factory.mktemp("api")) as journal:
        yield ApiHouse(journal)


@pytest.fixture(scope="module")
def tokens(kept: ApiHouse) -> dict[Role, str]:
    return {role: "" if role is Role.SPECTATOR else kept.token(role) for role in Role}


@pytest.fixture
def house(kept: ApiHouse) -> ApiHouse:
    """The same house without a game."""
    kept.board.present, kept.board.at, kept.board.wrong = None, Instant(0), ()
    return kept


# The description


@pytest.fixture(scope="module")
def storm(kept: ApiHouse) -> ApiHouse:
    """A house in which anything may be asked: of the people in it nobody may be left."""
    return ApiHouse(kept.archive)


@pytest.fixture(scope="module")
def schema(storm: ApiHouse) -> Any:  # noqa: ANN401 - schemathesis' own
    return schemathesis.openapi.from_asgi(f"{ROOT}/openapi.json", storm.app)


def routes_of(routes: list[BaseRoute]) -> set[tuple[str, str]]:
    return {
        (method, route.path)
        for route in routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }


def test_everything_that_can_be_asked_is_described_and_nothing_else(kept: ApiHouse) -> None:
    later = [each for each in kept.app.routes if isinstance(each, LaterPages)]  # type: ignore[attr-defined]  # an application of Starlette
    (mount,) = [each for pages in later for each in pages.routes if isinstance(each, Mount) and each.path == ROOT]
    paths = kept.ask("GET", "/openapi.json").json()["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert routes_of(mount.routes) - {("GET", "/openapi.json")} == described


def test_every_name_in_the_description_is_there(kept: ApiHouse) -> None:
    told = kept.ask("GET", "/openapi.json").text
    names = {part.partition('"')[0] for part in told.split("#/components/schemas/")[1:]}
    assert names == components().keys()


NAMED = {"addPerson", "changePerson", "makeToken"}


@pytest.mark.long
@pytest.mark.untraced
@pytest.mark.parametrize("name", [each.name for each in OPERATIONS if each.media != "text/event-stream"])
def test_whatever_is_sent_is_answered_as_described(
    name: str,
    schema: Any,  # noqa: ANN401 - as above
    storm: ApiHouse,
) -> None:
    operation = schema.find_operation_by_id(name)
    mine = next(each for each in OPERATIONS if each.name == name)
    storm.board.present, token = begin("tabik", {"size": 3}), storm.token(Role.ADMIN)
    storm.board.at = Instant(0)
    # A PIN that fits its description may be too simple, a name may mix alphabets: no description says that.
    excluded = [check for check in CHECKS.get_all() if check.__name__ == "positive_data_acceptance"]
    modes = [GenerationMode.POSITIVE]
    if mine.takes is not None or mine.query or mine.path:
        modes.append(GenerationMode.NEGATIVE)
    for mode in modes:

        @settings(
            max_examples=examples(5),
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:  # noqa: ANN401 - as above
            response = case.call(headers={"Authorization": f"Bearer {token}"})
            case.validate_response(response, excluded_checks=excluded if name in NAMED else None)
            if response.status_code >= 400:
                assert response.json()["error"].endswith((".", "?"))

        ask()


# What is true


def fits(component: str, value: object) -> None:
    jsonschema_rs.validate(
        {"$ref": f"#/components/schemas/{component}", "components": {"schemas": dict(components())}}, value
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_summary_of_every_game_is_as_described(house: ApiHouse, game: str) -> None:
    house.board.present = begin(game, {})
    fits("Summary", house.ask("GET", "/board").json())
    fits("Moves", house.ask("GET", "/board/moves").json())
    text = FIRST_TURNS[game]
    if text:
        play(house.board, TurnEntered(Instant(0), text, "a test"))
    play(house.board, Paused(Instant(0), "a test"))
    play(house.board, ResultDeclared(Instant(0), None, "agreed", "a test"))
    told = house.ask("GET", "/board").json()
    fits("Summary", told)
    assert told["outcome"]["winner"] is None
    assert house.ask("GET", "/board/moves").json()["moves"] == []
    assert house.ask("GET", "/board/picture").text.startswith("<svg ")


def play(board: PaperBoard, event: Any) -> None:  # noqa: ANN401 - any event by hand
    asyncio.run(board.correct(event))


def test_without_a_game_there_is_nothing_to_draw_and_to_move(house: ApiHouse) -> None:
    fits("Summary", house.ask("GET", "/board").json())
    assert house.ask("GET", "/board/moves").json() == {"game": None, "turn": None, "moves": [], "in_all": 0}
    assert house.ask("GET", "/board/incidents").json() == {"game": None, "incidents": []}
    assert house.ask("GET", "/board/picture").status_code == 404


def test_no_more_moves_are_told_than_are_asked_for(house: ApiHouse) -> None:
    house.board.present = begin("tamsk", {})
    told = house.ask("GET", "/board/moves?most=2").json()
    assert (told["turn"], len(told["moves"])) == ("red", 2)
    assert told["in_all"] > 2


def test_what_ails_the_machine_is_told_to_those_who_can_do_something_about_it(
    house: ApiHouse, tokens: dict[Role, str]
) -> None:
    assert house.ask("GET", "/health").json() == {"well": True, "wrong": [], "readers": 0}
    house.board.wrong = ("The display does not answer.", "The disk /dev/mmcblk0 is nearly full.")
    house.board.for_players = ("The display does not answer.",)
    assert house.ask("GET", "/health").json() == {"well": False, "wrong": [], "readers": 0}
    assert house.ask("GET", "/health", tokens[Role.PLAYER]).json()["wrong"] == list(house.board.for_players)
    assert house.ask("GET", "/health", tokens[Role.ARBITER]).json()["wrong"] == list(house.board.wrong)


def test_the_service_tells_its_version_and_who_asks(house: ApiHouse, tokens: dict[Role, str]) -> None:
    assert house.ask("GET", "/version").json()["api"] == 1
    assert house.ask("GET", "/me").json() == {"name": "", "role": "spectator", "proof": "none"}
    assert house.ask("GET", "/me", tokens[Role.PLAYER]).json()["role"] == "player"


# A game


def test_a_game_is_started_played_and_corrected(house: ApiHouse, tokens: dict[Role, str]) -> None:
    player, arbiter = tokens[Role.PLAYER], tokens[Role.ARBITER]
    begun = house.ask("POST", "/board/games", player, json={"settings": {"level": 2}, "temperament": "coach"})
    assert (begun.status_code, begun.json()["temperament"]) == (201, "coach")
    turn = house.ask("POST", "/board/turns", player, json={"text": "D1-D2", "why": "the sensor is broken"})
    fits("Rulings", turn.json())
    assert turn.json()["rulings"][-1]["sentence"] == "Red moves D1 to D2 and drops a ring."
    illegal = house.ask("POST", "/board/turns", player, json={"text": "D7-D5"})
    assert (illegal.status_code, illegal.json()["error"]) == (409, "Rule 1: D5 is not next to D7.")
    sand = {"event": "sand_set", "space": "D2", "remaining": 90.5, "why": "knocked over"}
    assert house.ask("POST", "/board/corrections", arbiter, json=sand).status_code == 200
    glass = next(each for each in house.ask("GET", "/board").json()["glasses"] if each["space"] == "D2")
    assert glass["remaining"] == 90.5
    incidents = house.ask("GET", "/board/incidents").json()
    fits("Incidents", incidents)
    assert incidents["incidents"][0]["who"] == "Maker 1"
    assert incidents["incidents"][0]["why"] == "knocked over"


def test_an_illegal_turn_at_a_table_is_ruled_on(house: ApiHouse, tokens: dict[Role, str]) -> None:
    house.board.present = begin("tabik", {"size": 4})
    house.ask("POST", "/board/turns", tokens[Role.PLAYER], json={"text": "a1b1"})
    told = house.ask("POST", "/board/turns?language=de", tokens[Role.PLAYER], json={"text": "a1b1"}).json()
    fits("Rulings", told)
    assert (told["accepted"], told["rulings"][-1]["ruling"]) == (False, "illegal")
    assert told["rulings"][-1]["sentence"] != ""


def test_an_unfinished_game_is_given_up_only_when_that_is_said(house: ApiHouse, tokens: dict[Role, str]) -> None:
    player = tokens[Role.PLAYER]
    assert house.ask("POST", "/board/games", player, json={}).status_code == 201
    again = house.ask("POST", "/board/games", player, json={"game": "tabik"})
    assert (again.status_code, again.json()["error"]) == (409, "The current game is not finished: say who abandons it.")
    gave_up = house.ask("POST", "/board/games", player, json={"game": "tabik", "abandon": True})
    assert gave_up.json()["game"] == "tabik"


def test_a_player_whom_the_game_does_not_have_is_refused(house: ApiHouse, tokens: dict[Role, str]) -> None:
    told = house.ask("POST", "/board/games", tokens[Role.PLAYER], json={"game": "tabik", "players": {"whit": "Ada"}})
    said = "Tabik has no player whit; its players are black and white."
    assert (told.status_code, told.json()["error"]) == (409, said)


def test_nature_throws_when_it_is_its_turn(house: ApiHouse, tokens: dict[Role, str]) -> None:
    house.board.present = begin("twenty-squares", {})
    thrown = house.ask("POST", "/board/throws", tokens[Role.PLAYER]).json()
    assert thrown["rulings"][-1]["text"].startswith("throw:")


def test_a_question_is_answered_and_a_stop_declared_by_players(house: ApiHouse, tokens: dict[Role, str]) -> None:
    player = tokens[Role.PLAYER]
    house.board.present = begin("tamsk", {"time": "sand"})
    no_question = house.ask("POST", "/board/answers", player, json={"choice": "yes"})
    assert no_question.status_code == 409
    house.ask("POST", "/board/turns", player, json={"text": "D1-D2"})
    declared = house.ask("POST", "/board/stops", player, json={"space": "D2"})
    assert declared.status_code in (200, 409)
    assert declared.json().get("error", "").count("\n") == 0


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_who_may_not_is_refused_before_anything_is_read(
    house: ApiHouse, tokens: dict[Role, str], operation: Any  # noqa: ANN401 - an operation
) -> None:  # fmt: skip
    address = "/" + operation.address.replace("{number}", "1").replace("{person}", "99999").replace("{id}", "ab")
    if operation.media == "text/event-stream":
        return
    for role in Role:
        answer = house.ask(operation.method, address, tokens[role], content=b"nonsense")
        refused = {401} if role is Role.SPECTATOR else {403}
        assert (answer.status_code in refused) == (not role.may(operation.role))


# Games that were written down


def test_games_are_found_newest_first(house: ApiHouse) -> None:
    told = house.ask("GET", "/games").json()
    fits("GameList", told)
    assert [game["number"] for game in told["games"]] == [2, 1]
    assert house.ask("GET", "/games?game=tabik").json()["in_all"] == 1
    assert house.ask("GET", "/games?text=LEVEL").json()["games"][0]["game"] == "tamsk"
    assert house.ask("GET", "/games?ended=true").json()["in_all"] == 0
    assert house.ask("GET", "/games?since=2030-01-01&until=2031-01-01").json()["in_all"] in (0, 2)
    second = house.ask("GET", "/games?each=1&page=2").json()
    assert ([game["number"] for game in second["games"]], second["pages"]) == ([1], 2)
    assert house.ask("GET", "/games?page=9").json()["games"] == []


def test_a_game_is_told_with_its_turns_and_rulings(house: ApiHouse) -> None:
    told = house.ask("GET", "/games/1").json()
    fits("GameRecord", told)
    assert [(turn["player"], turn["text"], turn["at"]) for turn in told["turns"]] == [
        ("black", "a1b1", 3),
        ("white", "c1c2", 7.5),
    ]
    assert told["rulings"]


def test_a_game_with_an_entry_that_nobody_can_read_is_listed_with_a_sentence(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        for number in (1, 2, 3):
            journal.begin(GameStart("tamsk", {}, "assistant", Instant(5), "boot-1", "2026-11-20", "1", "tamsk"))
            over = {"ruling": "over", "winner": "red", "reason": "resigned", "turns": number}
            journal.end(Entry(number, EntryKind.RULING, Instant(number), over, "boot-1", "then"))
        assert journal.wait_durable(3)
    (tmp_path / "journal-witness").unlink()
    rewrite(tmp_path / "journal", "UPDATE entries SET body = replace(body, ':2}', ':?}')".replace("?", "9" * 5000))
    with Journal.open(tmp_path / "journal") as journal:
        house = ApiHouse(journal)
        for _ in range(2):  # what is remembered says the same
            told = house.ask("GET", "/games").json()
            fits("GameList", told)
            assert [(game["number"], game["result"] is None) for game in told["games"]] == [
                (3, False), (2, True), (1, False)
            ]  # fmt: skip
            damage = [game["damage"] for game in told["games"]]
            assert damage[::2] == [None, None]
            assert damage[1].startswith("Entry 2 of the journal is not what was written: ")
        for path in ("/games/2", "/games/2/records", "/games/2/sheet", "/games/2/trace"):
            answer = house.ask("GET", path)
            assert answer.status_code == 409
            assert "ntry 2 of the journal is not what was written" in answer.json()["error"]
        page = house.page("/games")
        assert page.status_code == 200
        assert page.text.count("The record ends here: the journal was damaged") == 1
        assert "entry 2 of the journal is not what was written" in house.page("/games/2").text


def test_a_game_is_taken_along_as_a_file(house: ApiHouse) -> None:
    sheet = house.ask("GET", "/games/1/sheet")
    assert sheet.text.startswith("Sheet: 1\nGame: tabik\n")
    assert sheet.headers["content-disposition"] == 'attachment; filename="tabik-1.sheet"'
    assert house.ask("GET", "/games/2/sgf").text.startswith("(;FF[4]")
    assert house.ask("GET", "/games/2/trace").text.startswith('{"trace": 1')


def test_the_journal_is_read_in_portions(house: ApiHouse) -> None:
    every = house.ask("GET", "/games/2/records").json()
    fits("Records", every)
    assert every["next"] is None
    first = house.ask("GET", "/games/2/records?most=2").json()
    rest = house.ask("GET", f"/games/2/records?after={first['next']}").json()
    assert first["records"] + rest["records"] == every["records"]


# People


def test_an_admin_looks_after_people(house: ApiHouse, tokens: dict[Role, str]) -> None:
    admin = tokens[Role.ADMIN]
    added = house.ask("POST", "/people", admin, json={"name": "Ada", "role": "player", "secret": "271828"}).json()
    fits("Person", added)
    person = f"/people/{added['id']}"
    changed = house.ask("PATCH", person, admin, json={"role": "arbiter", "secret": "314159"}).json()
    assert changed["role"] == "arbiter"
    assert "Ada" in [each["name"] for each in house.ask("GET", "/people", admin).json()["people"]]
    again = house.ask("POST", "/people", admin, json={"name": "ADA", "role": "player", "secret": "271828"})
    assert (again.status_code, again.json()["where"]) == (409, "body/name")
    simple = house.ask("PATCH", person, admin, json={"secret": "111111"})
    assert (simple.status_code, simple.json()["where"]) == (422, "body/secret")
    assert house.ask("DELETE", person, admin).status_code == 204
    assert house.ask("DELETE", person, admin).json()["error"] == f"There is no person {added['id']}."


def test_an_admin_gives_tokens_and_codes_and_takes_tokens_back(house: ApiHouse, tokens: dict[Role, str]) -> None:
    admin = tokens[Role.ADMIN]
    wish = {"label": "the scoreboard", "role": "player", "days": "7"}
    secret = house.ask("POST", "/tokens", admin, json=wish).json()["token"]
    assert house.ask("GET", "/me", secret).json()["role"] == "player"
    told = house.ask("GET", "/tokens", admin).json()["tokens"]
    mine = next(each for each in told if each["label"] == "the scoreboard")
    fits("Token", mine)
    assert house.ask("DELETE", f"/tokens/{mine['id']}", admin).status_code == 204
    assert house.ask("GET", "/me", secret).status_code == 401
    assert house.ask("POST", "/codes", admin, json={"role": "arbiter"}).json()["role"] == "arbiter"
    assert house.ask("GET", "/sessions", admin).json() == {"sessions": []}
    assert house.ask("DELETE", "/sessions/ab", admin).status_code == 204


# Refusals


@pytest.mark.parametrize(
    ("body", "headers", "status", "where", "code", "sentence"),
    [
        (b"{", JSON, 400, "body", "not_json", "What was sent is not JSON."),
        (b"", JSON, 400, "body", "not_json", "What was sent is not JSON."),
        (b'{"text": NaN}', JSON, 400, "body", "not_json", "What was sent is not JSON."),
        (b'{"text": "\\ud800"}', JSON, 400, "body", "not_json", "What was sent is not JSON."),
        (b"[" * 60_000, JSON, 400, "body", "not_json", "What was sent is not JSON."),
        (b"{}", {}, 415, "header/content-type", "not_json_type", "Send this as application/json."),
        (b"[]", JSON, 422, "body", "object", "What was sent must be an object."),
        (b"{}", JSON, 422, "body/text", "missing", "text is missing."),
        (b'{"text": 5}', JSON, 422, "body/text", "text", "text must be a text."),
        (
            b'{"text": "a", "wy": ""}',
            JSON,
            422,
            "body",
            "unknown_field",
            "There is no field 'wy': there are text, why.",
        ),
    ],
)
def test_nonsense_is_refused_with_what_and_where(  # noqa: PLR0913, PLR0917 - the columns of a table
    house: ApiHouse,
    tokens: dict[Role, str],
    body: bytes,
    headers: dict[str, str],
    status: int,
    where: str,
    code: str,
    sentence: str,
) -> None:
    answer = house.ask("POST", "/board/turns", tokens[Role.PLAYER], content=body, headers=headers)
    told = answer.json()
    assert (answer.status_code, told["error"], told["where"], told["code"]) == (status, sentence, where, code)


def test_a_refusal_is_said_in_the_language_that_is_asked_for(house: ApiHouse, tokens: dict[Role, str]) -> None:
    told = [
        house.ask(
            "POST", "/board/turns", tokens[Role.PLAYER], content=b"{}", headers={**JSON, "accept-language": language}
        ).json()
        for language in ("de", "fr", "en")
    ]
    assert [each["error"] for each in told] == ["text fehlt.", "text manque.", "text is missing."]
    assert [each["values"] for each in told] == [{"field": "text"}] * 3


def test_what_is_refused_before_it_is_read_has_one_sentence_and_no_where(
    house: ApiHouse, tokens: dict[Role, str]
) -> None:
    refused = (
        (401, house.ask("GET", "/me", "gnomon_none")),
        (401, house.ask("POST", "/board/turns")),
        (403, house.ask("POST", "/board/turns", headers={"origin": "http://elsewhere.example"})),
        (403, house.ask("GET", "/people", tokens[Role.PLAYER])),
        (421, house.ask("GET", "/board", headers={"host": "elsewhere.example"})),
        (404, house.ask("GET", "/nowhere")),
        (405, house.ask("PUT", "/board")),
    )
    for status, answer in refused:
        assert (answer.status_code, "where" in answer.json()) == (status, False)
        assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/nowhere", 404, "There is nothing at '/api/v1/nowhere': /api/v1/openapi.json lists all paths."),
        ("/games/none", 404, "number must be a whole number from 1 to 2147483647."),
        ("/games/99", 404, "There is no game 99."),
        (
            "/games?pages=1",
            422,
            "There is no parameter 'pages': there are game, ended, since, until, text, page, each.",
        ),
        ("/games?page=1&page=2", 422, "page is given twice."),
        ("/games?ended=maybe", 422, "ended must be true or false."),
        ("/games?since=yesterday", 422, "since must have 10 to 10 characters."),
        (
            "/games?since=2026-1-200",
            422,
            "since has a character that is not allowed: write it like 2026-11-20.",
        ),
        ("/board?language=la", 422, "language must be one of: en, de, fr."),
        ("/version?x=1", 422, "There is no parameter 'x': there are none."),
    ],
)
def test_an_address_that_makes_no_sense_is_refused(house: ApiHouse, path: str, status: int, sentence: str) -> None:
    answer = house.ask("GET", path)
    assert (answer.status_code, answer.json()["error"]) == (status, sentence)


def test_another_method_is_told_those_that_can_be_used(house: ApiHouse) -> None:
    answer = house.ask("PUT", "/people/1")
    assert (answer.status_code, answer.headers["allow"]) == (405, "DELETE, PATCH")
    assert answer.json()["error"] == "PUT is not possible here: use DELETE, PATCH."
