"""Show the views of a game on the devices: lights at once, sound next, the display at its own rate.

A device that fails is a health item and is asked again each second; it never stops the timing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from PIL import Image

from gnomon.referee.effects import Tune
from gnomon.referee.game import Game
from gnomon.refusals import clause
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant, earliest
from gnomon.views import lights, sounds
from gnomon.views.display import large_oled, oled
from gnomon.views.lights import Sides
from gnomon.views.show import lights_under, show_of
from gnomon.words import ENGLISH, Words
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.protocols import DisplayDriver, DriverError, LightsDriver, SoundDriver
from gnomon_pi.runtime.health import Health

FRAME: Final = 100 * MILLISECOND  # between two pictures: one of them may hold the I2C bus for 23 ms
GLANCE: Final = 30 * MILLISECOND  # after a picture that is not sent, as it has not changed: to make one takes time
RETRY: Final = SECOND  # after a device failed

REFRESH: Final = 30 * SECOND  # a device that lost its power for a moment has forgotten everything
NEVER: Final = Instant(1 << 62)
POSTED: Final = 6 * SECOND  # for which a poster and what is true take turns

Colours = Sequence[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Devices:
    """What the board shows with, None for what it lacks; `display` may be slow, so the daemon gives it a thread.

    `sides` is, of each light, the half of a match clock that it belongs to. With `large` the display shows fewer,
    larger words; they are those of a language.
    """

    lights: LightsDriver | None
    display: DisplayDriver | None
    sound: SoundDriver | None
    sides: Sides = ()
    large: bool = False
    words: Words = ENGLISH


def sides_of(description: BoardDescription) -> Sides:
    """Of each light of a board the half of a match clock that it belongs to: under its spaces, or along a strip."""
    return lights.along(description.strip) if description.strip else lights_under(description.board)


class Poster(NamedTuple):
    """Something for those who stand at the board, and for nobody else: a picture, and a notice during a game."""

    picture: Image.Image
    notice: str


class Outputs:
    """Draws the views of a game when they change. All instants are board time."""

    def __init__(self, devices: Devices, health: Health) -> None:
        self._devices = devices
        self._health = health
        self._colours: Colours | None = None
        self._lights_view_of: tuple[Game | None, lights.LightsView | None] = None, None
        self._lights_due = self._lights_fresh_until = self._display_due = Instant(0)
        self._display_fresh_until = Instant(0)
        self._drawn_at = Instant(-FRAME)
        self._drawn = b""
        self._poster: Poster | None = None
        self._cover: Image.Image | None = None
        self._offer: Image.Image | None = None
        self._address: Callable[[], str] = str

    @property
    def due(self) -> Instant:
        """When something must be drawn next."""
        lights_due = NEVER if self._devices.lights is None else self._lights_due
        return lights_due if self._devices.display is None else min(lights_due, self._display_due)

    def begin(self) -> None:
        """Board time has begun again: forget its instants."""
        self._lights_due = self._lights_fresh_until = self._display_due = self._display_fresh_until = Instant(0)
        self._drawn_at = Instant(-FRAME)

    def redraw(self, now: Instant) -> None:
        """The game or its health is not what was drawn: draw again, the lights at once."""
        self._lights_due = now
        self._display_due = max(now, Instant(self._drawn_at + FRAME))

    def light(self, game: Game | None, now: Instant) -> None:
        """Bring the lights up to date when it is time, with what the game says by them."""
        strip = self._devices.lights
        if strip is None or self._lights_due > now:
            return
        view = self._lights_view(game, now)
        colours = view.colours(now)
        self._lights_due = _earliest(view.changes_at(now), now + REFRESH)
        if colours == self._colours and now < self._lights_fresh_until:
            return
        self._colours, self._lights_fresh_until = colours, Instant(now + REFRESH)
        if not self._send(lambda: strip.show(colours), "lights"):
            self._colours, self._lights_due = None, Instant(now + RETRY)

    def draw(self, game: Game | None, now: Instant) -> None:
        """Bring the display up to date when it is time."""
        display = self._devices.display
        if display is None or self._display_due > now:
            return
        picture, change = self._picture(game, now)
        if (content := picture.tobytes()) == self._drawn and now < self._display_fresh_until:
            self._drawn_at = Instant(now + GLANCE - FRAME)
            self._display_due = max(change, Instant(now + GLANCE))
            return
        self._drawn, self._drawn_at, self._display_fresh_until = content, now, Instant(now + REFRESH)
        self._display_due = max(change, Instant(now + FRAME))
        if not self._send(lambda: display.show(picture), "display"):
            self._drawn, self._display_due = b"", Instant(now + RETRY)

    def lose_picture(self) -> None:
        """What was left for the display did not come to it: show it again, at the display's pace if that has failed."""
        self._drawn = b""
        if not self._health["display"]:
            self._display_due = Instant(self._drawn_at + FRAME)

    def put_up(self, poster: Poster | None) -> None:
        """From now on show this besides, or nothing more."""
        self._poster = poster
        self._display_due = Instant(self._drawn_at + FRAME)

    def cover(self, picture: Image.Image | None) -> None:
        """From now on show this in place of the game, or the game again."""
        before, self._cover = self._cover, picture
        if (before is None) != (picture is None) or (picture is not None and before != picture):
            self._display_due = Instant(self._drawn_at + FRAME)

    def offer(self, picture: Image.Image) -> None:
        """While no game is there, show this by turns with what is shown then."""
        self._offer = picture
        self._display_due = Instant(self._drawn_at + FRAME)

    def invite(self, address: Callable[[], str]) -> None:
        """While no game is there, show the address that this answers; it is asked before each picture."""
        self._address = address
        self._display_due = Instant(self._drawn_at + FRAME)

    def play(self, tunes: Iterable[Tune]) -> None:
        """Play tunes one after the other."""
        sound = self._devices.sound
        notes = [note for tune in tunes for note in sounds.notes(tune)]
        if notes and sound is not None:
            self._send(lambda: sound.play(notes), "sound")

    def _lights_view(self, game: Game | None, now: Instant) -> lights.LightsView:
        """What every light says; while nothing has changed but the rhythms, it is what it was."""
        of, view = self._lights_view_of
        if view is None or of is not game or (view.until is not None and now >= view.until):
            sides = self._devices.sides
            if game is None:
                view = lights.LightsView.of((lights.NOTHING,) * len(sides), None)
            else:
                view = lights.say_help(game, load(show_of(game).lights)(game, now, sides), now)
            self._lights_view_of = game, view
        return view

    def _picture(self, game: Game | None, now: Instant) -> tuple[Image.Image, Instant]:
        """What is shown, and until when at most."""
        if self._cover is not None:
            return self._cover, Instant(now + REFRESH)
        if game is None and self._offer is not None and self._poster is None and now // POSTED % 2:
            return self._offer, Instant((now // POSTED + 1) * POSTED)
        is_over = game is not None and game.outcome is not None
        words, poster = self._devices.words, self._poster
        health = tuple(clause(told, words) for told in self._health.notices(is_over=is_over))
        if poster is not None and game is not None and game.outcome is None:
            health = (*health, poster.notice)
        elif poster is not None:
            turn, change = now // POSTED, Instant((now // POSTED + 1) * POSTED)
            return poster.picture if turn % 2 == 0 else self._screen(game, now, health), change
        changes = [oled.changes_at(game, now, health)]
        if game is None and self._offer is not None:
            changes.append(Instant((now // POSTED + 1) * POSTED))
        return self._screen(game, now, health), _earliest(earliest(changes), now + REFRESH)

    def _screen(self, game: Game | None, now: Instant, health: tuple[str, ...]) -> Image.Image:
        draw = large_oled.screen if self._devices.large else oled.screen
        return draw(game, now, health, "" if game is not None else self._address(), self._devices.words)

    def _send(self, send: Callable[[], None], part: str) -> bool:
        try:
            send()
        except DriverError as error:
            self._health.wrong(part, error.statement)
            return False
        self._health.well(part)
        return True


def _earliest(change: Instant | None, latest: int) -> Instant:
    return Instant(latest) if change is None else min(change, Instant(latest))
