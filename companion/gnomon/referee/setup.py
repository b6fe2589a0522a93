"""Define how a game is set up: what a command line, a form, a request and the journal hand to the referee."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gnomon.referee.judgement import Temperament


@dataclass(frozen=True, slots=True)
class GameSetup:
    """How a game is set up; `gnomon.referee.games.game_of` makes it, and says what of it cannot be.

    `game` is its name, that of the board's own game where it is empty. Among the `settings` of its rules those of a
    match clock may stand. `temperament` is the value of a `Temperament`; `players` are the people's names by the
    players of the rules, as far as they are known; `board` is the one with sensors that it lies on, empty for the one
    that it is always played on, or else a table.
    """

    game: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    temperament: str = Temperament.ASSISTANT
    players: Mapping[str, str] = field(default_factory=dict)
    board: str = ""
