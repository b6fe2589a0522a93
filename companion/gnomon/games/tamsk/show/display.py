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
from gnomon.games.tamsk.show import moments
from gnomon.games.tamsk.show.sentences import rings_left
from gnomon.referee.judgement import BUTTONS, NOT_ON_TURN, NOT_PUT_DOWN, NOTHING_TO_END, Phase, Temperament
from gnomon.referee.rulings import Corrected, IllegalRuled, PenaltyRuled, QuestionAsked
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Instant, earliest
from gnomon.views import clock_faces, clock_oled, fonts, panes, sentences
from gnomon.views.panes import HEIGHT, MARGIN, SIZE, WIDTH
from gnomon.views.sentences import BY_HAND
from gnomon.views.wording import countdown_text, name, whole_seconds

_BODY = 11  # the first row under the headline
_DIGITS = (15, 25)  # of the 15-second countdown
_STROKE = 4
_BUTTONS = 2  # that answer a question
_ANSWERS = HEIGHT - _BUTTONS * fonts.PITCH - 2  # the first row of the answers


def screen(game: TamskGame, now: Instant, health: tuple[str, ...] = ()) -> Image.Image:
    """The picture at board time `now`. `health`: short sentences."""
    image = Image.new("1", SIZE)
    notice = panes.notice(_notices(game, health), now)
    if (outcome := game.outcome) is not None:
        _draw_over(image, game, outcome, now, notice)
    elif game.paused_at is not None:
        _draw_paused(image, game, now, notice)
    else:
        _draw_play(image, game, now, notice)
    return image


def changes_at(game: TamskGame, now: Instant, health: tuple[str, ...] = ()) -> Instant | None:
    """The next board time after `now` at which the picture may differ by itself, or None if it stays."""
    turns = panes.notice_turns(_notices(game, health), now)
    turns = earliest([turns, clock_faces.changes_at(game, now)])
    if not moments.is_running(game):
        return turns
    time = moments.game_time(game, now)
    seconds = (moments.next_second(glass, time) for glass in moments.glasses(game, now))
    first = earliest(seconds)
    return earliest([turns, None if first is None else game.board_time(first)])


def _draw_over(image: Image.Image, game: TamskGame, outcome: Outcome, now: Instant, notice: str | None) -> None:
    _draw_headline(image, game, now, ("Game over", f"{len(game.plies)} turns", "Game over"), notice)
    winner = f"{outcome.winner.upper()} WINS" if outcome.winner else "NO RESULT" if outcome.is_void else "A DRAW"
    fonts.write(image, (MARGIN, _BODY + 1), winner, scale=2)
    score = rings_left(game.rules.score(moments.position(game, now)))
    fonts.write(image, (MARGIN, _BODY + 18), score)
    reason = sentences.ending(outcome.reason, Tamsk.name).text
    # A space below the score, unless every line is needed.
    needed = len(fonts.shortened(notice or reason, panes.ROOM, panes.TEXT_LINES))
    panes.text(image, [reason], notice, rows=max(panes.TEXT_LINES - 1, needed))


def _draw_paused(image: Image.Image, game: TamskGame, now: Instant, notice: str | None) -> None:
    position = moments.position(game, now)
    _draw_headline(image, game, now, ("PAUSED", _tally(position), "PAUSED"), notice)
    _draw_state(image, game, position, now)
    if game.judgement.repairs:
        step, steps = _step(game)
        panes.text(image, [f"Put right, {step} of {steps}:", sentences.repair(game.judgement.repairs[0])], notice)
        return
    why = [ruling.why for ruling in game.rulings[-2:] if isinstance(ruling, Corrected) and ruling.why]
    first = why[-1] if why else f"{name(_mover(game))} is to move."
    panes.text(image, [first, "The arbiter button resumes."], notice)


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


def _draw_question(image: Image.Image, game: TamskGame, notice: str | None) -> None:
    """The question, and below it what each button answers."""
    panes.headline(image, "Question", "Press a button", notice)
    question = (
        sentences.brief(game.question.asked, Tamsk.name)
        if game.question
        else sentences.phase(game.judgement, Tamsk.name)
    )
    panes.lines(image, fonts.shortened(notice or question, panes.ROOM, panes.TEXT_LINES), _BODY)
    answers = moments.answers(game)
    if game.question is not None and game.question.by >= 0:
        _draw_pointing(image, answers[0], name(PLAYERS[game.question.by]))
        return
    for number, answer in enumerate(answers[:_BUTTONS]):
        row = _ANSWERS + number * fonts.PITCH
        width = panes.tag(image, (0, row), name(answer.button))
        more = "" if number + 1 < _BUTTONS or len(answers) == _BUTTONS else " (more: page)"
        text = f"{sentences.choice(answer.choice)}{more}"
        if fonts.width(text) > WIDTH - width - 2:
            text = text.replace(": page", "")  # beside the longest turn
        fonts.write(image, (width + 2, row + 1), fonts.shortened(text, WIDTH - width - 2)[0])


def _draw_pointing(image: Image.Image, asked: moments.Answer, pointing: str) -> None:
    """The glass that is asked about: one button agrees, the other one goes on to the next."""
    lines = (
        (name(asked.button), f"Yes: {sentences.choice(asked.choice)}"),
        (pointing, "No, another one"),
    )
    for number, (button, text) in enumerate(lines):
        row = _ANSWERS + number * fonts.PITCH
        width = panes.tag(image, (0, row), button)
        fonts.write(image, (width + 2, row + 1), text)


def _draw_refusal(image: Image.Image, game: TamskGame, now: Instant, notice: str | None) -> None:
    """Why not, and the next step of the repair; the 15 seconds go on and stay in sight."""
    judgement = game.judgement
    why = sentences.reason(judgement.code, Tamsk.name)
    left = _binding_seconds(game, now)
    rule = f"Rule {why.rule}" if why.rule else ""
    what = "Put right" if judgement.code == BY_HAND else "Not allowed"
    cited = f"{rule}  {left} s" if left is not None else rule
    panes.headline(image, what, clock_oled.line(game, now) if game.clock is not None else cited, notice)
    panes.lines(image, fonts.shortened(notice or why.text, panes.ROOM, panes.TEXT_LINES), _BODY - 1)
    if not judgement.repairs:
        return
    step, steps = _step(game)
    panes.tag(image, (0, panes.TEXT - 1), f"{step} of {steps}")
    image.paste(1, (0, panes.TEXT + fonts.LINE - 1, WIDTH, panes.TEXT + fonts.LINE))
    request = fonts.shortened(sentences.repair(judgement.repairs[0]), panes.ROOM, panes.TEXT_LINES - 1)
    panes.lines(image, request, panes.TEXT + fonts.PITCH + 1)


def _draw_play(image: Image.Image, game: TamskGame, now: Instant, notice: str | None) -> None:
    """What the referee makes of the board; what the players are told is one paragraph a line or more."""
    position = moments.position(game, now)
    match game.judgement.phase:
        case Phase.ASKING:
            _draw_question(image, game, notice)
        case Phase.WRONG:
            _draw_refusal(image, game, now, notice)
        case Phase.AGREED | Phase.IN_HAND if game.judgement.code in BUTTONS:
            _draw_turn(image, game, now, [sentences.phase(game.judgement, Tamsk.name)], notice)
        case Phase.AGREED:
            _draw_turn(image, game, now, _told_before_a_turn(game, position), notice)
        case Phase.IN_HAND:
            _draw_turn(image, game, now, _told_in_hand(game, position), notice)
        case Phase.MAY_GO_ON:
            _draw_turn(image, game, now, _told_of_rings(game, position), notice)
        case Phase.UNSETTLED:
            _draw_turn(image, game, now, _told_to_go_on(game), notice)
        case _:
            assert_never(game.judgement.phase)


def _draw_turn(image: Image.Image, game: TamskGame, now: Instant, told: list[str], notice: str | None) -> None:
    position = moments.position(game, now)
    tally = _tally(position)
    _draw_headline(image, game, now, (f"{name(_mover(game))}'s turn", tally, tally), notice)
    _draw_state(image, game, position, now)
    left = _binding_seconds(game, now)
    if left is not None:
        digits = f"{left:2d}"
        fonts.write_digits(image, (0, panes.TEXT + 1), digits, size=_DIGITS, stroke=_STROKE)
    panes.text(image, told, notice, left=0 if left is None else 2 * (_DIGITS[0] + _STROKE) + 2)


def _draw_state(image: Image.Image, game: TamskGame, position: Position, now: Instant) -> None:
    """The glasses, or without time the rings in the holders."""
    if position.sands:
        present = _Present(moments.game_time(game, now), game.position.mover, moments.in_the_air(game))
        _draw_glasses(image, _BODY, position, present)
        return
    for player in (RED, BLACK):
        left = player * (WIDTH // 2)
        box = (left + 1, _BODY, left + WIDTH // 2 - 1, panes.TEXT - 2)
        on_turn = game.position.mover == player
        if on_turn:
            image.paste(1, box)
        ink = 0 if on_turn else 1
        fonts.write(image, (left + 5, _BODY + 4), name(PLAYERS[player]), ink=ink)
        fonts.write(image, (left + 5, _BODY + 13), "rings", ink=ink)
        count = str(position.rings_left[player])
        fonts.write(image, (left + 58 - fonts.width(count, 2), _BODY + 5), count, ink=ink, scale=2)


def _told_in_hand(game: TamskGame, position: Position) -> list[str]:
    lifted = moments.in_the_air(game)
    if len(lifted) > 1:
        return [f"{' and '.join(BOARD.names[space] for space in lifted)} in hand:", "put one back."]
    name = BOARD.names[lifted[0]] if lifted else "A glass"
    if game.temperament is Temperament.SILENT or not lifted:
        return [f"{name} in hand."]
    said = [f"{name} in hand{': turn it over.' if position.sands else '.'}"]
    if moments.has_hints(game, Phase.IN_HAND):
        places = [BOARD.names[space] for space in moments.targets(game, position, lifted[0])]
        return [*said, f"To {', '.join(places)}"] if places else [f"{name} has nowhere to go:", "put it back."]
    return [*said, "Put it on a space next to it."]


def _told_of_rings(game: TamskGame, position: Position) -> list[str]:
    turn, button = f"{game.judgement.origin}-{game.judgement.target}", sentences.button(_mover(game))
    if position.rings_left[game.position.mover] == 0:
        return [turn, f"No ring left: press {button}."]
    if game.position.penalty:
        return [turn, f"Drop a ring, and a second anywhere, or press {button}."]
    if game.rules.settings.auto:
        return [turn, "Drop a ring there."]
    return [turn, f"Drop a ring there, or press {button}."]


def _told_to_go_on(game: TamskGame) -> list[str]:
    repairs = game.judgement.repairs
    return [sentences.repair(repairs[0])] if repairs else ["Finish the move."]


def _told_before_a_turn(game: TamskGame, position: Position) -> list[str]:
    # A question that was withdrawn says nothing any more.
    last = next((ruling for ruling in reversed(game.rulings) if not isinstance(ruling, QuestionAsked)), None)
    said = [f"{name(PLAYERS[RED])} begins." if last is None else sentences.brief(last, Tamsk.name)]
    if game.rules.is_lined_up(game.position):
        return ["Equal rings: the owner of the glass that stops last wins."]
    if position.penalty and not isinstance(last, PenaltyRuled):
        return [*said, f"{name(_mover(game))} may drop a second ring."]
    if position.forgotten >= 0 and game.temperament is not Temperament.SILENT:
        return [*said, f"A ring may still fall on {BOARD.names[position.forgotten]}."]
    return said


def _mover(game: TamskGame) -> str:
    """The player on turn, until his turn is complete."""
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


def _tally(position: Position) -> str:
    """The rings left, short: letters, for colours cannot be seen here."""
    return "  ".join(f"{PLAYERS[player][0].upper()} {position.rings_left[player]}" for player in (RED, BLACK))


def _notices(game: TamskGame | None, health: tuple[str, ...]) -> tuple[str, ...]:
    """What is wrong with the board itself; inputs that are not believed matter no more when the game is over."""
    return health if game is None or game.outcome else (*health, *map(sentences.quarantine, game.quarantined))


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


def _draw_glasses(image: Image.Image, top: int, position: Position, present: _Present) -> None:
    """Draw the glasses of the position, their first row at `top`."""
    instant, on_turn, in_the_air = present
    for player in (RED, BLACK):
        _draw_side(image, (player * _COLUMN, top), player, on_turn=on_turn == player)
    for index, (space, glass) in enumerate(zip(position.glasses, position.sands, strict=True)):
        player, row = divmod(index, _ROWS)
        called = BOARD.names[space]
        at = (player * _COLUMN, top + row * _ROW)
        if space in in_the_air:
            image.paste(1, (at[0] + _SPACE - 1, at[1] - 1, at[0] + _SPACE + fonts.width(called) + 1, at[1] + _ROW - 1))
        fonts.write(image, (at[0] + _SPACE, at[1]), called, ink=0 if space in in_the_air else 1)
        if glass.by_eye and glass.is_running(instant):
            fonts.write(image, (at[0] + _BAR + 4, at[1]), "runs")
        elif glass.is_running(instant):
            _draw_sand(image, at, glass, instant, checked=player == BLACK)
        else:
            word = "stopped" if moments.has_stopped(position, index, instant) else "unturned"
            fonts.write(image, (at[0] + _COLUMN - 4 - fonts.width(word), at[1]), word)


def _draw_side(image: Image.Image, at: tuple[int, int], player: int, *, on_turn: bool) -> None:
    left, top = at
    bottom = top + _ROWS * _ROW - 1
    image.paste(1, (left, top, left + _TAG, bottom))
    if not on_turn:
        image.paste(0, (left + 1, top + 1, left + _TAG - 1, bottom - 1))
    fonts.write(image, (left + 2, top + _ROW), PLAYERS[player][0].upper(), ink=0 if on_turn else 1)


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

_LARGE_BUTTONS: Final = {NOTHING_TO_END: "No move yet.", NOT_PUT_DOWN: "Put it down.", NOT_ON_TURN: "Not your turn."}


def large_play(game: TamskGame, now: Instant, step: Sequence[str]) -> tuple[str, str, Sequence[str]]:
    """The headline, what hurries most, and what is told below, while the game goes on; `step`: of a repair."""
    return name(PLAYERS[game.position.mover]), _hurry(game, now), step or _next(game)


def large_rings(game: TamskGame) -> Sequence[str]:
    """The rings that are left, in a line."""
    red, black = game.position.rings_left
    return [f"R {red}  B {black}"]


def large_choices(game: TamskGame) -> Sequence[str]:
    """The answers to a question, each with its button."""
    return [f"{each.button[:1].upper()}: {sentences.choice(each.choice)}" for each in moments.answers(game)]


def _hurry(game: TamskGame, now: Instant) -> str:
    """What hurries most: the 15 seconds, the clock, or the least sand of the player on turn; empty without time."""
    time, position = moments.game_time(game, now), moments.position(game, now)
    timer = position.timer15
    if timer is not None and game.position.timer15_binds and not timer.by_eye:
        return countdown_text(whole_seconds(timer.remaining(time)))
    own = range(3 * game.position.mover, 3 * game.position.mover + 3) if position.sands else ()
    left = [position.sands[glass] for glass in own if position.sands[glass].is_running(time)]
    known = [sand.remaining(time) for sand in left if not sand.by_eye]
    return countdown_text(whole_seconds(min(known))) if known else ""


def _next(game: TamskGame) -> Sequence[str]:
    judgement = game.judgement
    if judgement.code in BUTTONS:
        return [_LARGE_BUTTONS[judgement.code]]
    match judgement.phase:
        case Phase.IN_HAND:
            lifted = ", ".join(BOARD.names[space] for space in moments.in_the_air(game))
            return [f"{lifted} in hand"]
        case Phase.MAY_GO_ON:
            return [f"Ring on {judgement.target}", "or button"]
        case Phase.UNSETTLED:
            return ["Finish the move."]
        case Phase.AGREED | Phase.WRONG | Phase.ASKING:
            return ["Rings left", *large_rings(game)]
        case _:
            assert_never(judgement.phase)
