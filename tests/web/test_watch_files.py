"""Recorded games as files: each reads back as the game it was made of, under a name that any header can carry."""

import json
import threading
from dataclasses import replace
from email.message import Message
from io import BytesIO
from itertools import pairwise
from typing import Final
from urllib.parse import unquote
from xml.dom.minidom import parseString

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageSequence

from gnomon.records.bundles import Bundle, difference, read_bundle
from gnomon.records.formats.sgf_sheets import read_sgf
from gnomon.records.formats.sheets import read_sheet
from gnomon.records.formats.traces import PEOPLE, ruling_record
from gnomon.records.replay import Frame, Replay, film
from gnomon.records.sheet_traces import sheet_trace
from gnomon.records.transcripts import transcript
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.pictures.drawing import texts
from gnomon.views.results import result_of
from gnomon.web.games import exports
from gnomon.web.games.exports import (
    FORMATS,
    TooSlowError,
    animation,
    disposition,
    draw_frame,
    file_name,
    position_of,
    record,
)
from gnomon.words import ENGLISH, LANGUAGES, words
from tests.records.random_sheets import random_sheet
from tests.web.spectators import SHEETS

GAMES: Final = ("tamsk", "tabik", "tau", "tayu", "twenty-squares")


def filmed(game: str) -> Replay:
    made = sheet_trace(read_sheet(SHEETS[1].encode()) if game == "tamsk" else random_sheet(game, {}, 2))
    return film(with_rulings(made))


def with_rulings(made: Bundle) -> Bundle:
    """The bundle as a journal gives it: with what was ruled."""
    ruled = [ruling_record(said.ruling) for said in film(made).rulings]
    header = replace(made.header, extras={**made.header.extras, "ruled": json.loads(json.dumps(ruled)), "number": 12})
    return made._replace(header=header)


@pytest.fixture(scope="module", params=GAMES)
def made(request: pytest.FixtureRequest) -> Replay:
    return filmed(request.param)


@pytest.fixture(scope="module")
def tamsk() -> Replay:
    return filmed("tamsk")


def file(made: Replay, kind: str, frame: int = 0) -> bytes:
    return FORMATS[kind].make(made, frame, ENGLISH)


@pytest.mark.untraced
def test_a_sheet_and_an_sgf_read_back_as_the_same_game(made: Replay) -> None:
    sheet = transcript(made.bundle.trace)
    assert read_sheet(file(made, "sheet")) == sheet
    (again,) = read_sgf(file(made, "sgf"))
    assert [line.text for line in again.lines] == [line.text for line in sheet.lines]


def test_a_trace_gives_the_same_rulings_again(made: Replay) -> None:
    assert difference(read_bundle(file(made, "trace").splitlines()).trace) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_json_has_every_turn_and_every_ruling_with_sentences(made: Replay, language: str) -> None:
    told = json.loads(FORMATS["json"].make(made, 0, words(language)))
    assert [turn["text"] for turn in told["turns"]] == [ply.text for ply in made.last.plies]
    assert all(each["sentence"] for each in (*told["turns"], *told["rulings"]))
    assert told["game"] == made.last.rules.name
    assert told["players"] == dict(made.last.people)
    assert (told["result"] is None) == (made.last.outcome is None)
    assert told["number"] == 12


def test_pictures_are_of_the_position_that_is_asked_for(made: Replay) -> None:
    last = len(made.frames) - 1
    drawn = [file(made, "svg", frame) for frame in (0, last)]
    assert drawn[0] != drawn[1]
    for svg in drawn:
        assert parseString(svg).getElementsByTagName("svg")  # noqa: S318 - of our own making
        assert b"var(--" not in svg  # which other programs do not know


def test_an_end_that_time_alone_would_bring_is_not_shown_before_it_has_been_ruled(tamsk: Replay) -> None:
    game = tamsk.frames[6].game
    an_hour_later = Frame(game, Instant(3600 * SECOND))
    assert game.outcome is None
    assert game.rules.outcome(game.position_at(an_hour_later.at)) is not None
    assert position_of(an_hour_later) == game.position
    assert position_of(Frame(game, tamsk.frames[6].at)) == game.position_at(tamsk.frames[6].at)


def test_a_picture_for_taking_along_is_a_png_of_its_size(tamsk: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "WIDE", 200)
    with Image.open(BytesIO(file(tamsk, "png", 3))) as image:
        assert (image.format, image.width) == ("PNG", 200)


def test_a_picture_for_taking_along_says_who_played_and_in_the_end_who_won(tamsk: Replay) -> None:
    header = replace(tamsk.bundle.header, extras={"number": 7, PEOPLE: {"red": "Zoë", "black": "Jérôme"}})
    named = film(tamsk.bundle._replace(header=header))
    said = [text.text for text in texts(draw_frame(named.frames[-1]).shapes)]
    assert "Zoë – Jérôme" in said
    assert (result_of(named.last) or "to move") in " ".join(said)


@pytest.mark.untraced
def test_an_animation_has_a_frame_for_every_turn_and_stays_on_the_last(
    tamsk: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "FILM_WIDE", 80)
    with Image.open(BytesIO(animation(tamsk, ENGLISH, threading.Event()))) as image:
        times = [each.info["duration"] for each in ImageSequence.Iterator(image)]
        assert (image.format, image.width) == ("GIF", 80)
    assert sum(times) == exports.SHOWN_FOR * (len(tamsk.frames) - 1) + exports.ENDS_FOR
    assert times[-1] == exports.ENDS_FOR


@pytest.mark.parametrize(("turns", "shown"), [(1, 1), (100, 100), (101, 51), (350, 88)])
def test_an_animation_of_a_long_game_shows_positions_at_even_distances_up_to_the_last(
    tamsk: Replay, turns: int, shown: int
) -> None:
    frames = [Frame(tamsk.last, Instant(number)) for number in range(turns)]
    chosen = [frame.at for frame in exports._choose(frames)]
    assert len(chosen) == shown <= exports.MOST_FRAMES
    assert chosen[-1] == turns - 1
    assert len({later - earlier for earlier, later in pairwise(chosen)}) <= 1


@pytest.mark.untraced
def test_an_animation_can_be_given_up(tamsk: Replay) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(TooSlowError):
        animation(tamsk, ENGLISH, stop)


def test_the_name_of_a_file_says_game_number_people_and_turn(tamsk: Replay) -> None:
    named = film(tamsk.bundle._replace(header=replace(tamsk.bundle.header, extras={"number": 7})))
    assert file_name(named, "sgf") == "tamsk-7.sgf"
    header = replace(tamsk.bundle.header, extras={"number": 7, PEOPLE: {"red": "Ömer Ş.", "black": '../"; Кира\r\n'}})
    named = film(tamsk.bundle._replace(header=header))
    assert file_name(named, "png", 3) == "tamsk-7-Ömer_Ş-Кира-turn-3.png"
    assert disposition("tamsk-7-Ömer-Кир.sgf") == (
        "attachment; filename=\"tamsk-7-Omer-.sgf\"; filename*=UTF-8''tamsk-7-%C3%96mer-%D0%9A%D0%B8%D1%80.sgf"
    )


@given(st.text(max_size=60))
def test_whatever_people_are_called_the_header_is_safe_and_browsers_read_the_name(name: str) -> None:
    named = f"tabik-1-{exports._plain(name)}.sgf"
    header = disposition(named)
    assert header.isascii()
    assert header.isprintable()
    assert not set(named) & set('/\\:*?"<>|\r\n\0')
    message = Message()
    message["Content-Disposition"] = header
    assert unquote(header.rpartition("''")[2]) == named
    assert message.get_content_disposition() == "attachment"
    assert str(message.get_filename()).endswith(".sgf")  # for those who do not know the other


def test_the_record_of_a_game_is_told_in_the_readers_language(tamsk: Replay) -> None:
    said = {record(tamsk, words(language))["turns"][0]["sentence"] for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)
