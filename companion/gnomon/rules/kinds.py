"""Define what a game tells of itself: its name, and where its parts are, each imported when it is first used.

A part is named "module:name", so that a kind costs nothing before its game is played.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class GameKind:
    """One game, as its folder's `KIND` describes it.

    `rules` is the class of its rules, which has a class method `from_settings`, and `show` the `gnomon.views.show.Show`
    that says how it looks. `boards` are, by name, the boards with
    sensors that it is played on, each the function that begins a game there; on its `own_board` it is played always.
    `inputs` are the functions that say, for what the sensors tell, every input that such a board may have, and
    `single_pole` the places there whose sensors may see one pole only, each with an input that a board has just then.
    `tags` maps the codes that a reader reads on pieces to the turns that they mean.
    `hands` is the class of the hands that play there in a demonstration, where a turn is not entered: its
    `begin_turn(game, at, chance)` answers the edges that the sensors will see.

    `demonstrated` are settings under which a simulated hall plays the game; without them it does not.

    `sgf` is the game's number in SGF and `colours` are its players who are Black and White there; without a number
    it is not written as SGF. `lines` is the class that plays the lines of a score sheet, where they say more than a
    move, and `clerk` the class that writes them. `reader` reads records of the game that another program writes: its
    `recognizes(text)` says whether a text is one, and its `read(data)` gives the score sheet. `swap` is the turn by
    which the two persons change sides, where there is one. `engine` is the class of the engine that plays the game, a
    `gnomon.engines.protocol.Engine`, and `coach` that of what says in hints what a move does, a
    `gnomon.coaching.protocol.Coach`; both are made of the rules. `levels` is how many levels that engine has.
    `plays_apart` says that two boards may play one game of it, each in its own place. `solved` are the settings, each
    with its values, the first one as a start, under which the engine proves who wins after every turn.
    """

    name: str
    rules: str
    show: str
    boards: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    single_pole: Mapping[str, str] = field(default_factory=dict)
    tags: str = ""
    own_board: str = ""
    hands: str = ""
    demonstrated: tuple[Mapping[str, object], ...] = ()
    sgf: int = 0
    colours: tuple[str, str] = ("", "")
    lines: str = ""
    clerk: str = ""
    reader: str = ""
    swap: str = ""
    engine: str = ""
    coach: str = ""
    levels: int = 8
    plays_apart: bool = False
    solved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def single_places(self, inputs: Collection[str]) -> tuple[str, ...]:
        """The places at which a board with those inputs sees one pole only."""
        return tuple(place for place, name in self.single_pole.items() if name in inputs)

    def rules_of(self, settings: Mapping[str, object]) -> Any:  # noqa: ANN401 - each game has rules of its own
        """The rules under settings given as text or numbers. Raises SettingsError with one sentence."""
        return load(self.rules).from_settings(settings)


def load(part: str) -> Any:  # noqa: ANN401 - whatever a part is
    """The part that is meant by "module:name". Raises ImportError or AttributeError when there is none."""
    module, _, name = part.partition(":")
    return getattr(import_module(module), name)
