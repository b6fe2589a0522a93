"""Make score sheets of random games, of every game of the registry."""

import random
from collections.abc import Mapping

from gnomon.games.tamsk.rules import Tamsk
from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.sheets import Sheet, SheetLine, settings_text
from gnomon.rules.protocol import Outcome
from gnomon.rules.registry import GAMES, rules_of
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.simulated.players.game_script import Score, TimedTurn, random_score
from gnomon_pi.simulated.players.player_timing import Habits

LONGEST = 120  # lines of one sheet

SETTINGS: Mapping[str, list[dict[str, object]]] = {
    "tamsk": [{"level": 2}, {"level": 3}, {"level": 3, "late": "skip_turn", "ring": "auto"}],
    "tabik": [{"size": 3}],
    "tau": [{"limit": 70}, {"rows": 3, "columns": 4}],
}
CASES = [(game, settings) for game in GAMES for settings in [{}, *SETTINGS.get(game, [])]]

PRESSED = Habits(turns_timer15=0.8, loses_turn=0.2, comes_late=0.4, cuts_it_fine=0.5)


def random_sheet(game: str, settings: Mapping[str, object], seed: int) -> Sheet:
    """A random game: every move of it, nature's too, with time passing now and then, to its end or for a while."""
    chance = random.Random(seed)
    rules = rules_of(game, settings)
    position, now = rules.start(), Instant(0)
    lines: list[SheetLine] = []
    while (moves := rules.legal_moves(position)) and len(lines) < LONGEST:
        if chance.random() < 0.4:
            now = Instant(now + chance.randrange(9 * SECOND))
            position = rules.elapse(position, now)
            continue
        move = chance.choice(moves)
        # To turn the timer is the only move that is not of the player on turn.
        player = rules.turn(position) if rules.text(position, move) != "flip15" else ""
        lines.append(SheetLine(rules.text(position, move), player, now))
        position = rules.play(position, move)
    return Sheet(game, settings_text(settings), result=rules.outcome(position), lines=tuple(lines))


def timed_sheet(rules: Tamsk, seed: int, *, habits: Habits = PRESSED, turns: int = 80) -> tuple[Sheet, Score]:
    """A game of TAMSK by hands at a table, with all its instants; and what the hands did."""
    score = random_score(rules, random.Random(seed), habits, turns=turns)
    lines: list[SheetLine] = []
    for turn in score:
        lines += lines_of(turn, lines[-1].at if lines else None)
    settings = rules.settings
    said = {"level": settings.level, "ring": settings.ring, "late": settings.late, "stall": settings.stall}
    return Sheet("tamsk", settings_text(said), lines=tuple(lines)), score


def lines_of(turn: TimedTurn, before: Instant | None) -> list[SheetLine]:
    """The lines of one turn, the 15-second glass that was turned in it first."""
    # A turn is lost at the instant after the one at which the glass is empty: until then a lift is in time (rule 17).
    # One that is sat out (rule 21) is lost at once.
    sat_out = before is not None and turn.at <= before
    at = Instant(max(before or 0, turn.at + (turn.text == "lost" and not sat_out)))
    line = SheetLine(turn.text, turn.player, at, turn.lifted, turn.placed)
    if turn.timer15 is None:
        return [line]
    return [SheetLine("flip15", {"red": "black", "black": "red"}[turn.player], turn.timer15), line]


def with_result(sheet: Sheet, outcome: Outcome | None) -> Sheet:
    """The sheet with a result."""
    return Sheet(sheet.game, sheet.settings, sheet.players, sheet.headers, outcome, sheet.lines, sheet.remarks)


def last_position(sheet: Sheet) -> object:
    """The position after the last line of a sheet."""
    return list(steps(sheet))[-1].position
