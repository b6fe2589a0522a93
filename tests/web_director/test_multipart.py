"""Test forms with files in them, whole and hostile, however they arrive."""

import asyncio
from collections.abc import AsyncIterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.web import forms
from gnomon.web.forms import PARTS, FormPart

TYPE = "multipart/form-data; boundary=----x"


async def cut(sent: bytes, length: int) -> AsyncIterator[bytes]:
    """What was sent, in chunks of some length."""
    for start in range(0, len(sent), length):
        yield sent[start : start + length]


def parts(content_type: str, sent: bytes, length: int = 1 << 20) -> Mapping[str, FormPart]:
    return asyncio.run(forms.parts_of(content_type, cut(sent, length)))


def body(*pieces: bytes, end: bytes = b"------x--\r\n") -> bytes:
    return b"".join(b"------x\r\nContent-Disposition: form-data; " + piece + b"\r\n" for piece in pieces) + end


def test_fields_and_files_are_told_apart() -> None:
    sent = body(
        b'name="csrf"\r\n\r\nabc',
        b'name="file"; filename="a%22\xc3\xa9.csv"\r\nContent-Type: text/csv\r\n\r\nx\r\ny\r\n',
    )
    found = parts(TYPE, sent)
    assert (found["csrf"].text, found["csrf"].file) == ("abc", None)
    assert (found["file"].content, found["file"].file) == (b"x\r\ny\r\n", 'a"é.csv')
    assert parts('multipart/form-data; boundary="----x"', sent) == found
    assert all(parts(TYPE, sent, length) == found for length in (1, 2, 7, 64))


@pytest.mark.parametrize(
    ("content_type", "sent"),
    [
        ("multipart/form-data", body(b'name="a"\r\n\r\nb')),
        (TYPE, b""),
        (TYPE, body(b'name="a"\r\n\r\nb', end=b"")),
        (TYPE, body(*[b'name="a"\r\n\r\nb'] * (PARTS + 1))),
        (TYPE, body(b'name="a" without an end of the headings')),
        (TYPE, body(b'nothing="a"\r\n\r\nb')),
    ],
)
def test_what_is_no_such_form_has_no_fields(content_type: str, sent: bytes) -> None:
    assert parts(content_type, sent) == {}


@given(st.binary(max_size=200).filter(lambda content: b"------x" not in content), st.integers(1, 40))
def test_a_file_comes_as_it_was_sent(content: bytes, length: int) -> None:
    sent = body(b'name="file"; filename="a"\r\n\r\n' + content)
    assert parts(TYPE, sent, length)["file"].content == content


def test_a_form_with_too_many_parts_is_read_no_further() -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield b'------x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'

    assert asyncio.run(forms.parts_of(TYPE, endless())) == {}
    assert taken == PARTS + 1


@pytest.mark.parametrize(
    "sent",
    [
        b"no boundary at all",
        body(b'name="a"\r\n' + b"X: y\r\n" * 100 + b"\r\nb"),
        body(b'name="a"\r\nX: ' + b"y" * 100_000 + b"\r\n\r\nb"),
        body(b'name="a"\r\nwhat is this\r\n\r\nb'),
    ],
)
def test_what_is_malformed_has_no_fields_and_says_nothing_in_the_log(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    assert parts(TYPE, sent) == {}
    assert caplog.records == []


@given(st.text(max_size=60), st.binary(max_size=200))
def test_nothing_that_is_sent_breaks_the_reader(content_type: str, sent: bytes) -> None:
    parts(content_type, sent)
    parts(TYPE, sent)
