"""What is checked before every action, whatever page it belongs to; the whole table of routes is walked."""

import asyncio
import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Message

from gnomon.refusals import statement
from gnomon.web.access import Role, allow, refuse_open_actions, role_of, visitor_of
from gnomon.web.access.gate import OpenActionError, actions
from gnomon.web.access.store import AccountsAwayError
from gnomon.web.app import application
from gnomon.web.forms import FIELDS
from gnomon.web.middleware.bodies import LARGEST, Bodies
from tests.web.visitors import PIN, Browser, Reception

ROLES = (*Role,)


async def done(request: Request) -> Response:
    return JSONResponse({"by": visitor_of(request).name, "sent": (await request.body()).decode()})


def trial(role: Role) -> Route:
    return Route(f"/trial/{role}", allow(role, done), methods=["POST"])


@pytest.fixture(scope="module")
def reception() -> Reception:
    return Reception(more=tuple(map(trial, ROLES)))


@pytest.fixture(scope="module")
def browsers(reception: Reception) -> dict[Role, Browser]:
    known = {role: reception.signed_in(role) for role in ROLES if role is not Role.SPECTATOR}
    return {Role.SPECTATOR: reception.browser(), **known}


@pytest.fixture(scope="module")
def tokens(reception: Reception) -> dict[Role, str]:
    return {role: reception.token(role) for role in ROLES if role is not Role.SPECTATOR}


def every_action(reception: Reception) -> Iterator[tuple[str, str, Role]]:
    """The method and path of every action there is, whatever page it belongs to, and the role that it needs."""
    for path, route in actions(reception.app.routes):  # type: ignore[attr-defined]  # the Starlette of `application`
        needed = role_of(route.endpoint)
        assert needed is not None, path
        assert route.methods is not None, path
        for method in sorted(route.methods - {"GET", "HEAD"}):
            yield method, re.sub(r"{[^}]*}", "1", path), needed


@pytest.mark.parametrize("role", ROLES)
def test_every_action_there_is_needs_its_role_and_nobody_below_may(
    reception: Reception, browsers: dict[Role, Browser], role: Role
) -> None:
    browser = browsers[role]
    csrf = browser.csrf()
    walked = 0
    for method, path, needed in every_action(reception):
        if role.may(needed):
            continue
        answer = browser.ask(method, path, {"x-csrf-token": csrf})
        assert answer.status_code == (401 if role is Role.SPECTATOR else 403), path
        walked += 1
    assert walked or role is Role.ADMIN


def test_no_action_there_is_goes_without_the_token_of_its_form(
    reception: Reception, browsers: dict[Role, Browser]
) -> None:
    others = browsers[Role.PLAYER].csrf()
    walked = set()
    for method, path, _ in every_action(reception):
        for sent in ({}, {"x-csrf-token": "0" * 64}, {"x-csrf-token": others}):
            answer = browsers[Role.ADMIN].ask(method, path, sent)
            why = "out of date" if sent else "has no token"
            assert (answer.status_code, why in answer.text) == (403, True), path
        walked.add(path)
    assert {"/people/remove", "/sign-in", "/sign-out"} <= walked


@pytest.mark.parametrize("needed", ROLES)
@pytest.mark.parametrize("role", ROLES)
def test_who_has_the_role_may(browsers: dict[Role, Browser], role: Role, needed: Role) -> None:
    browser = browsers[role]
    answer = browser.ask("POST", f"/trial/{needed}", {"x-csrf-token": browser.csrf()}, content=b"turn")
    if role.may(needed):
        assert answer.json()["sent"] == "turn"
    else:
        assert answer.status_code in (401, 403)
        assert answer.json()["error"].endswith(f"role {needed}.") or f"role {role}." in answer.json()["error"]


@pytest.mark.parametrize("role", [role for role in ROLES if role is not Role.SPECTATOR])
def test_a_token_may_what_its_role_may_and_needs_no_form(
    reception: Reception, tokens: dict[Role, str], role: Role
) -> None:
    program = reception.browser()
    for needed in ROLES:
        answer = program.ask("POST", f"/trial/{needed}", {"authorization": f"Bearer {tokens[role]}"})
        assert answer.status_code == (200 if role.may(needed) else 403)
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("token", ["", "gnomon_", "gnomon_" + "A" * 43, "x" * 5000, "a b c"])
def test_a_wrong_token_is_told_so_even_beside_a_session(browsers: dict[Role, Browser], token: str) -> None:
    answer = browsers[Role.ADMIN].ask("GET", "/people", {"authorization": f"bearer {token}"})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'


def test_a_token_ends_by_time_by_revocation_and_with_its_owner() -> None:
    reception = Reception()
    timed, revoked = reception.token(Role.PLAYER), reception.token(Role.ARBITER)
    store = reception.door.store

    def status(token: str, path: str = "/people") -> int:
        return reception.browser().ask("GET", path, {"authorization": f"Bearer {token}"}).status_code

    assert (status(timed), status(revoked)) == (403, 403)
    assert {token.seen is None for token in store.tokens()} == {False}
    admin = reception.signed_in(Role.ADMIN, "Anna")
    [number] = [token.id for token in store.tokens() if token.role is Role.ARBITER]
    admin.send("/people/token/revoke", token=number)
    assert (status(timed), status(revoked)) == (403, 401)
    reception.clock.seconds = 24 * 3600
    assert status(timed) == 401


def test_a_token_of_somebody_who_lost_a_role_loses_it_too() -> None:
    reception = Reception(more=(trial(Role.ARBITER),))
    token, admin = reception.token(Role.ARBITER), reception.signed_in(Role.ADMIN, "Anna")
    [owner] = [person for person in reception.door.store.people() if person.name == "Who made arbiter"]
    program = {"authorization": f"Bearer {token}"}
    assert reception.browser().ask("POST", "/trial/arbiter", program).status_code == 200
    admin.send("/people/role", person=str(owner.id), role="player")
    assert reception.browser().ask("POST", "/trial/arbiter", program).status_code == 403
    admin.send("/people/remove", person=str(owner.id))
    assert reception.browser().ask("POST", "/trial/arbiter", program).status_code == 401


def test_an_action_of_arbiters_is_refused_to_players(browsers: dict[Role, Browser]) -> None:
    assert browsers[Role.SPECTATOR].ask("POST", "/trial/arbiter").status_code == 401
    assert browsers[Role.PLAYER].ask("POST", "/trial/arbiter").status_code == 403
    arbiter = browsers[Role.ARBITER]
    own = {"x-csrf-token": arbiter.csrf()}
    assert arbiter.ask("POST", "/trial/arbiter", own, content=b"x").json()["sent"] == "x"


def test_an_action_is_taken_from_its_own_page_and_from_programs_alone(
    browsers: dict[Role, Browser], tokens: dict[Role, str], reception: Reception
) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    for sent in (form, {"x-csrf-token": ""}, {"x-csrf-token": browsers[Role.PLAYER].csrf()}):
        answer = browsers[Role.ARBITER].ask("POST", "/trial/arbiter", sent)
        assert (answer.status_code, answer.json()["error"][:24]) == (403, "This page is out of date")
    answer = browsers[Role.ARBITER].ask("POST", "/trial/arbiter", {"content-type": "application/json"}, content=b"{}")
    assert (answer.status_code, answer.json()["error"][:25]) == (403, "This request has no token")
    program = {"authorization": f"Bearer {tokens[Role.ARBITER]}"}
    assert reception.browser().ask("POST", "/trial/arbiter", program).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_page_that_lets_anybody_change_something_is_found_before_it_is_served(method: str) -> None:
    for open_action in (Route("/x", done, methods=[method]), Mount("/y", routes=[Route("/x", done, methods=[method])])):
        with pytest.raises(OpenActionError, match="/x: who may do this"):
            refuse_open_actions([open_action])
    refuse_open_actions([Route("/x", done), Route("/x", allow(Role.PLAYER, done), methods=[method])])


def test_the_pages_themselves_are_looked_over_when_they_are_put_together() -> None:
    with pytest.raises(OpenActionError):
        Reception(more=(Route("/open", done, methods=["POST"]),))
    assert application is not None


def test_a_form_is_bound_to_the_browser_that_loaded_it(reception: Reception) -> None:
    one, other = reception.browser(), reception.browser()
    form = one.csrf()
    assert one.send("/sign-in", name="x", secret=PIN, csrf=form).status_code == 422
    other.csrf()
    assert other.send("/sign-in", name="x", secret=PIN, csrf=form).status_code == 403
    assert one.send("/sign-in", name="x", secret=PIN, csrf="").status_code == 403


def test_the_same_cookie_twice_counts_as_none(reception: Reception, browsers: dict[Role, Browser]) -> None:
    session = browsers[Role.ADMIN].cookies["gnomon_session"]
    twice = {"cookie": f"gnomon_session={session}; gnomon_session=other"}
    assert reception.browser().ask("GET", "/people", {"accept": "text/html", **twice}).status_code == 303


def test_who_may_not_is_led_to_sign_in_and_back(reception: Reception) -> None:
    answer = reception.browser().get("/people?x=1&y=//z")
    assert answer.headers["location"] == "/sign-in?back=%2Fpeople%3Fx%3D1%26y%3D%2F%2Fz"


def test_over_tls_cookies_are_bound_to_this_host_and_plain_ones_are_not_believed() -> None:
    reception = Reception()
    reception.person("Anna", Role.ADMIN)
    browser = reception.browser("https://gnomon.local")
    browser.csrf()
    answer = browser.sign_in("Anna")
    cookies = answer.headers.get_list("set-cookie")
    for cookie, name, seconds in zip(cookies, ("device", "session"), (34560000, 604800), strict=True):
        value, *flags = cookie.split("; ")
        assert value.startswith(f"__Host-gnomon_{name}=")
        assert {"HttpOnly", "Path=/", "SameSite=Strict", "Secure", f"Max-Age={seconds}"} == set(flags)
    assert answer.headers["strict-transport-security"] == "max-age=2592000"
    assert browser.get("/people").status_code == 200
    browser.cookies = {"gnomon_session": browser.cookies["__Host-gnomon_session"]}
    assert browser.get("/people").status_code == 303


def test_a_plain_page_may_not_command_one_over_tls(reception: Reception) -> None:
    answer = reception.browser("https://gnomon.local").ask("POST", "/sign-in", {"origin": "http://gnomon.local"})
    assert answer.status_code == 403


def test_without_tls_cookies_are_kept_from_scripts_and_other_sites(browsers: dict[Role, Browser]) -> None:
    reception = browsers[Role.ADMIN].reception
    answer = reception.browser().get("/help")
    [cookie] = answer.headers.get_list("set-cookie")
    assert set(cookie.split("; ")[1:]) == {"HttpOnly", "Path=/", "SameSite=Strict"}
    assert "strict-transport-security" not in answer.headers


def test_no_copy_is_kept_of_what_one_person_sees(reception: Reception, browsers: dict[Role, Browser]) -> None:
    assert browsers[Role.ADMIN].get("/people").headers["cache-control"] == "no-store"
    assert browsers[Role.PLAYER].get("/help").headers["cache-control"] == "no-store"
    assert reception.browser().get("/static/base.css").headers["cache-control"] == "no-cache"


def test_browsers_are_told_what_no_page_here_ever_does(reception: Reception) -> None:
    headers = reception.browser().get("/help").headers
    assert headers["x-frame-options"] == "DENY"
    assert "camera=()" in headers["permissions-policy"]
    assert "unsafe" not in headers["content-security-policy"]


def test_a_page_that_may_be_framed_says_so_itself() -> None:
    async def framed(_request: Request) -> Response:
        return Response("x", headers={"Content-Security-Policy": "default-src 'none'; frame-ancestors *"})

    headers = Reception(more=(Route("/framed", framed),)).browser().get("/framed").headers
    assert "x-frame-options" not in headers
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors *"


def test_two_host_headers_are_refused(reception: Reception) -> None:
    async def ask() -> int:
        sent: list[Message] = []
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/help",
            "raw_path": b"/help",
            "query_string": b"",
            "scheme": "http",
            "headers": [(b"host", b"127.0.0.1"), (b"host", b"evil.example")],
            "root_path": "",
            "client": None,
        }

        async def send(message: Message) -> None:
            sent.append(message)

        await reception.app(scope, nothing, send)
        return int(sent[0]["status"])

    assert asyncio.run(ask()) == 421


async def nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def test_a_body_that_is_too_large_is_refused_before_it_is_read(browsers: dict[Role, Browser]) -> None:
    admin = browsers[Role.ADMIN]
    csrf = {"x-csrf-token": admin.csrf()}
    assert admin.ask("POST", "/trial/admin", csrf, content=b"x" * LARGEST).status_code == 200
    answer = admin.ask("POST", "/trial/admin", csrf, content=b"x" * (LARGEST + 1))
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
    assert admin.ask("GET", "/", {"content-length": "9" * 5000}).status_code == 413


def in_pieces(pieces: list[bytes], patience: float = 20) -> int:
    """What a client is answered that sends a body without saying how long it will be."""

    async def ask() -> int:
        left = list(pieces)
        statuses: list[int] = []

        async def receive() -> Message:
            if not left and patience:
                return {"type": "http.disconnect"}
            if not left:
                await asyncio.Event().wait()
            return {"type": "http.request", "body": left.pop(0), "more_body": True}

        async def send(message: Message) -> None:
            statuses.append(message.get("status", 0))

        async def app(*_: object) -> None:
            raise AssertionError

        scope = {"type": "http", "headers": [(b"transfer-encoding", b"chunked")], "query_string": b""}
        await Bodies(app, largest=10, patience=patience)(scope, receive, send)
        return statuses[0]

    return asyncio.run(ask())


def test_a_body_in_pieces_is_refused_once_it_is_too_large_or_too_slow() -> None:
    assert in_pieces([b"12345", b"67890", b"1"]) == 413
    assert in_pieces([b"12345"], patience=0) == 408


@given(body=st.binary(max_size=300), kind=st.sampled_from(["application/x-www-form-urlencoded", "text/plain", ""]))
def test_no_form_whatever_breaks_the_check(reception: Reception, body: bytes, kind: str) -> None:
    answer = reception.browser().ask("POST", "/sign-in", {"content-type": kind}, content=body)
    assert answer.status_code == 403


def test_a_form_of_too_many_fields_is_no_form(browsers: dict[Role, Browser]) -> None:
    admin = browsers[Role.ADMIN]
    fields = "&".join(f"x{number}=1" for number in range(FIELDS)) + f"&csrf={admin.csrf()}"
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert admin.ask("POST", "/trial/admin", form, content=fields.encode()).status_code == 403


@pytest.mark.parametrize(
    "path", ["/../people", "/%2e%2e/people", "http://127.0.0.1:8765//people", "/people/", "/PEOPLE", "/people%00"]
)
def test_no_way_of_writing_a_path_leads_around_the_check(reception: Reception, path: str) -> None:
    answer = reception.browser().ask("GET", path, {"accept": "text/html"})
    assert answer.status_code in (303, 307, 404)
    assert "Who may do what" not in answer.text


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd"]
)
def test_no_file_but_the_pages_own_is_served(reception: Reception, path: str) -> None:
    assert reception.browser().get(path).status_code == 404


def test_json_halves_of_letters_do_no_harm(browsers: dict[Role, Browser]) -> None:
    answer = browsers[Role.SPECTATOR].send("/sign-in", name="\\ud800", secret=json.dumps("\ud800"), csrf="\\ud800")
    assert answer.status_code == 403
    assert PIN not in answer.text


def test_while_people_cannot_be_looked_up_everybody_looks_on_and_programs_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reception = Reception()
    admin, token = reception.signed_in(Role.ADMIN), reception.token(Role.ADMIN)

    def away() -> object:
        raise AccountsAwayError(statement("access.refused.token"))

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(reception.door.store.tables, "question", away)
        assert admin.ask("GET", "/people").status_code in {302, 303, 401, 403}
        assert admin.ask("GET", "/help").status_code == 200
        program = reception.browser().ask("GET", "/help", {"authorization": f"Bearer {token}"})
        assert program.status_code == 503
    assert admin.ask("GET", "/people").status_code == 200
