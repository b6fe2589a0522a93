"""Record the players' confirmations of a result, by the press of their own buttons at the board.

Where each player has a button it is that one; of two that sit beside a clock the left and the right one; at a table
whose buttons all share, PREVIOUS is the first player's and NEXT the second's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from gnomon.records.journal.entries import EntryKind, Record
from gnomon.records.journal.event_codec import NOTE
from gnomon.records.journal.store import JournalError
from gnomon.referee.game import Game
from gnomon.referee.player_roles import teams
from gnomon.referee.rulings import GameOver
from gnomon.referee.table import CLOCK_BUTTONS, NEXT, PREVIOUS
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.runtime.scanner import InputEdge

CONFIRMED: Final = "confirmed"
"""What the remark says of a player who has confirmed."""
CALM: Final = 2 * SECOND
"""After the end of a game: a press, and its bounce, may have been meant for the game."""

_PART: Final = "result"  # of the machine's health, where it is shown to those at the board
_ENDED: Final = ("ruling", "over")

End = tuple[Instant, int]
"""The raw instant of a game's board time 0, and how often it has ended: what is confirmed is one of its ends."""


class Confirmations:
    """The confirmations of the game at the board; everything here happens in the daemon's loop."""

    def __init__(self, runner: Runner, health: Health, read: Callable[[int], Sequence[Record]]) -> None:
        """`read` gives the entries of a game, for what was confirmed before the daemon was started again."""
        self._runner = runner
        self._health = health
        self._read = read
        self._end: End | None = None
        self._confirmed: tuple[str, ...] = ()
        self._pressed: tuple[str, ...] = ()  # those whose press is written down or is being so
        self._has_looked = False
        runner.on_edge(self._on_edge)
        runner.on_change(self._look)
        self._look()  # the game may be there already, over and waiting

    @property
    def confirmed(self) -> tuple[str, ...]:
        """The players who have confirmed the end of the game that is shown."""
        return self._confirmed

    def _look(self) -> None:
        """See whether a game has ended, or goes on after all, and tell those at the board what is to be done."""
        game = self._runner.shown
        if game is None:
            return
        end = _end_of(game, self._runner.shown_origin)
        if end != self._end:
            is_from_before = end is not None and not self._has_looked
            self._end, self._confirmed = end, self._load() if is_from_before else ()
            self._pressed = self._confirmed
            self._tell(game)
        self._has_looked = True

    def _load(self) -> tuple[str, ...]:
        try:
            return confirmed_players(self._read(self._runner.shown_number))
        except JournalError:
            return ()  # they may confirm again

    def _on_edge(self, edge: InputEdge) -> None:
        live_game = self._runner.live_game
        if (
            not edge.value
            or self._end is None
            or live_game is None
            or self._end != _end_of(live_game.game, live_game.origin)
        ):
            return
        over = next(ruling.at for ruling in reversed(live_game.game.rulings) if isinstance(ruling, GameOver))
        if edge.stamp < live_game.raw(over) + CALM:
            return
        buttons = own_buttons(live_game.game, self._runner.host.buttons)
        for player in buttons.get(edge.input, ()):
            if player not in self._pressed:
                self._pressed = (*self._pressed, player)
                receipt = self._runner.remark({NOTE: CONFIRMED, "player": player})
                self._runner.when_durable(receipt, partial(self._written_down, live_game.game, self._end, player))

    def _written_down(self, game: Game, end: End, player: str, durable: bool) -> None:  # noqa: FBT001 - as it is called
        """What was pressed is in the journal, or cannot be written now; then it may be pressed again."""
        if end != self._end:
            return
        if not durable:
            self._pressed = tuple(other for other in self._pressed if other != player)
            return
        self._confirmed = (*self._confirmed, player)
        self._tell(game)

    def _tell(self, game: Game) -> None:
        buttons = own_buttons(game, self._runner.host.buttons)
        missing = [player for team in buttons.values() for player in team if player not in self._confirmed]
        if self._end is None or not buttons:
            self._health.well(_PART)
        elif not missing:
            self._health.wrong(_PART, statement("health.result.confirmed"), Audience.ALWAYS)
        elif PREVIOUS in buttons:
            self._health.wrong(_PART, statement("health.result.shared", players=missing), Audience.ALWAYS)
        else:
            self._health.wrong(_PART, statement("health.result.own", players=missing), Audience.ALWAYS)


def own_buttons(game: Game, buttons: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """For whom each button confirms; none where a game has more than two sides, or the board too few buttons."""
    players = game.rules.players
    own = {f"button.{player}": (player,) for player in players}
    if own.keys() <= set(buttons):
        return own
    pair = next((pair for pair in (CLOCK_BUTTONS, (PREVIOUS, NEXT)) if set(pair) <= set(buttons)), ())
    try:
        return dict(zip(pair, teams(game.rules), strict=False))
    except SettingsError:
        return {}


def confirmed_players(records: Iterable[Record]) -> tuple[str, ...]:
    """Who has confirmed a game since it ended last."""
    confirmed: list[str] = []
    for entry in (record.entry for record in records):
        if entry.kind is EntryKind.RULING and _ENDED in entry.body.items():
            confirmed.clear()
        elif entry.kind is EntryKind.NOTE and entry.body.get(NOTE) == CONFIRMED:
            confirmed.append(str(entry.body.get("player")))
    return tuple(confirmed)


def _end_of(game: Game, origin: Instant) -> End | None:
    if game.outcome is None:
        return None
    return origin, sum(isinstance(ruling, GameOver) for ruling in game.rulings)
