"""Provide the interface of a hall for pages and commands: boards, requests, tournaments, rounds and results."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from secrets import token_hex
from typing import Final, NamedTuple, Self

from gnomon.hall.board_alarms import Alarm, Dispute, alarms
from gnomon.hall.board_registry import RegisteredBoard, counts, for_wall
from gnomon.hall.clock import Wall, monotonic_now, timestamp, wall
from gnomon.hall.hub.changes import ChangeListener
from gnomon.hall.hub.hub import EVERYBODY, Hub, HubError, HubTerms
from gnomon.hall.hub.requests_under_way import LIFE
from gnomon.hall.hub.thread import HubThread
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.hall_names import hall_of
from gnomon.hall.messaging.messages import Fate, Json
from gnomon.hall.public_boards import PublicBoards
from gnomon.hall.rounds import code_expiry, dispatch, player_claims, player_codes, result_rows
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.hall.rounds.clocks import RoundClocks
from gnomon.hall.rounds.dispatch import Errand, Left
from gnomon.hall.rounds.event_log import Book, StaleError
from gnomon.hall.rounds.event_log_rows import SqlBook
from gnomon.hall.rounds.player_codes import Player
from gnomon.hall.rounds.result_entry import Entering, Scope, proposals_from, tables_from
from gnomon.hall.rounds.result_rows import KeptTournament
from gnomon.hall.rounds.results import PairingGame, PairingState, PlayerClaim, Proposal
from gnomon.hall.rounds.table_dispatch import table_errands
from gnomon.hall.rounds.table_results import TableClaim, TableProposal
from gnomon.hall.store import backend
from gnomon.hall.store import requests as store_requests
from gnomon.hall.store.archive import BoardArchive, epochs
from gnomon.hall.store.database import Database
from gnomon.hall.store.records import RecordStore
from gnomon.hall.store.requests import Seating, StoredRequest
from gnomon.records.formats.traces import event_record
from gnomon.referee.events import Correction
from gnomon.referee.people import clean
from gnomon.refusals import InvalidValueError, Statement, statement
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import Event, ResultCorrected, ResultEntered, RoundPublished, TournamentOpened
from gnomon.tournament.scoring.multiplayer import order_text, shared_places
from gnomon.tournament.state.results import Result
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import TournamentSettings

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_ID: Final = 8  # bytes of a request's name
_SECRET: Final = 32  # bytes


class HallError(InvalidValueError):
    """What is asked of the hall cannot be; the sentence says what to do."""


class HallSources(NamedTuple):
    """What a hall asks of the world: time that passes, the time of day, and names that nobody has had."""

    clock: Callable[[], Instant] = monotonic_now
    wall: Wall = wall
    new_name: Callable[[], str] = lambda: token_hex(_ID)


WORLD: Final = HallSources()


class Sent(NamedTuple):
    """What became of sending a round: the requests by the pairings' boards, and what is left to people."""

    requests: Mapping[int, str]
    left: Sequence[Left]


class Hall:
    """A hall at work. Every method may be called from any thread; those that raise StoreError ask the database."""

    def __init__(self, database: Database, bus: Bus, world: HallSources = WORLD, terms: HubTerms = EVERYBODY) -> None:
        """`terms` say which boards belong here: by default all that the bus lets in. Raises StoreError."""
        if database.hall:
            terms = terms._replace(has_others=True)  # other halls of the database may want something of boards here
        self._database = database
        self._world = world
        self._books: dict[str, SqlBook] = {}
        self._last_events: Mapping[str, int] | None = None
        self._codes: dict[tuple[str, str, int], Mapping[bytes, Player]] = {}
        self.clocks: Final = RoundClocks(database, world.clock, world.wall)
        store = RecordStore(database)
        waiting = store_requests.open_requests(database)
        self._hub = Hub(store.marks(), terms, waiting, world.clock())
        self._hub.floor.expect(filter(terms.hears, store.boards()))
        self._entering = Entering(database, self.book)
        self._thread = HubThread(self._hub, store, bus, clock=world.clock, label=self._label, judge=self._entering)

    @classmethod
    def open(cls, where: str, bus: Bus, world: HallSources = WORLD, terms: HubTerms = EVERYBODY) -> Self:
        """A hall that keeps everything in a file, or at an address `postgresql://…`. Raises StoreError."""
        database = backend.open_database(where)
        try:
            return cls(database, bus, world, terms)
        except BaseException:
            database.close()
            raise

    def start(self) -> None:
        """Hear the boards from now on, in a thread of the hall's own."""
        self._thread.start()

    def close(self) -> None:
        """Write down what has come, and end. The bus is left to its owner."""
        self._thread.close()
        self._database.close()

    @property
    def thread(self) -> HubThread:
        """The thread, for code that moves it by hand in virtual time: `connect`, then `step` after each delivery."""
        return self._thread

    @property
    def database(self) -> Database:
        """The database, for what pages keep beside what is the hall's own."""
        return self._database

    # How the hall is

    def now(self) -> Instant:
        """The hall's own monotonic clock, in microseconds: what is known of boards is as old as it says."""
        return self._world.clock()

    def health(self) -> tuple[Statement, ...]:
        """What is wrong with the hall itself."""
        thread, count = self._thread, self._thread.dropped_by_broker
        dropped = statement("hall.health.dropped", count=count) if count else None
        wrong = (thread.cut_off, thread.failed, thread.undecided, *self._entering.faults(), dropped)
        return tuple(each for each in wrong if each is not None)

    def refusal_counts(self) -> Mapping[str, int]:
        """How often what was refused or dropped since the hall was started, by the words of `gnomon.hall.hub.hub`."""
        return dict(self._hub.refused)

    def listen(self, wake: Callable[[], object]) -> ChangeListener:
        """Call `wake` when boards or tournaments have changed; `take` then says which. See `Listeners.listen`."""
        return self._thread.listeners.listen(wake)

    # Boards

    def place(self, board: str) -> RegisteredBoard:
        """What is known of a board now; nothing, of one that was never heard of."""
        return self._hub.floor.place(board)

    def places(self) -> tuple[RegisteredBoard, ...]:
        """What is known of every board, in no order."""
        return tuple(self._hub.floor.places.values())

    def wall(self) -> list[RegisteredBoard]:
        """Every board as a wall shows them: where time is short first."""
        return for_wall(self.places(), self.now())

    def archive_now(self, board: str) -> BoardArchive:
        """All written games of a board."""
        return self.archive(board)

    def changed_since(self, version: int) -> tuple[int, tuple[RegisteredBoard, ...]]:
        """The floor's version, and the boards that have changed since it had another, 0 for all."""
        floor = self._hub.floor
        return floor.version, floor.changed_since(version)

    def counts(self) -> Mapping[str, int]:
        """How many boards are in each phase, and `lost`, `gone`, `unheard` and `stale`."""
        return counts(self.places(), self.now())

    @property
    def public(self) -> PublicBoards:
        """The boards as everybody may see them."""
        return PublicBoards(self)

    def alarms(self) -> list[Alarm]:
        """Everything that needs a director's eye now, the worst first."""
        return alarms(self.places(), self.now(), self._entering.conflicts())

    def disputes(self, name: str) -> Sequence[Dispute]:
        """The results of a tournament that a director has to decide, the earliest round first."""
        told = {alarm.dispute for alarm in self._entering.conflicts() if alarm.dispute is not None}
        return sorted(one for one in told if one.tournament == name)

    def archive(self, board: str, epoch: str | None = None, last: int | None = None) -> BoardArchive:
        """The written games of a board, as `gnomon.records.journal.entries.Archive`.

        They are of an older card's journal where `epoch` names it;
        `last` is the record up to which they are shown, None for all there are.
        """
        return BoardArchive(self._database, board, epoch, last)

    def epochs(self, board: str) -> Sequence[str]:
        """The journals of a board, the newest last: a card that was changed begins a new one. Raises StoreError."""
        return epochs(self._database, board)

    def watch(self, boards: Sequence[str]) -> None:
        """Somebody looks at these boards: for a while they tell their state often. Returns at once."""
        self._thread.watch(boards)

    def forget(self, board: str) -> None:
        """Take a board off the walls that does not come any more, and what the bus has retained of it.

        What it has written stays; when it comes back it is there again. Raises StoreError, and HubError after `close`.
        """
        self._thread.forget(board)

    # Requests: wishes until the board's own record proves them

    def request(
        self, board: str, action: Json, actor: str, *, life: Duration = LIFE, seating: Seating | None = None
    ) -> str:
        """Want something of a board; the name of the request, by which `request_status` tells what became of it.

        Raises HallError when the board is not there, or its clock is not known yet.
        """
        try:
            return self._thread.order(lambda: self._ask(board, action, actor, life=life, seating=seating))
        except HubError as error:
            raise HallError(error) from error

    def notice(self, board: str, text: str, actor: str) -> str:
        """Have a text shown at a board. Raises HallError as `request` does."""
        return self.request(board, {"do": "notice", "text": clean(text)}, actor)

    def correct(self, board: str, event: Correction, actor: str) -> str:
        """Have an event entered by hand at a board, stamped there. Raises HallError as `request` does."""
        return self.request(board, {"do": "correct", "event": event_record(event)}, actor)

    def request_status(self, request: str) -> StoredRequest | None:
        """What became of a request; None before it is written down. Raises StoreError."""
        return store_requests.find_request(self._database, request)

    def asked_of(self, board: str) -> Sequence[StoredRequest]:
        """What was asked of a board last, the newest first. Raises StoreError."""
        return store_requests.asked_of(self._database, board)

    def asked_for(self, tournament: str) -> Sequence[StoredRequest]:
        """What was asked of boards for a tournament, the newest first, and for whom. Raises StoreError."""
        return store_requests.asked_for(self._database, tournament)

    # Tournaments

    def tournaments(self) -> Sequence[KeptTournament]:
        """Every tournament and its plan, in the order in which they were opened. Raises StoreError."""
        return result_rows.tournaments(self._database)

    def open_tournament(
        self, name: str, settings: TournamentSettings, who: str, plan: BoardAssignment | None = None
    ) -> Book:
        """Open a tournament under a short name. Raises HallError when it is taken or none, BookError and StoreError."""
        if not _NAME.fullmatch(name):
            raise HallError(statement("hall.tournament.name", name=name[:64]))
        try:
            self.tell(name, TournamentOpened(settings), who, after=0)
        except StaleError as error:
            raise HallError(statement("hall.tournament.taken", name=name)) from error
        self.set_plan(name, plan or BoardAssignment())
        return self.book(name)

    def book(self, name: str) -> SqlBook:
        """The book of a tournament, empty for one that is not open."""
        return self._books.setdefault(name, SqlBook(self._database, name, self._world.wall))

    def tell(self, name: str, event: Event, who: str, why: str = "", *, after: int) -> LoggedEvent:
        """Tell a tournament's book something, and the hall with it.

        Raises BookError, StaleError and TournamentError as the book does.
        """
        told = self.book(name).append(event, who, why, after=after)
        self._thread.judge_again()
        self._thread.listeners.tell(tournaments=[name])
        return told

    def look_elsewhere(self) -> None:
        """Let everybody know of what another program has told the database since the last look. Raises StoreError."""
        now = result_rows.last_events(self._database)
        was, self._last_events = self._last_events, now
        changed = [name for name, number in now.items() if was is not None and was.get(name) != number]
        if changed:
            self._thread.judge_again()
            self._thread.listeners.tell(tournaments=changed)

    def plan(self, name: str) -> BoardAssignment:
        """How a tournament is played at the boards. Raises StoreError."""
        return next((kept.plan for kept in self.tournaments() if kept.id == name), BoardAssignment())

    def boards_elsewhere(self, name: str) -> Mapping[int, str]:
        """The boards of a tournament that stand in other halls, and in which. Raises StoreError."""
        boards = self.plan(name).boards if self._database.hall else {}
        return {number: hall_of(device) for number, device in boards.items() if hall_of(device)}

    def halls_of_boards(self, name: str) -> Mapping[int, str]:
        """In which hall each board of a tournament stands; empty where all stand in this one. Raises StoreError."""
        own = self._database.hall
        boards = self.plan(name).boards if own else {}
        halls = {number: hall_of(device) or own for number, device in boards.items()}
        return halls if {*halls.values()} - {own} else {}

    def set_plan(self, name: str, plan: BoardAssignment) -> None:
        """Change how a tournament is played at the boards. Raises StoreError."""
        result_rows.keep_plan(self._database, name, plan)
        self._thread.judge_again(Scope(name))
        self._thread.listeners.tell(tournaments=[name])

    def publish(self, name: str, pairings: Iterable[Pairing], who: str, *, after: int) -> LoggedEvent:
        """Publish the next round. Raises as `tell` does."""
        in_round = self.book(name).tournament().next_round
        return self.tell(name, RoundPublished(in_round, tuple(pairings)), who, after=after)

    def proposals(self, name: str, in_round: int | None = None) -> list[Proposal]:
        """What the boards tell of a round, or of every round. Raises StoreError, BookError and TournamentError."""
        book = self.book(name)
        return proposals_from(self._database, book.tournament(), Scope(name, in_round), book.read())

    def table_proposals(self, name: str, in_round: int) -> list[TableProposal]:
        """What boards and players tell of the tables of a round. Raises StoreError, BookError and TournamentError."""
        book = self.book(name)
        return tables_from(self._database, book.tournament(), self.plan(name), Scope(name, in_round), book.read())

    def send_round(self, name: str, who: str, *, boards: Iterable[int] | None = None, abandon: bool = False) -> Sent:
        """Have the games of the round being played begun at their boards, with the names of those who play.

        `boards` are the pairings' boards, None for all; `abandon` gives up unfinished games there in the name of `who`.
        Raises PlanError for a plan without a game, StoreError, BookError and TournamentError.
        """
        tournament = self.book(name).tournament()
        wanted = None if boards is None else set(boards)
        # Before what was begun is read: a board that begins a game meanwhile counts here, one way or the other.
        under_way = self._under_way(name, abandon=abandon)
        told = proposals_from(self._database, tournament, Scope(name, len(tournament.rounds)))
        plan = dispatch.plan_of_round(self.plan(name), tournament)
        has_tables = bool(tournament.rounds and tournament.rounds[-1].tables)
        if has_tables:
            to_do, left = table_errands(
                name,
                tournament,
                plan,
                boards=wanted,
                under_way=under_way,
                places=self._hub.floor.places,
                abandoned_by=who if abandon else "",
            )
        else:
            to_do, left = dispatch.errands(
                name,
                tournament,
                plan,
                [one for one in told if wanted is None or one.board in wanted],
                under_way=under_way,
                places=self._hub.floor.places,
                abandoned_by=who if abandon else "",
            )
        # All in one turn of the hub's thread: one by one, each would wait for the disk.
        sent = self._thread.order(lambda: self._ask_all(to_do, who))
        return Sent(sent.requests, sorted((*left, *sent.left)))

    def accept(self, name: str, in_round: int, board: int, who: str, why: str = "") -> LoggedEvent:
        """Enter by hand what the boards tell of a pairing; where the book says otherwise, correct it, with a reason.

        Raises HallError when they tell no result, and as `tell` does.
        """
        after = len(self.book(name).read())
        proposal = self._proposal(name, in_round, board)
        if proposal.result is None:
            raise HallError(statement("hall.result.none", tournament=name, round=in_round, board=board))
        teller = f"{who}, from {proposal.source}"
        if proposal.entered is None:
            event: Event = ResultEntered(in_round, board, proposal.result)
        else:
            event = ResultCorrected(in_round, board, proposal.result, why or proposal.proof)
        return self.tell(name, event, teller, why or proposal.proof, after=after)

    def settle(self, name: str, in_round: int, board: int, who: str, why: str = "") -> None:
        """Let the book's result stand where the boards tell another. Raises HallError where they do not; StoreError."""
        proposal = self._proposal(name, in_round, board)
        if proposal.standing is not PairingState.DIFFERS:
            raise HallError(statement("hall.result.same", tournament=name, round=in_round, board=board))
        self._settle(Scope(name, in_round), proposal.games, who, why)

    def settle_table(self, name: str, in_round: int, board: int, who: str, why: str = "") -> None:
        """Let the places of a table stand where its board tells others. Raises HallError where not; StoreError."""
        told = next((one for one in self.table_proposals(name, in_round) if one.board == board), None)
        if told is None or told.game is None or not told.differs:
            raise HallError(statement("hall.result.same", tournament=name, round=in_round, board=board))
        self._settle(Scope(name, in_round), [told.game], who, why)

    def _settle(self, scope: Scope, games: Iterable[PairingGame], who: str, why: str) -> None:
        rulings = [(game.device, game.epoch, game.game, game.ruled.seq) for game in games if game.ruled is not None]
        result_rows.settle(self._database, rulings, who, why)
        self._thread.judge_again(scope)

    # Players on their own phones

    def player_codes(self, name: str, *, again: bool = False) -> Mapping[int, str]:
        """The code of each entrant; made `again`, the old ones are worth nothing. Raises StoreError and BookError."""
        secret = player_claims.keep_secret(self._database, name, token_hex(_SECRET), again=again)
        return {
            number: player_codes.player_code(secret, Player(name, number))
            for number in self.book(name).tournament().entrants
        }

    def codes_last_day(self, name: str) -> date | None:
        """The last day on which the codes of a tournament are good, if it has one. Raises StoreError and BookError."""
        book = self.book(name)
        return code_expiry.last_day(player_claims.last_day(self._database, name), book.tournament(), book.read())

    def choose_codes_last_day(self, name: str, day: date | None) -> None:
        """Let the codes of a tournament be good until a day; None lets it follow from the event. Raises StoreError."""
        player_claims.keep_secret(self._database, name, token_hex(_SECRET), again=False)
        player_claims.keep_last_day(self._database, name, "" if day is None else day.isoformat())

    def expired_on(self, name: str) -> date | None:
        """The last day of codes that are no longer good; None while they are. Raises as `codes_last_day` does."""
        last, today = self.codes_last_day(name), self._world.wall().astimezone().date()
        return last if last is not None and last < today else None

    def find_player(self, code: str) -> Player | None:
        """Whose code somebody typed; None for nobody's. Raises StoreError and BookError."""
        mark = player_codes.code_mark(player_codes.plain(code))
        for name, secret in player_claims.secrets(self._database).items():
            entrants = self.book(name).tournament().entrants
            key = (name, secret, len(entrants))
            if key not in self._codes:
                self._codes = {known: marks for known, marks in self._codes.items() if known[0] != name}
                self._codes[key] = player_codes.code_marks(secret, name, entrants)
            if mark in self._codes[key]:
                return self._codes[key][mark]
        return None

    def claim(self, player: Player, in_round: int, result: Result) -> None:
        """Take an entrant's word about their game of a round that waits for results, told as they see it.

        Raises HallError where they have none, or its result is entered, and as `proposals` does.
        """
        name, entrant = player
        book = self.book(name)
        told, tournament = book.read(), book.tournament()
        round_ = tournament.rounds[in_round - 1] if 1 <= in_round <= len(tournament.rounds) else None
        pairing = None if round_ is None else round_.of(entrant)
        if round_ is None or pairing is None or pairing.second is None:
            raise HallError(statement("hall.claim.none", round=in_round))
        if pairing.board in round_.results:
            raise HallError(statement("hall.claim.entered", board=pairing.board))
        other = pairing.second if entrant == pairing.first else pairing.first
        self._keep_claim(name, in_round, PlayerClaim(entrant, (entrant, other), result, len(told)))

    def claim_places(self, player: Player, in_round: int, ranks: Mapping[int, int]) -> None:
        """Take an entrant's word about how their table of a round ended: the rank of everybody there, the best 1.

        Raises HallError where they sit at none, others sit there, or its places are entered, and as `proposals` does.
        """
        name, entrant = player
        book = self.book(name)
        told, tournament = book.read(), book.tournament()
        round_ = tournament.rounds[in_round - 1] if 1 <= in_round <= len(tournament.rounds) else None
        table = None if round_ is None else round_.table_of(entrant)
        if round_ is None or table is None or ranks.keys() != {*table.seats}:
            raise HallError(statement("hall.claim.none", round=in_round))
        if table.board in round_.places:
            raise HallError(statement("hall.claim.places_entered", table=table.board))
        order = order_text(table, shared_places([ranks[number] for number in table.seats]))
        self._keep_claim(name, in_round, TableClaim(entrant, order, len(told)))

    # Private

    def _keep_claim(self, name: str, in_round: int, claim: PlayerClaim | TableClaim) -> None:
        player_claims.keep_claim(self._database, name, in_round, claim, self._label())
        self._thread.judge_again(Scope(name, in_round))
        self._thread.listeners.tell(tournaments=[name])

    def _proposal(self, name: str, in_round: int, board: int) -> Proposal:
        found = [one for one in self.proposals(name, in_round) if one.board == board]
        if not found:
            raise HallError(statement("hall.result.no_board", tournament=name, round=in_round, board=board))
        return found[0]

    def _ask_all(self, errands: Iterable[Errand], who: str) -> Sent:
        """Ask for games at many boards, in the hub's thread."""
        requests: dict[int, str] = {}
        left: list[Left] = []
        asked = self._hub.under_way()
        for errand in errands:
            board = errand.seating.board
            if errand.seating in asked:  # somebody else has sent the round meanwhile
                left.append(Left(board, errand.device, dispatch.asked_already(errand.device)))
                continue
            try:
                requests[board] = self._ask(errand.device, errand.action, who, seating=errand.seating)
            except HubError as error:
                left.append(Left(board, errand.device, error.statement))
        return Sent(requests, left)

    def _ask(
        self, board: str, action: Json, actor: str, *, life: Duration = LIFE, seating: Seating | None = None
    ) -> str:
        """Ask, in the hub's thread. Raises HubError."""
        name = self._world.new_name()
        label, now = self._label(), self.now()
        self._hub.ask(name, board, clean(actor), action, now, wall=label, life=life, seating=seating)
        return name

    def _under_way(self, name: str, *, abandon: bool) -> frozenset[Seating]:
        """The games that were asked for and are not begun yet as far as the hall has it written.

        A board that has said that it began one, and whose card was changed before it could tell, never proves it: its
        word counts until somebody gives up what may be played there, or another board takes its place.
        """
        # What the hub waits for comes first: an answer that it takes meanwhile is written down before that is read.
        asked, boards = self._thread.order(self._hub.under_way), self.plan(name).boards
        done = {
            one.seating
            for one in store_requests.asked_for(self._database, name)
            if one.fate == Fate.DONE
            and not one.is_proven
            and one.seating
            and boards.get(one.seating.board) == one.board
        }
        return asked | (frozenset() if abandon else done)

    def _label(self) -> str:
        return timestamp(self._world.wall())
