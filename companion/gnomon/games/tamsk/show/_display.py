"""Draw the 128 x 64 pixel display of a game of TAMSK as a function of (game, now).

A headline (whose turn, or what is the matter), the state of play, and three lines of text; or the same in large
letters, for a display that is read from afar.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from PIL import Image

from gnomon.games.tamsk.rules import BLACK, BOARD, PLAYERS, RED, Position, Tamsk
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.show import _moments as moments
from gnomon.games.tamsk.show._sentences import rings_left
from gnomon.referee.judgement import BUTTONS, NOT_ON_TURN, NOT_PUT_DOWN, NOTHING_TO_END, Phase, Temperament
from gnomon.referee.opponents import is_engines_turn
from gnomon.referee.rulings import Corrected, IllegalRuled, PenaltyRuled, QuestionAsked
from gnomon.refusals import render
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Instant, earliest
from gnomon.views import clock_faces, exercises, fonts, opponents, sentences
from gnomon.views.display import clock_oled, panes
from gnomon.views.display.panes import HEIGHT, MARGIN, SIZE, WIDTH
from gnomon.views.phrases import countdown_text, join_items, name, whole_seconds
from gnomon.views.sentences import BY_HAND
from gnomon.words import ENGLISH, Words, upper

_BODY = 11  # the first row under the headline
_DIGITS = (15, 25)  # of the 15-second countdown
_STROKE = 4
_BUTTONS = 2  # that answer a question
_ANSWERS = HEIGHT - _BUTTONS * fonts.PITCH - 2  # the first row of the answers


def screen(game: TamskGame, now: Instant, health: tuple[str, ...] = (), words: Words = ENGLISH) -> Image.Image:
    """The picture at board time `now`. `health`: short sentences."""
    image = Image.new("1", SIZE)
    notice = panes.notice(_notices(game, health, words), now)
    if game.outcome is not None and exercises.is_told(game):
        _draw_exercise(image, game, now, notice, words)
    elif (outcome := game.outcome) is not None:
        _draw_over(image, game, outcome, now, notice, words)
    elif game.paused_at is not None:
        _draw_paused(image, game, now, notice, words)
    else:
        _draw_play(image, game, now, notice, words)
    return image


def changes_at(game: TamskGame, now: Instant, health: tuple[str, ...] = ()) -> Instant | None:
    """The next board time after `now` at which the picture may differ by itself, or None if it stays."""
    turns = panes.notice_turns(_notices(game, health), now)
    turns = earliest([turns, clock_faces.changes_at(game, now), exercises.changes_at(game, now)])
    if not moments.is_running(game):
        return turns
    time = moments.game_time(game, now)
    seconds = (moments.next_second(glass, time) for glass in moments.glasses(game, now))
    first = earliest(seconds)
    return earliest([turns, None if first is None else game.board_time(first)])


def _draw_over(  # noqa: PLR0913, PLR0917 - a scene of the game, and in which words
    image: Image.Image, game: TamskGame, outcome: Outcome, now: Instant, notice: str | None, words: Words
) -> None:
    over = words("oled.over")
    _draw_headline(image, game, now, (over, words("oled.turns.other", number=len(game.plies)), over), notice)
    if outcome.winner:
        won = words("oled.tamsk.wins", player=name(outcome.winner, words).upper())
    else:
        won = words("oled.tamsk.void" if outcome.is_void else "oled.tamsk.draw")
    fonts.write(image, (MARGIN, _BODY + 1), won, scale=2 if fonts.width(won, 2) <= panes.ROOM else 1)
    position = moments.position(game, now)
    score, short = rings_left(game.rules.score(position), words), _tally(position, words)
    fonts.write(image, (MARGIN, _BODY + 18), score if fonts.width(score) <= panes.ROOM else short)
    reason = sentences.ending_reason(outcome.reason, Tamsk.name, words).text
    # A space below the score, unless every line is needed.
    needed = len(fonts.shorten(notice or reason, panes.ROOM, panes.TEXT_LINES))
    panes.text(image, [reason], notice, rows=max(panes.TEXT_LINES - 1, needed))


def _draw_paused(image: Image.Image, game: TamskGame, now: Instant, notice: str | None, words: Words) -> None:
    position = moments.position(game, now)
    _draw_headline(image, game, now, (words("oled.paused"), _tally(position, words), words("oled.paused")), notice)
    _draw_state(image, game, position, now, words)
    if game.judgement.repairs:
        step, steps = _step(game)
        head = words("oled.tamsk.repair", step=step, steps=steps)
        panes.text(image, [head, sentences.repair(game.judgement.repairs[0], words)], notice)
        return
    why = [ruling.why for ruling in game.rulings[-2:] if isinstance(ruling, Corrected) and ruling.why]
    first = upper(render(why[-1], words)) if why else words("oled.tamsk.to_move", player=name(_mover(game), words))
    if moments.awaits_correction(game):
        first = words("oled.tamsk.correct")
    panes.text(image, [first, words("oled.tamsk.resume")], notice)


def _draw_headline(
    image: Image.Image, game: TamskGame, now: Instant, said: tuple[str, str, str], notice: str | None
) -> None:
    """What is said on the left and on the right; with a match clock both its times, and between them what has room."""
    left, right, between = said
    halves = clock_faces.faces(game, now)
    if not halves:
        panes.headline(image, left, right, notice)
        return
    red, black = (f"{'►' if half.runs else ''}{half.text}{'!' if half.has_fallen else ''}" for half in halves)
    panes.headline(image, red, black, notice)
    wide, middle = fonts.width(between), WIDTH // 2
    if middle + wide // 2 + fonts.width(black) < WIDTH - 12 and middle - wide // 2 > fonts.width(red) + 6:
        fonts.write(image, (middle - wide // 2, 1), between, ink=0)


def _draw_question(image: Image.Image, game: TamskGame, notice: str | None, words: Words) -> None:
    """The question, and below it what each button answers."""
    panes.headline(image, words("oled.tamsk.question"), words("oled.tamsk.press"), notice)
    question = (
        sentences.brief(game.question.asked, Tamsk.name, words)
        if game.question
        else sentences.phase(game.judgement, Tamsk.name, words)
    )
    panes.lines(image, fonts.shorten(notice or question, panes.ROOM, panes.TEXT_LINES), _BODY)
    answers = moments.answers(game)
    if game.question is not None and game.question.by >= 0:
        _draw_pointing(image, answers[0], name(PLAYERS[game.question.by], words), words)
        return
    for number, answer in enumerate(answers[:_BUTTONS]):
        row = _ANSWERS + number * fonts.PITCH
        width = panes.tag(image, (0, row), name(answer.button, words))
        text = sentences.choice(answer.choice, words)
        if number + 1 == _BUTTONS and len(answers) > _BUTTONS:
            longer = words("oled.tamsk.more", choice=text)
            has_room = fonts.width(longer) <= WIDTH - width - 2  # beside the longest turn it has not
            text = longer if has_room else words("oled.tamsk.more.short", choice=text)
        fonts.write(image, (width + 2, row + 1), fonts.shorten(text, WIDTH - width - 2)[0])


def _draw_pointing(image: Image.Image, asked: moments.AnswerMoment, pointing: str, words: Words) -> None:
    """The glass that is asked about: one button agrees, the other one goes on to the next."""
    lines = (
        (name(asked.button, words), words("oled.tamsk.yes", choice=sentences.choice(asked.choice, words))),
        (pointing, words("oled.tamsk.other")),
    )
    for number, (button, text) in enumerate(lines):
        row = _ANSWERS + number * fonts.PITCH
        width = panes.tag(image, (0, row), button)
        fonts.write(image, (width + 2, row + 1), text)


def _draw_refusal(image: Image.Image, game: TamskGame, now: Instant, notice: str | None, words: Words) -> None:
    """Why not, and the next step of the repair; the 15 seconds go on and stay in sight."""
    judgement = game.judgement
    why = sentences.reason(opponents.judgement_told(game).code, Tamsk.name, words)
    left = _binding_seconds(game, now)
    rule = words("oled.rule", rule=why.rule) if why.rule else ""
    what = words("oled.put_right" if judgement.code == BY_HAND else "oled.not_allowed")
    what = exercises.headline(game, words) if judgement.code == BY_HAND and game.exercise is not None else what
    cited = f"{rule}  {left} s" if left is not None else rule
    panes.headline(image, what, clock_oled.line(game, now) if game.clock is not None else cited, notice)
    panes.lines(image, fonts.shorten(notice or why.text, panes.ROOM, panes.TEXT_LINES), _BODY - 1)
    if not judgement.repairs:
        return
    step, steps = _step(game)
    panes.tag(image, (0, panes.TEXT - 1), words("oled.step", step=step, steps=steps))
    image.paste(1, (0, panes.TEXT + fonts.LINE - 1, WIDTH, panes.TEXT + fonts.LINE))
    request = fonts.shorten(sentences.repair(judgement.repairs[0], words), panes.ROOM, panes.TEXT_LINES - 1)
    panes.lines(image, request, panes.TEXT + fonts.PITCH + 1)


def _draw_play(image: Image.Image, game: TamskGame, now: Instant, notice: str | None, words: Words) -> None:
    """What the referee makes of the board; what the players are told is one paragraph a line or more."""
    position = moments.position(game, now)
    match game.judgement.phase:
        case Phase.ASKING:
            _draw_question(image, game, notice, words)
        case Phase.WRONG:
            _draw_refusal(image, game, now, notice, words)
        case Phase.AGREED | Phase.IN_HAND | Phase.MAY_GO_ON | Phase.UNSETTLED if _is_for_engine(game):
            told = [opponents.brief_announcement(game, words), *opponents.next_steps(game, words)]
            _draw_turn(image, game, now, told, notice, words)
        case Phase.AGREED | Phase.IN_HAND if game.judgement.code in BUTTONS:
            _draw_turn(image, game, now, [sentences.phase(game.judgement, Tamsk.name, words)], notice, words)
        case Phase.AGREED if exercises.is_told(game):
            _draw_exercise(image, game, now, notice, words)
        case Phase.AGREED:
            _draw_turn(image, game, now, _told_before_a_turn(game, position, words), notice, words)
        case Phase.IN_HAND:
            _draw_turn(image, game, now, _told_in_hand(game, position, words), notice, words)
        case Phase.MAY_GO_ON:
            _draw_turn(image, game, now, _told_of_rings(game, position, words), notice, words)
        case Phase.UNSETTLED:
            _draw_turn(image, game, now, _told_to_go_on(game, words), notice, words)
        case _:
            assert_never(game.judgement.phase)


def _is_for_engine(game: TamskGame) -> bool:
    """Whether an engine is to act, or hands are to do something for it though a person is on turn."""
    return is_engines_turn(game) or game.announced is not None


def _draw_exercise(image: Image.Image, game: TamskGame, now: Instant, notice: str | None, words: Words) -> None:
    """What a lesson or a puzzle asks for, part by part, and what is said once it is done."""
    told = list(exercises.part_of_text(game, now, panes.ROOM, panes.TEXT_LINES, words))
    _draw_turn(image, game, now, told, notice, words)


def _draw_turn(  # noqa: PLR0913, PLR0917 - a scene of the game, and in which words
    image: Image.Image, game: TamskGame, now: Instant, told: list[str], notice: str | None, words: Words
) -> None:
    position = moments.position(game, now)
    tally = _tally(position, words)
    turn = words("oled.tamsk.turn", player=name(_mover(game), words))
    _draw_headline(image, game, now, (turn, tally, tally), notice)
    _draw_state(image, game, position, now, words)
    left = _binding_seconds(game, now)
    if left is not None:
        digits = f"{left:2d}"
        fonts.write_digits(image, (0, panes.TEXT + 1), digits, size=_DIGITS, stroke=_STROKE)
    panes.text(image, told, notice, left=0 if left is None else 2 * (_DIGITS[0] + _STROKE) + 2)


def _draw_state(image: Image.Image, game: TamskGame, position: Position, now: Instant, words: Words) -> None:
    """The glasses, or without time the rings in the holders."""
    if position.sands:
        present = _Present(moments.game_time(game, now), game.position.mover, moments.in_the_air(game))
        _draw_glasses(image, _BODY, position, present, words)
        return
    for player in (RED, BLACK):
        left = player * (WIDTH // 2)
        box = (left + 1, _BODY, left + WIDTH // 2 - 1, panes.TEXT - 2)
        on_turn = game.position.mover == player
        if on_turn:
            image.paste(1, box)
        ink = 0 if on_turn else 1
        fonts.write(image, (left + 5, _BODY + 4), name(PLAYERS[player], words), ink=ink)
        fonts.write(image, (left + 5, _BODY + 13), words("oled.tamsk.rings"), ink=ink)
        count = str(position.rings_left[player])
        fonts.write(image, (left + 58 - fonts.width(count, 2), _BODY + 5), count, ink=ink, scale=2)


def _told_in_hand(game: TamskGame, position: Position, words: Words) -> list[str]:
    lifted = moments.in_the_air(game)
    if len(lifted) > 1:
        spaces = join_items((BOARD.names[space] for space in lifted), words)
        return [words("oled.tamsk.in_hand.several", spaces=spaces), words("oled.tamsk.in_hand.back")]
    space = BOARD.names[lifted[0]] if lifted else words("oled.tamsk.a_glass")
    if game.temperament is Temperament.SILENT or not lifted:
        return [words("oled.tamsk.in_hand", space=space)]
    said = [words("oled.tamsk.in_hand.turn" if position.sands else "oled.tamsk.in_hand", space=space)]
    if moments.has_hints(game, Phase.IN_HAND):
        places = [BOARD.names[space] for space in moments.targets(game, position, lifted[0])]
        if places:
            return [*said, words("oled.tamsk.in_hand.to", spaces=", ".join(places))]
        return [words("oled.tamsk.in_hand.nowhere", space=space), words("oled.tamsk.in_hand.return")]
    return [*said, words("oled.tamsk.in_hand.next")]


def _told_of_rings(game: TamskGame, position: Position, words: Words) -> list[str]:
    turn, button = f"{game.judgement.origin}-{game.judgement.target}", sentences.button(_mover(game), words)
    if position.rings_left[game.position.mover] == 0:
        return [turn, words("oled.tamsk.ring.none", button=button)]
    if game.position.penalty:
        return [turn, words("oled.tamsk.ring.two", button=button)]
    if game.rules.settings.auto:
        return [turn, words("oled.tamsk.ring")]
    return [turn, words("oled.tamsk.ring.or", button=button)]


def _told_to_go_on(game: TamskGame, words: Words) -> list[str]:
    repairs = game.judgement.repairs
    return [sentences.repair(repairs[0], words)] if repairs else [words("oled.finish")]


def _told_before_a_turn(game: TamskGame, position: Position, words: Words) -> list[str]:
    # A question that was withdrawn says nothing any more.
    last = next((ruling for ruling in reversed(game.rulings) if not isinstance(ruling, QuestionAsked)), None)
    first = words("oled.tamsk.begins", player=name(PLAYERS[RED], words))
    said = [first if last is None else sentences.brief(last, Tamsk.name, words)]
    if game.rules.is_lined_up(game.position):
        return [words("oled.tamsk.lined_up")]
    if position.penalty and not isinstance(last, PenaltyRuled):
        return [*said, words("oled.tamsk.second", player=name(_mover(game), words))]
    if position.forgotten >= 0 and game.temperament is not Temperament.SILENT:
        return [*said, words("oled.tamsk.forgotten", space=BOARD.names[position.forgotten])]
    return said


def _mover(game: TamskGame) -> str:
    """The player on turn, until their turn is complete."""
    return PLAYERS[game.position.mover]


def _binding_seconds(game: TamskGame, now: Instant) -> int | None:
    """Whole seconds left to the player on turn by the 15-second glass, or None while it binds nobody (rule 20)."""
    timer = game.position.timer15
    if timer is None or timer.by_eye or not game.position.timer15_binds:
        return None
    return whole_seconds(timer.remaining(moments.game_time(game, now)))


def _step(game: TamskGame) -> tuple[int, int]:
    """Which step of the repair is next, and of how many: as many as the ruling asked for, or as there are now."""
    left = len(game.judgement.repairs)
    asked = (len(ruling.put_right) for ruling in reversed(game.rulings) if isinstance(ruling, IllegalRuled))
    ruled = 0 if game.judgement.code == BY_HAND else next(asked, 0)
    steps = max(ruled, left)
    return steps - left + 1, steps


def _tally(position: Position, words: Words) -> str:
    """The rings left, short: letters, for colours cannot be seen here."""
    return "  ".join(f"{_letter(player, words)} {position.rings_left[player]}" for player in (RED, BLACK))


def _letter(player: int, words: Words) -> str:
    """What stands for a player where a colour would be seen on a page."""
    return words(f"oled.tamsk.letter.{PLAYERS[player]}")


def _notices(game: TamskGame | None, health: tuple[str, ...], words: Words = ENGLISH) -> tuple[str, ...]:
    """What is wrong with the board itself; inputs that are not believed matter no more when the game is over."""
    return (
        health
        if game is None or game.outcome
        else (*health, *(sentences.quarantine(source, words) for source in game.quarantined))
    )


# The six glasses as bars

# Red is on the left, black on the right. The drawing needs no colour: the side stands on a tag beside its rows (light
# background for the player on turn), red sand is solid and black sand is checked. A word replaces the bar of a stopped
# glass, of one not yet turned (rule 11), and of one that the players watch themselves, since only they can tell how
# long it still runs. The name of a glass in the air and the last seconds have a light background.
_LAST_SECONDS: Final = 15
_ROWS: Final = 3
_ROW: Final = 8  # pixels from row to row

_COLUMN = 64
_TAG = 7
_SPACE = 9
_BAR = 21
_BAR_ROOM = 21
_BAR_HEIGHT = 5


class _Present(NamedTuple):
    """What the glasses themselves do not say: the game time, who is on turn, the spaces whose glass is in the air."""

    instant: Instant
    on_turn: int
    in_the_air: tuple[int, ...]


def _draw_glasses(image: Image.Image, top: int, position: Position, present: _Present, words: Words) -> None:
    """Draw the glasses of the position, their first row at `top`."""
    instant, on_turn, in_the_air = present
    for player in (RED, BLACK):
        _draw_side(image, (player * _COLUMN, top), player, words, on_turn=on_turn == player)
    for index, (space, glass) in enumerate(zip(position.glasses, position.sands, strict=True)):
        player, row = divmod(index, _ROWS)
        called = BOARD.names[space]
        at = (player * _COLUMN, top + row * _ROW)
        if space in in_the_air:
            image.paste(1, (at[0] + _SPACE - 1, at[1] - 1, at[0] + _SPACE + fonts.width(called) + 1, at[1] + _ROW - 1))
        fonts.write(image, (at[0] + _SPACE, at[1]), called, ink=0 if space in in_the_air else 1)
        if glass.by_eye and glass.is_running(instant):
            fonts.write(image, (at[0] + _BAR + 4, at[1]), words("oled.tamsk.runs"))
        elif glass.is_running(instant):
            _draw_sand(image, at, glass, instant, checked=player == BLACK)
        else:
            has_stopped = moments.has_stopped(position, index, instant)
            word = words("oled.tamsk.stopped" if has_stopped else "oled.tamsk.unturned")
            fonts.write(image, (at[0] + _COLUMN - 4 - fonts.width(word), at[1]), word)


def _draw_side(image: Image.Image, at: tuple[int, int], player: int, words: Words, *, on_turn: bool) -> None:
    left, top = at
    bottom = top + _ROWS * _ROW - 1
    image.paste(1, (left, top, left + _TAG, bottom))
    if not on_turn:
        image.paste(0, (left + 1, top + 1, left + _TAG - 1, bottom - 1))
    fonts.write(image, (left + 2, top + _ROW), _letter(player, words), ink=0 if on_turn else 1)


def _draw_sand(image: Image.Image, at: tuple[int, int], glass: SandGlass, instant: Instant, *, checked: bool) -> None:
    """The bar, as long as the whole seconds that are shown, and at the end of the row the time as on pages."""
    left, top = at
    seconds = whole_seconds(glass.remaining(instant))
    full = whole_seconds(max(glass.durations))
    length = max(1, -(-seconds * _BAR_ROOM // full))
    image.paste(1, (left + _BAR, top + 1), _bar(length, checked=checked))
    digits = countdown_text(seconds)
    start = left + _COLUMN - 4 - fonts.width(digits)
    last = seconds <= _LAST_SECONDS
    if last:
        image.paste(1, (start - 1, top - 1, left + _COLUMN - 3, top + _ROW - 1))
    fonts.write(image, (start, top), digits, ink=0 if last else 1)


@lru_cache(maxsize=64)
def _bar(length: int, *, checked: bool) -> Image.Image:
    """A bar as a mask; to be read only."""
    mask = Image.new("1", (length, _BAR_HEIGHT), 1)
    if checked:
        for row in range(_BAR_HEIGHT):
            for column in range(row % 2, length, 2):
                mask.putpixel((column, row), 0)
    return mask


# In large letters

_LARGE_BUTTONS: Final = {NOTHING_TO_END: "no_move", NOT_PUT_DOWN: "put_down", NOT_ON_TURN: "not_on_turn"}


def large_play(game: TamskGame, now: Instant, step: Sequence[str], words: Words) -> tuple[str, str, Sequence[str]]:
    """The headline, what hurries most, and what is told below, while the game goes on; `step`: of a repair."""
    times = [clock_oled.line(game, now)] if game.clock is not None else []
    if told := step or _next(game, words):
        told = [*told, *times]
    else:
        told = [*(times or [words("oled.tamsk.large.left")]), *large_rings(game, words)]
    return name(PLAYERS[game.position.mover], words), _hurry(game, now), told


def large_rings(game: TamskGame, words: Words) -> Sequence[str]:
    """The rings that are left, in a line."""
    red, black = game.position.rings_left
    return [f"{_letter(RED, words)} {red}  {_letter(BLACK, words)} {black}"]


def large_choices(game: TamskGame, words: Words) -> Sequence[str]:
    """The answers to a question, each with its button."""
    letters = {player: _letter(side, words) for side, player in enumerate(PLAYERS)} | {"": ""}
    return [f"{letters[each.button]}: {sentences.choice(each.choice, words)}" for each in moments.answers(game)]


def _hurry(game: TamskGame, now: Instant) -> str:
    """What hurries most: the 15 seconds, or else the least sand of the player on turn; empty without sand."""
    time, position = moments.game_time(game, now), moments.position(game, now)
    timer = position.timer15
    if timer is not None and game.position.timer15_binds and not timer.by_eye:
        return countdown_text(whole_seconds(timer.remaining(time)))
    own = range(3 * game.position.mover, 3 * game.position.mover + 3) if position.sands else ()
    left = [position.sands[glass] for glass in own if position.sands[glass].is_running(time)]
    known = [sand.remaining(time) for sand in left if not sand.by_eye]
    return countdown_text(whole_seconds(min(known))) if known else ""


def _next(game: TamskGame, words: Words) -> Sequence[str]:
    """What comes next in a turn that has begun; nothing before it."""
    judgement = game.judgement
    if judgement.code in BUTTONS:
        return [words(f"oled.tamsk.large.{_LARGE_BUTTONS[judgement.code]}")]
    match judgement.phase:
        case Phase.IN_HAND:
            return [_large_in_hand(game, words)]
        case Phase.MAY_GO_ON:
            return _large_of_rings(game, words)
        case Phase.UNSETTLED:
            return [words("oled.finish")]
        case Phase.AGREED | Phase.WRONG | Phase.ASKING:
            return []
        case _:
            assert_never(judgement.phase)


def _large_in_hand(game: TamskGame, words: Words) -> str:
    """What is in hand, or that it has to go back."""
    lifted = moments.in_the_air(game)
    spaces = ", ".join(BOARD.names[space] for space in lifted)
    if len(lifted) > 1:
        return words("oled.tamsk.large.several", spaces=spaces)
    if lifted and moments.has_hints(game, Phase.IN_HAND) and not moments.targets(game, game.position, lifted[0]):
        return words("oled.tamsk.large.nowhere", space=spaces)
    return words("oled.tamsk.large.in_hand", spaces=spaces)


def _large_of_rings(game: TamskGame, words: Words) -> Sequence[str]:
    """Whether a ring may fall or has to, and whether the button ends the turn instead."""
    if game.position.rings_left[game.position.mover] == 0:
        return [words("oled.tamsk.large.no_ring"), words("oled.tamsk.large.press")]
    ring = words("oled.tamsk.large.ring", space=game.judgement.target)
    if game.rules.settings.auto and not game.position.penalty:
        return [ring]
    return [ring, words("oled.tamsk.large.button")]
