"""Play games on a board behind the kernel's wires, at human speed and with bounce."""

import time
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Final

from gnomon.games.tamsk import KIND
from gnomon.games.tamsk.rules import Tamsk
from gnomon.referee.events import InputChanged
from gnomon.referee.evidence import Sensing
from gnomon.referee.game import Game
from gnomon.timekeeping.instants import Instant
from gnomon_pi.simulated._table import TamskTable
from gnomon_pi.simulated.autoplay import PACES
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.game_script import random_score
from gnomon_pi.simulated.players.hands import edges, play
from gnomon_pi.simulated.players.player_timing import TableHabits
from gnomon_pi.simulated.players.table_hands import MANY, PlayingManner, _Hands
from tests.near_real.guest.board_end import BoardEnd

# Whether an act a few microseconds before a deadline counts hangs on the scan that sees it: no story may.
TAMSK_HABITS: Final = replace(PACES["fast"].habits, cuts_it_fine=0.0)
NOISE: Final = Noise(bounces=1.0)
BY_BUTTONS: Final = PlayingManner(replace(PACES["fast"].table, picks=1.0, reads=0.0), noise=NOISE)
BY_BUTTONS_AND_TAGS: Final = PlayingManner(TableHabits(picks=1.0, reads=1.0), noise=NOISE)
WATCHED_ON: Final = 12.0  # seconds: until the last change is evidence and shown; the end of a game takes 5 s and more

Turns = list[tuple[str, str]]


def sensing(end: BoardEnd) -> Sensing:
    """What the sensors of the board tell."""
    return Sensing(KIND.single_places(end.description.inputs))


def set_out_tamsk(end: BoardEnd, level: int) -> None:
    """Set glasses and rings out for a level."""
    table = TamskTable.set_out(level, sensing(end))
    for name, value in table.inputs().items():
        end.set_input(name, value=bool(value))


def play_tamsk(end: BoardEnd, level: int, seed: int, turns: int = MANY) -> Turns:
    """Play a random game of TAMSK from its start; who made which turn."""
    random = Random(seed)
    score = random_score(Tamsk.from_settings({"level": level}), random, TAMSK_HABITS, turns=turns)
    table = TamskTable.set_out(level, sensing(end))
    strokes = play(score, random, level=level, table=table, habits=TAMSK_HABITS, noise=NOISE)
    _touch(end, edges(strokes))
    return [(turn.player, turn.text) for turn in score]


def play_by_buttons(end: BoardEnd, game: Game, seed: int, moves: int = MANY) -> Turns:
    """Play a random game at a table, every choice and every draw picked with the buttons; who made which move."""
    handled = _Fingers(game, Random(seed), Instant(0), BY_BUTTONS).play(moves)
    _touch(end, (deed for deed in handled.deeds if isinstance(deed, InputChanged)))
    return [(move.player, move.text) for move in handled.score]


class _Fingers(_Hands):
    """Hands that pick with the buttons what others enter on the page."""

    def _draw(self, text: str) -> None:
        self._pick(replace(self._game, position=self._position).texts(), text, self._chooser)


def _touch(end: BoardEnd, changes: Iterable[InputChanged]) -> None:
    """Let raw edges happen, each at its time from now on."""
    began = time.monotonic()
    for change in changes:
        pause = began + change.at / 1_000_000 - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        end.set_input(change.input, value=change.value)
    time.sleep(WATCHED_ON)
