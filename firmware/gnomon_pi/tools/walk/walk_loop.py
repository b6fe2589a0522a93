"""Run the loop of a walk: read the board, take answers, and show prompts and pictures until it is over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from PIL import Image

from gnomon.refusals import NOTHING, Statement, clause, together
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon.views import fonts
from gnomon.views.display import panes
from gnomon.words import ENGLISH, Words
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.system.clock import Watch
from gnomon_pi.tools.walk.prompts import Prompt, points, prompt, title
from gnomon_pi.tools.walk.rig import Rig
from gnomon_pi.tools.walk.wiring_inference import Walk, WalkAnswer, WalkPhase, take_answer, take_look, take_press, wants

PERIOD: Final = Duration(50 * MILLISECOND)
"""Between two looks: hall switches have looked once in this time."""
_MAP: Final = (80, 13, 124, 60)  # left, top, right, bottom
_BIG: Final = 3
_TITLE: Final = 13  # the first row of the big letters
_TEXT: Final = 38  # the first row of the words
_ROWS: Final = 3


class WalkAudience(Protocol):
    """Who reads what is asked, and answers by keys."""

    def on_prompt(self, walk: Walk, prompt: Prompt) -> None:
        """Something new is asked."""
        ...

    def trouble(self, told: Statement) -> None:
        """Something of the board does not work; NOTHING when it works again."""
        ...

    def answers(self) -> Iterator[WalkAnswer]:
        """What was answered since the last time."""
        ...


@dataclass(frozen=True, slots=True)
class WalkPace:
    """The time of a walk: the watch, and what lets time pass until an instant."""

    watch: Watch
    wait: Callable[[Instant], None]
    period: Duration = PERIOD


def run_walk(walk: Walk, rig: Rig, audience: WalkAudience, pace: WalkPace, words: Words = ENGLISH) -> Walk:
    """Walk until it is over, and give the last state; the rig stays open.

    KeyboardInterrupt stops the walk with what was learnt so far.
    """
    shown: Prompt | None = None
    told_of = NOTHING
    due = pace.watch.now()
    while walk.phase is not WalkPhase.OVER:
        try:
            pace.wait(due)
            due = Instant(max(due + pace.period, pace.watch.now()))
            ask = prompt(walk)
            if ask != shown:
                shown = ask
                rig.show(picture(walk, ask, words))
                audience.on_prompt(walk, ask)
            walk, trouble = _round(walk, rig, audience, pace.watch.now())
            if trouble != told_of:
                told_of = trouble
                audience.trouble(trouble)
        except KeyboardInterrupt:
            walk = take_answer(walk, WalkAnswer.STOP, pace.watch.now())
    rig.show(picture(walk, prompt(walk), words))
    return walk


def _round(walk: Walk, rig: Rig, audience: WalkAudience, now: Instant) -> tuple[Walk, Statement]:
    """The walk after one look and what was answered meanwhile, and what of the board does not work."""
    failed: list[Statement] = []
    try:
        rig.want(wants(walk))
        walk = take_look(walk, rig.look(), now)
    except DriverError as error:
        failed.append(error.statement)
    for name in rig.new_presses():
        walk = take_press(walk, name, now)
    for answer in audience.answers():
        walk = take_answer(walk, answer, now)
    return walk, together([*failed, *rig.troubles.values()])


# The display


def picture(walk: Walk, prompt: Prompt, words: Words = ENGLISH) -> Image.Image:
    """What the display shows: 128 x 64 pixels of one bit."""
    image = Image.new("1", panes.SIZE)
    done = min(walk.number + 1, len(walk.steps))
    count = words("oled.step", step=done, steps=len(walk.steps)) if prompt.place else ""
    panes.headline(image, words("walk.title"), count, None)
    has_map = prompt.place in points(walk.board)
    room = _MAP[0] - 4 if has_map else panes.ROOM
    name = clause(title(prompt.place), words) if prompt.place else ""
    if name:
        scale = next((each for each in (_BIG, 2) if fonts.width(name, each) <= min(room, panes.ROOM)), 1)
        fonts.write(image, (panes.MARGIN, _TITLE), name, scale=scale)
    top, rows = (_TEXT, _ROWS) if name else (_TITLE, _ROWS + 2)
    panes.lines(image, fonts.shorten(clause(prompt.brief if name else prompt.sentence, words), room, rows), top)
    if has_map:
        _draw_map(image, walk.board, prompt.place)
    return image


def _draw_map(image: Image.Image, board: BoardDescription, place: str) -> None:
    """A pixel or four for each place, a block for the present one."""
    left, top, right, bottom = _MAP
    where = points(board)
    size = 3 if len(where) < 2 * (right - left) else 1
    for name, (x, y) in where.items():
        at = (round(left + x * (right - left - size)), round(top + y * (bottom - top - size)))
        grown = 2 if name == place else 0
        box = (at[0] - grown, at[1] - grown, at[0] + size + grown, at[1] + size + grown)
        image.paste(1, box)
        if not grown and size > 1:
            image.paste(0, (box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1))
