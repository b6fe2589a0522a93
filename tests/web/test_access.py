"""Who comes in, by what, for how long, and how often one may try."""

import asyncio
from itertools import pairwise

import pytest

from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.access._identity import DAY, HOUR
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.reasons import AccessError, SignInReason
from tests.web.visitors import PIN, QUICK, Reception


@pytest.fixture
def reception() -> Reception:
    return Reception()


def shown_code(reception: Reception) -> str:
    code = reception.shown[-1]
    assert code is not None
    return code.text


def test_the_first_admin_comes_in_by_the_code_that_the_board_shows(reception: Reception) -> None:
    browser = reception.browser()
    assert "This board has no admin yet" in browser.get("/sign-in").text
    assert browser.send("/sign-in/code").headers["location"] == "/sign-in?done=code#pair"
    code = shown_code(reception)
    assert code not in browser.get("/sign-in?done=code").text
    typed = f" {code[:4].lower()}-{code[4:]} "
    answer = browser.send("/sign-in/pair", code=typed, name="Anna", secret=PIN, back="/people")
    assert (answer.status_code, answer.headers["location"]) == (303, "/people")
    assert "Anna" in browser.get("/people").text
    assert reception.shown[-1] is None
    assert reception.door.store.people()[0].role is Role.ADMIN


@pytest.mark.parametrize(("language", "called"), [("en", "Connect"), ("de", "Verbinden"), ("fr", "Relier")])
def test_a_phone_is_not_connected_by_a_button_named_like_the_pairing_of_a_round(
    reception: Reception, language: str, called: str
) -> None:
    page = reception.browser().get("/sign-in", **{"accept-language": language}).text
    form = page.partition('action="/sign-in/pair"')[2].partition("</form>")[0]
    assert f"<button>{called}</button>" in form


def test_a_code_is_valid_once(reception: Reception) -> None:
    browser, other = reception.browser(), reception.browser(client="192.168.1.21")
    browser.send("/sign-in/code")
    code = shown_code(reception)
    assert browser.send("/sign-in/pair", code=code, name="Anna", secret=PIN).status_code == 303
    assert other.send("/sign-in/pair", code=code, name="Eve", secret=PIN).status_code == 422
    assert [person.name for person in reception.door.store.people()] == ["Anna"]


def test_a_code_ends_after_ten_minutes_and_a_new_one_takes_its_place(reception: Reception) -> None:
    browser = reception.browser()
    browser.send("/sign-in/code")
    old = shown_code(reception)
    reception.clock.seconds = 599
    browser.send("/sign-in/code")
    assert len(reception.shown) == 1
    reception.clock.seconds = 600
    assert browser.send("/sign-in/pair", code=old, name="Anna", secret=PIN).status_code == 422
    browser.send("/sign-in/code")
    assert shown_code(reception) != old


def test_a_mistake_in_name_or_pin_does_not_use_the_code_up(reception: Reception) -> None:
    browser = reception.browser()
    browser.send("/sign-in/code")
    code = shown_code(reception)
    for name, secret in (("", PIN), ("Anna", ""), ("Anna", "12345"), ("Anna", "111111"), ("A" * 41, PIN)):
        assert browser.send("/sign-in/pair", code=code, name=name, secret=secret).status_code == 422
    assert browser.send("/sign-in/pair", code=code, name="Anna", secret=PIN).status_code == 303


def test_a_hundred_wrong_codes_from_everywhere_withdraw_the_code(reception: Reception) -> None:
    first = reception.browser()
    first.send("/sign-in/code")
    code = shown_code(reception)
    door = reception.door
    for number in range(100):
        assert door._codes.find(door._codes.key(f"WRONG{number}"), reception.clock.now()) is None
    assert first.send("/sign-in/pair", code=code, name="Anna", secret=PIN).status_code == 422


def test_a_person_who_stands_at_the_board_plays_from_a_phone_without_a_pin(reception: Reception) -> None:
    reception.person("Anna", Role.ADMIN)
    phone = reception.browser()
    phone.send("/sign-in/code")
    answer = phone.send("/sign-in/pair", code=shown_code(reception), name="Phone at the board")
    assert answer.status_code == 303
    [device] = [person for person in reception.door.store.people() if person.is_device]
    assert (device.name, device.role) == ("Phone at the board", Role.PLAYER)
    assert reception.browser().sign_in("Phone at the board", "").status_code == 422


@pytest.mark.parametrize(("name", "secret"), [("Anna", "271829"), ("Nobody", PIN), ("", ""), ("Anna", "")])
def test_a_wrong_name_and_a_wrong_pin_are_answered_alike(reception: Reception, name: str, secret: str) -> None:
    reception.person("Anna", Role.ARBITER)
    browser = reception.browser()
    answer = browser.sign_in(name, secret)
    assert answer.status_code == 422
    assert "Name and PIN do not match." in answer.text
    assert "gnomon_session" not in browser.cookies


@pytest.mark.parametrize("name", ["Åsa Ölund", "ÅSA  ölund", "åsa ölund "])
def test_a_name_is_the_same_however_it_is_written(reception: Reception, name: str) -> None:
    reception.person("Åsa Ölund", Role.ARBITER)
    assert reception.browser().sign_in(name).status_code == 303


def test_signing_in_makes_a_new_session_and_ends_the_old_one(reception: Reception) -> None:
    browser = reception.signed_in(Role.ADMIN, "Anna")
    old, form = browser.cookies["gnomon_session"], browser.csrf()
    assert browser.sign_in("Anna").status_code == 303
    assert browser.cookies["gnomon_session"] != old
    assert browser.send("/people/code", role="player", csrf=form).status_code == 403
    browser.cookies["gnomon_session"] = old
    assert browser.get("/people").status_code == 303


def test_a_session_that_an_attacker_planted_is_never_taken_over(reception: Reception) -> None:
    reception.person("Anna", Role.ADMIN)
    browser = reception.browser()
    browser.cookies["gnomon_session"] = "planted"
    browser.sign_in("Anna")
    assert browser.cookies["gnomon_session"] != "planted"
    attacker = reception.browser()
    attacker.cookies["gnomon_session"] = "planted"
    assert attacker.get("/people").status_code == 303


def test_signing_out_ends_the_session_on_the_server_too(reception: Reception) -> None:
    browser = reception.signed_in(Role.ADMIN)
    kept = dict(browser.cookies)
    assert browser.send("/sign-out").status_code == 303
    assert "gnomon_session" not in browser.cookies
    browser.cookies = kept
    assert browser.get("/people").status_code == 303


@pytest.mark.parametrize(
    ("role", "step", "last"), [(Role.ADMIN, 12 * HOUR, 7 * DAY), (Role.PLAYER, 14 * DAY, 90 * DAY)]
)
def test_a_session_ends_unused_and_at_the_latest(role: Role, step: int, last: int) -> None:
    reception = Reception()
    browser = reception.signed_in(role)
    reception.clock.seconds = step - 1
    assert "You are signed in" in browser.get("/sign-in").text
    reception.clock.seconds += step
    assert "You are signed in" not in browser.get("/sign-in").text
    reception.clock.seconds = 0
    busy = reception.browser()
    busy.sign_in(f"The {role}")
    for now in range(0, last, step // 2):
        reception.clock.seconds = now
        assert "You are signed in" in busy.get("/sign-in").text
    reception.clock.seconds = last
    assert "You are signed in" not in busy.get("/sign-in").text


def test_guessing_takes_longer_and_longer_and_a_right_pin_has_to_wait_too(reception: Reception) -> None:
    reception.person("Anna", Role.ADMIN)
    browser = reception.browser()
    waits = []
    for guess in range(12):
        answer = browser.sign_in("Anna", f"30000{guess}")
        if answer.status_code == 429:
            waits.append(int(answer.headers["retry-after"]))
            assert browser.sign_in("Anna").status_code == 429
            reception.clock.seconds += waits[-1]
    assert waits
    assert all(after >= before for before, after in pairwise(waits))
    reception.clock.seconds += 300
    assert browser.sign_in("Anna").status_code == 303


def test_many_addresses_do_not_guess_one_name_faster(reception: Reception) -> None:
    reception.person("Anna", Role.ADMIN)
    tried = sum(
        reception.browser(client=f"10.0.0.{number}").sign_in("Anna", f"4000{number:02}").status_code == 422
        for number in range(20)
    )
    assert tried == 5


def test_one_household_of_ipv6_is_one_address(reception: Reception) -> None:
    answers = [
        reception.browser(client=f"2001:db8:1:2::{number:x}").sign_in(f"Name {number}").status_code
        for number in range(8)
    ]
    assert answers == [422] * 5 + [429] * 3


def test_somebody_elses_failures_at_an_address_are_kept_when_one_signs_in(reception: Reception) -> None:
    reception.person("Eve", Role.PLAYER)
    reception.person("Anna", Role.ADMIN)
    browser = reception.browser()
    for guess in range(5):
        assert browser.sign_in("Eve").status_code == 303, guess
        assert browser.sign_in("Anna", f"50000{guess}").status_code == 422
    assert browser.sign_in("Anna", "600000").status_code == 429


def test_changing_ones_pin_signs_out_everywhere_else(reception: Reception) -> None:
    browser = reception.signed_in(Role.ADMIN, "Anna")
    other = reception.browser()
    other.sign_in("Anna")
    token = reception.token(Role.PLAYER)
    changed = {"now": PIN, "secret": "correct horse", "again": "correct horse"}
    assert browser.send("/sign-in/secret", **{**changed, "now": "999999"}).status_code == 422
    assert browser.send("/sign-in/secret", **{**changed, "again": "correct house"}).status_code == 422
    assert browser.send("/sign-in/secret", **changed).headers["location"] == "/sign-in?done=secret"
    assert browser.get("/people").status_code == 200
    assert other.get("/people").status_code == 303
    assert reception.browser().sign_in("Anna").status_code == 422
    assert reception.browser().sign_in("Anna", "correct horse").status_code == 303
    assert token


@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("/people?x=1", "/people?x=1"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/\t/evil.example", "/"),
        ("https://evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
        ("/a\r\nSet-Cookie: x=1", "/aSet-Cookie:x=1"),
    ],
)
def test_one_is_led_back_to_this_site_only(reception: Reception, back: str, leads: str) -> None:
    reception.person("Anna", Role.ADMIN)
    answer = reception.browser().sign_in("Anna", back=back)
    assert answer.headers["location"] == leads
    assert "x" not in answer.cookies


def test_the_board_greets_with_a_code_only_where_somebody_is_needed() -> None:
    closed, known, open_ = Reception(), Reception(), Reception(open_to=Role.ARBITER)
    known.person("Anna", Role.ADMIN)
    for reception in (closed, known, open_):
        reception.door.greet()
    assert [len(reception.shown) for reception in (closed, known, open_)] == [1, 0, 0]


def test_a_shown_code_that_would_make_an_admin_ends_when_there_is_one(reception: Reception) -> None:
    browser = reception.browser()
    browser.send("/sign-in/code")
    first = shown_code(reception)
    reception.person("Anna", Role.ADMIN)
    browser.send("/sign-in/code")
    assert [code and code.role for code in reception.shown] == [Role.ADMIN, Role.PLAYER]
    assert browser.send("/sign-in/pair", code=first, name="Eve", secret=PIN).status_code == 422


def test_of_two_who_type_one_code_at_the_same_moment_one_comes_in(reception: Reception) -> None:
    async def both() -> list[object]:
        code = reception.door.show_code().text
        trials = (
            reception.door.pair(code, name, PIN, Visitor(Role.SPECTATOR, address=f"10.0.0.{number}"))
            for number, name in enumerate(("Anna", "Eve"))
        )
        return await asyncio.gather(*trials, return_exceptions=True)

    answers = asyncio.run(both())
    assert [answer.why for answer in answers if isinstance(answer, AccessError)] == [SignInReason.CODE_WRONG]
    assert len(reception.door.store.people()) == 1


def test_of_two_who_take_one_name_at_the_same_moment_one_has_it(reception: Reception) -> None:
    async def both() -> list[object]:
        trials = (reception.door.add_person(name, Role.PLAYER, PIN) for name in ("Anna", "ANNA"))
        return await asyncio.gather(*trials, return_exceptions=True)

    answers = asyncio.run(both())
    assert [answer.why for answer in answers if isinstance(answer, AccessError)] == [SignInReason.NAME_TAKEN]


def test_who_is_removed_while_the_pin_is_checked_does_not_come_in() -> None:
    reception = Reception()
    reception.person("Anna", Role.PLAYER)

    class Removing:
        def hash(self, password: str) -> str:
            return QUICK.hash(password)

        def verify(self, digest: str, password: str, /) -> bool:
            reception.door.store.remove_person(1)
            return QUICK.verify(digest, password)

        def check_needs_rehash(self, _digest: str, /) -> bool:
            return False

    door = Authenticator(reception.door.store, reception.clock, AccessTerms(), hasher=Removing())
    with pytest.raises(AccessError) as refused:
        asyncio.run(door.sign_in("Anna", PIN, Visitor(Role.SPECTATOR)))
    assert refused.value.why is SignInReason.WRONG


def test_what_expired_is_forgotten_when_somebody_new_comes() -> None:
    reception = Reception()
    reception.signed_in(Role.PLAYER)
    reception.token(Role.PLAYER)
    assert (len(reception.door.store.sessions()), len(reception.door.store.tokens())) == (2, 1)
    reception.clock.seconds = 90 * DAY
    browser = reception.browser()
    browser.send("/sign-in/code")
    assert browser.send("/sign-in/pair", code=shown_code(reception), name="Phone").status_code == 303
    assert (len(reception.door.store.sessions()), len(reception.door.store.tokens())) == (1, 0)


def test_a_browser_that_signs_out_over_tls_forgets_what_it_kept() -> None:
    reception = Reception()
    reception.person("Anna", Role.PLAYER)
    browser = reception.browser("https://gnomon.local")
    browser.sign_in("Anna")
    answer = browser.send("/sign-out")
    assert answer.headers["clear-site-data"] == '"cache"'
    assert "__Host-gnomon_session" not in browser.cookies
