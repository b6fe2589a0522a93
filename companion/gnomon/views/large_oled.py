"""Draw the display with fewer, larger words, for a module of 0.96 inch that is read from 70 cm.

Letters are twice as high as in `oled` (2.4 mm on such a module), in a headline and two lines. Only the page shows the
rest: here the state of play is reduced to its most urgent time, and of a repair only the next step is shown.
"""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.timekeeping.instants import Instant
from gnomon.views import clock_oled, fonts, oled, panes, sentences, status_line
from gnomon.views.panes import HEIGHT, SIZE, WIDTH
from gnomon.views.results import result_of
from gnomon.views.show import show_of

_SCALE: Final = 2
_HEAD: Final = 19  # rows of the headline
_ROWS: Final = 2
_PITCH: Final = 21
_FIRST: Final = 22
_ROOM: Final = panes.ROOM // _SCALE


def screen(game: Game | None, now: Instant, health: tuple[str, ...] = (), address: str = "") -> Image.Image:
    """The picture at board time `now`; notices, a code to scan, long choices and a bare clock are as in `oled`."""
    notice = panes.notice(health, now)
    is_bare = game is not None and game.rules.ends_by_press
    if notice or is_bare or (game is None and address) or not _has_room(game):
        return oled.screen(game, now, health, address)
    image = Image.new("1", SIZE)
    left, right, told = ("No game", "", ["Begin on the page."]) if game is None else _told(game, now)
    edge = WIDTH - fonts.width(right, _SCALE) - 2
    image.paste(1, (0, 0, WIDTH, _HEAD))
    fonts.write(image, (2, 2), fonts.shortened(left, (edge - 6) // _SCALE)[0], ink=0, scale=_SCALE)
    fonts.write(image, (edge, 2), right, ink=0, scale=_SCALE)
    for row, line in enumerate(panes.fitted(told, _ROOM, _ROWS)):
        fonts.write(image, (panes.MARGIN, _FIRST + row * _PITCH), line, scale=_SCALE)
    if notice is not None:
        image.paste(1, (WIDTH - 2, HEIGHT - 8, WIDTH, HEIGHT))  # something else is told by turns
    return image


def _told(game: Game, now: Instant) -> tuple[str, str, Sequence[str]]:
    """The headline, what stands at its end, and what is told below it."""
    if game.outcome is not None:
        return "Game over", "", [f"{result_of(game)}.", *show_of(game).large_over(game)]
    step = [sentences.repair(game.judgement.repairs[0])] if game.judgement.repairs else []
    if game.paused_at is not None:
        return "PAUSED", "", step or ["ARBITER: go on"]
    if game.judgement.phase is Phase.WRONG:
        return (
            "Put right",
            str(len(game.judgement.repairs) or ""),
            step or [sentences.phase(game.judgement, game.rules.name)],
        )
    if game.judgement.phase is Phase.ASKING:
        return "Which?", "", _choices(game)
    of_the_game = show_of(game).large_play(game, now, step)
    if of_the_game is not None:
        return of_the_game
    left = status_line.headline(game)
    return left, "", [clock_oled.line(game, now)] if game.clock is not None else step or _next_at_a_table(game)


def _has_room(game: Game | None) -> bool:
    """Whether what is asked can be told in large letters: half an answer would be none."""
    if game is None or game.outcome is not None or game.judgement.phase is not Phase.ASKING:
        return True
    return all(fonts.width(each) <= _ROOM for each in _choices(game))


def _choices(game: Game) -> Sequence[str]:
    return show_of(game).large_choices(game)[:_ROWS]


def _next_at_a_table(game: Game) -> Sequence[str]:
    if game.chooser is not None:
        options = game.chooser.options
        return [f"{''.join(game.chooser.parts)}{options[game.chooser.cursor] if options else ''}", "ENTER?"]
    if game.judgement.reason:
        return ["Not allowed:", "try another"]
    return [line for line in status_line.lines(game) if line != status_line.IN_HAND_AND_HOME][:_ROWS]
