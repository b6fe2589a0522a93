"""Draw the 128 x 64 pixel display as a function of (game, now); each game says how its own is drawn."""

from PIL import Image

from gnomon.referee.game import Game
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import Instant, earliest
from gnomon.views import _invitation as invitation
from gnomon.views import fonts, panes
from gnomon.views._draws_and_warnings import fresh, fresh_until, notices
from gnomon.views.panes import MARGIN, SIZE, WIDTH
from gnomon.views.show import show_of
from gnomon.words import ENGLISH, Words

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
    invited = invitation.picture(address, notice, words) if address else None
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
