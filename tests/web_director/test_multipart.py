"""Forms with files in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.web.multipart import PARTS, parts

TYPE = "multipart/form-data; boundary=----x"


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


@given(st.binary(max_size=200).filter(lambda content: b"------x" not in content))
def test_a_file_comes_as_it_was_sent(content: bytes) -> None:
    sent = body(b'name="file"; filename="a"\r\n\r\n' + content)
    assert parts(TYPE, sent)["file"].content == content


@given(st.text(max_size=60), st.binary(max_size=200))
def test_nothing_that_is_sent_breaks_the_reader(content_type: str, sent: bytes) -> None:
    parts(content_type, sent)
    parts(TYPE, sent)
