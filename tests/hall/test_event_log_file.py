"""Test a tournament's book as a file after a power cut, on a full disk, and when a stranger has changed it."""

import errno
import fcntl
import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.hall.rounds.event_log import BookError
from gnomon.hall.rounds.event_log_file import FileBook, SealError, TornError, _seal_of
from gnomon.tournament.event_log.codec import SCHEMA, LoggedEvent, told_value
from gnomon.tournament.event_log.reducer import fold
from tests.hall.book_contract import ADA, BEN, EVENTS, OPENING, BookContract, OpenBook


def six_o_clock() -> datetime:
    return datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


def a_book(path: Path) -> FileBook:
    return FileBook(path, six_o_clock)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.gnomon-tournament"


@pytest.fixture
def written(path: Path) -> Path:
    a_book(path).extend(EVENTS, "Ada", after=0)
    return path


class TestFileBook(BookContract):
    @pytest.fixture
    def opened(self, path: Path) -> OpenBook:
        return lambda: a_book(path)


def test_a_refused_beginning_leaves_no_file(path: Path) -> None:
    with pytest.raises(ValueError, match="begins with its opening"):
        a_book(path).append(ADA, "Ada", after=0)
    assert not path.exists()


def test_each_event_is_a_line_that_any_program_can_read(written: Path) -> None:
    lines = [json.loads(line) for line in written.read_text("utf-8").splitlines()]
    assert [line["number"] for line in lines] == [1, 2, 3, 4, 5]
    assert {line["schema"] for line in lines} == {SCHEMA}
    assert lines[1]["event"]["name"] == "Ada Ångström"
    assert datetime.fromisoformat(lines[0]["at"]) == six_o_clock()


def test_the_seal_tells_two_histories_apart(tmp_path: Path) -> None:
    one, other = a_book(tmp_path / "one"), a_book(tmp_path / "other")
    assert one.seal == ""
    for book in (one, other):
        book.append(OPENING, "Ada", after=0)
    assert one.seal == other.seal != ""
    one.append(ADA, "Ada", after=1)
    other.append(BEN, "Ada", after=1)
    assert one.seal != other.seal
    again = a_book(tmp_path / "one")
    again.read()
    assert again.seal == one.seal


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    path = tmp_path_factory.mktemp("books") / "evening.gnomon-tournament"
    a_book(path).extend(EVENTS, "Ada", after=0)
    return path, path.read_bytes()


@pytest.mark.parametrize("content", [b"\x8f\x00\xff", b"[1]", b"hello\nworld\n", b"{}", b'{"sheet":1}\n', b"\n"])
def test_the_file_of_something_else_is_called_so_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "evening.gnomon-tournament"
    path.write_bytes(content)
    book = a_book(path)
    for ask in (book.read, book.mend):
        with pytest.raises(BookError, match="is not the file of a tournament"):
            ask()
    assert path.read_bytes() == content


@given(st.data())
def test_a_torn_last_line_is_found_and_never_taken_for_an_event(whole: tuple[Path, bytes], data: st.DataObject) -> None:
    path, content = whole
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    ends = content[:cut].count(b"\n")
    if cut and content[cut - 1 : cut] != b"\n":
        with pytest.raises(TornError, match=f"line {ends + 1} is torn"):
            a_book(path).read()
        with pytest.raises(TornError):
            a_book(path).append(BEN, "Ada", after=ends)
        assert path.read_bytes() == content[:cut]
        aside = a_book(path).mend()
        assert aside is not None
        assert aside.read_bytes() == content[path.stat().st_size : cut]
        aside.unlink()
    assert [told.event for told in a_book(path).read()] == list(EVENTS[:ends])
    assert a_book(path).mend() is None


@given(st.data())
def test_a_changed_byte_is_found_wherever_it_is(whole: tuple[Path, bytes], data: st.DataObject) -> None:
    path, content = whole
    place = data.draw(st.integers(0, len(content) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
    path.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
    with pytest.raises(BookError, match=r"evening\.gnomon-tournament, line \d"):
        a_book(path).read()


def test_a_line_taken_out_or_exchanged_is_found(written: Path) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    for wrong in (lines[:1] + lines[2:], [lines[0], lines[2], lines[1], *lines[3:]], [*lines, lines[-1]]):
        written.write_bytes(b"".join(wrong))
        with pytest.raises(SealError, match="has been altered, or a line before it is missing"):
            a_book(written).read()


def test_a_second_tear_does_not_cover_the_first(written: Path) -> None:
    for number in (1, 2):
        with written.open("ab") as file:
            file.write(b'{"schema":1,"num')
        aside = a_book(written).mend()
        assert aside == written.with_name(f"evening.gnomon-tournament.torn-{number}")
    assert a_book(written).tournament() == fold(EVENTS)


def test_a_file_that_was_put_in_its_place_is_read_anew(written: Path, tmp_path: Path) -> None:
    book = a_book(written)
    assert len(book.read()) == 5
    a_book(tmp_path / "other").extend(EVENTS[:2], "Ben", after=0)
    (tmp_path / "other").rename(written)
    assert [told.who for told in book.read()] == ["Ben", "Ben"]
    written.unlink()
    assert list(book.read()) == []


def sealed(path: Path, line: dict[str, object]) -> None:
    body = json.dumps(line, separators=(",", ":")).encode()
    path.write_bytes(body[:-1] + b',"seal":"' + _seal_of("", body).encode() + b'"}\n')


def test_a_sealed_line_that_tells_no_event_is_named(path: Path) -> None:
    sealed(path, {"schema": 9})
    with pytest.raises(BookError, match=r"evening\.gnomon-tournament, line 1: an event has schema 9"):
        a_book(path).read()
    envelope = {"schema": SCHEMA, "number": 1, "at": "today", "who": "Ada", "why": ""}
    sealed(path, {**envelope, "event": {"kind": "EntrantReturned", "number": 1}})
    with pytest.raises(BookError, match="event 1, recorded by Ada at today, is impossible: a tournament begins with"):
        a_book(path).read()


def test_a_sealed_line_with_another_number_is_named(path: Path) -> None:
    sealed(path, told_value(LoggedEvent(2, "", "Ada", "", OPENING)))
    with pytest.raises(BookError, match="line 1 has event 2, but event 1 is next"):
        a_book(path).read()


def test_a_path_that_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="cannot be read: Is a directory"):
        a_book(tmp_path).read()
    with pytest.raises(BookError, match="cannot be written: Is a directory"):
        a_book(tmp_path).append(OPENING, "Ada", after=0)
    with pytest.raises(BookError, match="cannot be written: No such file"):
        a_book(tmp_path / "none" / "evening").append(OPENING, "Ada", after=0)
    with pytest.raises(BookError, match="cannot be written: No such file"):
        a_book(tmp_path / "none").mend()


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """The kernel itself refuses to write on, as it does on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_is_full_leaves_the_book_as_it_was(path: Path) -> None:
    book = a_book(path)
    book.extend(EVENTS[:2], "Ada", after=0)
    before = path.read_bytes()
    with (
        no_file_longer_than(len(before) + 20),
        pytest.raises(BookError, match=f"cannot be .*{os.strerror(errno.EFBIG)}"),
    ):
        book.append(BEN, "Ada", after=2)
    assert path.read_bytes() == before
    assert book.append(BEN, "Ada", after=2).number == 3


def test_two_programs_at_once_take_turns(written: Path) -> None:
    with (
        a_book(written)._open_locked(os.O_RDWR, fcntl.LOCK_EX),
        written.open() as other,
        pytest.raises(BlockingIOError),
    ):
        fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)
    with written.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
