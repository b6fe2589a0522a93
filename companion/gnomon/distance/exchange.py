"""Keep two boards in step over a relay that loses, duplicates and reorders messages.

The game is the log: what a board has yet to tell is every turn of its own that the other has not written down, what it
has yet to do is the other's turn that follows the ones it has. Everything that a restart needs is in the journal, for
it follows from the game; what is kept here besides is only how fast the way is. `Exchange` waits for nothing: it is
given reports and the time, and answers what the board has to do.

The board at which a turn is made says how long it took. The other board has measured how long it waited, and the
difference is what the way took, both ways, and the hands at the other board. It is credited as long as it is not more
than the measured round trips explain, and never more than `BOUND`; what is beyond is charged to the player's clock, on
both boards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.distance import reports
from gnomon.distance._turns import count_of_other, own_turns, sums
from gnomon.distance.reports import HOST, Echo, Ending, Invitation, Report
from gnomon.distance.shares import RevealedLink, ShareChain, SharedChance, throws_due, throws_in
from gnomon.referee.clock_rulings import DIAL
from gnomon.referee.distance import WHO
from gnomon.referee.draws import AGREED, asked_for_a_draw, two_players
from gnomon.referee.events import (
    Correction,
    DrawAnswered,
    DrawOffered,
    Paused,
    PlayerNamed,
    ResultDeclared,
    Resumed,
    TimeTaken,
    TurnArrived,
)
from gnomon.referee.game import Game
from gnomon.referee.people import clean
from gnomon.referee.rulings import Corrected, GamePaused
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import ABANDONED
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant

_TRIPS: Final = 16
_RUNS: Final = 32
_TAKEN: Final = "corrected.taken.clock"


BOUND: Final = Duration(5 * SECOND)
"""The way of one turn is credited up to this, however long it took."""
REPEATS: Final = Duration(2 * SECOND)
"""A message may be lost, and lost again when it is repeated: that much is no sign of a slow player."""
SILENCE: Final = Duration(3 * SECOND)
"""Two boards that hear nothing of each other for longer are not connected."""
OUTAGES: Final = Duration(60 * SECOND)
"""So much of lost connections is credited to a player in a game."""
_SETTLING: Final = Duration(200 * MILLISECOND)
"""What both daemons need to write a turn down and to rule on it."""


def credit(waited: Duration, took: Duration, trips: Sequence[Duration], hands: Duration, outage: Duration) -> Duration:
    """How much of the wait is credited for a turn that `took` so long there, while this board `waited`.

    `trips` are the last round trips, `hands` is what hands may need there for this board's own turn, and `outage` what
    may be credited for a lost connection.
    """
    way = min(BOUND, (max(trips, default=0)) + REPEATS + _SETTLING)
    return Duration(min(max(0, waited - took), way + hands + outage))


def charge(waited: Duration, took: Duration, trips: Sequence[Duration], hands: Duration, outage: Duration) -> Duration:
    """How much of the wait nothing explains, and the player is charged with."""
    return Duration(max(0, waited - took - credit(waited, took, trips, hands, outage)))


class Party(NamedTuple):
    """One of two boards: its part, its name that nobody else has, and the run of its daemon."""

    role: str
    ident: str
    run: str


@dataclass(frozen=True, slots=True)
class HeardReport:
    """The last report of the other board, and when it came by this board's clock."""

    report: Report
    at: Instant


class Exchange:
    """What one board knows of the other."""

    def __init__(self, me: Party, peer: str = "", chain: ShareChain | None = None, anchor: str = "") -> None:
        """`peer` and `anchor` are the name of the other board and the end of its chain, if they have been heard before.

        `chain` has this board's shares of throws and draws.
        """
        self.me = me
        self.peer = peer
        self.anchor = anchor
        self._chain = chain
        self._revealed = RevealedLink(0, "")
        self.heard: HeardReport | None = None
        self.trips: tuple[Duration, ...] = ()
        """The last round trips that were measured."""
        self.differs: Statement | None = None
        """Where the two boards do not agree: then nothing more is taken from the other."""
        self.is_taken = False
        """Whether the host has another guest than this board."""
        self.refusal: Statement | None = None
        """Why this board cannot play what the host invited it to."""
        self._sent = 0
        self._runs: tuple[str, ...] = ()  # earlier ones of the other board: what they said comes too late
        self._outage = 0  # of the connection, since this board's last turn
        self._credited = 0  # of that, in this game
        self._of = -1  # the number of turns for which `_outage` counts

    # What comes

    def take(self, report: Report, now: Instant) -> bool:
        """Take in a report that came at raw instant `now`; whether it tells anything new."""
        if report.role == self.me.role:
            return False
        if self.peer and report.ident != self.peer:
            return False
        if report.to and report.to != self.me.ident:
            self.is_taken = True
            return True
        last = None if self.heard is None or self.heard.report.ident != report.ident else self.heard.report
        if report.run in self._runs or (last and last.run == report.run and report.number <= last.number):
            return False
        if last is not None and last.run != report.run:
            self._runs = (*self._runs, last.run)[-_RUNS:]
        self.is_taken = False
        if report.total:  # one that has no game yet may not come to have it, and another board joins
            self.anchor = self.anchor or ("" if self.peer else report.anchor)
            self.peer = report.ident
            self._reveal(RevealedLink(report.throws, report.link))
        if self.heard is not None:
            self._outage += max(0, now - self.heard.at - SILENCE)
        self.heard = HeardReport(report, now)
        echo = report.echo
        if echo is not None and echo.run == self.me.run and now - echo.at - echo.held >= 0:
            self.trips = (*self.trips, Duration(now - echo.at - echo.held))[-_TRIPS:]
        return True

    def _reveal(self, told: RevealedLink) -> None:
        """Keep a link of the other board, if it is one."""
        if told.number > self._revealed.number and told.link and told.is_of(self.anchor):
            self._revealed = told

    def silence(self, now: Instant) -> Duration | None:
        """For how long nothing has been heard at raw instant `now`; None before the first report."""
        return None if self.heard is None else Duration(now - self.heard.at)

    @property
    def invitation(self) -> Invitation | None:
        """What the host invites to, if it has said so."""
        return None if self.heard is None else self.heard.report.invitation

    # What is to be told

    def report(self, game: Game | None, now: Instant, invitation: Invitation | None = None) -> Report:
        """What the other board is to hear at raw instant `now`; `game` is what this board has written down."""
        self._sent += 1
        heard = self.heard
        echo = None if heard is None else Echo(heard.report.run, heard.report.at, now - heard.at)
        mine = Report(
            self.me.role,
            self.me.ident,
            self.me.run,
            self._sent,
            at=now,
            to=self.peer,
            echo=echo,
            invitation=invitation,
            refusal=self.refusal,
            anchor=self.own_anchor,
        )
        return mine if game is None else self._with_game(mine, game)

    def is_behind(self, game: Game) -> bool:
        """Whether the other board is not known to have all turns of this one."""
        return self._count_acknowledged(game) < len(own_turns(game))

    def _with_game(self, mine: Report, game: Game) -> Report:
        turns, totals = own_turns(game), sums(game)
        acknowledged = self._count_acknowledged(game)
        fields = {each: getattr(mine, each) for each in Report.__slots__}
        return Report(
            **fields
            | {
                "have": count_of_other(game),
                "count": len(game.plies),
                "total": totals[-1],
                "turns": turns[acknowledged : acknowledged + reports.MOST],
                "ending": _ending_here(game),
                "offer": _own_offer(game),
                "declined": _declined_offer(game),
                "is_paused": _is_paused_here(game),
                "charged": _time_taken(game, _other(game)),
                "name": _name_here(game),
                "throws": throws_due(game),
                "link": "" if self._chain is None else self._chain.link(throws_due(game)),
                "sums": tuple(totals) if self.differs is not None else (),
            }
        )

    def _count_acknowledged(self, game: Game) -> int:
        have = 0 if self.heard is None else self.heard.report.have
        return min(have, len(own_turns(game)))

    # What is to be done

    @property
    def own_anchor(self) -> str:
        """The end of this board's chain of shares; empty where it has none."""
        return "" if self._chain is None else self._chain.anchor

    @property
    def shares_luck(self) -> bool:
        """Whether both boards have shares in what is thrown and drawn."""
        return self._chain is not None and bool(self.anchor)

    def chance(self, game: Game) -> SharedChance | None:
        """What the next throw of a game follows from; None before the other board has revealed its link."""
        number = throws_in(game) + 1
        mine, other = "" if self._chain is None else self._chain.link(number), self._revealed.of(number)
        if not mine or not other:
            return None
        return SharedChance(number, *((mine, other) if self.me.role == HOST else (other, mine)))

    def due(self, game: Game, now: Instant) -> Correction | None:
        """The next event for this board's referee at board time `now`; None where nothing is due."""
        heard = self.heard
        if self._of != len(game.plies):
            self._of, self._outage = len(game.plies), 0
        if heard is None:
            return None
        told = heard.report
        if self.differs is None:
            self._compare(game, told)
        else:
            self._locate(sums(game), told)
        return None if self._is_apart() else self._next(game, told, now)

    def _is_apart(self) -> bool:
        return self.differs is not None

    def _next(self, game: Game, told: Report, now: Instant) -> Correction | None:
        return (
            self._name_due(game, told, now)
            or self._pause_due(game, told, now)
            or self._turn_due(game, told, now)
            or self._ending_due(game, told, now)
            or self._draw_due(game, told, now)
            or self._charge_due(game, told, now)
        )

    def charge_due(self, game: Game, turn: TurnArrived, now: Instant) -> TimeTaken | None:
        """What the other player is charged with for a turn that arrives at board time `now`, if anything."""
        if game.clock is None or not game.clock.has_started or game.opponent is None:
            return None
        began = game.plies[-1].when if game.plies else Instant(0)
        waited, took = Duration(game.game_time(now) - began), Duration(turn.when - began)
        outage = Duration(min(self._outage, OUTAGES - self._credited))
        amount = charge(waited, took, self.trips, game.opponent.hands, outage)
        self._credited += min(outage, max(0, waited - took))
        self._outage = 0
        return TimeTaken(now, f"{DIAL}{_other(game)}", amount, WHO) if amount else None

    def _compare(self, game: Game, told: Report) -> None:
        """Find out whether both boards have ruled alike, as far as both have ruled."""
        if not told.total:
            return
        # What is forced, as a pass, is ruled at both boards: one that is ahead may have such a turn of this side.
        if told.have > len(own_turns(game)) and told.count <= len(game.plies):
            self.differs = statement("distance.differs.more", number=told.have)
            return
        totals = sums(game)
        if told.count < len(totals) and totals[told.count] != told.total:
            self.differs = _where(told.count)
        self._locate(totals, told)
        ending = _ending_here(game)
        if told.ending is not None and ending is not None and told.ending[:2] != ending[:2]:
            self.differs = statement("distance.differs.outcome")

    def agreement(self, game: Game) -> str:
        """The sum of everything that both boards have ruled of a game that is over; empty before they agree on it."""
        if game.outcome is None or self.heard is None or self.differs is not None:
            return ""
        told, total = self.heard.report, sums(game)[-1]
        return total if told.total == total and told.ending == _ending_here(game) else ""

    def _locate(self, totals: Sequence[str], told: Report) -> None:
        """Say where the boards differ first, once the other board has told all its sums."""
        pairs = enumerate(zip(totals, told.sums, strict=False))
        first = next((number for number, (one, other) in pairs if one != other), None)
        if first is not None:
            self.differs = _where(first)

    def _turn_due(self, game: Game, told: Report, now: Instant) -> Correction | None:
        if game.outcome is not None or game.paused_at is not None or game.announced is not None:
            return None
        turn = next((each for each in told.turns if each.before == len(game.plies)), None)
        if turn is None:
            return None
        if not game.is_elsewhere:
            self.differs = statement("distance.differs.turn", number=turn.before + 1)
            return None
        return TurnArrived(now, turn.text, Duration(turn.when), WHO)

    def _ending_due(self, game: Game, told: Report, now: Instant) -> Correction | None:
        ending = told.ending
        if ending is None or game.outcome is not None or game.announced is not None:
            return None
        if ending.turns > len(game.plies):
            return None  # the turns before it come first; one of this side may have crossed it on the way
        here = tuple(player for player in two_players(game) if player != _other(game))
        is_agreed = ending.winner is None and ending.reason == AGREED and _own_offer(game) is not None
        is_given_up = ending.winner is None and ending.reason == ABANDONED
        if ending.winner not in here and not is_agreed and not is_given_up:
            self.differs = statement("distance.differs.result")
            return None
        if is_agreed:
            return DrawAnswered(now, _other(game), accepted=True, who=WHO)
        return ResultDeclared(now, ending.winner, ending.reason, WHO)

    def _draw_due(self, game: Game, told: Report, now: Instant) -> Correction | None:
        if game.outcome is not None or game.paused_at is not None:
            return None
        draw, other = game.draw, _other(game)
        if told.declined is not None and _own_offer(game) == told.declined:
            return DrawAnswered(now, other, accepted=False, who=WHO)
        is_new = draw is None or draw.plies < (told.offer or 0) or (not draw.is_open and draw.plies != told.offer)
        if told.offer is not None and told.offer == len(game.plies) and is_new and asked_for_a_draw(game) is None:
            return DrawOffered(now, other, WHO)
        return None

    def _name_due(self, game: Game, told: Report, now: Instant) -> Correction | None:
        opponent, name = game.opponent, clean(told.name)
        if opponent is None or game.outcome is not None:
            return None
        seat, known = opponent.seats[0], dict(game.people).get(opponent.seats[0], "")
        has_joined = self.me.role == HOST and not opponent.is_met and bool(self.peer)
        return PlayerNamed(now, seat, name or known, WHO) if has_joined or name not in {"", known} else None

    def _pause_due(self, game: Game, told: Report, now: Instant) -> Correction | None:
        if game.outcome is not None:
            return None
        if told.is_paused and game.paused_at is None:
            return Paused(now, WHO)
        if not told.is_paused and game.paused_at is not None and _paused_by(game) == WHO:
            return Resumed(now, WHO)
        return None

    def _charge_due(self, game: Game, told: Report, now: Instant) -> Correction | None:
        here = _here(game)
        owed = told.charged - _time_taken(game, here)
        if game.clock is None or not game.clock.has_started or owed <= 0 or game.outcome is not None:
            return None
        return TimeTaken(now, f"{DIAL}{here}", Duration(owed), WHO)


def _where(number: int) -> Statement:
    return statement("distance.differs", number=number) if number else statement("distance.differs.start")


def _other(game: Game) -> str:
    """The player of the moment who plays at the other board."""
    seats = () if game.opponent is None else game.opponent.seats
    return next((player for player in two_players(game) if game.seat_of(player, game.position) in seats), "")


def _here(game: Game) -> str:
    """The player of the moment who plays at this board."""
    return next((player for player in two_players(game) if player != _other(game)), "")


def _name_here(game: Game) -> str:
    """Who plays at this board; empty where nobody has said it."""
    others = () if game.opponent is None else game.opponent.seats
    return next((name for player, name in game.people if player not in others), "")


def _ending_here(game: Game) -> Ending | None:
    """How the game was ended by hand or by a flag; what the rules end, both boards see."""
    declared = game.declared
    return None if declared is None else Ending(declared.winner, declared.reason, len(game.plies))


def _own_offer(game: Game) -> int | None:
    """After how many turns this side offered a draw that is still open."""
    offer = game.draw
    if offer is None or not offer.is_open or (game.opponent is not None and offer.seat in game.opponent.seats):
        return None
    return offer.plies


def _declined_offer(game: Game) -> int | None:
    """After how many turns the other side offered a draw that was declined here."""
    offer = game.draw
    if offer is None or offer.answered is None or game.outcome is not None or game.opponent is None:
        return None
    return offer.plies if offer.seat in game.opponent.seats else None


def _is_paused_here(game: Game) -> bool:
    return game.paused_at is not None and game.outcome is None and _paused_by(game) != WHO


def _paused_by(game: Game) -> str:
    """Who stopped the game last; empty where nobody is named, as by the arbiter's button."""
    numbers = (number for number, ruling in enumerate(game.rulings) if isinstance(ruling, GamePaused))
    last = max(numbers, default=0)
    why = game.rulings[last - 1] if last else None
    is_said = isinstance(why, Corrected) and why.what.key == "corrected.paused" and why.at == game.rulings[last].at
    return str(why.who) if is_said and isinstance(why, Corrected) else ""


def _time_taken(game: Game, player: str) -> int:
    """How much time the boards have taken from a player's clock."""
    return sum(
        round(float(str(ruling.what.values["seconds"])) * SECOND)
        for ruling in game.rulings
        if isinstance(ruling, Corrected)
        and ruling.what.key == _TAKEN
        and ruling.who == WHO
        and ruling.what.values.get("of") == player
    )
