"""Define finished games between people: who sat where, who played together, and who has won."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from gnomon.people.register import Register, fold, mask_names

PROGRAM: Final = "Gnomon"
"""The name under which Gnomon's own engine sits at a board, alone or before its level."""

_TWO: Final = 2
_OPPONENT: Final = "opponent"
_PLAYS: Final = "opponent_plays"
_NOBODY: Final = "none"
_EVERY_SEAT: Final = "all"


class GameScore(Enum):
    """How a game ended for somebody; the value is what the rating counts."""

    WON = 1.0
    DRAWN = 0.5
    LOST = 0.0


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that has ended with a result, as it is recorded.

    `source` and `number` say where. `began` is a label of the board's clock, ISO 8601 or anything else. `boot` names
    the run of the machine, and is empty where that is not known. `names` are the people's by their seats, and `sides`
    the seats that win and lose together; `winner` is the place of the side that has won, None in a draw. `has_rules` is
    whether the game is known at all: behind the bare clock it may be any.
    """

    source: str
    number: int
    game: str
    board: str
    boot: str
    began: str
    names: Mapping[str, str]
    sides: tuple[tuple[str, ...], ...]
    winner: int | None
    reason: str = ""
    has_rules: bool = True
    settings: Mapping[str, object] = field(default_factory=dict)
    engines: frozenset[str] = frozenset()  # seats

    @property
    def identity(self) -> tuple[object, ...]:
        """What every copy of this game has in common: in a journal, in a bundle, and in a hall."""
        return (self.board, self.game, self.boot, self.began) if self.boot else (self.source, self.number)

    @property
    def month(self) -> str:
        """The month in which it began, `2026-11`; empty where its label is no date."""
        year, _, rest = self.began.partition("-")
        month = rest[:2]
        is_date = len(year) == len("2026") and (year + month).isdecimal() and rest[2:3] == "-" and "01" <= month <= "12"
        return f"{year}-{month}" if is_date else ""

    @property
    def began_text(self) -> str:
        """When it began, for people: a date with the time of day, or a dash where its label is no date."""
        return self.began[:16].replace("T", " ") if self.month else "–"


class Encounter(NamedTuple):
    """A game between people, each known by the key of their name; `sides` are those who won or lost together.

    `with_engine`: a program sat at the board too. `is_rated`: it counts for ratings.
    """

    game: FinishedGame
    sides: tuple[tuple[str, ...], ...]
    with_engine: bool
    is_rated: bool

    @property
    def people(self) -> frozenset[str]:
        """Everybody who played."""
        return frozenset(key for side in self.sides for key in side)

    def side_of(self, key: str) -> int:
        """The place of the side on which somebody played."""
        return next(place for place, side in enumerate(self.sides) if key in side)

    def score_of(self, key: str) -> GameScore:
        """How it ended for somebody."""
        if self.game.winner is None:
            return GameScore.DRAWN
        return GameScore.WON if self.game.winner == self.side_of(key) else GameScore.LOST

    def opponents(self, key: str) -> Iterator[tuple[str, GameScore]]:
        """Those against whom somebody played, and how it ended between the two.

        Of three sides two have lost, and between them nothing was decided: they are no opponents here. By Luce's choice
        axiom, two of whom one has won are then as likely to have been that one as in a game of the two alone.
        """
        own, winner = self.side_of(key), self.game.winner
        for place, side in enumerate(self.sides):
            if place != own and winner in {None, own, place}:
                yield from ((other, self.score_of(key)) for other in side)


def encounters(games: Iterable[FinishedGame], register: Register) -> tuple[Encounter, ...]:
    """The games that count, the oldest first, each once: those in which people of different sides are named.

    A game in which somebody sits on two sides counts nowhere. Boards in software on one machine may begin games of
    others in the same millisecond: people who are called otherwise have played another game.
    """
    once: dict[tuple[object, ...], FinishedGame] = {}
    for game in games:
        shown = mask_names(game.names, register)  # as they stand in a bundle that was made since they are forgotten
        names = frozenset((seat, fold(name)) for seat, name in shown.items() if name)
        once.setdefault((game.identity, names), game)
    in_order = sorted(once.values(), key=lambda game: (game.month, game.began, game.source, game.number))
    found = (_encounter(game, register) for game in in_order)
    return tuple(encounter for encounter in found if encounter is not None)


def is_engine(name: str, register: Register) -> bool:
    """Whether a name is that of a program: Gnomon's own engine, or one that the register says."""
    first, *_ = (*fold(name).split(), "")
    return first.rstrip(",.:;") == fold(PROGRAM) or register.is_engine(name)


def engine_seats(settings: Mapping[str, object], seats: Sequence[str]) -> frozenset[str]:
    """The seats that an engine plays by the settings of a game: `opponent`, and which seat it has."""
    if str(settings.get(_OPPONENT, _NOBODY)) == _NOBODY:
        return frozenset()
    plays = str(settings.get(_PLAYS, seats[1]))
    return frozenset(seats if plays == _EVERY_SEAT else (plays,))


def people_in(game: FinishedGame, register: Register) -> Mapping[str, str]:
    """The names of the people, without programs, by their seats."""
    return {
        seat: name
        for seat, name in game.names.items()
        if name and seat not in game.engines and not is_engine(name, register)
    }


def _encounter(game: FinishedGame, register: Register) -> Encounter | None:
    people = people_in(game, register)
    taken = [[seat for seat in side if seat in game.engines or game.names.get(seat)] for side in game.sides]
    sides = tuple(tuple(dict.fromkeys(register.key(people[seat]) for seat in side if seat in people)) for side in taken)
    keys = [key for side in sides for key in side]
    if sum(map(bool, taken)) < _TWO or not keys or len(set(keys)) < len(keys):
        return None
    with_engine = any(seat not in people for side in taken for seat in side)
    is_alone = all(len(side) == 1 for side in game.sides)
    return Encounter(game, sides, with_engine, is_alone and not with_engine and game.has_rules)
