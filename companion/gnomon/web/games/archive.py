"""Find recorded games by their players, game, result, date and words."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.records.journal.entries import StoredGame
from gnomon.rules.protocol import Outcome

DECIDED: Final = "decided"
DRAWN: Final = "drawn"
GOING_ON: Final = "going-on"
VOID: Final = "void"
CUT_OFF: Final = "cut-off"
RESULTS: Final = (DECIDED, DRAWN, VOID, GOING_ON, CUT_OFF)

_DRAW: Final = "draw"


def format_wall(wall: str) -> str:
    """A date and time of day for people; a dash where an imported game does not say when it was played."""
    return wall[:16].replace("T", " ") if wall[:1].isdigit() else "–"


class ArchivedGame(NamedTuple):
    """A written game and how it ended, None while it goes on.

    `is_cut_off`: its end was lost with a damaged journal, and nobody has gone on with it.
    """

    stored: StoredGame
    outcome: Outcome | None
    is_cut_off: bool = False

    @property
    def began(self) -> str:
        """The date and time of day, as labels of the board's clock: `2026-11-20 10:30`."""
        return format_wall(self.stored.start.wall)


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games are looked for; empty: all."""

    text: str = ""
    player: str = ""
    game: str = ""
    result: str = ""
    since: str = ""
    until: str = ""

    def fits(self, game: ArchivedGame) -> bool:
        """Whether a game is among those looked for."""
        start = game.stored.start
        day = start.wall[:10]
        return (
            self.game in ("", start.game)
            and self.result in ("", _result(game))
            and (not self.since or self.since <= day)
            and (not self.until or day <= self.until)
            and _fold(self.player) in _fold(" \n".join(game.stored.players.values()))
            and all(word in _text(game) for word in _fold(self.text).split())
        )


def outcome_of(ending: Mapping[str, object]) -> Outcome:
    """How a game ended, by what the journal says of it; a reason that it does not say is empty."""
    winner, reason = (str(ending.get(key, "")) for key in ("winner", "reason"))
    return Outcome(None if winner == _DRAW else winner, reason)


def _result(game: ArchivedGame) -> str:
    if game.outcome is None:
        return CUT_OFF if game.is_cut_off else GOING_ON
    if game.outcome.is_void:
        return VOID
    return DRAWN if game.outcome.winner is None else DECIDED


def _winner(outcome: Outcome) -> str:
    return VOID if outcome.is_void else outcome.winner or _DRAW


def _text(game: ArchivedGame) -> str:
    """Everything about a game in which words are looked for."""
    start, outcome = game.stored.start, game.outcome
    settings = " ".join(f"{name}={value} {name} {value}" for name, value in start.settings.items())
    ended = "" if outcome is None else f"{_winner(outcome)} {outcome.reason.replace('_', ' ')}"
    seats = " ".join(f"{seat} {name}" for seat, name in game.stored.players.items())
    return _fold(
        f"{game.stored.id} #{game.stored.id} {start.game} {start.board} {game.began} {seats} {settings} {ended}"
    )


def _fold(text: str) -> str:
    """The text without what makes it hard to find: capitals, accents, widths."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).casefold()
