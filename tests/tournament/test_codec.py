"""Test a tournament's events as JSON: each is read as it was written, and everything else is refused."""

import json
import re
from dataclasses import replace
from types import UnionType
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import (
    KINDS,
    CodecError,
    LoggedEvent,
    _reader,
    event_from,
    event_of,
    event_text,
    event_value,
    told_of,
    told_text,
)
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantsSeeded,
    Event,
    HeadingTold,
    PaymentNoted,
    PersonTold,
    PrizesAnnounced,
    ResultEntered,
    RoundPublished,
    SettingsChanged,
    TeamPaymentNoted,
    TeamPlayChanged,
    TeamPlayTold,
    TeamsSeeded,
    TournamentOpened,
)
from gnomon.tournament.state.particulars import Heading, PersonalData, Virtual
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.prizes import Category, Prize, PrizeList, Sharing
from gnomon.tournament.state.results import Points, parse_result
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import Bye, GradeRules, Rounding, Scoring, System, TournamentSettings
from gnomon.tournament.state.team_play import TeamPlay

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
LINES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters=TURNING), max_size=12)
SCORINGS = st.builds(
    lambda loss, draw, win, bye: Scoring(loss + draw + win, loss + draw, loss, bye),
    *[st.fractions(0, 3, max_denominator=6)] * 2,
    st.fractions("1/6", 3, max_denominator=6),
    st.sampled_from([Points(0), Points(1, 6)]),
)
GRADES = st.builds(
    GradeRules,
    bar=st.integers(0, 8),
    floor=st.integers(-30, -1),
    handicap=st.none() | st.integers(0, 9),
    rounding=st.sampled_from(Rounding),
)
SETTINGS = st.builds(
    TournamentSettings,
    name=LINES,
    rounds=st.integers(1, 99),
    games=st.integers(1, 2),
    cycles=st.integers(1, 2),
    scoring=SCORINGS,
    grades=st.none() | GRADES,
)
HEADINGS = st.builds(
    Heading,
    city=LINES,
    deputies=st.tuples(LINES, LINES),
    virtual=st.tuples(st.builds(Virtual, st.fractions(0, 3), *[st.integers(1, 9)] * 4)),
    **dict.fromkeys(["federation", "starts", "ends", "kind", "arbiter", "time", "encoded_time", "paired_by"], LINES),
)
PAYMENTS = st.builds(Payment, st.integers(0, 9_999), st.integers(0, 9_999), LINES)
PRIZES = st.builds(
    PrizeList,
    st.tuples(st.builds(Category, st.just("U18"), *[LINES] * 5, st.integers(0, 2026))),
    st.tuples(st.builds(Prize, st.sampled_from(["", "U18"]), st.integers(1, 9), st.integers(0, 9_999), LINES)),
    st.sampled_from(Sharing),
    st.booleans(),
)
SEEDS = st.builds(StageSeed, st.integers(1), st.integers(0), st.fractions(0, 9), LINES)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    [
        st.builds(TournamentOpened, SETTINGS)
        if kind is TournamentOpened
        else st.builds(SettingsChanged, SETTINGS, SETTINGS, LINES)
        if kind is SettingsChanged
        else st.builds(PaymentNoted, st.integers(1), PAYMENTS)
        if kind is PaymentNoted
        else st.builds(TeamsSeeded, st.tuples(SEEDS))
        if kind is TeamsSeeded
        else st.builds(TeamPaymentNoted, st.integers(1), PAYMENTS)
        if kind is TeamPaymentNoted
        else st.builds(PrizesAnnounced, PRIZES)
        if kind is PrizesAnnounced
        else st.builds(EntrantsSeeded, st.tuples(SEEDS))
        if kind is EntrantsSeeded
        else st.builds(HeadingTold, HEADINGS)
        if kind is HeadingTold
        else st.builds(PersonTold, st.integers(1), st.builds(PersonalData, *[LINES] * 6))
        if kind is PersonTold
        else st.builds(TeamPlayChanged, st.just(TeamPlay(2)), st.builds(TeamPlay, st.integers(1, 14), SCORINGS), LINES)
        if kind is TeamPlayChanged
        else st.builds(TeamPlayTold, st.builds(TeamPlay, st.integers(1, 14), SCORINGS, st.just(Points(1, 2))))
        if kind is TeamPlayTold
        else st.builds(kind, **{name: LINES for name, hint in get_type_hints(kind).items() if hint is str})
        for kind in KINDS.values()
    ]
)
ADA = EntrantRegistered(1, "Ada", 2000)
OPENING = TournamentOpened(TournamentSettings("Evening", System.SWISS, 5))


@given(EVENTS)
def test_every_event_is_read_as_it_was_written(event: Event) -> None:
    assert event_of(event_text(event)) == event


@given(EVENTS)
def test_what_is_read_is_written_as_it_stood(event: Event) -> None:
    text = event_text(event)
    assert event_text(event_of(text)) == text
    assert "\n" not in text


@given(st.builds(LoggedEvent, st.integers(1), LINES, LINES, LINES, EVENTS))
def test_the_envelope_is_read_as_it_was_written(told: LoggedEvent) -> None:
    assert told_of(told_text(told)) == told


def test_an_event_says_what_it_is_in_words_that_a_person_can_read() -> None:
    result = ResultEntered(2, 3, parse_result("1-0 ½-½"))
    assert event_text(result) == '{"kind":"ResultEntered","round":2,"board":3,"result":["1-0","½-½"]}'
    assert event_value(ByeGranted(4, 1, Bye.HALF)) == {"kind": "ByeGranted", "number": 4, "round": 1, "bye": "half"}
    published = event_value(RoundPublished(1, at_boards([(2, 1), (3, None)])))
    assert published["pairings"] == [
        {"board": 1, "first": 2, "second": 1},
        {"board": 2, "first": 3, "second": None},
    ]


def test_points_are_written_as_fractions() -> None:
    settings = TournamentSettings("Evening", System.SWISS, 5, scoring=Scoring(draw=Points(1, 3)))
    scoring = event_value(TournamentOpened(settings))["settings"]
    assert isinstance(scoring, dict)
    assert scoring["scoring"] == {"win": "1", "draw": "1/3", "loss": "0", "bye": "1"}


def test_the_envelope_names_who_and_when_and_why() -> None:
    told = LoggedEvent(7, "2026-11-20 18:30", "Ada", "she asked", ByeGranted(4, 1, Bye.ZERO))
    assert told_text(told) == (
        '{"schema":1,"number":7,"at":"2026-11-20 18:30","who":"Ada","why":"she asked",'
        '"event":{"kind":"ByeGranted","number":4,"round":1,"bye":"zero"}}'
    )


def test_a_field_that_came_later_has_its_default_in_what_was_written_before() -> None:
    written = event_value(OPENING)
    assert event_from({**written, "settings": {"name": "Evening", "system": "swiss", "rounds": 5}}) == OPENING


def changed(event: Event, **fields: object) -> str:
    return json.dumps({**event_value(event), **fields})


def settings_with(**fields: object) -> str:
    was = event_value(OPENING)["settings"]
    assert isinstance(was, dict)
    return changed(OPENING, settings={**was, **fields})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("9" * 5_000, "it is not JSON (a number has 5000 digits, and 100 are the most)"),
        ("[]", "an event cannot be read: [] is not an object with fields"),
        ("{}", "it has no 'kind'; this program knows TournamentOpened"),
        (changed(ADA, kind="EntrantSlept"), "there is no kind 'EntrantSlept'"),
        (changed(ADA, kind=["EntrantRegistered"]), "is no kind"),
        ('{"kind":"EntrantRegistered","number":1}', "EntrantRegistered cannot be read: it has no 'name'"),
        (changed(ADA, elo=2000), "it has 'elo', which this program does not know"),
        (changed(ADA, number="1"), 'EntrantRegistered.number cannot be read: "1" is not a whole number'),
        (changed(ADA, number=True), "true is not a whole number"),
        (changed(ADA, number=1.0), "1.0 is not a whole number"),
        (changed(ADA, rating="strong"), '"strong" is not a whole number'),
        (changed(ADA, name=None), "EntrantRegistered.name cannot be read: null is not a text"),
        (changed(ADA, name="A\nda"), r"EntrantRegistered.name holds the character '\n'"),
        (changed(ADA, name=["x" * 100]), '["xxx'),
        (settings_with(system="draughts"), '"draughts" is not one of round robin, swiss'),
        (settings_with(balance="yes"), "TournamentOpened.settings.balance cannot be read"),
        (settings_with(bars=2000), "2000 is not a list"),
        (
            settings_with(tie_breaks=["BH", 1]),
            "TournamentOpened.settings.tie_breaks[1] cannot be read: 1 is not a text",
        ),
        (settings_with(scoring="3-1-0"), "is not an object with fields"),
        (settings_with(scoring={"win": "3", "draw": 1}), 'is not a fraction as "1/2"'),
        (settings_with(scoring={"win": "2/2"}), 'is not a fraction as "1/2"'),
        (settings_with(scoring={"win": "1/0"}), 'is not a fraction as "1/2"'),
        (settings_with(scoring={"win": "many"}), 'is not a fraction as "1/2"'),
        (settings_with(rounds=0), "a tournament has 1 to 99 rounds, not 0"),
    ],
)
def test_what_is_no_event_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)) as refused:
        event_of(text)
    assert "\n" not in str(refused.value)


SCRAPS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(EVENTS, st.data())
def test_whatever_stands_in_a_field_is_read_or_refused(event: Event, data: st.DataObject) -> None:
    value = event_value(event)
    field = data.draw(st.sampled_from(list(value)))
    try:
        read = event_of(json.dumps({**value, field: data.draw(SCRAPS)}))
    except TournamentError:
        return
    assert event_of(event_text(read)) == read


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"schema": 2}, "an event has schema 2, but this program reads 1"),
        ({"number": "7"}, "event.number cannot be read"),
        ({"who": 7}, "event.who cannot be read: 7 is not a text"),
        ({"hash": ""}, "it has 'hash', which this program does not know"),
    ],
)
def test_an_envelope_of_another_kind_is_refused(fields: dict[str, object], sentence: str) -> None:
    told = json.loads(told_text(LoggedEvent(7, "", "Ada", "", ADA)))
    with pytest.raises(CodecError, match=re.escape(sentence)):
        told_of(json.dumps({**told, **fields}))
    told.pop("why")
    with pytest.raises(CodecError, match="it has no 'why'"):
        told_of(json.dumps(told))


@pytest.mark.parametrize("name", ["A\nda", "A\x00da", "A\udcffda", "\u2028"])
def test_a_name_that_no_sheet_can_show_is_never_written(name: str) -> None:
    with pytest.raises(CodecError, match=r"EntrantRegistered\.name holds the character"):
        event_text(replace(ADA, name=name))
    with pytest.raises(CodecError, match=r"event\.who holds the character"):
        told_text(LoggedEvent(1, "", name, "", ADA))


@pytest.mark.parametrize("hint", [float, dict[str, int], int | str])
def test_a_field_of_a_new_type_is_not_read_until_somebody_says_how(hint: type | UnionType) -> None:
    with pytest.raises(TypeError, match="say here how it is read"):
        _reader(hint)
