"""Names, PINs, codes and the file of people; the admin's page and its forms."""

import asyncio
import re
import sqlite3
import stat
import unicodedata
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant
from gnomon.web.access import Role, Visitor, names
from gnomon.web.access.attempts import FORGOTTEN, Attempts, network
from gnomon.web.access.authenticator import AccessTerms, Authenticator
from gnomon.web.access.browsers import browser_name
from gnomon.web.access.codes import ALPHABET, LENGTH, Chance, Codes, draw_code, plain
from gnomon.web.access.cookies import csrf, is_same
from gnomon.web.access.names import NameRefusedError
from gnomon.web.access.password_hashes import WAITING, Hashing, TooManySignInsError, argon2
from gnomon.web.access.reasons import AccessError, SignInReason
from gnomon.web.access.store import AccountStore, AccountStoreError
from gnomon.words import LANGUAGES, words
from tests.web.visitors import PIN, QUICK, Browser, Reception, SetClock

NOW = Instant(0)


@pytest.fixture
def reception() -> Reception:
    return Reception()


@pytest.fixture
def admin(reception: Reception) -> Browser:
    return reception.signed_in(Role.ADMIN, "Anna")


def number_of(reception: Reception, name: str) -> str:
    [number] = [person.id for person in reception.door.store.people() if person.name == name]
    return str(number)


# Names and secrets


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", SignInReason.NAME_EMPTY),
        (" \t\n", SignInReason.NAME_EMPTY),
        ("A" * 41, SignInReason.NAME_LONG),
        ("Anna\x00", SignInReason.NAME_SIGNS),
        ("Anna\u202eannA", SignInReason.NAME_SIGNS),
        ("An\u200bna", SignInReason.NAME_SIGNS),
        ("\ud800", SignInReason.NAME_SIGNS),
        ("\u0430dmin", SignInReason.NAME_MIXED),
        ("\N{GREEK CAPITAL LETTER ALPHA}nna", SignInReason.NAME_MIXED),
        ("<script>".translate(dict.fromkeys(range(97, 123))), SignInReason.NAME_LETTERS),
    ],
)
def test_a_name_that_deceives_or_cannot_be_shown_is_refused(name: str, why: SignInReason) -> None:
    with pytest.raises(NameRefusedError) as refused:
        names.name(name)
    assert refused.value.why is why


@pytest.mark.parametrize(
    "name", ["Anna", "Åsa Ölund", "\u0410\u043d\u043d\u0430", "李 小龙", "Zoë-Marie O’Neill", "Table 3", "Ελένη"]
)
def test_people_of_the_world_are_called_what_they_are_called(name: str) -> None:
    assert names.name(name) == name


@given(st.text(max_size=60))
def test_a_name_that_is_taken_has_one_line_and_is_itself_again(text: str) -> None:
    try:
        name = names.name(text)
    except NameRefusedError:
        return
    assert names.name(name) == name
    assert name.isprintable()
    assert names.fold(name) == names.fold(text)
    assert names.fold(name) == names.fold(unicodedata.normalize("NFD", name))


@pytest.mark.parametrize(
    ("secret", "why"),
    [
        ("12345", SignInReason.SECRET_SHORT),
        ("seven77", SignInReason.SECRET_SHORT),
        ("000000", SignInReason.SECRET_SIMPLE),
        ("121212", SignInReason.SECRET_SIMPLE),
        ("123456", SignInReason.SECRET_SIMPLE),
        ("987654", SignInReason.SECRET_SIMPLE),
        ("abcdefgh", SignInReason.SECRET_SIMPLE),
        ("x1" * 65, SignInReason.SECRET_LONG),
        ("abcdefg\ud800", SignInReason.SECRET_SIGNS),
    ],
)
def test_a_secret_that_is_guessed_at_once_is_refused(secret: str, why: SignInReason) -> None:
    with pytest.raises(NameRefusedError) as refused:
        names.secret(secret)
    assert refused.value.why is why


def test_a_secret_is_the_same_however_a_keyboard_puts_it_together() -> None:
    assert names.secret("Gr\u00fc\u00dfe aus") == names.secret("Gru\u0308\u00dfe aus")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_every_role_has_its_words(language: str) -> None:
    entries = words(language).entries
    assert [why for why in SignInReason if why not in entries] == []
    assert [role for role in Role if f"access.role.{role}" not in entries] == []


# Codes and attempts


@given(st.randoms(use_true_random=False))
def test_a_code_has_eight_letters_that_nobody_confuses(random: Random) -> None:
    code = draw_code(random.randbytes)
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)
    assert not set(code) & set("0O1IL2Z5S8B")
    assert plain(f"{code[:4].lower()} - {code[4:]}") == code


def test_every_letter_of_a_code_is_as_likely_as_any_other() -> None:
    def always(byte: int) -> Chance:
        return lambda number: bytes([255, 250, *[byte] * number])

    made = Counter(draw_code(always(byte))[0] for byte in range(250))
    assert made == dict.fromkeys(ALPHABET, 10)


def test_codes_are_spent_once_and_bounded() -> None:
    chance = count()
    codes = Codes(lambda number: bytes((next(chance) * 7) % 250 for _ in range(number)))
    made = [codes.make(Role.PLAYER, NOW) for _ in range(20)]
    assert len(codes.valid(NOW)) == 16
    assert codes.find(codes.key(made[0].text), NOW) is None
    found = codes.find(codes.key(made[-1].readable), NOW)
    assert found is not None
    assert (codes.spend(found), codes.spend(found)) == (True, False)


@given(st.integers(0, 60))
def test_the_wait_grows_to_its_longest_and_no_further(failures: int) -> None:
    attempts = Attempts(Duration(5 * MINUTE))
    for _ in range(failures):
        attempts.count_failure("x", NOW)
    expected = 0 if failures < 5 else min(300, 2 ** (failures - 5))
    assert attempts.wait("x", NOW) == expected * SECOND
    assert attempts.wait("y", NOW) == 0
    assert attempts.wait("x", Instant(FORGOTTEN)) == 0
    attempts.forget("x")
    assert attempts.wait("x", NOW) == 0


def test_only_so_many_failures_are_remembered() -> None:
    attempts = Attempts(Duration(MINUTE), free=0, remembered=3)
    for key in "abcd":
        attempts.count_failure(key, NOW)
    assert [bool(attempts.wait(key, NOW)) for key in "abcd"] == [False, True, True, True]
    attempts.forgiven("b")
    attempts.forgiven("nobody")
    assert attempts.wait("b", NOW) == SECOND


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:0:1:aaaa::1", "2001:db8:0:1::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("unix", "unix"),
    ],
)
def test_an_address_counts_with_its_household(address: str, counts_as: str) -> None:
    assert network(address) == counts_as


def test_no_two_empty_secrets_are_the_same() -> None:
    assert not is_same("", "")
    assert csrf("") == ""
    assert is_same("\ud800", "\ud800")


# Hashing


def test_an_unknown_name_takes_a_hash_as_a_known_one_does() -> None:
    hashed: list[str] = []

    class Counted:
        def hash(self, password: str) -> str:
            return QUICK.hash(password)

        def verify(self, digest: str, password: str, /) -> bool:
            hashed.append(digest)
            return QUICK.verify(digest, password)

        def check_needs_rehash(self, digest: str, /) -> bool:
            return QUICK.check_needs_rehash(digest)

    hashing = Hashing(Counted())
    known = QUICK.hash(PIN)
    assert asyncio.run(hashing.matches(known, PIN)) == (True, "")
    assert asyncio.run(hashing.matches("", PIN)) == (False, "")
    assert asyncio.run(hashing.matches("", "nobody's")) == (False, "")
    assert asyncio.run(hashing.matches("not a hash", PIN)) == (False, "")
    assert [each.rpartition("$")[0].rpartition("$")[0] for each in hashed[:3]] == ["$argon2id$v=19$m=8,t=1,p=1"] * 3


def test_a_hash_of_other_days_is_made_anew_at_the_next_sign_in() -> None:
    reception = Reception()
    reception.person("Anna", Role.ARBITER)
    [before] = reception.door.store.people()
    newer = Authenticator(reception.door.store, reception.clock, AccessTerms(), hasher=argon2(memory=16, passes=1))
    asyncio.run(newer.sign_in("Anna", PIN, Visitor(Role.SPECTATOR)))
    [after] = reception.door.store.people()
    assert ("m=8," in before.secret, "m=16," in after.secret) == (True, True)


def test_a_flood_of_sign_ins_is_refused_and_not_queued() -> None:
    async def flood() -> list[object]:
        hashing = Hashing(QUICK)
        return await asyncio.gather(*(hashing.hash(PIN) for _ in range(WAITING + 3)), return_exceptions=True)

    answers = asyncio.run(flood())
    assert sum(isinstance(answer, TooManySignInsError) for answer in answers) == 3


def test_who_is_refused_in_a_flood_has_not_failed() -> None:
    reception = Reception()
    reception.person("Anna", Role.ARBITER)

    async def flood() -> list[object]:
        visitors = (Visitor(Role.SPECTATOR, address=f"10.0.0.{number}") for number in range(WAITING + 4))
        trials = (reception.door.sign_in(f"Nobody {visitor.address}", PIN, visitor) for visitor in visitors)
        return await asyncio.gather(*trials, return_exceptions=True)

    answers = asyncio.run(flood())
    whys = [answer.why for answer in answers if isinstance(answer, AccessError)]
    assert (whys.count(SignInReason.WRONG), whys.count(SignInReason.BUSY)) == (WAITING, 4)


# The file


def test_the_file_is_for_nobody_else_and_holds_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "people.sqlite"
    path.touch(0o666)
    store = AccountStore.open(path)
    door = Authenticator(store, SetClock(), AccessTerms(), hasher=QUICK)
    asyncio.run(door.add_person("Anna", Role.ADMIN, "correct horse battery"))
    session = asyncio.run(door.sign_in("Anna", "correct horse battery", Visitor(Role.SPECTATOR)))
    owner = Visitor(Role.ADMIN, "Anna", 1)
    token = asyncio.run(door.make_token(owner, "scores", Role.PLAYER, 7))
    files = sorted(tmp_path.iterdir())
    assert len(files) == 3
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
        for secret in (session, token, "correct horse battery"):
            assert secret.encode() not in file.read_bytes()
    store.close()
    again = AccountStore.open(path)
    assert [person.name for person in again.people()] == ["Anna"]
    again.close()


def test_a_file_that_is_none_and_one_of_tomorrow_are_told_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "people.sqlite"
    path.write_bytes(b"nothing of the kind, and long enough to look at")
    with pytest.raises(AccountStoreError, match="the file of people and their rights, cannot be used"):
        AccountStore.open(path)
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(AccountStoreError, match="newer version"):
        AccountStore.open(path)
    with pytest.raises(AccountStoreError, match=r"people\.sqlite"):
        AccountStore.open(tmp_path / "missing" / "people.sqlite")


# The admin's page


def test_an_admin_adds_people_changes_their_roles_and_removes_them(reception: Reception, admin: Browser) -> None:
    assert admin.send("/people/add", name="Ben", role="arbiter", secret=PIN).status_code == 303
    ben = reception.browser()
    assert ben.sign_in("ben").status_code == 303
    assert ben.get("/people").status_code == 403
    number = number_of(reception, "Ben")
    admin.send("/people/role", person=number, role="admin")
    assert ben.get("/people").status_code == 200
    admin.send("/people/remove", person=number)
    assert ben.get("/people").status_code == 303


def test_a_new_pin_by_the_admin_signs_out_everywhere(reception: Reception, admin: Browser) -> None:
    ben = reception.signed_in(Role.PLAYER, "Ben")
    admin.send("/people/secret", person=number_of(reception, "Ben"), secret="a new secret")  # noqa: S106 - a test's
    assert "You are signed in" not in ben.get("/sign-in").text
    assert reception.browser().sign_in("Ben").status_code == 422
    assert reception.browser().sign_in("Ben", "a new secret").status_code == 303


def test_the_admin_lets_people_in_by_code(reception: Reception, admin: Browser) -> None:
    page = admin.send("/people/code", role="arbiter")
    assert page.headers["cache-control"] == "no-store"
    found = re.search(r"once code\">([\w-]+)<", page.text)
    assert found is not None
    ben = reception.browser()
    assert ben.send("/sign-in/pair", code=found[1], name="Ben").status_code == 422
    assert ben.send("/sign-in/pair", code=found[1], name="anna", secret=PIN).status_code == 422
    assert ben.send("/sign-in/pair", code=found[1], name="Ben", secret=PIN).status_code == 303
    assert reception.door.store.people()[-1].role is Role.ARBITER


def test_a_session_is_named_by_its_browser_and_ended_by_the_admin(reception: Reception, admin: Browser) -> None:
    ben = reception.signed_in(Role.PLAYER, "Ben")
    assert "Firefox, Android (this browser)" in admin.get("/people").text
    [session] = [each for each in reception.door.store.sessions() if each.person != 1]
    admin.send("/people/session/end", session=session.id)
    assert "You are signed in" not in ben.get("/sign-in").text


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("add", {"name": "Anna", "role": "player", "secret": PIN}, "Somebody here has this name already"),
        ("add", {"name": "Ben", "role": "king", "secret": PIN}, "Choose a role"),
        ("add", {"name": "Ben", "role": "spectator", "secret": PIN}, "Choose a role"),
        ("add", {"name": "Ben", "role": "player", "secret": ""}, "too short"),
        ("role", {"person": "1", "role": "player"}, "There must be an admin"),
        ("remove", {"person": "1"}, "There must be an admin"),
        ("remove", {"person": "77"}, "has been removed"),
        ("remove", {"person": "1" * 30}, "has been removed"),
        ("secret", {"person": "x", "secret": PIN}, "has been removed"),
        ("token", {"label": "", "role": "player", "days": "1"}, "Write a name"),
        ("token", {"label": "x", "role": "player", "days": "999999"}, "Choose how long"),
    ],
)
def test_what_is_wrong_with_a_form_is_said_and_nothing_is_done(
    reception: Reception, admin: Browser, path: str, fields: dict[str, str], said: str
) -> None:
    answer = admin.send(f"/people/{path}", **fields)
    assert answer.status_code == 422
    assert said in answer.text
    assert [person.role for person in reception.door.store.people()] == [Role.ADMIN]
    assert reception.door.store.tokens() == []


def test_a_device_without_a_pin_is_a_player_at_most(reception: Reception, admin: Browser) -> None:
    phone = reception.browser()
    phone.send("/sign-in/code")
    code = reception.shown[-1]
    assert code is not None
    phone.send("/sign-in/pair", code=code.text, name="Phone")
    number = number_of(reception, "Phone")
    assert "can only be a player" in admin.send("/people/role", person=number, role="arbiter").text
    chosen = {"secret": "a new secret", "again": "a new secret"}
    assert phone.send("/sign-in/secret", **chosen).status_code == 303
    assert admin.send("/people/role", person=number, role="arbiter").status_code == 303


def test_names_are_only_ever_text_on_the_page(admin: Browser) -> None:
    admin.send("/people/add", name='<img src=x onerror="1">', role="player", secret=PIN)
    text = admin.get("/people").text
    assert "<img" not in text
    assert "&lt;img" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_speak_every_language(admin: Browser, language: str) -> None:
    say = words(language)
    page = admin.get(f"/people?language={language}").text
    assert f"<h1>{say('access.people.title')}</h1>" in page
    assert "access." not in re.sub(r"/static/access\.css", "", page)
    assert "access." not in re.sub(r"/static/access\.css", "", admin.get(f"/sign-in?language={language}").text)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605 Version/19.0 Mobile Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("curl/8.14.1", "curl"),
        ("", ""),
    ],
)
def test_a_browser_is_told_from_what_it_says(said: str, name: str) -> None:
    assert browser_name(said) == name
