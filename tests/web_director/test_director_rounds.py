"""A round is paired, looked at, put right by hand, published, changed and taken back."""

import asyncio
import re
import time
from collections.abc import Callable

import pytest

from gnomon.hall.pairing import bbp
from gnomon.tournament.events import EntrantRegistered, PairingProhibited, ResultEntered
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System
from gnomon.web.director._drafts import FEW, OWN, engines
from gnomon.web.director.rounds._preview import looked_over
from tests.web_director.houses import DirectorHouse, Person

PAGE = "/tournaments/open/round"
LONGEST = 60.0  # seconds; a process that pairs needs one on an idle machine


def paired(house: DirectorHouse, dora: Person, **sent: str) -> str:
    """Ask for a pairing, and the page once it is there."""
    assert dora.send(f"{PAGE}/pair", **sent).status_code == 303
    return until(house, lambda: not works(house)) and dora.page(PAGE)


def works(house: DirectorHouse) -> bool:
    draft = house.office.drafts.of("open")
    return draft is not None and draft.works


def until(house: DirectorHouse, is_so: Callable[[], bool]) -> str:
    """Let the loop of the pages go on until something is so; what it says meanwhile."""
    end = time.monotonic() + LONGEST
    said = ""
    while not is_so():
        draft = house.office.drafts.of("open")
        said = draft.said.message if draft is not None and draft.said else said
        assert time.monotonic() < end, "the pairing has not come"
        time.sleep(0.005)  # another thread has the loop
    return said or "done"


def mark_of(text: str) -> str:
    found = re.search(r'name="mark" value="(\w+)"', text)
    assert found is not None
    return found[1]


def test_a_round_is_looked_at_and_published(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    text = paired(house, dora)
    assert "Preview of round 1" in text
    assert "Requested by Dora" in text
    assert "bye: fewest points" in text
    assert house.hall.book("open").tournament().rounds == ()
    answer = dora.send(f"{PAGE}/publish", mark=mark_of(text))
    assert answer.headers["location"] == "/tournaments/open/desk"
    tournament = house.hall.book("open").tournament()
    assert len(tournament.rounds) == 1
    assert house.office.drafts.of("open") is None
    assert "Round 1 is being played: 0 of 4 results" in dora.page("/tournaments/open/desk")


def test_two_are_swapped_and_the_rules_speak_at_once(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    book = house.hall.book("open")
    book.append(PairingProhibited(1, 2), "Dora", after=len(book.read()))
    text = paired(house, dora)
    first = house.office.drafts.of("open")
    assert first is not None
    opponent = next(p for p in first.pairings if 1 in p.entrants)
    other = opponent.second if opponent.first == 1 else opponent.first
    old = mark_of(text)
    dora.send(f"{PAGE}/swap", one=str(other), other="2")
    text = dora.page(PAGE)
    assert "This breaks a rule:" in text
    assert "Publish round 1 all the same" in text
    assert "2 boards would change" in text
    assert "Changed by hand since" in text
    answer = dora.send(f"{PAGE}/publish", mark=mark_of(text))
    assert (answer.status_code, "are kept apart" in answer.text) == (409, True)
    answer = dora.send(f"{PAGE}/publish", mark=old)
    assert "changed meanwhile" in answer.text
    dora.send(f"{PAGE}/swap", one=str(other), other="2")
    assert dora.send(f"{PAGE}/publish", mark=mark_of(dora.page(PAGE))).status_code == 303
    assert "cannot be swapped" not in dora.page(PAGE)


def test_a_director_publishes_against_a_rule_with_a_reason_that_the_log_keeps(
    house: DirectorHouse, dora: Person
) -> None:
    house.tournament()
    paired(house, dora)
    draft = house.office.drafts.of("open")
    assert draft is not None
    one, other = draft.pairings[0].entrants
    book = house.hall.book("open")
    book.append(PairingProhibited(one, other), "Dora", after=len(book.read()))
    paired(house, dora)
    opponent = next(p for p in house.office.drafts.of("open").pairings if one in p.entrants)  # type: ignore[union-attr]  # it was drafted
    theirs = opponent.second if opponent.first == one else opponent.first
    dora.send(f"{PAGE}/swap", one=str(theirs), other=str(other))
    mark = mark_of(dora.page(PAGE))
    assert dora.send(f"{PAGE}/publish", mark=mark, override="yes").status_code == 422
    assert dora.send(f"{PAGE}/publish", mark=mark, override="yes", why="brothers, and they wish it").status_code == 303
    log = dora.page("/tournaments/open/log")
    assert "Round 1 was published against the rules" in log
    assert "brothers, and they wish it" in log
    assert dora.page(f"{PAGE}?lang=de")  # every word of it is there


def test_the_desk_pairs_the_next_round_at_once(house: DirectorHouse, dora: Person) -> None:
    """The button on the desk led to another of the same name."""
    house.tournament()
    assert 'action="/tournaments/open/round/pair"' in dora.page("/tournaments/open/desk")


def test_a_preview_that_is_out_of_date_is_not_published(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    text = paired(house, dora)
    book = house.hall.book("open")
    book.append(EntrantRegistered(20, "Late"), "Emil", after=len(book.read()))
    assert "pair again before you publish" in dora.page(PAGE)
    answer = dora.send(f"{PAGE}/publish", mark=mark_of(text))
    assert answer.status_code == 409
    assert "Emil got there first, at " in answer.text
    assert "20 Late entered" in answer.text or "20 entered" in answer.text
    assert book.tournament().rounds == ()


def test_a_published_round_without_a_result_is_paired_anew_with_a_reason(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    house.publish()
    assert "can be paired again" in dora.page(PAGE)
    assert "Nothing would change" in paired(house, dora)
    dora.send(f"{PAGE}/swap", one="1", other="2")
    text = dora.page(PAGE)
    assert "would change" in text
    assert "Give a reason" in dora.send(f"{PAGE}/publish", mark=mark_of(text)).text
    assert dora.send(f"{PAGE}/publish", mark=mark_of(text), why="wrong seeds").status_code == 303
    tournament = house.hall.book("open").tournament()
    assert len(tournament.rounds) == 1
    assert [told.why for told in house.hall.book("open").read()][-2:] == ["wrong seeds", "wrong seeds"]


def test_a_round_that_waits_for_results_is_not_paired(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    house.publish()
    book = house.hall.book("open")
    book.append(ResultEntered(1, 1, (GameResult.DRAWN,)), "Dora", after=len(book.read()))
    assert "still waits for 3 results" in dora.page(PAGE)
    until(house, lambda: True)
    dora.send(f"{PAGE}/pair")
    until(house, lambda: not works(house))
    draft = house.office.drafts.of("open")
    assert draft is not None
    assert draft.said is not None
    assert "has no result yet at board 2, 3, 4" in draft.said.message


def test_a_round_is_changed_by_hand_and_taken_back(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    before = house.publish().rounds[0].pairings
    one, other = before[0].first, before[1].first
    assert "Give a reason" in dora.send(f"{PAGE}/change", one=str(one), other=str(other)).text
    assert dora.send(f"{PAGE}/change", one=str(one), other=str(other), why="asked for").status_code == 303
    now = house.hall.book("open").tournament().rounds[0].pairings
    assert (now[0].first, now[1].first) == (other, one)
    written = f"1:{before[0].first}-{before[0].second} 2:{before[1].first}-{before[1].second}"
    assert dora.send(f"{PAGE}/change", boards=written, why="as it was").status_code == 303
    assert house.hall.book("open").tournament().rounds[0].pairings == before
    for sent, said in (
        ({}, "name two entrants to swap"),
        ({"boards": "nonsense"}, "is not a pairing"),
        ({"one": "1", "other": "99"}, "cannot be swapped"),
    ):
        assert said in dora.send(f"{PAGE}/change", why="why", **sent).text
    assert dora.send(f"{PAGE}/revoke", why="too early").status_code == 303
    assert house.hall.book("open").tournament().rounds == ()


def test_what_is_changed_by_two_at_once_is_changed_once(house: DirectorHouse, dora: Person) -> None:
    house.tournament()
    house.publish()
    seen = str(len(house.hall.book("open").read()))
    assert dora.send(f"{PAGE}/change", one="1", other="2", why="first", seen=seen).status_code == 303
    answer = dora.send(f"{PAGE}/revoke", why="second", seen=seen)
    assert (answer.status_code, "got there first" in answer.text) == (409, True)
    assert len(house.hall.book("open").tournament().rounds) == 1


def test_a_large_field_is_paired_in_a_process_that_says_how_far_it_is(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=FEW + 10)
    assert dora.send(f"{PAGE}/pair").status_code == 303
    assert "Pairing …" in dora.page(PAGE)  # others are served meanwhile
    said = until(house, lambda: not works(house))
    assert said.startswith("round 1: ")
    assert "Preview of round 1" in dora.page(PAGE)


def test_a_pairing_is_stopped_and_thrown_away(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=FEW + 10)
    dora.send(f"{PAGE}/pair")
    dora.send(f"{PAGE}/stop")
    until(house, lambda: not works(house))
    assert "The pairing of round 1 was stopped: nothing is published." in dora.page(PAGE)
    dora.send(f"{PAGE}/drop")
    assert house.office.drafts.of("open") is None
    assert "pair the round first" in dora.send(f"{PAGE}/swap", one="1", other="2").text
    assert "changed meanwhile" in dora.send(f"{PAGE}/publish", mark="0").text


def test_a_hall_that_ends_waits_for_no_pairing(house: DirectorHouse) -> None:
    tournament = house.tournament(count=FEW + 10)

    async def end() -> None:
        house.office.drafts.begin("open", tournament, 1, OWN, "Dora")
        await asyncio.sleep(0)

    asyncio.run(end())  # the loop ends, and with it every thread that waits for a process
    worker = house.office.drafts._jobs["open"].worker
    assert worker is not None
    assert worker._stopped.is_set()


def test_engines_are_those_that_are_there(house: DirectorHouse, dora: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = house.tournament()
    monkeypatch.setattr(bbp, "NAMES", ("no-such-program",))
    assert engines(tournament) == (OWN,)
    assert "bbp cannot pair this tournament on this machine" in dora.send(f"{PAGE}/pair", engine="bbp").text
    monkeypatch.setattr(bbp, "NAMES", ("sh",))
    assert engines(tournament) == (OWN, "bbp")
    assert engines(house.tournament("even", 4, games=2)) == (OWN,)
    assert "bbpPairings" in dora.page(PAGE)


def test_a_preview_tells_floats_mates_and_byes(house: DirectorHouse) -> None:
    house.tournament()
    house.publish()
    house.play(results=[GameResult.FIRST_WON])
    tournament = house.publish()
    base = house.hall.book("open").tournament()
    assert base is tournament or base == tournament
    before = base.__class__(**{**{f: getattr(base, f) for f in base.__slots__}, "rounds": base.rounds[:1]})
    drawn = looked_over(before, base.rounds[1].pairings, ())
    notes = {note.key for row in drawn.rows for note in row.notes}
    assert "director.note.float" in notes
    assert {"director.note.bye.lowest", "director.note.bye.passed"} & notes
    assert drawn.broken == ()
    assert any(row.first_sides in {"●", "○"} for row in drawn.rows)


def test_a_bye_in_a_bracket_says_why(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=5, system=System.KNOCKOUT)
    assert paired(house, dora).count("no opponent left in the bracket") == 3


def test_who_has_nobody_in_a_round_robin_is_named(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=5, system=System.ROUND_ROBIN, rounds=5)
    assert "Without a game: " in paired(house, dora)
