"""Simulate one board of a hall: random legal moves at a human pace, refereed like any game.

To the hall it is a board like any other, with a journal, an outbox and answers to requests, but it needs no machine:
its journal is kept in memory, and its clock is its own. Randomness and time are passed in.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final, NamedTuple

from gnomon.hall.board_alarms import NOTICE as FROM_THE_HALL
from gnomon.hall.messaging import decoder, messages
from gnomon.hall.messaging.actions import GameRequest, RequestFields
from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.outbox import Outbox
from gnomon.records.formats.traces import dump_ruling, read_event
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.records.journal.event_codec import NOTE, body_of, encode_start
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.events import Correction, DeadlineReached, Event, InputChanged, ResultDeclared, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import game_of, new_game, tell
from gnomon.referee.people import clean
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import RequestRefusedError, Statement, statement, statement_of
from gnomon.rules.kinds import load
from gnomon.rules.protocol import NATURE, RulesError
from gnomon.rules.registry import games, kind_of
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after
from gnomon.views.status_payload import card

BEAT: Final = Duration(2 * SECOND)
"""Between two words about a game that is being played."""
REST: Final = Duration(10 * SECOND)
SPACING: Final = Duration(SECOND)
LONGEST_THOUGHT: Final = Duration(60 * SECOND)
NOTICE: Final = Duration(60 * SECOND)
_WAITING: Final = 64
_FORGOTTEN: Final = 200  # records at a time


class DemoRequestError(RequestRefusedError):
    """A request cannot be carried out."""


class Casual(NamedTuple):
    """What is played at a board that nobody asks for a game: the game, its settings, and who sits there."""

    game: str
    settings: Mapping[str, object]
    names: Sequence[str]


class DemoWorld(NamedTuple):
    """What such a board asks of the world: the program's clock, the time of day as a label, and chance."""

    now: Callable[[], Instant]
    wall: Callable[[], str]
    chance: Random
    pace: float = 1.0  # how many times as fast as people


@dataclass(slots=True)
class _Sitting:
    """The game at the board, and the raw instant of its board time 0."""

    number: int
    game: Game
    origin: Instant
    move_at: Instant
    is_over: bool = False
    confirmed: tuple[str, ...] = ()
    confirm_at: list[tuple[Instant, str]] = field(default_factory=list)
    hands: Any = None  # of a game that is played by hand on its own board
    seen: deque[InputChanged] = field(default_factory=deque)  # what a turn under way will still show


class DemoBoard:
    """One such board. `take` may be called from any thread, everything else by one."""

    def __init__(self, name: str, bus: Bus, world: DemoWorld, casual: Casual | None = None) -> None:
        """`casual` is played again and again; without it the board waits for the hall."""
        self.name: Final = name
        self._bus = bus
        self._world = world
        self._casual = casual
        self._offset = world.chance.randrange(10**6, 10**9)  # its clock is nobody else's
        self._epoch, self._session, self._boot = (f"{world.chance.getrandbits(48):012x}" for _ in range(3))
        self._journal: list[Record] = []  # from number `_dropped` + 1 on: what the hall keeps is not needed here
        self._dropped = 0
        self._games: list[StoredGame] = []
        self._sitting: _Sitting | None = None
        self._outbox = Outbox(self._epoch)
        self._messages: deque[Message] = deque(maxlen=_WAITING)
        self._answers: dict[str, messages.Answer] = {}
        self._notice = ("", Instant(0))
        self._told_at: Instant | None = None
        self._has_changed = True
        self._begin_at = after(self._raw(), Duration(world.chance.randrange(1, 12 * SECOND)))

    def join(self) -> None:
        """Say that the board is there."""
        for topic in (messages.Topic.ACK, messages.Topic.ASK, messages.Topic.REQUEST):
            self._bus.subscribe(topic.of(self.name), self.take)
        self._bus.publish(messages.Topic.STATUS.of(self.name), messages.encode(self._status()), retain=True)
        self._outbox = self._outbox.connect()

    def leave(self) -> None:
        """Say goodbye."""
        gone = replace(self._status(), online=False, goodbye=True)
        self._bus.publish(messages.Topic.STATUS.of(self.name), messages.encode(gone), retain=True)

    def take(self, message: Message) -> None:
        """A message came."""
        self._messages.append(message)

    def run(self) -> None:
        """Do everything that is due."""
        now = self._raw()
        while self._messages:
            self._read(self._messages.popleft(), now)
        self._play(now)
        self._tell(now)
        self._send(now)

    # What comes

    def _read(self, message: Message, now: Instant) -> None:
        try:
            _, topic = messages.parse_topic(message.topic)
            if topic is messages.Topic.ACK:
                self._outbox = self._outbox.acknowledge(decoder.ack(*message[:2]), now, self._world.chance.random())
                self._drop()
            elif topic is messages.Topic.ASK:
                ask = decoder.ask(*message[:2])
                if ask.first > self._dropped:
                    self._outbox = self._outbox.resend(ask, now)
            else:
                self._answer(decoder.request(*message[:2]), now)
        except messages.MessageError:
            pass  # nothing that a hall has sent

    def _drop(self) -> None:
        """Forget what the hall has, now and then: a demonstration may go on for days."""
        kept = self._outbox.mark - self._dropped
        if kept >= _FORGOTTEN:
            del self._journal[:kept]
            self._dropped += kept

    def _answer(self, request: messages.Request, now: Instant) -> None:
        if request.id not in self._answers:
            self._answers[request.id] = self._carried_out(request, now)
        self._bus.publish(messages.Topic.ANSWER.of(self.name), messages.encode(self._answers[request.id]))

    def _carried_out(self, request: messages.Request, now: Instant) -> messages.Answer:
        if request.session != self._session or now > request.until:
            return messages.Answer(request.id, messages.Fate.EXPIRED, statement("hall.answer.late"))
        try:
            return messages.Answer(request.id, messages.Fate.DONE, proof=self._fulfil(request, now))
        except (DemoRequestError, RulesError, ValueError) as error:
            return messages.Answer(request.id, messages.Fate.REFUSED, statement_of(error))

    def _fulfil(self, request: messages.Request, now: Instant) -> int:
        action, who = request.action, clean(request.actor) or "hall"
        do = action.get("do")
        wish = {NOTE: "request", "id": request.id, "actor": who, "do": do}
        if do == "notice":
            self._notice = (clean(str(action.get("text", ""))), after(now, NOTICE))
            self._has_changed = True
            return 0 if self._sitting is None else self._write(EntryKind.NOTE, self._time(now), wish)
        if do == "new_game":
            return self._begin_wished(RequestFields(action).game(), wish, now)
        if do == "correct":
            return self._correct(action, wish, who, now)
        raise DemoRequestError(statement("hall.answer.cannot", do=str(do)[:40]))

    def _begin_wished(self, wanted: GameRequest, wish: Mapping[str, object], now: Instant) -> int:
        setup, abandoned_by = wanted.setup, clean(wanted.abandoned_by)
        if setup.game not in games():
            raise DemoRequestError(statement("hall.answer.not_played", game=setup.game[:40], games=tuple(games())))
        game = new_game(setup)
        if self._sitting is not None and not self._sitting.is_over:
            if not abandoned_by:
                raise DemoRequestError(statement("told.unfinished.who"))
            self._happen(ResultDeclared(self._time(now), None, "abandoned", abandoned_by))
        self._sit_down(game, setup.settings, now)
        return self._write(EntryKind.NOTE, Instant(0), {**wish, **wanted.remark()})

    def _correct(self, action: Mapping[str, object], wish: Mapping[str, object], who: str, now: Instant) -> int:
        told = action.get("event")
        if self._sitting is None or not isinstance(told, Mapping):
            raise DemoRequestError(
                statement("told.no_game" if self._sitting is None else "hall.answer.event.unreadable")
            )
        game, time = self._sitting.game, self._time(now)
        event: Correction = read_event({**told, "at_us": time, "who": f"{who} (hall)"}, game.inputs)
        tell(game, event)  # what it refuses is refused before anything is written
        proof = self._write(EntryKind.NOTE, time, {**wish, "event": str(told.get("event"))})
        self._happen(event, cause=proof)
        return proof

    # What is played

    def _play(self, now: Instant) -> None:
        sitting = self._sitting
        if sitting is None or sitting.is_over:
            self._rest(sitting, now)
        elif self._still_plays(sitting, now) and now >= sitting.move_at and sitting.game.paused_at is None:
            self._move(sitting, now)

    def _move(self, sitting: _Sitting, now: Instant) -> None:
        if sitting.hands is not None:
            if not sitting.seen:
                sitting.seen.extend(sitting.hands.begin_turn(sitting.game, self._time(now), self._world.chance))
        elif texts := sitting.game.texts():
            who = "companion" if sitting.game.is_natures else "demonstration"
            self._happen(TurnEntered(self._time(now), self._world.chance.choice(texts), who))
        sitting.move_at = after(now, self._thinking_time())

    def _rest(self, sitting: _Sitting | None, now: Instant) -> None:
        """After a game its players confirm it, and later another begins."""
        if sitting is not None:
            while sitting.confirm_at and sitting.confirm_at[0][0] <= now:
                _, player = sitting.confirm_at.pop(0)
                self._write(EntryKind.NOTE, self._time(now), {NOTE: "confirmed", "player": player})
                sitting.confirmed = (*sitting.confirmed, player)
                self._has_changed = True
        if self._casual is not None and now >= self._begin_at:
            game, settings, names = self._casual
            bare = GameSetup(game, settings)
            seats = [player for player in game_of(bare).rules.players if player != NATURE]
            self._sit_down(game_of(replace(bare, players=dict(zip(seats, names, strict=False)))), settings, now)

    def _still_plays(self, sitting: _Sitting, now: Instant) -> bool:
        """Let time come to now, and say whether the game has not ended by that."""
        time = self._time(now)
        while sitting.seen and sitting.seen[0].at <= time and not sitting.is_over:
            self._happen(sitting.seen.popleft())
        while (deadline := sitting.game.deadline()) is not None and deadline <= time:
            before = sitting.game
            self._happen(DeadlineReached(deadline))
            if sitting.game == before:
                break
        return not sitting.is_over

    def _thinking_time(self) -> Duration:
        seconds = self._world.chance.lognormvariate(1.9, 0.8) / self._world.pace
        return min(LONGEST_THOUGHT, Duration(round(seconds * SECOND)))

    def _sit_down(self, game: Game, settings: Mapping[str, object], now: Instant) -> None:
        number = len(self._games) + 1
        hands = kind_of(game.rules.name).hands
        labels = (self._boot, self._world.wall(), "demonstration", game.rules.name, dict(game.people))
        start = GameStart(game.board.name, settings, game.temperament.value, now, *labels)
        self._games.append(StoredGame(number, start, None))
        self._sitting = _Sitting(
            number, game, now, after(now, self._thinking_time()), hands=load(hands)() if hands else None
        )
        self._write(EntryKind.NOTE, Instant(0), encode_start(now, game.sensing))
        self._has_changed = True

    def _happen(self, event: Event, cause: int | None = None) -> None:
        """Something happens in the game: it is written down with what it leads to."""
        sitting = self._sitting
        if sitting is None:
            return
        sitting.game, effects = tell(sitting.game, event)
        rulings = _rulings_in(effects)
        if isinstance(event, DeadlineReached) and not rulings:
            return
        kind, body = body_of(event)
        written = self._write(kind, event.at, body, cause)
        for ruling in rulings:
            self._write(EntryKind.RULING, ruling.at, dump_ruling(ruling), written)
        is_over = sitting.game.outcome is not None or sitting.game.adjourned
        if is_over != sitting.is_over:
            self._end(sitting, event.at, is_over=is_over)
        self._has_changed = True

    def _end(self, sitting: _Sitting, at: Instant, *, is_over: bool) -> None:
        sitting.is_over, sitting.confirmed = is_over, ()
        index = sitting.number - 1
        self._games[index] = replace(self._games[index], ended=at if is_over else None)
        now, chance = self._raw(), self._world.chance
        players = [player for player in sitting.game.rules.players if player != NATURE]
        sitting.confirm_at = sorted((after(now, _by_chance(chance, 3, 25)), player) for player in players)
        self._begin_at = after(now, _by_chance(chance, 30, 90))

    def _write(self, kind: EntryKind, at: Instant, body: Mapping[str, object], cause: int | None = None) -> int:
        assert self._sitting is not None, "records are of a game"  # noqa: S101 - as every caller sees to it
        entry = Entry(self._sitting.number, kind, at, body, self._boot, self._world.wall(), cause)
        self._journal.append(Record(self._last + 1, entry))
        self._outbox = self._outbox.extend(self._last)
        return self._last

    @property
    def _last(self) -> int:
        """The number of the last record."""
        return self._dropped + len(self._journal)

    # What goes out

    def _tell(self, now: Instant) -> None:
        sitting = self._sitting
        since = None if self._told_at is None else now - self._told_at
        is_running = sitting is not None and not sitting.is_over
        pause = SPACING if self._has_changed else BEAT if is_running else REST
        if since is not None and since < pause:
            return
        told = self._card(sitting, now)
        state = messages.State(self.name, self._epoch, self._session, self._boot, now, self._last, told)
        if self._bus.publish(messages.Topic.STATE.of(self.name), messages.encode(state), retain=True, sure=False):
            self._told_at, self._has_changed = now, False

    def _card(self, sitting: _Sitting | None, now: Instant) -> Mapping[str, object]:
        text, until = self._notice
        health = (Statement.plain(f"{FROM_THE_HALL}{text}"),) if text and now < until else ()
        if sitting is None:
            return card(None, Instant(0), health=health)
        return card(sitting.game, self._time(now), number=sitting.number, confirmed=sitting.confirmed, health=health)

    def _send(self, now: Instant) -> None:
        self._outbox = self._outbox.wake(now)
        while (due := self._outbox.due()) is not None:
            records = tuple(self._journal[due.first - 1 - self._dropped : due.last - self._dropped])
            games = tuple(self._games[number - 1] for number in sorted({each.entry.game for each in records}))
            batch = messages.Records(self.name, self._epoch, games, records, self._last)
            if not self._bus.publish(messages.Topic.RECORDS.of(self.name), messages.encode(batch)):
                return
            self._outbox = self._outbox.went_out(due.last, now, self._world.chance.random())

    def _status(self) -> messages.Status:
        known = messages.Status(
            self.name, online=True, epoch=self._epoch, session=self._session, boot=self._boot, games=games()
        )
        return replace(known, version="demonstration")

    def _raw(self) -> Instant:
        return after(self._world.now(), Duration(self._offset))

    def _time(self, now: Instant) -> Instant:
        return Instant(0) if self._sitting is None else Instant(now - self._sitting.origin)


def _rulings_in(effects: Iterable[Effect]) -> list[Ruling]:
    return [effect.ruling for effect in effects if isinstance(effect, Announce)]


def _by_chance(chance: Random, least: int, most: int) -> Duration:
    return Duration(chance.randrange(least * SECOND, most * SECOND))
