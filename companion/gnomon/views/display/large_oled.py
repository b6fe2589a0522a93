"""Draw the display with fewer, larger words, for a module of 0.96 inch that is read from 70 cm.

Letters are twice as high as in `oled` (2.4 mm on such a module), in a headline and two lines. Only the page shows the
rest: here the state of play is reduced to its most urgent time, and of a repair only the next step is shown.
"""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from gnomon.referee.chooser import Chooser
from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase, Repair
from gnomon.referee.opponents import is_engines_turn, steps_due
from gnomon.timekeeping.instants import Instant
from gnomon.views import exercises, fonts, opponents, sentences, status_line
from gnomon.views._draws_and_warnings import fresh, notices
from gnomon.views.display import clock_oled, oled, panes
from gnomon.views.display.panes import HEIGHT, SIZE, WIDTH
from gnomon.views.results import result_of
from gnomon.views.show import show_of
from gnomon.words import ENGLISH, Words

_SCALE: Final = 2
_HEAD: Final = 19  # rows of the headline
_ROWS: Final = 2
_PITCH: Final = 21
_FIRST: Final = 22
_ROOM: Final = panes.ROOM // _SCALE


def screen(
    game: Game | None, now: Instant, health: tuple[str, ...] = (), address: str = "", words: Words = ENGLISH
) -> Image.Image:
    """The picture at board time `now`; notices, a code to scan, long choices and a bare clock are as in `oled`."""
    notice = panes.notice((*(() if game is None else notices(game, words)), *_notices(game, health, words)), now)
    is_bare = game is not None and game.rules.ends_by_press
    is_said = game is not None and fresh(game, now) is not None
    if notice or is_said or is_bare or (game is None and address) or not _has_room(game, words):
        return oled.screen(game, now, health, address, words)
    image = Image.new("1", SIZE)
    left, right, told = _none(words) if game is None else _exercise_or_play(game, now, words)
    edge = WIDTH - fonts.width(right, _SCALE) - 2
    image.paste(1, (0, 0, WIDTH, _HEAD))
    fonts.write(image, (2, 2), fonts.shorten(left, (edge - 6) // _SCALE)[0], ink=0, scale=_SCALE)
    fonts.write(image, (edge, 2), right, ink=0, scale=_SCALE)
    for row, line in enumerate(panes.fit(told, _ROOM, _ROWS)):
        fonts.write(image, (panes.MARGIN, _FIRST + row * _PITCH), line, scale=_SCALE)
    if notice is not None:
        image.paste(1, (WIDTH - 2, HEIGHT - 8, WIDTH, HEIGHT))  # something else is told by turns
    return image


def _none(words: Words) -> tuple[str, str, Sequence[str]]:
    return words("oled.none.large"), "", [words("oled.begin.large")]


def _exercise_or_play(game: Game, now: Instant, words: Words) -> tuple[str, str, Sequence[str]]:
    if exercises.is_told(game):
        return exercises.headline(game, words), "", exercises.part_of_text(game, now, _ROOM, _ROWS, words)
    return _screen_text(game, now, words)


def _screen_text(game: Game, now: Instant, words: Words) -> tuple[str, str, Sequence[str]]:
    """The headline, what stands at its end, and what is told below it."""
    if game.outcome is not None:
        return words("oled.over"), "", [f"{result_of(game, words)}.", *show_of(game).large_over(game, words)]
    step = [_repair(game.judgement.repairs[0], words)] if game.judgement.repairs else []
    if game.paused_at is not None:
        return words("oled.paused"), "", step or show_of(game).large_pause(game, words) or [words("oled.resume")]
    if game.judgement.phase is Phase.WRONG:
        return (
            words("oled.put_right"),
            str(len(game.judgement.repairs) or ""),
            step or [sentences.phase(game.judgement, game.rules.name, words)],
        )
    if game.judgement.phase is Phase.ASKING:
        return words("oled.which.large"), "", _choices(game, words)
    if game.is_elsewhere or is_engines_turn(game) or game.announced is not None:
        return _for_engine(game, words)
    of_the_game = show_of(game).large_play(game, now, step, words)
    if of_the_game is not None:
        return of_the_game
    left = status_line.headline(game, words)
    return left, "", step or _next_at_a_table(game, now, words)


def _for_engine(game: Game, words: Words) -> tuple[str, str, Sequence[str]]:
    """That it thinks, or what hands do next for it: make its turn, or something beside that of a person."""
    steps, (name, told) = steps_due(game), opponents.briefest(game, words)
    if game.announced is None:
        return name, "", told
    due = [_repair(steps[0], words)] if steps else told[1:]
    return (told[0], str(len(steps) or ""), due) if is_engines_turn(game) else (name, "", due)


def _repair(step: Repair, words: Words) -> str:
    """A step of a repair in so few words that what is to be done has room."""
    return words(f"oled.repair.{step.action.name.lower()}", space=step.space)


def _has_room(game: Game | None, words: Words) -> bool:
    """Whether what is asked can be told in large letters: half an answer would be none."""
    if game is None or game.outcome is not None or game.judgement.phase is not Phase.ASKING:
        return True
    return all(fonts.width(each) <= _ROOM for each in _choices(game, words))


def _choices(game: Game, words: Words) -> Sequence[str]:
    if game.chooser is not None:  # the one that ENTER would answer
        return [_pick(game.chooser), words("oled.enter.large")]
    return show_of(game).large_choices(game, words)[:_ROWS]


def _pick(chooser: Chooser) -> str:
    """The turn that ENTER would make, or what is picked so far with the option under the cursor."""
    options = chooser.options
    so_far = f"{''.join(chooser.parts)}{options[chooser.cursor] if options else ''}"
    return chooser.complete_text or chooser.enter().complete_text or so_far


def _next_at_a_table(game: Game, now: Instant, words: Words) -> Sequence[str]:
    times = [clock_oled.line(game, now)] if game.clock is not None else []
    if game.chooser is not None:
        return [_pick(game.chooser), *(times or [words("oled.enter.large")])]
    if game.judgement.reason:
        return [words("oled.not_allowed"), *times] if times else [words("oled.refused.large"), words("oled.try")]
    return times or [line for line in status_line.lines(game, words) if line != words("oled.hand_home")][:_ROWS]


def _notices(game: Game | None, health: tuple[str, ...], words: Words) -> tuple[str, ...]:
    """What is wrong with the board itself, as in `oled`: inputs that are not believed matter until the game is over."""
    quarantined = () if game is None or game.outcome else game.quarantined
    return (*health, *(sentences.quarantine(source, words) for source in quarantined))
