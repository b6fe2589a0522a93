"""Summarize people: results by game and opponent, head to head, ratings, and games."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from gnomon.people.games import Encounter, FinishedGame, GameScore, encounters, people_in
from gnomon.people.ratings import MonthRating, PersonRating, Ratings, rating_histories, ratings_of
from gnomon.people.register import Register


class Tally(NamedTuple):
    """How many games were won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, scores: Iterable[GameScore]) -> Self:
        """The tally of some games."""
        counted = Counter(scores)
        return cls(counted[GameScore.WON], counted[GameScore.DRAWN], counted[GameScore.LOST])

    @property
    def games(self) -> int:
        """How many games these are."""
        return sum(self)


class Meeting(NamedTuple):
    """Two people in one game: when they have played it, and how it ended for the first of them."""

    encounter: Encounter
    score: GameScore


class OpponentRecord(NamedTuple):
    """Somebody against whom a person has played, and the results by game."""

    key: str
    name: str
    by_game: Mapping[str, Tally]


class Summary(NamedTuple):
    """A person in a list: results against people, games with programs, and when the last game was."""

    key: str
    name: str
    results: Tally
    with_engines: int
    last: str
    ratings: Mapping[str, PersonRating]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a person, from the games that were looked at."""

    key: str
    name: str
    spellings: tuple[str, ...] = ()
    by_game: Mapping[str, Tally] = field(default_factory=dict)
    with_engines: Mapping[str, Tally] = field(default_factory=dict)
    opponents: tuple[OpponentRecord, ...] = ()
    ratings: Mapping[str, PersonRating] = field(default_factory=dict)
    games: tuple[Meeting, ...] = ()  # the newest first


class People:
    """Everybody who is named in some games; `now` is the present month, such as `2026-11`."""

    def __init__(self, games: Iterable[FinishedGame], register: Register, now: str) -> None:
        self.register = register
        self._encounters = encounters(games, register)
        self._of: dict[str, list[Encounter]] = defaultdict(list)
        self._names: dict[str, str] = {}
        self._spellings: dict[str, dict[str, None]] = defaultdict(dict)
        for encounter in self._encounters:
            for key in encounter.people:
                self._of[key].append(encounter)
            for name in people_in(encounter.game, register).values():
                self._names[register.key(name)] = register.display_name(name)  # as it was written last
                self._spellings[register.key(name)][register.mask(name)] = None
        self.ratings: Ratings = ratings_of(self._encounters, now)
        self._now = now

    def find(self, name: str) -> str | None:
        """The key of the person of a name, None for somebody who has no game here.

        A forgotten person is found by the pseudonym alone: the name must not lead to it.
        """
        key = self.register.key(name)
        return key if key in self._of and not self.register.is_forgotten(name) else None

    def has(self, key: str) -> bool:
        """Whether a person of this key has a game here."""
        return key in self._of

    def name(self, key: str) -> str:
        """A person's name as it is shown."""
        return self._names[key]

    def everybody(self) -> Sequence[Summary]:
        """Everybody, who has played most first."""
        found = [self._summary(key) for key in self._of]
        return sorted(found, key=lambda one: (-one.results.games, -one.with_engines, one.key))

    def history(self, key: str) -> Mapping[str, Sequence[MonthRating]]:
        """The ratings of a person month by month, by the game; nothing for a person without a rated game."""
        found = rating_histories(self._encounters, self._now)
        return {game: of[key] for game, of in found.items() if key in of}

    def profile(self, key: str) -> Profile:
        """What is known of a person who has a game here."""
        played = self._of[key]
        against = [one for one in played if not one.with_engine]
        return Profile(
            key,
            self._names[key],
            tuple(self._spellings[key]),
            _by_game(against, key),
            _by_game([one for one in played if one.with_engine], key),
            self._opponents(against, key),
            self._ratings(key),
            tuple(Meeting(one, one.score_of(key)) for one in reversed(played)),
        )

    def meetings(self, key: str, other: str) -> Sequence[Meeting]:
        """The games of two people against each other, the newest first."""
        return [
            Meeting(one, score)
            for one in reversed(self._of[key])
            if not one.with_engine
            for opponent, score in one.opponents(key)
            if opponent == other
        ]

    def _summary(self, key: str) -> Summary:
        played = self._of[key]
        results = Tally.of(one.score_of(key) for one in played if not one.with_engine)
        last = max(one.game.began if one.game.month else "" for one in played)
        return Summary(key, self._names[key], results, len(played) - results.games, last, self._ratings(key))

    def _ratings(self, key: str) -> Mapping[str, PersonRating]:
        return {game: people[key] for game, people in self.ratings.items() if key in people}

    def _opponents(self, played: Sequence[Encounter], key: str) -> tuple[OpponentRecord, ...]:
        scores: dict[str, dict[str, list[GameScore]]] = defaultdict(lambda: defaultdict(list))
        for one in played:
            for other, score in one.opponents(key):
                scores[other][one.game.game].append(score)
        found = [
            OpponentRecord(other, self._names[other], {game: Tally.of(each) for game, each in sorted(by_game.items())})
            for other, by_game in scores.items()
        ]
        return tuple(sorted(found, key=lambda one: (-sum(each.games for each in one.by_game.values()), one.key)))


def by_game(meetings: Iterable[Meeting]) -> Mapping[str, Tally]:
    """The results of some meetings by game."""
    scores: dict[str, list[GameScore]] = defaultdict(list)
    for encounter, score in meetings:
        scores[encounter.game.game].append(score)
    return {game: Tally.of(each) for game, each in sorted(scores.items())}


def _by_game(played: Iterable[Encounter], key: str) -> Mapping[str, Tally]:
    return by_game(Meeting(one, one.score_of(key)) for one in played)
