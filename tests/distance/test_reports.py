"""Reports as they are sent: what one board writes the other reads, and anything else is refused with one sentence."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.distance._turns import OwnTurn
from gnomon.distance.reports import (
    GUEST,
    HOST,
    LARGEST,
    Echo,
    Ending,
    Invitation,
    Report,
    ReportError,
    _signature,
    decode,
    encode,
)
from gnomon.refusals import statement
from tests.distance.pairs import KEY

names = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)
numbers = st.integers(0, 2**53 - 1)
idents = st.text("0123456789abcdef", min_size=16, max_size=16)
turns = st.lists(st.tuples(names, st.integers(0, 10**6)), max_size=16).map(
    lambda each: tuple(OwnTurn(number, text, number * 10**6 + when) for number, (text, when) in enumerate(each))
)
reports = st.builds(
    Report,
    st.sampled_from([HOST, GUEST]),
    idents,
    idents,
    numbers,
    at=numbers,
    to=st.sampled_from(["", "a" * 16]),
    echo=st.none() | st.builds(Echo, idents, numbers, numbers),
    invitation=st.none()
    | st.builds(
        Invitation,
        names,
        st.dictionaries(names, names, max_size=3),
        names,
        names,
        names,
        st.dictionaries(names, names, max_size=2),
    ),
    have=numbers,
    count=numbers,
    total=st.sampled_from(["", "b" * 16]),
    turns=turns,
    ending=st.none() | st.builds(Ending, st.none() | names, names, numbers),
    offer=st.none() | numbers,
    declined=st.none() | numbers,
    is_paused=st.booleans(),
    charged=numbers,
    refusal=st.none() | st.just(statement("told.distance.none")),
    sums=st.lists(idents, max_size=5).map(tuple),
    name=names,
    anchor=st.sampled_from(["", "c" * 64]),
    throws=numbers,
    link=st.sampled_from(["", "d" * 64]),
)


@given(reports)
def test_a_report_reads_back_as_it_was_written(report: Report) -> None:
    assert decode(encode(report, KEY), KEY) == report


def signed(body: object) -> bytes:
    written = body if isinstance(body, bytes) else json.dumps(body).encode()
    return _signature(written, KEY) + written


def record(**fields: object) -> dict[str, Any]:
    plain = json.loads(encode(Report(HOST, "a" * 16, "a" * 16, 1, at=1), KEY)[32:])
    return {**plain, **fields}


@pytest.mark.parametrize(
    "payload",
    [b"", b"x", b"0" * 32 + b"{}", encode(Report(HOST, "a" * 16, "a" * 16, 1, at=1), b"another key")],
)
def test_what_does_not_know_the_code_is_refused(payload: bytes) -> None:
    with pytest.raises(ReportError, match="is not signed with this code"):
        decode(payload, KEY)


def test_what_is_too_long_is_neither_sent_nor_read() -> None:
    with pytest.raises(ReportError, match="is too long"):
        decode(b"x" * (LARGEST + 1), KEY)
    with pytest.raises(ReportError, match="is too long"):
        encode(Report(HOST, "a" * 16, "a" * 16, 1, at=1, sums=("a" * 16,) * 2000), KEY)


@pytest.mark.parametrize("body", [b"{", b"[" * 5000, b"\xff", [], "text", 1, None])
def test_what_is_no_report_is_refused(body: object) -> None:
    with pytest.raises(ReportError, match="cannot be read: its field JSON is wrong"):
        decode(signed(body), KEY)


def test_a_board_of_an_earlier_version_is_heard_all_the_same() -> None:
    spoken = record()
    for field in ("name", "anchor", "throws", "link"):
        del spoken[field]
    told = decode(signed(spoken), KEY)
    assert (told.name, told.anchor, told.throws, told.link) == ("", "", 0, "")


def test_another_version_is_refused() -> None:
    with pytest.raises(ReportError, match="uses another version of the protocol; update both"):
        decode(signed(record(version=2)), KEY)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("role", "relay"),
        ("role", None),
        ("role", "x" * 300),
        ("ident", "short"),
        ("run", 7),
        ("number", -1),
        ("number", True),
        ("number", 2**53),
        ("at", 1.5),
        ("to", "stranger"),
        ("echo", ["a" * 16, 1]),
        ("echo", ["a" * 16, -1, 2]),
        ("echo", [7, 1, 2]),
        ("invitation", []),
        ("invitation", ["tabik", {"size": 3}, "coach", "black", "white", {}]),
        ("invitation", ["tabik", {"size": "3" * 5000}, "coach", "black", "white", {}]),
        ("have", "many"),
        ("count", None),
        ("total", "sum"),
        ("turns", None),
        ("turns", [[0, "a1a2", 1]] * 17),
        ("turns", [["0", "a1a2", 1]]),
        ("turns", [[0, "a" * 201, 1]]),
        ("turns", [[0, "a1a2", -1]]),
        ("turns", [[1, "a1a2", 1], [0, "a1a2", 2]]),
        ("turns", [[0, "a1a2", 2], [1, "a1a2", 1]]),
        ("ending", ["white", "resigned"]),
        ("ending", ["white", "r" * 300, 1]),
        ("offer", -2),
        ("declined", "no"),
        ("charged", -5),
        ("sums", ["sum"]),
        ("sums", "sums"),
        ("name", 7),
        ("anchor", "c" * 63),
        ("throws", -1),
        ("link", 7),
        ("name", "x" * 300),
    ],
)
def test_a_field_that_is_wrong_is_named(field: str, value: object) -> None:
    with pytest.raises(ReportError, match=f"cannot be read: its field {field} is wrong"):
        decode(signed(record(**{field: value})), KEY)


@pytest.mark.parametrize("value", [{"key": "no.such.key", "text": "spoken"}, "spoken", 5, {"text": 7}])
def test_a_refusal_that_is_not_known_here_is_told_as_it_came(value: object) -> None:
    assert decode(signed(record(refusal=value)), KEY).refusal is not None


@given(st.binary(max_size=300) | st.recursive(st.none() | numbers | names, st.lists, max_leaves=9))
def test_nothing_that_comes_does_more_than_be_refused(body: object) -> None:
    with pytest.raises(ReportError):
        decode(signed(body), KEY)


@given(
    st.dictionaries(st.sampled_from([*Report.__slots__, "version"]), st.none() | numbers | names | st.lists(numbers))
)
def test_no_field_that_comes_does_more_than_be_refused(fields: dict[str, object]) -> None:
    with suppress(ReportError):
        assert isinstance(decode(signed(record(**fields)), KEY), Report)
