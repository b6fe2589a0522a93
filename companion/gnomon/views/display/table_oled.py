"""Draw the display of a game at a table.

The board is on the left, with text beside it. While a move is picked with the buttons, the board alternates between
the present position and the one after the move, `BLINK` each. A refusal, a repair and a notice take the whole width.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from PIL import Image

from gnomon.referee.chooser import Chooser
from gnomon.referee.game import Game
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.opponents import is_engines_turn
from gnomon.referee.rulings import Corrected, IllegalRuled
from gnomon.refusals import render
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, earliest
from gnomon.views import clock_faces, exercises, fonts, opponents, seats, sentences, status_line
from gnomon.views.display import clock_oled, panes
from gnomon.views.display.panes import HEIGHT, SIZE, WIDTH
from gnomon.views.phrases import Reason, shorten_numbers
from gnomon.views.pictures import miniature
from gnomon.views.show import show_of
from gnomon.words import ENGLISH, Words, upper

BLINK: Final = Duration(600 * MILLISECOND)

_BOARD = 64  # pixels along each side of the board's part
_LEFT = _BOARD + 2  # where the lines beside the board begin
_ROOM = WIDTH - _LEFT - 2 * panes.MARGIN
_FIRST = 11  # the first row under the headline
_LINES = 6
_LINES_UNDER_CLOCKS = 2
_BESIDE_WHAT = 62  # pixels that "Not allowed" leaves in its headline, with a mark at the end
_HAND = HEIGHT - 9  # the first row of the tile in hand
_LONGEST = 10  # digits of a number that is written in full


def screen(game: Game, now: Instant, health: tuple[str, ...] = (), words: Words = ENGLISH) -> Image.Image:
    """The picture at board time `now`; `health`: short sentences."""
    image = Image.new("1", SIZE)
    notice = panes.notice(_notices(game, health, words), now)
    if exercises.is_told(game):
        _draw_exercise(image, game, now, notice, words)
    elif game.rules.ends_by_press:
        clock_oled.draw_alone(image, game, now, notice, words)
    elif game.outcome is not None:
        _draw_the_end(image, game, now, notice, words)
    elif game.paused_at is not None and game.judgement.repairs:
        _draw_wrong(image, game, now, notice, words)
    elif game.paused_at is not None:
        _draw_beside(image, game, now, (words("oled.paused"), _told_in_a_pause(game, words)), notice, words)
    else:
        _draw_play(image, game, now, notice, words)
    return image


def changes_at(game: Game, now: Instant, health: tuple[str, ...] = ()) -> Instant | None:
    """The next board time after `now` at which the picture may differ by itself, or None if it stays."""
    turns = [
        panes.notice_turns(_notices(game, health), now),
        clock_faces.changes_at(game, now),
        exercises.changes_at(game, now),
    ]
    return earliest([*turns, Instant((now // BLINK + 1) * BLINK)] if _preview(game) else turns)


def _draw_play(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    """What the referee makes of the table, and the move that is being picked."""
    match game.judgement.phase:
        case Phase.WRONG:
            _draw_wrong(image, game, now, notice, words)
        case Phase.ASKING:
            _draw_asking(image, game, now, notice, words)
        case Phase.IN_HAND:
            _draw_beside(
                image, game, now, (status_line.headline(game, words), [words("oled.tile.lying")]), notice, words
            )
        case Phase.MAY_GO_ON:
            _draw_beside(
                image, game, now, (status_line.headline(game, words), [words("oled.tile.let_go")]), notice, words
            )
        case Phase.UNSETTLED:
            _draw_beside(image, game, now, (status_line.headline(game, words), [words("oled.finish")]), notice, words)
        case Phase.AGREED:
            _draw_agreed(image, game, now, notice, words)
        case _:
            assert_never(game.judgement.phase)


def _draw_exercise(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    """What an exercise asks for, over the whole width; where it has no room, part by part."""
    panes.headline(image, exercises.headline(game, words), status_line.short_name(seats.actor(game), words), notice)
    rows = _LINES - panes.TEXT_LINES if notice else _LINES
    panes.lines(image, exercises.part_of_text(game, now, panes.ROOM, rows, words), _FIRST)
    if notice:
        panes.text(image, (), notice)


def _draw_agreed(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    if game.chooser is not None:
        _draw_picking(image, game, game.chooser, now, notice, words)
    elif game.judgement.reason:
        _draw_refusal(image, game, now, notice, words)
    elif game.is_elsewhere or is_engines_turn(game):
        _draw_engine(image, game, now, notice, words)
    else:
        _draw_beside(
            image, game, now, (status_line.headline(game, words), status_line.lines(game, words)), notice, words
        )


def _draw_engine(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    """That the engine thinks, or what it has announced: by turns the board as it is and as it will be."""
    after = _preview(game)
    position = game.position if after is None or now // BLINK % 2 else after
    _draw_beside(image, game, now, opponents.briefest(game, words), notice, words, position)


def _draw_beside(  # noqa: PLR0913, PLR0917 - a scene of the game, and in which words
    image: Image.Image,
    game: Game,
    now: Instant,
    told: tuple[str, Sequence[str]],
    notice: str | None,
    words: Words,
    position: object = None,
) -> None:
    """The board, and beside it a headline, the clocks and lines; the tile in hand keeps its place under them."""
    headline, paragraphs = told
    holds = _draw_board(image, game, game.position if position is None else position, words)
    first, rows = _draw_head(image, game, now, headline, notice)
    if notice:
        panes.text(image, (), notice)
        return
    rows = rows - 1 if holds else rows
    panes.lines(image, panes.fit(_short([*paragraphs]), _ROOM, rows), first, left=_LEFT)


def _draw_head(image: Image.Image, game: Game, now: Instant, headline: str, notice: str | None) -> tuple[int, int]:
    """The headline beside the board and the clocks under it; returns the first row below, and how many lines fit.

    Where a notice takes the foot of the display, the times stand in the headline.
    """
    if game.clock is None:
        panes.headline(image, headline, "", notice, start=_BOARD + 1)
        return _FIRST, _LINES
    if notice:
        panes.headline(image, clock_oled.line(game, now), "", notice)
    else:
        panes.headline(image, headline, "", notice, start=_BOARD + 1)
        clock_oled.draw_beside(image, game, now, _LEFT)
    return clock_oled.BESIDE + 1, _LINES_UNDER_CLOCKS


def _draw_the_end(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    """Who has won and why, and what both clocks showed."""
    if game.clock is None:
        _draw_beside(image, game, now, (words("oled.over"), _told_at_the_end(game, _LINES, words)), notice, words)
        return
    _draw_board(image, game, game.position, words)
    times = clock_oled.line(game, now)
    has_room = fonts.width(times) <= _ROOM and not notice
    panes.headline(image, words("oled.over"), "" if has_room else times, notice, start=_BOARD + 1 if has_room else 0)
    if notice:
        panes.text(image, (), notice)
        return
    told = panes.fit(_short(_told_at_the_end(game, _LINES - 1, words)), _ROOM, _LINES - 1)
    panes.lines(image, told, _FIRST, left=_LEFT)
    panes.lines(image, [times] if has_room else [], HEIGHT - fonts.LINE, left=_LEFT)


def _draw_board(image: Image.Image, game: Game, position: object, words: Words) -> bool:
    """The small board, and whether the tile in hand stands beside it."""
    small = miniature(game.rules, position, words, is_over=game.outcome is not None)
    image.paste(small.crop((0, 0, _BOARD, HEIGHT)), (0, 0))
    rules = game.rules
    holds = game.outcome is None and show_of(game).in_hand(rules, game.position) is not None
    if holds:
        hand = miniature(rules, game.position, words).crop((_BOARD, _HAND, WIDTH, HEIGHT))
        image.paste(hand, (_BOARD, _HAND))
    return holds


def _draw_picking(  # noqa: PLR0913, PLR0917 - a scene of the game, and in which words
    image: Image.Image, game: Game, chooser: Chooser, now: Instant, notice: str | None, words: Words
) -> None:
    """The move as far as it is picked, the option under the cursor on light ground, and what the buttons do."""
    after = _preview(game)
    shown = game.position if after is None or now // BLINK % 2 else after
    holds = _draw_board(image, game, shown, words)
    asking = game.judgement.phase is Phase.ASKING
    headline = words("oled.which_way") if asking else status_line.headline(game, words)
    first, rows = _draw_head(image, game, now, headline, notice)
    if notice:
        panes.text(image, (), notice)
        return
    options = chooser.options
    _draw_pick(image, chooser, first)
    enter = words("oled.enter.play" if _picked_move(chooser) else "oled.enter.on")
    if game.clock is not None:
        panes.lines(
            image,
            [] if holds else [enter],
            first + fonts.PITCH,
            left=_LEFT,
        )
        return
    count = words("oled.step", step=chooser.cursor + 1, steps=len(options)) if options else words("oled.nothing_else")
    said = [count, "", enter, words("oled.back"), words("oled.next")]
    if holds or not options:
        said.pop()
    panes.lines(image, said[: rows - 2 if holds else rows - 1], first + fonts.PITCH, left=_LEFT)


def _draw_pick(image: Image.Image, chooser: Chooser, top: int) -> None:
    """What is chosen, the option under the cursor, and what follows from it; of a long text the end."""
    options = chooser.options
    option = _short([options[chooser.cursor]])[0] if options else ""
    chosen = _short(["".join(chooser.parts)])[0]
    rest = (_picked_move(chooser) or "").removeprefix(chooser.preview)
    option = option or ("✓" if options else "")
    room = _ROOM - fonts.width(rest) - 1 - (fonts.width(option) + 5 if option else 0)
    while chosen and fonts.width(chosen) > room:
        chosen = chosen[1:]
    left = _LEFT + panes.MARGIN
    fonts.write(image, (left, top), chosen)
    if option:
        end = panes.tag(image, (left + (fonts.width(chosen) + 1 if chosen else 0), top - 1), option)
        fonts.write(image, (end + 1, top), rest)


def _draw_asking(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    if game.chooser is not None:
        _draw_picking(image, game, game.chooser, now, notice, words)
        return
    choices = game.question.asked.choices if game.question else ()
    _draw_beside(image, game, now, (words("oled.which_way"), [*choices[:2], words("oled.press")]), notice, words)


def _draw_refusal(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    """Why a move that was entered is not allowed."""
    why = _why_wrong(game, game.judgement, words)
    panes.headline(image, words("oled.not_allowed"), _reason_line(game, now, why, words), notice)
    tried = next((ruling.text for ruling in reversed(game.rulings) if isinstance(ruling, IllegalRuled)), None)
    if tried:
        fonts.write(image, (panes.MARGIN, _FIRST), fonts.shorten(_short([tried])[0], panes.ROOM)[0])
    if notice:
        panes.text(image, (), notice)
        return
    panes.lines(image, fonts.shorten(why.text, panes.ROOM, _LINES - 2), _FIRST + fonts.PITCH + 1)
    fonts.write(
        image, (panes.MARGIN, HEIGHT - fonts.LINE), words("oled.choose", turn=status_line.headline(game, words))
    )


def _draw_wrong(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    """Why the tiles may not lie so, and the next step of the repair."""
    judgement = game.judgement
    why = _why_wrong(game, judgement, words)
    what = words("oled.put_right" if judgement.code == sentences.BY_HAND else "oled.not_allowed")
    what = exercises.headline(game, words) if judgement.code == sentences.BY_HAND and game.exercise else what
    what = what if game.paused_at is None else words("oled.paused")
    panes.headline(image, what, _reason_line(game, now, why, words), notice)
    panes.lines(image, fonts.shorten(notice or why.text, panes.ROOM, panes.TEXT_LINES), _FIRST - 1)
    if not judgement.repairs:
        return
    step = judgement.repairs[0]
    top = panes.TEXT
    panes.tag(image, (0, top - 1), words("oled.step", step=1, steps=len(judgement.repairs)))
    image.paste(1, (0, top + fonts.LINE - 1, WIDTH, top + fonts.LINE))
    request = sentences.repair(replace(step, space=sentences.squares(step.space.split(), 5, words)), words)
    panes.lines(image, fonts.shorten(request, panes.ROOM, panes.TEXT_LINES - 1), top + fonts.PITCH + 1)


def _reason_line(game: Game, now: Instant, why: Reason, words: Words) -> str:
    """The rule that forbids something; with a clock the times, if they have room: the page tells the rule."""
    times = clock_oled.line(game, now)
    if times and fonts.width(times) <= _BESIDE_WHAT:
        return times
    return words("oled.rule", rule=why.rule) if why.rule else ""


def _why_wrong(game: Game, judgement: Judgement, words: Words) -> Reason:
    if judgement.reason:
        why = sentences.refusal_reason(judgement.reason, words)
        return why._replace(text=shorten_numbers(why.text, _LONGEST))
    return sentences.reason(opponents.judgement_told(game).code, game.rules.name, words)


def _told_at_the_end(game: Game, most: int, words: Words) -> list[str]:
    """Who has won and why, and the score where there is room for it."""
    why = game.outcome.reason if game.outcome is not None else ""
    told = [seats.result(game, words), sentences.ending_reason(why, game.rules.name, words).text]
    scored = [*told, *status_line.lines(game, words)]
    rows = sum(len(fonts.wrap(paragraph, _ROOM)) for paragraph in _short(scored))
    return scored if rows <= most else told


def _told_in_a_pause(game: Game, words: Words) -> list[str]:
    why = [ruling.why for ruling in game.rulings[-2:] if isinstance(ruling, Corrected) and ruling.why]
    first = upper(render(why[-1], words)) if why else ""
    first = first or words("oled.on_turn", player=status_line.short_name(seats.actor(game), words))
    return [first, words("oled.resume")]


def _preview(game: Game) -> object | None:
    """The position after the move that is picked, as soon as it is whole, or that is announced; or None."""
    chooser, told = game.chooser, game.announced
    if game.outcome is not None or game.paused_at is not None:
        return None
    text = _picked_move(chooser) if chooser is not None else None if told is None else told.text
    if text is None or game.judgement.phase not in {Phase.AGREED, Phase.ASKING}:
        return None
    after: object = game.rules.play(game.position, game.rules.parse(game.position, text))
    return after


def _picked_move(chooser: Chooser) -> str | None:
    """The move that the enter button would play, or None while it would only go on."""
    return chooser.complete_text or chooser.enter().complete_text


def _short(paragraphs: Sequence[str]) -> list[str]:
    return [_without_point(shorten_numbers(paragraph, _LONGEST)) for paragraph in paragraphs]


def _without_point(paragraph: str) -> str:
    """Without its full stop, where that alone has no room on the last line."""
    _, _, last = paragraph.rpartition(" ")
    bare = last.removesuffix(".")
    return paragraph.removesuffix(".") if fonts.width(bare) <= _ROOM < fonts.width(last) else paragraph


def _notices(game: Game, health: tuple[str, ...], words: Words = ENGLISH) -> tuple[str, ...]:
    """What is wrong with the board itself; inputs that are not believed matter no more when the game is over."""
    return health if game.outcome else (*health, *(sentences.quarantine(source, words) for source in game.quarantined))
