"""Export recorded games as files: records, pictures and GIF animations, with media types and file names.

Everything here is a function of the game. Pictures and animations take long, so callers wait for them in a thread,
and one animation is made at a time.
"""

import asyncio
import json
import re
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from PIL import Image

from gnomon.records.formats.sgf_sheets import sgf_text
from gnomon.records.formats.sheets import sheet_text
from gnomon.records.formats.traces import ruling_record
from gnomon.records.replay import Frame, Replay
from gnomon.records.transcripts import transcript
from gnomon.referee.game import Game, Ply
from gnomon.timekeeping.instants import seconds
from gnomon.views import sentences
from gnomon.views.phrases import shorten_numbers
from gnomon.views.pictures import DARK, LIGHT, Drawing, picture, to_svg
from gnomon.views.pictures.png import to_png
from gnomon.views.results import result_of
from gnomon.views.show import show_of
from gnomon.web.server.workers import BusyError, Shelf
from gnomon.words import ENGLISH, Words

WIDE: Final = 1000
"""Pixels across a picture that is taken along."""
FILM_WIDE: Final = 360
MOST_FRAMES: Final = 100
"""Of an animation: a longer game shows every second or third of its positions."""
SHOWN_FOR: Final = 900  # ms each position
ENDS_FOR: Final = 4000  # ms the last one
PATIENCE: Final = 240.0  # seconds for one animation
WAITING: Final = 3  # who may wait for one besides
_COLOURS: Final = 128
_LONGEST_NAME: Final = 40  # letters of one person in the name of a file


class ExportFormat(NamedTuple):
    """A kind of file: how its name ends, its media type, and how it is made."""

    ending: str
    media: str
    make: Callable[[Replay, int, Words], bytes]


class TooSlowError(RuntimeError):
    """An animation takes longer than anybody waits."""


def draw_frame(frame: Frame, words: Words = ENGLISH) -> Drawing:
    """The picture of a game as it stood, with its sand at that moment, who played it, and in the end who has won."""
    game = frame.game
    return picture(
        game.rules,
        position_of(frame),
        last_move=game.plies[-1].text if game.plies else "",
        caption=" – ".join(name for _, name in game.people),
        words=words,
        result=result_of(game, words),
    )


def position_of(frame: Frame) -> Any:  # noqa: ANN401 - each game has a position of its own
    """The position as it was; nothing is in it that had not been ruled."""
    return show_of(frame.game).recorded_position(frame.game, frame.at)


def turn_in_words(game: Game, number: int, words: Words = ENGLISH) -> str:
    """A turn, counted from 1, in plain words."""
    ply = game.plies[number - 1]
    return show_of(game).turn(ply.player, ply.text, words)


def _sheet(film: Replay, _number: int, _words: Words) -> bytes:
    return sheet_text(transcript(film.bundle.trace)).encode()


def _sgf(film: Replay, _number: int, _words: Words) -> bytes:
    return sgf_text(transcript(film.bundle.trace)).encode()


def _trace(film: Replay, _number: int, _words: Words) -> bytes:
    return "".join(film.bundle.lines()).encode()


def _json(film: Replay, _number: int, words: Words) -> bytes:
    return (json.dumps(record(film, words), ensure_ascii=False, indent=1) + "\n").encode()


def for_a_page(film: Replay, number: int, words: Words) -> bytes:
    """The picture of a position as SVG for browsers, in light and dark."""
    return to_svg(draw_frame(film.frames[number], words), LIGHT, dark=DARK).encode()


def _svg(film: Replay, number: int, words: Words) -> bytes:
    return to_svg(draw_frame(film.frames[number], words)).encode()  # programs that draw know no variables of CSS


def _png(film: Replay, number: int, words: Words) -> bytes:
    file = BytesIO()
    to_png(draw_frame(film.frames[number], words), WIDE).save(file, "PNG", optimize=True)
    return file.getvalue()


FORMATS: Final[Mapping[str, ExportFormat]] = {
    "sheet": ExportFormat("sheet", "text/plain; charset=utf-8", _sheet),
    "sgf": ExportFormat("sgf", "application/x-go-sgf; charset=utf-8", _sgf),
    "json": ExportFormat("json", "application/json", _json),
    "trace": ExportFormat("jsonl", "application/jsonl", _trace),
    "svg": ExportFormat("svg", "image/svg+xml", _svg),
    "png": ExportFormat("png", "image/png", _png),
}
"""What a game is taken along as, besides the animation; the last two are of one position."""
OF_A_POSITION: Final = frozenset({"svg", "png"})
GIF: Final = "image/gif"


def record(film: Replay, words: Words = ENGLISH) -> dict[str, Any]:
    """The whole game for programs: how it was set up, its turns and what was ruled, with sentences in a language."""
    header, game = film.bundle.header, film.last
    name, outcome = game.rules.name, game.outcome
    plies: Sequence[Ply] = game.plies
    return {
        "game": name,
        "settings": dict(header.settings),
        "temperament": header.temperament.value,
        "board": header.board,
        "players": dict(game.people),
        **{key: header.extras[key] for key in ("number", "began", "version") if key in header.extras},
        "result": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "turns": [
            {
                "number": number,
                "player": ply.player,
                "text": ply.text,
                "at": seconds(ply.at),
                "sentence": turn_in_words(game, number, words),
            }
            for number, ply in enumerate(plies, 1)
        ],
        "rulings": [
            {**ruling_record(said.ruling), "sentence": shorten_numbers(sentences.sentence(said.ruling, name, words))}
            for said in film.rulings
        ],
    }


# Animations


def animation(film: Replay, words: Words, stop: threading.Event) -> bytes:
    """The game as a moving picture (GIF), a position each; `stop` lets it be given up. Raises TooSlowError then."""
    chosen = _choose(film.frames)
    # One palette for all: what has not changed stays the same pixel, and only what has is written.
    palette = _side_by_side(*(_paint(frame, words) for frame in (chosen[0], chosen[-1]))).quantize(
        _COLOURS, dither=Image.Dither.NONE
    )

    def images() -> Iterator[Image.Image]:  # as they are asked for: a hundred at once are fifty megabytes
        for frame in chosen:
            if stop.is_set():
                raise TooSlowError
            yield _paint(frame, words).quantize(palette=palette, dither=Image.Dither.NONE)

    file, first = BytesIO(), images()
    times = [SHOWN_FOR] * (len(chosen) - 1) + [ENDS_FOR]
    next(first).save(file, "GIF", save_all=True, append_images=first, duration=times, loop=0, disposal=1)
    return file.getvalue()


def _paint(frame: Frame, words: Words) -> Image.Image:
    return to_png(draw_frame(frame, words), FILM_WIDE)


def _choose(frames: Sequence[Frame]) -> Sequence[Frame]:
    """So many frames at most, at even distances back from the last."""
    step = -(-len(frames) // MOST_FRAMES)
    return frames[::-1][::step][::-1]


def _side_by_side(one: Image.Image, other: Image.Image) -> Image.Image:
    both = Image.new("RGB", (one.width + other.width, one.height))
    both.paste(one, (0, 0))
    both.paste(other, (one.width, 0))
    return both


@dataclass
class Studio:
    """Where animations are made, one at a time, in a thread; to be used in one loop."""

    waiting: int = 0

    def __post_init__(self) -> None:
        self._shelf = Shelf(kept=2)

    async def animate(self, key: object, film: Replay, words: Words) -> bytes:
        """The animation of a game, which is remembered by its key. Raises BusyError and TooSlowError."""
        if self.waiting > WAITING:
            raise BusyError
        self.waiting += 1
        stop = threading.Event()
        made = asyncio.ensure_future(self._shelf.ask_once((key, words.language), lambda: animation(film, words, stop)))
        made.add_done_callback(_consume)  # nobody may be waiting any more
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(made)
        except TimeoutError as error:
            stop.set()
            raise TooSlowError from error
        finally:
            self.waiting -= 1


def _consume(made: "asyncio.Future[bytes]") -> None:
    if not made.cancelled():
        made.exception()


# Names of files


def file_name(film: Replay, ending: str, frame: int | None = None) -> str:
    """What a file is called: `tamsk-12-Ada-Björn.sgf`, with the number of the turn where it is of one position."""
    number = film.bundle.header.extras.get("number", 0)
    turn = [] if frame is None else [f"turn-{frame}"]
    people = [_plain(name) for _, name in film.last.people]
    return f"{'-'.join(filter(None, (film.last.rules.name, str(number), *people, *turn)))}.{ending}"


def disposition(name: str) -> str:
    """The header that lets a browser keep a file under a name with any letters in it (RFC 6266)."""
    spelt = re.sub("[-_]{2,}", "-", unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode())
    return f"attachment; filename=\"{spelt}\"; filename*=UTF-8''{quote(name, safe='')}"


def _plain(name: str) -> str:
    """A name as a part of the name of a file: letters, digits and blanks of any language, nothing else."""
    kept = "".join(
        letter if letter.isalnum() or unicodedata.combining(letter) else " "
        for letter in unicodedata.normalize("NFC", name)[:_LONGEST_NAME]
    )
    return "_".join(kept.split())
