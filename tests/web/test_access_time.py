"""Sessions and tokens last by a clock that never jumps, and nobody's failures keep another person out."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.access._account_time import JUMP, AccountTime
from gnomon.web.access._identity import DAY, HOUR, LASTING, BadTokenError, digest_of
from gnomon.web.access.authenticator import TRIES_OF_A_DEVICE, AccessTerms
from gnomon.web.access.reasons import AccessError, SignInReason
from gnomon.web.access.store import DEVICES, AccountStore
from tests.web.visitors import PIN, QUICK, Reception, SetClock

ANOTHER = "602214"
STRANGER = Visitor(Role.SPECTATOR, address="10.6.6.6")


def door_at(store: AccountStore, clock: SetClock) -> Authenticator:
    return Authenticator(store, clock, AccessTerms(), hasher=QUICK)


def role(door: Authenticator, session: str) -> Role:
    headers = Headers({"cookie": f"gnomon_session={session}"})
    return asyncio.run(door.visitor(headers, "10.0.0.1", secure=False)).role


@given(st.lists(st.tuples(st.floats(0, 1e5), st.floats(-1e9, 1e9), st.booleans()), max_size=20))
def test_account_time_never_goes_back_and_passes_as_time_passes(steps: list[tuple[float, float, bool]]) -> None:
    store, clock = AccountStore.in_memory(), SetClock()
    time = AccountTime(store, clock)
    for number, (passed, ahead, is_restart) in enumerate(steps):
        before = time.seconds()
        clock.seconds += passed
        clock.ahead = ahead
        if is_restart:
            before = time.seconds()
            time.save()
            clock.boot = f"boot {number}"
            clock.seconds, clock.ahead = 0.0, ahead + clock.seconds
            time = AccountTime(store, clock)
            assert time.seconds() >= before
        else:
            assert time.seconds() == pytest.approx(before + passed, abs=1e-5)


def test_who_signed_in_before_the_machine_heard_of_the_time_stays_signed_in() -> None:
    store, clock = AccountStore.in_memory(), SetClock(seconds=100.0, ahead=-30 * DAY)
    door = door_at(store, clock)
    asyncio.run(door.add_person("Ada", Role.ARBITER, PIN))
    session = asyncio.run(door.sign_in("Ada", PIN, STRANGER))
    for ahead in (0.0, -400.0 * DAY, 40.0 * DAY):
        clock.ahead = ahead
        assert role(door, session) is Role.ARBITER
    clock.seconds += LASTING[Role.ARBITER].idle
    assert role(door, session) is Role.SPECTATOR
    clock.ahead = -400.0 * DAY
    assert role(door, session) is Role.SPECTATOR


def test_an_expired_token_is_never_good_again() -> None:
    store, clock = AccountStore.in_memory(), SetClock()
    door = door_at(store, clock)
    ada = asyncio.run(door.add_person("Ada", Role.ADMIN, PIN))
    owner = Visitor(Role.ADMIN, ada.name, ada.id)
    token = asyncio.run(door.make_token(owner, "a program", Role.ADMIN, 1))
    headers = Headers({"authorization": f"Bearer {token}"})
    clock.seconds += DAY - 1
    assert asyncio.run(door.visitor(headers, "", secure=False)).role is Role.ADMIN
    clock.seconds += 1
    for ahead, boot in ((0.0, "this boot"), (-10.0 * DAY, "this boot"), (-20.0 * DAY, "another")):
        clock.ahead, clock.boot = ahead, boot
        again = door_at(store, clock)
        with pytest.raises(BadTokenError):
            asyncio.run(again.visitor(headers, "", secure=False))


@pytest.mark.parametrize("knows_at_once", [True, False])
def test_what_was_not_used_since_the_start_ages_by_the_time_the_machine_was_off(knows_at_once: bool) -> None:
    store, clock = AccountStore.in_memory(), SetClock(seconds=1e6)
    door = door_at(store, clock)
    asyncio.run(door.add_person("Ada", Role.ARBITER, PIN))
    used, unused = (asyncio.run(door.sign_in("Ada", PIN, STRANGER)) for _ in range(2))
    # Off for a day; a machine without a clock of its own goes on where it stopped.
    clock.boot, clock.ahead, clock.seconds = "next", 1e6 + (DAY if knows_at_once else 0.0), 0.0
    door = door_at(store, clock)
    assert role(door, used) is (Role.SPECTATOR if knows_at_once else Role.ARBITER)
    clock.ahead = 1e6 + DAY
    assert role(door, unused) is Role.SPECTATOR
    assert role(door, used) is (Role.SPECTATOR if knows_at_once else Role.ARBITER)
    clock.seconds += HOUR
    clock.ahead -= 10 * DAY
    clock.ahead += 10 * DAY
    assert role(door, used) is (Role.SPECTATOR if knows_at_once else Role.ARBITER)


def test_account_time_goes_on_over_a_restart_and_a_file_from_before_is_taken_up(tmp_path: Path) -> None:
    clock = SetClock(seconds=50.0)
    store = AccountStore.open(tmp_path / "people.sqlite")
    time = AccountTime(store, clock)
    store.close()
    clock.seconds += 10
    again = AccountTime(AccountStore.open(tmp_path / "people.sqlite"), clock)
    assert again.seconds() == time.seconds()
    old = AccountStore.in_memory()
    old.add_person("Ada", "ada", Role.ADMIN, "hash", 5e9)
    assert AccountTime(old, clock).seconds() == 5e9


def test_small_differences_of_the_clocks_age_nothing() -> None:
    store, clock = AccountStore.in_memory(), SetClock()
    door = door_at(store, clock)
    asyncio.run(door.add_person("Ada", Role.ARBITER, PIN))
    session = asyncio.run(door.sign_in("Ada", PIN, STRANGER))
    before = store.sessions()
    clock.ahead = JUMP - 1
    assert role(door, session) is Role.ARBITER
    assert store.sessions() == before


# Wrong PINs


def lock_out(door: Authenticator, name: str = "Ada") -> None:
    """Fail for somebody until even the right PIN has to wait."""
    for number in range(7):
        with pytest.raises(AccessError):
            asyncio.run(door.sign_in(name, "999999", replace_address(number)))
    with pytest.raises(AccessError) as caught:
        asyncio.run(door.sign_in(name, PIN, replace_address(99)))
    assert caught.value.why is SignInReason.WAIT


def replace_address(number: int) -> Visitor:
    return replace(STRANGER, address=f"10.6.6.{number}")


def test_seven_wrong_pins_keep_nobody_out_who_signed_in_from_this_device_before() -> None:
    door = door_at(AccountStore.in_memory(), SetClock())
    for name in ("Ada", "Ben"):
        asyncio.run(door.add_person(name, Role.ARBITER, PIN))
    device = asyncio.run(door.remember(asyncio.run(door.sign_in("Ada", PIN, STRANGER)), ""))
    assert device
    lock_out(door)
    session = asyncio.run(door.sign_in("Ada", PIN, STRANGER, device=device))
    assert asyncio.run(door.remember(session, device)) == ""
    lock_out(door, "Ben")
    with pytest.raises(AccessError):  # another person's device is nobody's
        asyncio.run(door.sign_in("Ben", PIN, STRANGER, device=device))


def test_a_stolen_device_is_slowed_down_and_at_last_one_like_any_other() -> None:
    clock = SetClock()
    door = door_at(AccountStore.in_memory(), clock)
    ada = asyncio.run(door.add_person("Ada", Role.ARBITER, PIN))
    device = asyncio.run(door.remember(asyncio.run(door.sign_in("Ada", PIN, STRANGER)), ""))
    tried = 0
    waited = []
    while door.store.device(digest_of(device)) == ada.id:
        try:
            asyncio.run(door.sign_in("Ada", "999999", STRANGER, device=device))
        except AccessError as error:
            clock.seconds += error.wait
            waited.append(error.wait)
            tried += error.why is SignInReason.WRONG
    assert tried == TRIES_OF_A_DEVICE
    assert max(waited) > 0


def test_a_new_pin_and_too_many_devices_end_what_devices_were_told() -> None:
    store = AccountStore.in_memory()
    ada = store.add_person("Ada", "ada", Role.ADMIN, "hash", 0.0)
    for number in range(DEVICES + 5):
        store.add_device(bytes([number]), ada.id, float(number))
    assert [store.device(bytes([number])) for number in (4, 5)] == [None, ada.id]
    store.forget_device(bytes([5]))
    assert store.device(bytes([5])) is None
    store.change_secret(ada.id, "another")
    assert store.device(bytes([10])) is None


def test_somebody_signed_in_changes_their_pin_while_others_fail_in_their_name() -> None:
    reception = Reception()
    browser = reception.signed_in(Role.ARBITER, "Ada")
    lock_out(reception.door)
    changed = browser.send("/sign-in/secret", now=PIN, secret=ANOTHER, again=ANOTHER)
    assert changed.status_code == 303


def test_the_browser_keeps_that_somebody_signed_in_and_uses_it() -> None:
    reception = Reception()
    browser = reception.signed_in(Role.ARBITER, "Ada")
    assert "gnomon_device" in browser.cookies
    browser.send("/sign-out")
    lock_out(reception.door)
    assert reception.browser().sign_in("Ada").status_code == 429
    assert browser.sign_in("Ada").status_code == 303
