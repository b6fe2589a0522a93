"""Define the immutable state of a tournament: entrants, absences, prohibited pairings, rounds.

Only `gnomon.tournament.event_log.reducer` makes the next state.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.particulars import NOBODY_KNOWN, NOTHING_TOLD, Heading, PersonalData, in_public
from gnomon.tournament.state.payments import NO_PAYMENT, Payment
from gnomon.tournament.state.prizes import NO_PRIZES, PrizeList
from gnomon.tournament.state.rounds import Round
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import Bye, TournamentSettings
from gnomon.tournament.state.team_play import TeamPlay


class Entrant(NamedTuple):
    """A participant, with a number that stays: seeds go by rating, and by number among equals."""

    number: int
    name: str
    rating: int | None = None
    team: str = ""
    since: int = 1


@dataclass(frozen=True, slots=True)
class Amendment:
    """A result, or pairings, that were changed after the fact, and why."""

    round: int
    board: int | None
    was: str
    now: str
    reason: str


class Roster(NamedTuple):
    """Who plays for a team, in the order of its boards, substitutes last."""

    members: tuple[int, ...]
    captain: str = ""


@dataclass(frozen=True, slots=True)
class TeamBook:
    """What a tournament of teams keeps beside its boards.

    `matches` is a tournament whose entrants are the teams and whose pairings are their matches, without results: those
    follow from the boards (`gnomon.tournament.teams.matches`). `lineups` are those that were told, by team and round.
    """

    play: TeamPlay
    matches: "Tournament"
    rosters: Mapping[int, Roster] = field(default_factory=dict)
    lineups: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    decided: Mapping[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after the events so far; `gnomon.tournament.event_log.reducer` alone makes the next.

    `withdrawn` says from which round on an entrant plays no more; `byes` what was granted, by entrant and round. `lots`
    and `orders` are what was drawn and decided among those who are level, the latest last. `heading` and `persons` are
    what no pairing depends on; one of whom nothing is told is not among the persons. `teams` is there where teams play
    teams: then the entrants are their members, and the pairings the boards of their matches. `checked_in` says from
    which round on those who are there play; `payments` what they owe and have paid. `stage_seeds` are seeds that were
    set, and points brought along from a stage before; `deadlines` say until when results of a round may come in.
    """

    settings: TournamentSettings
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    withdrawn: Mapping[int, int] = field(default_factory=dict)
    byes: Mapping[tuple[int, int], Bye] = field(default_factory=dict)
    prohibited: frozenset[frozenset[int]] = frozenset()
    rounds: tuple[Round, ...] = ()
    corrections: tuple[Amendment, ...] = ()
    lots: tuple[tuple[int, ...], ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()
    heading: Heading = NOTHING_TOLD
    persons: Mapping[int, PersonalData] = field(default_factory=dict)
    teams: TeamBook | None = None
    checked_in: Mapping[int, int] = field(default_factory=dict)
    payments: Mapping[int, Payment] = field(default_factory=dict)
    prizes: PrizeList = NO_PRIZES
    stage_seeds: Mapping[int, StageSeed] = field(default_factory=dict)
    deadlines: Mapping[int, str] = field(default_factory=dict)

    @property
    def next_round(self) -> int:
        """The number of the round to be published next."""
        return len(self.rounds) + 1

    @property
    def waiting(self) -> tuple[int, ...]:
        """The boards of the round being played that have no result yet."""
        return self.rounds[-1].waiting if self.rounds else ()

    @property
    def open_rounds(self) -> tuple[Round, ...]:
        """The rounds in which a board still has no result, the earliest first."""
        return tuple(round_ for round_ in self.rounds if round_.waiting)

    @property
    def has_room(self) -> bool:
        """Whether a further round may begin while those that are being played go on."""
        return len(self.rounds) < self.settings.rounds and len(self.open_rounds) < self.settings.may_wait

    def entrant(self, number: int) -> Entrant:
        """The entrant of a number. Raises TournamentError when there is none."""
        if number not in self.entrants:
            raise TournamentError(statement("tournament.entrant.none", number=number, count=len(self.entrants)))
        return self.entrants[number]

    def person(self, number: int) -> PersonalData:
        """What is known of the entrant of a number, beside what a pairing needs."""
        return self.persons.get(number, NOBODY_KNOWN)

    def in_public(self) -> "Tournament":
        """The tournament without what is private of its people."""
        known = {number: in_public(person) for number, person in self.persons.items()}
        public = {number: person for number, person in known.items() if person != NOBODY_KNOWN}
        teams = self.teams and replace(self.teams, matches=replace(self.teams.matches, payments={}))
        return replace(self, persons=public, payments={}, prizes=NO_PRIZES, teams=teams)

    def round(self, number: int) -> Round:
        """A published round. Raises TournamentError when it is not published."""
        if not self.rounds:
            raise TournamentError(statement("tournament.round.none"))
        if not 1 <= number <= len(self.rounds):
            raise TournamentError(statement("tournament.round.unpublished", number=number, count=len(self.rounds)))
        return self.rounds[number - 1]

    def plays(self, number: int, in_round: int) -> bool:
        """Whether an entrant is to be paired in a round: entered, not withdrawn, and without a bye of their own."""
        here = self.entrants[number].since <= in_round and not self.has_left(number, in_round)
        return here and (number, in_round) not in self.byes and not self.is_missing(number, in_round)

    def is_missing(self, number: int, in_round: int) -> bool:
        """Whether an entrant of round 1 has not checked in for a round, where check-in is asked for."""
        asked = self.settings.check_in and self.entrants[number].since == 1
        return asked and self.checked_in.get(number, in_round + 1) > in_round

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of those who would play the next round if they had checked in, the strongest seed first."""
        coming = self.next_round
        away = (number for number in self.seeds if self.is_missing(number, coming))
        return tuple(number for number in away if not self.has_left(number, coming))

    def payment(self, number: int) -> Payment:
        """What an entrant owes and has paid."""
        return self.payments.get(number, NO_PAYMENT)

    def has_left(self, number: int, in_round: int) -> bool:
        """Whether an entrant has withdrawn before a round."""
        return number in self.withdrawn and self.withdrawn[number] <= in_round

    def took_part(self, number: int) -> bool:
        """Whether an entrant was ever there to be paired: not who left before their first round, and sat in none."""
        stayed = number not in self.withdrawn or self.withdrawn[number] > self.entrants[number].since
        stayed = stayed and not self.is_missing(number, self.next_round)
        return stayed or any(round_.has(number) for round_ in self.rounds)

    def players(self, in_round: int) -> tuple[int, ...]:
        """The numbers of those to be paired in a round, the strongest seed first."""
        return tuple(number for number in self.seeds if self.plays(number, in_round))

    @property
    def seeds(self) -> tuple[int, ...]:
        """The numbers of all entrants by their seed if it was set, then by rating, and by number among equals.

        Those who have no rating come last.
        """

        def order(one: Entrant) -> tuple[bool, int, bool, int, int]:
            seed = self.stage_seeds[one.number].seed if one.number in self.stage_seeds else 0
            return seed == 0, seed, one.rating is None, -(one.rating or 0), one.number

        ordered = sorted(self.entrants.values(), key=order)
        return tuple(one.number for one in ordered)

    def may_meet(self, one: int, other: int) -> bool:
        """Whether neither a prohibition nor their team keeps two apart."""
        team = self.entrants[one].team
        mates = bool(team) and team == self.entrants[other].team and not self.settings.team_mates_meet
        return not mates and frozenset((one, other)) not in self.prohibited

    def label_of(self, number: int) -> str:
        """An entrant's number and name, as a sentence tells them."""
        return f"{number} {self.entrants[number].name}"
