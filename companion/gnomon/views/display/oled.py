"""Draw the 128 x 64 pixel display as a function of (game, now); each game says how its own is drawn."""

from typing import Final
from urllib.parse import urlsplit

from PIL import Image

from gnomon.referee.game import Game
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import Instant, earliest
from gnomon.views import fonts, qr
from gnomon.views._draws_and_warnings import fresh, fresh_until, notices
from gnomon.views.display import panes
from gnomon.views.display.panes import MARGIN, SIZE, WIDTH
from gnomon.views.show import show_of
from gnomon.words import ENGLISH, Words

PIXELS: Final = 2  # a module's side: one pixel of 0.17 mm is too small for a telephone
LEAST_QUIET: Final = 3
"""Modules of light that must be left around a code; the standard's four where there is room."""
_LEFT: Final = panes.HEIGHT + 3  # of the words, beside the code
_TOP: Final = fonts.PITCH + 4  # the first row of words under the headline
_GAP: Final = 3
_BODY = 11  # the first row under the headline
_LARGE_ROWS = 2
_ROWS = 5


def screen(
    game: Game | None, now: Instant, health: tuple[str, ...] = (), address: str = "", words: Words = ENGLISH
) -> Image.Image:
    """The picture at board time `now`; without a game it says that it waits for one. `health`: short sentences.

    `address` is that of the page for those who stand at the board; empty when they do not reach it.
    """
    if game is not None:
        said = fresh(game, now, words)
        if said is not None:
            return _draw_said(said)
        drawn: Image.Image = load(show_of(game).screen)(game, now, (*notices(game, words), *health), words)
        return drawn
    notice = panes.notice(health, now)
    invited = invitation(address, notice, words) if address else None
    if invited is not None:
        return invited
    image = Image.new("1", SIZE)
    panes.headline(image, words("oled.none"), "", notice)
    fonts.write(image, (MARGIN, _BODY + 3), "GNOMON", scale=2)
    panes.text(image, [words("oled.waiting"), words("oled.begin")], notice)
    return image


def changes_at(game: Game | None, now: Instant, health: tuple[str, ...] = ()) -> Instant | None:
    """The next board time after `now` at which the picture may differ by itself, or None if it stays."""
    if game is None:
        return panes.notice_turns(health, now)
    changes: Instant | None = load(show_of(game).screen_changes_at)(game, now, (*notices(game), *health))
    return earliest([changes, fresh_until(game, now)])


def _draw_said(said: tuple[str, str, str]) -> Image.Image:
    """What has just been said, in letters twice as large where it has room."""
    left, right, text = said
    image = Image.new("1", SIZE)
    edge = WIDTH - 4 - fonts.width(left) - 4
    panes.headline(image, left, fonts.shorten(right, edge)[0] if right else "", None)
    large = fonts.wrap(text, panes.ROOM // 2)
    if len(large) <= _LARGE_ROWS:
        for row, line in enumerate(large):
            fonts.write(image, (MARGIN, _BODY + 3 + row * 2 * fonts.PITCH), line, scale=2)
    else:
        panes.lines(image, fonts.shorten(text, panes.ROOM, _ROWS), _BODY + 3)
    return image


def invitation(address: str, notice: str | None, words: Words = ENGLISH) -> Image.Image | None:
    """What a board shows that waits for a game: the address of its page as QR code and in words.

    None for an address whose code would be too fine to be read.
    """
    modules = qr.code(address)
    side = PIXELS * len(modules)
    if side + 2 * PIXELS * LEAST_QUIET > panes.HEIGHT:
        return None
    image = Image.new("1", panes.SIZE)
    image.paste(1, (0, 0, panes.HEIGHT, panes.HEIGHT))
    edge = (panes.HEIGHT - side) // 2
    for top, row in enumerate(modules):
        for left, is_dark in enumerate(row):
            if is_dark:
                at = (edge + PIXELS * left, edge + PIXELS * top)
                image.paste(0, (*at, at[0] + PIXELS, at[1] + PIXELS))
    panes.headline(image, words("oled.none"), "", notice, start=_LEFT)
    _write(image, (words("oled.scan"),), _TOP)
    _write(image, _spelt(address), _TOP + fonts.PITCH + _GAP)
    if notice:
        room = panes.WIDTH - _LEFT - 2 * panes.MARGIN
        top = panes.HEIGHT - 2 * fonts.PITCH
        image.paste(1, (_LEFT, top - 1, panes.WIDTH, panes.HEIGHT))
        panes.lines(image, fonts.shorten(notice, room, 2), top, left=_LEFT, ink=0)
    return image


def _write(image: Image.Image, lines: tuple[str, ...], top: int) -> None:
    panes.lines(image, lines, top, left=_LEFT)


def _spelt(address: str) -> tuple[str, ...]:
    """The address in lines that fit beside the code, broken where it may be: before a dot or a colon."""
    parts = urlsplit(address)
    whole = f"{'https://' if parts.scheme == 'https' else ''}{parts.netloc}"
    pieces = whole.replace("//", "// ").replace(".", " .").replace(":", " :").replace(" ://", "://").split()
    room, lines = panes.WIDTH - _LEFT - 2 * panes.MARGIN, [""]
    for piece in pieces:
        if fonts.width(lines[-1] + piece) <= room:
            lines[-1] += piece
        else:
            lines.append(piece)
    return tuple(line for line in lines if line)
