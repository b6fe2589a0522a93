"""Provide what all tournament pages share: reading of a tournament, form handling, errors and redirects."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from http import HTTPStatus
from typing import Final, Generic, NamedTuple, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.hall import Hall, HallError
from gnomon.hall.rounds.board_assignment import PlanError
from gnomon.hall.rounds.dispatch import Left
from gnomon.hall.rounds.event_log import BookAwayError, BookError, StaleError
from gnomon.hall.store.archive import BoardArchive
from gnomon.refusals import error_payload, sentence, statement, statement_of
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import ByeGranted, ByeWithdrawn, Event, PairingAllowed, PairingProhibited
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.settings import Bye
from gnomon.web import forms
from gnomon.web._http_errors import HttpError, is_program
from gnomon.web._templates import page
from gnomon.web.access import Authenticator, Role, allow, visitor_of
from gnomon.web.director._drafts import Drafts
from gnomon.web.director._event_writer import ClashError, Concerns, Page, conflicts_with_nothing, tell
from gnomon.web.director._history import clash_sentence
from gnomon.web.director._luck import LuckDesk, LuckFile
from gnomon.web.director._stream import News
from gnomon.web.director._uploads import Uploads
from gnomon.web.language import words_for
from gnomon.web.live.streams import Readers
from gnomon.web.server.workers import Shelf, answer, work_out
from gnomon.web.sheets.rounds import game_of_round, round_heading

AnswerT = TypeVar("AnswerT")
PreviewT = TypeVar("PreviewT")

BYES: Final = (Bye.FULL, Bye.HALF, Bye.ZERO)
"""Those that a form grants."""


class FormProblem(StrEnum):
    """What is wrong with a form, by the words that say so."""

    NUMBER = "director.wrong.number"
    REASON = "director.wrong.reason"
    CORRECT = "director.wrong.correct"
    DRAFT = "director.wrong.draft"
    FILE = "director.wrong.file"
    FORGOTTEN = "director.wrong.forgotten"
    NAME = "director.wrong.name"
    ROUNDS = "director.wrong.rounds"
    CHANGED = "director.wrong.changed"
    NOTHING = "director.wrong.nothing"
    DAY = "director.wrong.day"


class FormError(ValueError):
    """A form that asks for what cannot be."""

    def __init__(self, why: FormProblem) -> None:
        super().__init__(why.value)
        self.why = why


class TournamentSnapshot(NamedTuple):
    """A tournament as it was read: its name in addresses, its events, what they make, and the marks of its news."""

    name: str
    told: Sequence[LoggedEvent]
    tournament: Tournament
    marks: Mapping[str, str]

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.told)


class FormMistake(NamedTuple):
    """What was wrong with a form that is shown again: which form, in a sentence, and what was sent."""

    form: str = ""
    sentence: str = ""
    sent: Mapping[str, str] = {}
    status: int = 200


FINE: Final = FormMistake()
AS_OF: Final = "gnomon-as-of"
"""The header of an answer that changes when anything else is to be shown of a tournament, or of a game."""
KNOWN: Final = "gnomon-known"
"""The header with which one asks who has an answer already, as of then: where it still holds, it is not made again."""


class RoundSent(NamedTuple):
    """What became of sending a round to the boards: by the pairings' boards the requests, and why there is none."""

    round: int
    requests: Mapping[int, str]
    left: Sequence[Left]


class FormInput(NamedTuple):
    """A form that was sent about a tournament."""

    request: Request
    look: TournamentSnapshot
    sent: Mapping[str, str]

    @property
    def who(self) -> str:
        """In whose name it is."""
        return who(self.request)

    def text(self, field: str) -> str:
        """What a field says, without blanks too many; empty where it is missing."""
        return " ".join(self.sent.get(field, "").split())

    def number(self, field: str) -> int:
        """A whole number that has to be there. Raises FormError."""
        found = self.number_or_none(field)
        if found is None:
            raise FormError(FormProblem.NUMBER)
        return found

    def number_or_none(self, field: str) -> int | None:
        """A whole number, None where nothing is written. Raises FormError for what is no number."""
        return number_or_none(self.text(field))

    def reason(self) -> str:
        """The reason that has to be there. Raises FormError."""
        if not self.text("why"):
            raise FormError(FormProblem.REASON)
        return self.text("why")


def number_or_none(text: str) -> int | None:
    """The whole number that a text is, None where nothing is written. Raises FormError for what is no number."""
    text = text.strip()
    found = forms.number(text)
    if text and found is None:
        raise FormError(FormProblem.NUMBER)
    return found


_FILMS: Final = 4
"""Games that are kept as they were played again: a long one is two megabytes."""
_PLAYED: Final = 2
"""Lists of games that are kept: that of a thousand boards is two megabytes, and made again every ten seconds."""

Do = Callable[[FormInput], Awaitable[str | None]]
"""Does what a form asks for; where to go then, None for the page that it stands on."""
Show = Callable[[Request, TournamentSnapshot, FormMistake], Awaitable[Response]]


class TournamentApp:
    """What the pages are given by the program that serves them, and what they keep between two requests."""

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a hall that the pages of tournaments stand on
        self,
        hall: Hall,
        readers: Readers | None = None,
        shelf: Shelf | None = None,
        archive: Callable[[str, str], BoardArchive] | None = None,
        address: Callable[[], str] = str,
        door: Authenticator | None = None,
        luck: LuckFile = LuckFile(),  # noqa: B008 - a value that nobody changes
        *,
        is_alone: bool = False,
    ) -> None:
        """`address` is where phones reach the pages now, empty where nobody knows.

        `is_alone` says that only this machine reaches them.
        `door` counts wrong codes of players, for all processes with pages; without it this one counts its own.
        `archive` has what strangers may read of a journal, by board and epoch: `hall.public` says so unless told.
        `luck` says where it is kept what luck gave in games.
        """
        self.hall: Final = hall
        self.archive: Final = archive or hall.public.archive_of
        self.address: Final = address
        self.is_alone: Final = is_alone
        self.door: Final = door
        self.films: Final = Shelf(_FILMS)
        self.played: Final = Shelf(_PLAYED)
        self.readers: Final = readers or Readers()
        self.shelf: Final = shelf or Shelf()
        self.uploads: Final = Uploads()
        self.news: Final = News(hall)
        self.drafts: Final = Drafts(hall, self.news.desk_changed)
        self.luck: Final = LuckDesk(self.archive, self.news.public_changed, luck)
        self.sent: Final[dict[str, RoundSent]] = {}
        self._known: set[str] = set()

    async def ask(self, question: Callable[[], AnswerT]) -> AnswerT:
        """Ask the hall something that may wait for its database.

        Raises what the question raises, and HTTPException for a book that is damaged and an answer that comes too late.
        """
        try:
            return await answer(question)
        except (StaleError, BookAwayError):
            raise
        except BookError as error:
            raise HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, error.statement) from error

    async def work_out(self, question: Callable[[], AnswerT]) -> AnswerT:
        """What a file says, which takes time alone. Raises what the question raises, and HTTPException."""
        return await work_out(question)

    async def look(self, request: Request) -> TournamentSnapshot:
        """The tournament that an address names. Raises HTTPException where there is none."""
        name = str(request.path_params["name"])

        marks = self.news.marks(name)  # before it is read: what comes meanwhile makes the page look again

        def read() -> TournamentSnapshot | None:
            if not self._is_kept(name):
                return None
            book = self.hall.book(name)
            told = book.read()
            return TournamentSnapshot(name, told, book.tournament(), marks) if told else None

        found = await self.ask(read)
        if found is None:
            raise HttpError(HTTPStatus.NOT_FOUND, statement("director.refused.no_tournament", tournament=name[:80]))
        return found

    def _is_kept(self, name: str) -> bool:
        """Whether the hall has such a tournament; a book is opened for no other name. Raises StoreError."""
        if name not in self._known:
            self._known.update(kept.id for kept in self.hall.tournaments())
        return name in self._known

    async def tell(self, wish: FormInput, events: Sequence[Event], concerns: Concerns, why: str = "") -> None:
        """Append events to the log in the name of the person who asks. Raises as `_event_writer.tell` does."""
        seen = wish.number_or_none("seen")
        last = wish.look.last if seen is None else min(seen, wish.look.last)
        told_by = Page(wish.look.name, last, wish.who)
        await self.ask(lambda: tell(self.hall, told_by, events, concerns, why or wish.text("why")))

    def endpoint(self, form: str, do: Do, show: Show) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that does what a form asks for, or shows its page again with what is wrong."""

        async def endpoint(request: Request) -> Response:
            sent = await forms.read(request)
            look = await self.look(request)
            try:
                then = await do(FormInput(request, look, sent))
            except (*_REFUSALS, FormError, ClashError) as error:
                wrong = form_mistake(request, form, sent, error)
                if is_program(request):
                    told = {"error": wrong.sentence, **error_payload(error)}
                    return JSONResponse(told, wrong.status, headers={"Cache-Control": "no-store"})
                return await show(request, await self.look(request), wrong)
            if is_program(request):
                return JSONResponse({"done": True}, headers={"Cache-Control": "no-store"})
            return RedirectResponse(then or _page_of(request), HTTPStatus.SEE_OTHER)

        return endpoint


class OfficePage(ABC):
    """A page of a tournament with its forms."""

    def __init__(self, office: TournamentApp) -> None:
        self._office = office

    @abstractmethod
    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        """The page, with what is wrong with the form that was sent."""

    async def show(self, request: Request) -> Response:
        """The page as it is asked for."""
        return await self.page(request, await self._office.look(request), FINE)

    def routes(self, path: str, role: Role, actions: Mapping[str, tuple[Role, Do]]) -> Sequence[BaseRoute]:
        """The page for those who may do what `role` may, and below its path each form with its own role."""
        return Route(path, allow(role, self.show)), *self.forms(path, self.page, actions)

    def forms(self, path: str, show: Show, actions: Mapping[str, tuple[Role, Do]]) -> Sequence[BaseRoute]:
        """Forms below a path, which show another page again where something is wrong."""
        return tuple(
            Route(f"{path}/{name}", allow(role, self._office.endpoint(name, do, show)), methods=["POST"])
            for name, (role, do) in actions.items()
        )


class EntryPage(OfficePage, ABC):
    """A page of those who are in a tournament, people or teams: which of them are not to be paired, and their byes."""

    async def keep_apart(self, wish: FormInput) -> None:
        """Never pair two of them."""
        await self._tell_of_pair(wish, PairingProhibited)

    async def let_meet(self, wish: FormInput) -> None:
        """Pair two of them again."""
        await self._tell_of_pair(wish, PairingAllowed)

    async def _tell_of_pair(self, wish: FormInput, event: type[PairingProhibited | PairingAllowed]) -> None:
        await self._office.tell(wish, [event(wish.number("one"), wish.number("other"))], conflicts_with_nothing)


def bye_told(wish: FormInput, number: int) -> ByeGranted | ByeWithdrawn:
    """The bye that a form grants to one of them, or takes back."""
    in_round, worth = wish.number("round"), wish.text("worth")
    return ByeGranted(number, in_round, Bye(worth)) if worth in list(BYES) else ByeWithdrawn(number, in_round)


class PreviewedForm(NamedTuple, Generic[PreviewT]):
    """A form on its page: what was sent, what is wrong with it, and what would follow."""

    look: TournamentSnapshot
    wrong: FormMistake
    sent: Mapping[str, str]
    preview: PreviewT | None = None


class PreviewedPage(OfficePage, ABC, Generic[PreviewT]):
    """A page with a form of which somebody may see first what would follow."""

    @abstractmethod
    def preview(self, wish: FormInput) -> PreviewT:
        """What would follow; it may wait for the database. Raises TournamentError and FormError."""

    @abstractmethod
    async def answer(self, request: Request, form: PreviewedForm[PreviewT]) -> Response:
        """The page with its form."""

    async def page(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        return await self.answer(request, PreviewedForm(look, wrong, wrong.sent))

    async def look(self, request: Request) -> Response:
        """What would follow, beside the form that asks for it."""
        sent = await forms.read(request)
        look = await self._office.look(request)
        try:
            preview = await self._office.ask(lambda: self.preview(FormInput(request, look, sent)))
        except (TournamentError, FormError) as error:
            wrong = form_mistake(request, "look", sent, error)
            return await self.answer(request, PreviewedForm(look, wrong, sent))
        return await self.answer(request, PreviewedForm(look, FINE, sent, preview))

    def previewed_routes(self, path: str, action: str, do: Do) -> Sequence[BaseRoute]:
        """The page for directors, with its form and the look at what would follow."""
        look = Route(f"{path}/look", allow(Role.DIRECTOR, self.look), methods=["POST"])
        return (*self.routes(path, Role.DIRECTOR, {action: (Role.DIRECTOR, do)}), look)


_REFUSALS: Final = (TournamentError, HallError, PlanError, StaleError)


def who(request: Request) -> str:
    """In whose name something is told."""
    return visitor_of(request).called


def page_response(
    request: Request, template: str, look: TournamentSnapshot, wrong: FormMistake = FINE, **values: object
) -> Response:
    """A page about a tournament."""
    return page(
        request,
        template,
        wrong.status,
        name=look.name,
        base=path_of(look.name),
        seen=look.last,
        marks=look.marks,
        page_path=_page_of(request) if request.method == "POST" else _here(request),
        tournament=look.tournament,
        settings=look.tournament.settings,
        game_of_round=game_of_round,
        round_heading=round_heading,
        wrong=wrong,
        **values,
    )


def unchanged_response(request: Request, as_of: str) -> Response | None:
    """The answer to somebody who knows what there is as of now; None for everybody else."""
    if request.headers.get(KNOWN) != as_of:
        return None
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={AS_OF: as_of})


def path_of(name: str) -> str:
    """The address of a tournament; its name has letters that stand in addresses as they are."""
    return f"/tournaments/{name}"


def _page_of(request: Request) -> str:
    """The page on which a form stands that is sent to an address below it."""
    return request.url.path.rpartition("/")[0]


def _here(request: Request) -> str:
    """The address of a page with what was asked for in it."""
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def form_mistake(request: Request, form: str, sent: Mapping[str, str], error: Exception) -> FormMistake:
    """What was wrong with a form, in the language of the person who sent it."""
    say = words_for(request)
    if isinstance(error, FormError):
        return FormMistake(form, say(error.why.value), sent, HTTPStatus.UNPROCESSABLE_ENTITY)
    if isinstance(error, ClashError):
        return FormMistake(form, clash_sentence(error.told, say), sent, HTTPStatus.CONFLICT)
    return FormMistake(form, sentence(statement_of(error), say), sent, HTTPStatus.CONFLICT)
