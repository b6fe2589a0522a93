"""Define the events of a tournament.

Who entered an event, when and why is stored in its envelope, `gnomon.tournament.event_log.codec.LoggedEvent`.
"""

from dataclasses import dataclass
from typing import Final

from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.payments import Payment
from gnomon.tournament.state.prizes import PrizeList
from gnomon.tournament.state.results import Result
from gnomon.tournament.state.rounds import Pairing, Table
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import Bye, TournamentSettings
from gnomon.tournament.state.team_play import TeamPlay


@dataclass(frozen=True, slots=True)
class TournamentOpened:
    """The settings were announced: the first event, and the only one of its kind."""

    settings: TournamentSettings


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Settings were changed after the opening; `was` are those on which the change was decided."""

    was: TournamentSettings
    now: TournamentSettings
    reason: str


@dataclass(frozen=True, slots=True)
class EntrantRegistered:
    """Somebody entered, to play from round `since` on; the rounds before are zero-point byes."""

    number: int
    name: str
    rating: int | None = None
    team: str = ""
    since: int = 1


@dataclass(frozen=True, slots=True)
class EntrantCorrected:
    """What was written of an entrant was wrong, or a rating came later; the number stays."""

    number: int
    name: str
    rating: int | None = None
    team: str = ""


@dataclass(frozen=True, slots=True)
class HeadingTold:
    """Where and when the event is, and who is in charge; it replaces what was told before."""

    heading: Heading


@dataclass(frozen=True, slots=True)
class PersonTold:
    """What is known of an entrant beside name, rating and team; it replaces what was told before."""

    number: int
    person: PersonalData


@dataclass(frozen=True, slots=True)
class EntrantWithdrew:
    """An entrant left for good and plays no more from round `since` on."""

    number: int
    since: int


@dataclass(frozen=True, slots=True)
class EntrantReturned:
    """One who had withdrawn plays again from the next round on."""

    number: int


@dataclass(frozen=True, slots=True)
class EntrantsSeeded:
    """Seeds were set otherwise than by rating, as after an earlier stage; it replaces what was set before."""

    seeds: tuple[StageSeed, ...]


@dataclass(frozen=True, slots=True)
class EntrantCheckedIn:
    """An entrant is there, to play from round `since` on; it matters where check-in is asked for."""

    number: int
    since: int = 1


@dataclass(frozen=True, slots=True)
class CheckInWithdrawn:
    """An entrant who was checked in is not there, after all."""

    number: int


@dataclass(frozen=True, slots=True)
class PaymentNoted:
    """What an entrant owes and has paid; it replaces what was noted before."""

    number: int
    payment: Payment


@dataclass(frozen=True, slots=True)
class PrizesAnnounced:
    """What there is to be won, and by what rules; it replaces what was announced before."""

    prizes: PrizeList


@dataclass(frozen=True, slots=True)
class ByeGranted:
    """An entrant asked for a round without a game beforehand."""

    number: int
    round: int
    bye: Bye


@dataclass(frozen=True, slots=True)
class ByeWithdrawn:
    """A bye that was granted is not wanted any more."""

    number: int
    round: int


@dataclass(frozen=True, slots=True)
class PairingProhibited:
    """Two entrants must not meet."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class PairingAllowed:
    """Two entrants who were not to meet may."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class RoundPublished:
    """Who meets whom in the next round.

    `override` is the director's reason for breaking a rule with it, or nothing. `paired_by` is the code of the
    federation's rules (TRF26, line 192) by which an engine of theirs paired it, nothing where Gnomon or a hand did.
    """

    round: int
    pairings: tuple[Pairing, ...]
    override: str = ""
    paired_by: str = ""


@dataclass(frozen=True, slots=True)
class RoundChanged:
    """The pairings of the round being played were changed by hand; boards with a result stay as they are.

    `override` says that the reason is one for breaking a rule, too.
    """

    round: int
    pairings: tuple[Pairing, ...]
    reason: str
    override: bool = False


@dataclass(frozen=True, slots=True)
class RoundRevoked:
    """The round last published, without a result yet, is to be paired again."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class DeadlineSet:
    """Until when the results of a round may come in, as `2026-12-01` or `2026-12-01 20:00`; nothing for no deadline."""

    round: int
    until: str


@dataclass(frozen=True, slots=True)
class TablesSeated:
    """Who sits at which table of three or four in the next round."""

    round: int
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class TablesChanged:
    """The tables of the round being played were seated again by hand; tables that have ended stay as they are."""

    round: int
    tables: tuple[Table, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class PlacesEntered:
    """How a table of three or four ended: a place for each seat, or none where that is taken back.

    What is taken back, or changed in an earlier round, needs a reason.
    """

    round: int
    board: int
    places: tuple[int, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """How the games at a board of the round being played ended; may be entered again until the next is published."""

    round: int
    board: int
    result: Result


@dataclass(frozen=True, slots=True)
class ResultWithdrawn:
    """A result of the round being played was told of a board that is still playing, such as for its neighbour."""

    round: int
    board: int
    reason: str


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """A result that stood was wrong; whatever the round, the correction is kept with its reason."""

    round: int
    board: int
    result: Result
    reason: str


@dataclass(frozen=True, slots=True)
class LotDrawn:
    """A lot was drawn among some who are level: the best first, as it was drawn in front of them."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OrderDecided:
    """The director decided in which order some stand who are level, the best first; it is the last word."""

    numbers: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class TeamPlayTold:
    """Teams play teams: announced before the first round.

    The numbers of byes, rounds, prohibitions, lots and orders are then those of teams.
    """

    play: TeamPlay


@dataclass(frozen=True, slots=True)
class TeamPlayChanged:
    """How teams play was changed after the opening, with the reason; matches are counted again from their boards."""

    was: TeamPlay
    now: TeamPlay
    reason: str


@dataclass(frozen=True, slots=True)
class TeamTold:
    """A team entered, or what was told of it changes: its members stand in the order of its boards."""

    number: int
    name: str
    members: tuple[int, ...]
    captain: str = ""
    since: int = 1


@dataclass(frozen=True, slots=True)
class TeamWithdrew:
    """A team left for good and plays no more from round `since` on."""

    number: int
    since: int


@dataclass(frozen=True, slots=True)
class TeamReturned:
    """A team that had withdrawn plays again from the next round on."""

    number: int


@dataclass(frozen=True, slots=True)
class TeamsSeeded:
    """Seeds of teams, and what they bring along; it replaces all that were set before."""

    seeds: tuple[StageSeed, ...]


@dataclass(frozen=True, slots=True)
class TeamPaymentNoted:
    """What a team owes and has paid; it replaces what was noted before."""

    number: int
    payment: Payment


@dataclass(frozen=True, slots=True)
class LineupTold:
    """Who plays for a team in a round, board by board; 0 is a board that stays empty.

    No players at all stand for the first of the roster who are there.
    """

    team: int
    round: int
    players: tuple[int, ...]


CommonEvent = (
    TournamentOpened
    | SettingsChanged
    | EntrantRegistered
    | EntrantCorrected
    | HeadingTold
    | PersonTold
    | EntrantWithdrew
    | EntrantReturned
    | EntrantsSeeded
    | EntrantCheckedIn
    | CheckInWithdrawn
    | PaymentNoted
    | PrizesAnnounced
    | ByeGranted
    | ByeWithdrawn
    | PairingProhibited
    | PairingAllowed
    | RoundPublished
    | RoundChanged
    | RoundRevoked
    | DeadlineSet
    | TablesSeated
    | TablesChanged
    | PlacesEntered
    | ResultEntered
    | ResultWithdrawn
    | ResultCorrected
    | LotDrawn
    | OrderDecided
)
TeamEvent = (
    TeamPlayTold
    | TeamPlayChanged
    | TeamTold
    | TeamWithdrew
    | TeamReturned
    | TeamsSeeded
    | TeamPaymentNoted
    | LineupTold
)
Event = CommonEvent | TeamEvent

NUMBERING_TEAMS: Final = (
    ByeGranted,
    ByeWithdrawn,
    PairingProhibited,
    PairingAllowed,
    RoundPublished,
    RoundChanged,
    RoundRevoked,
    LotDrawn,
    OrderDecided,
    TeamTold,
    TeamWithdrew,
    TeamReturned,
    TeamsSeeded,
    TeamPaymentNoted,
    LineupTold,
)
"""Events whose numbers are those of teams where teams play teams."""
