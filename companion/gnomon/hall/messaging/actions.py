"""Write and read the fields of what a hall asks of a board, among them the game to begin."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from gnomon.hall.messaging.messages import Json, MessageError
from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement

NEW_GAME: Final = "new_game"
PAIRING: Final = "pairing"
"""The field of the pairing for which a game is begun, in the request and in the board's remark."""
_SETUP: Final = tuple(part.name for part in fields(GameSetup) if part.name != "board")
"""What a hall says of a game: a board knows by itself on what it is played."""


class PairingName(NamedTuple):
    """The pairing for which a game is begun: the tournament, its round, and the number of the board there."""

    tournament: str
    round: int
    board: int


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A game that a board is to begin, for which pairing, and who gives up an unfinished one (empty: nobody)."""

    setup: GameSetup
    pairing: PairingName | None = None
    abandoned_by: str = ""

    def dump(self) -> dict[str, object]:
        """The action of the request."""
        action: dict[str, object] = {"do": NEW_GAME, **{name: getattr(self.setup, name) for name in _SETUP}}
        return action | self.remark() | ({"abandoned_by": self.abandoned_by} if self.abandoned_by else {})

    def remark(self) -> dict[str, object]:
        """What the board's own remark says of the request: for which pairing the game is, if for any."""
        return {} if self.pairing is None else {PAIRING: self.pairing._asdict()}


@dataclass(frozen=True, slots=True)
class RequestFields:
    """The fields of what a board is asked, each with its kind; what nobody knows is left out.

    Every method raises MessageError for a field of another kind.
    """

    body: Json

    def text(self, name: str, default: str | None = None) -> str:
        """A text; it has to be there where nothing stands in for it."""
        value = self.body.get(name, default)
        if not isinstance(value, str):
            raise MessageError(statement("hall.answer.no_text", field=name))
        return value

    def object_field(self, name: str) -> Json:
        """An object, empty where there is none."""
        value = self.body.get(name, {})
        if not isinstance(value, Mapping):
            raise MessageError(statement("hall.answer.no_object", field=name))
        return value

    def game(self) -> GameRequest:
        """The game to begin, as `GameRequest.dump` writes it."""
        settings, players = self.object_field("settings"), self.object_field("players")
        for name, value in settings.items():
            if not isinstance(value, str | int):
                raise MessageError(statement("hall.answer.setting", setting=name[:40]))
        names = {player: name for player, name in players.items() if isinstance(name, str)}
        if len(names) < len(players):
            nameless = min(set(players) - set(names))
            raise MessageError(statement("hall.answer.player", player=nameless[:40]))
        temperament = self.text("temperament", GameSetup().temperament)
        setup = GameSetup(self.text("game", ""), settings, temperament, names)
        return GameRequest(setup, self._pairing_name(), self.text("abandoned_by", ""))

    def _pairing_name(self) -> PairingName | None:
        said = self.object_field(PAIRING)
        tournament, number, board = (said.get(name) for name in PairingName._fields)
        if not said:
            return None
        if not isinstance(tournament, str) or not isinstance(number, int) or not isinstance(board, int):
            raise MessageError(statement("hall.answer.pairing"))
        return PairingName(tournament, number, board)
