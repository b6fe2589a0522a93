"""Carry out the hall's requests in the daemon's loop, each exactly once.

A request is meant for one start of the daemon and expires by that daemon's own clock. What was done is proven by a
remark in the journal, which the event names as its cause; so a repeated request is recognized, also after a restart.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from gnomon.hall.messaging.actions import GameRequest, RequestFields
from gnomon.hall.messaging.messages import Answer, Fate, MessageError, Request
from gnomon.records.formats.traces import read_event
from gnomon.records.journal.event_codec import NOTE
from gnomon.records.journal.writer import Journal
from gnomon.referee.people import clean
from gnomon.refusals import RequestRefusedError, statement, statement_of
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.controller import PAIRING, BoardController, ControllerError

REQUEST: Final = "request"
"""What the remark says that proves a wish."""

_KNOWN: Final = 500
"""Answers that are remembered; more wishes than these do not come while one is valid."""
_LOOKED_AT: Final = 20_000
"""Entries of the journal in which remarks of the last start are looked for."""
_LONGEST: Final = 80  # letters of a wish's name
_DOES: Final = ("correct", "new_game", "notice")


class CommandError(RequestRefusedError):
    """A wish cannot be carried out."""


class HallCommands:
    """Carries out wishes one after the other; everything here happens in the daemon's loop."""

    def __init__(
        self, controller: BoardController, now: Callable[[], Instant], session: str, put_up: Callable[[str], None]
    ) -> None:
        """`now` is the board's raw clock, `put_up` shows a text to those at the board for a while."""
        self._controller = controller
        self._now = now
        self._session = session
        self._put_up = put_up
        self._one_at_a_time = asyncio.Lock()
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    def remember(self, journal: Journal) -> None:
        """Know again what was done before the daemon was started again. Raises JournalError."""
        for record in journal.notes(NOTE, REQUEST, max(0, journal.durable_seq - _LOOKED_AT)):
            self._keep(Answer(str(record.entry.body.get("id")), Fate.DONE, proof=record.seq))
            if PAIRING in record.entry.body:
                self._controller.know_pairing(record.entry.game)

    async def do(self, request: Request) -> Answer:
        """Carry a wish out, or say why not; one that was answered before gets the same answer."""
        async with self._one_at_a_time:
            known = self._answers.get(request.id)
            return known if known is not None else self._keep(await self._answer(request))

    def _keep(self, answer: Answer) -> Answer:
        self._answers[answer.id] = answer
        while len(self._answers) > _KNOWN:
            self._answers.popitem(last=False)
        return answer

    async def _answer(self, request: Request) -> Answer:
        if request.session != self._session:
            return Answer(request.id, Fate.EXPIRED, statement("hall.answer.restarted"))
        if self._now() > request.until:
            return Answer(request.id, Fate.EXPIRED, statement("hall.answer.late"))
        try:
            return Answer(request.id, Fate.DONE, proof=await self._fulfil(request))
        except (ControllerError, CommandError, MessageError) as error:
            return Answer(request.id, Fate.REFUSED, error.statement)

    async def _fulfil(self, request: Request) -> int:
        """The number of the remark that proves it. Raises ControllerError, CommandError and MessageError."""
        if not 0 < len(request.id) <= _LONGEST:
            raise CommandError(statement("hall.answer.name", most=_LONGEST))
        action = RequestFields(request.action)
        who = clean(request.actor) or "hall"
        do = action.text("do")
        wish: dict[str, object] = {NOTE: REQUEST, "id": request.id, "actor": who, "do": do}
        match do:
            case "new_game":
                return await self._new_game(action.game(), wish)
            case "correct":
                return await self._correct(action, wish, f"{who} (hall)")
            case "notice":
                return await self._notice(clean(action.text("text")), wish)
            case _:
                raise CommandError(statement("hall.answer.unknown", do=do[:40], known=_DOES))

    async def _new_game(self, wanted: GameRequest, wish: Mapping[str, object]) -> int:
        remark = {**wish, **wanted.remark()}
        return await self._controller.new_game(wanted.setup, clean(wanted.abandoned_by), wish=remark)

    async def _correct(self, action: RequestFields, wish: Mapping[str, object], who: str) -> int:
        game = self._controller.game()
        told = {**action.object_field("event"), "at_us": 0, "who": who}
        if "event" not in told:
            raise CommandError(statement("hall.answer.event.no_name"))
        try:
            event = read_event(told, frozenset() if game is None else game.inputs)
        except (KeyError, ValueError) as error:
            raise CommandError(statement("hall.answer.event", text=statement_of(error))) from error
        return await self._controller.fulfil(event, {**wish, "event": str(told["event"])})

    async def _notice(self, text: str, wish: Mapping[str, object]) -> int:
        if not text:
            raise CommandError(statement("hall.answer.notice"))
        self._put_up(text)
        # Before the first game there is nothing to remark upon: then the answer alone says that it was shown.
        return 0 if self._controller.game() is None else await self._controller.remark({**wish, "text": text})
