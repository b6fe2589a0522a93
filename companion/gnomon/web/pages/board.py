"""Serve the players' page: the board as it stands, live, and the forms with which players enter moves."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.referee.events import DrawAnswered, DrawOffered, QuestionAnswered, ResultDeclared, TurnsVoided
from gnomon.referee.opponents import plays_as, turns_to_take_back
from gnomon.referee.rulings import Ruling
from gnomon.refusals import InvalidValueError, clause, sentence, statement, statement_of
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant
from gnomon.views.show import show_of
from gnomon.web import forms
from gnomon.web._compression import text_response
from gnomon.web._http_errors import refusal
from gnomon.web._pictures import SHARED, NoPictureError, answer_picture, sample
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import AppContext
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import RefusedError
from gnomon.web.live.streams import board_payload
from gnomon.web.pages._demonstration import shown_of
from gnomon.web.server.workers import Shelf
from gnomon.words import Clause

PATH: Final = "/board"
SVG: Final = "image/svg+xml"
RESIGNED: Final = "resigned"
_TWO: Final = 2
LONGEST: Final = 4000  # letters in the longest turn: a number of TAU

Sent = Mapping[str, str]
Do = Callable[[Sent, str], Awaitable[Sequence[Ruling]]]


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The board page, its stream and pictures, and what players enter."""
    table = _Table(context)
    actions: Mapping[str, Do] = {
        "answer": table.answer,
        "turn": table.turn,
        "throw": table.throw,
        "take-back": table.take_back,
        "resign": table.resign,
        "offer-draw": table.offer_draw,
        "answer-draw": table.answer_draw,
    }
    bench = (
        [] if context.simulated is None else [Route(context.simulated, allow(_viewing_role(context), table.show_bench))]
    )
    return (
        *bench,
        Route(PATH, table.show),
        Route(f"{PATH}/hint", allow(Role.PLAYER, table.hint), methods=["POST"]),
        Route(f"{PATH}/doubt", allow(Role.PLAYER, table.doubt), methods=["POST"]),
        Route(f"{PATH}/hand", allow(Role.PLAYER, table.judge_hand), methods=["POST"]),
        Route(f"{PATH}/threat", allow(Role.PLAYER, table.threat), methods=["POST"]),
        Route(f"{PATH}/events", table.stream),
        *SHARED,
        Route(f"{PATH}/pictures/{{picture}}.svg", table.picture),
        Route(f"{PATH}/looks/{{name}}.svg", _look),
        *(
            Route(f"{PATH}/{name}", allow(Role.PLAYER, table.endpoint(do)), methods=["POST"])
            for name, do in actions.items()
        ),
    )


def _viewing_role(context: AppContext) -> Role:
    """Who may see the bench, which shows the board as it is: nobody plays by what spectators see."""
    return Role.SPECTATOR if context.past is None else Role.PLAYER


class _Table:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._threats = Shelf()  # one search at a time, and a player who asks again is told the same

    async def show(self, request: Request) -> Response:
        return self._page(request, controls=False)

    async def show_bench(self, request: Request) -> Response:
        """The same page with the controls of a board in software."""
        return self._page(request, controls=True)

    def _page(self, request: Request, *, controls: bool) -> Response:
        visitor = visitor_of(request)
        board = self._context.board_for(visitor)
        now = board_payload(board, words_for(request), visitor.role)
        return page(
            request,
            "board.html",
            told=now,
            games=board.games,
            buttons=board.buttons,
            controls=controls,
            has_help=not self._context.is_tournament(),
            demo=shown_of(self._context, request, board, "bench" if controls else "board"),
        )

    async def stream(self, request: Request) -> Response:
        readers = self._context.readers
        visitor = visitor_of(request)
        board = self._context.board_for(visitor)
        return readers.answer(request, readers.feed(board, words_for(request), visitor.role).events())

    async def picture(self, request: Request) -> Response:
        """The picture of the position by its name, as long as it is shown."""
        return answer_picture(request, board_payload(self._context.board_for(visitor_of(request)), words_for(request)))

    def endpoint(self, do: Do) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint for what a player enters; a plain form is led back to the board."""

        async def endpoint(request: Request) -> Response:
            sent = await forms.texts(request)
            try:
                rulings = await do(sent, visitor_of(request).name or Role.PLAYER.value)
            except _StaleError as error:
                return JSONResponse({"error": words_for(request)(str(error))}, HTTPStatus.CONFLICT)
            except (RefusedError, RulesError) as error:
                return JSONResponse({"error": sentence(statement_of(error), words_for(request))}, HTTPStatus.CONFLICT)
            except ValueError as error:
                return refusal(request, HTTPStatus.UNPROCESSABLE_ENTITY, statement_of(error))
            if forms.is_form(request):
                return go_to(PATH)
            return JSONResponse({"ruled": [ruling.kind for ruling in rulings]})

        return endpoint

    async def answer(self, sent: Sent, who: str) -> Sequence[Ruling]:
        return await self._context.board.correct(QuestionAnswered(Instant(0), _text(sent, "choice"), who))

    async def turn(self, sent: Sent, who: str) -> Sequence[Ruling]:
        """Enter the next turn; one that was made already is not taken for another, where `plies` says after how many.

        Two who confirm an engine's turn at once, or one who touches twice, would enter it for the next player.
        """
        return await self._context.board.enter(_text(sent, "text"), who, after=_plies(sent))

    async def throw(self, sent: Sent, _who: str) -> Sequence[Ruling]:
        """Throw or draw; two who want it at once do so once, where `plies` says after how many turns."""
        return await self._context.board.throw(_plies(sent))

    async def take_back(self, sent: Sent, who: str) -> Sequence[Ruling]:
        """Void the last turn that a person made, with the throws and draws since, and an engine's answer.

        `plies` is how many the page showed, so that two who press at once take back one turn and not two.
        """
        self._check_help()
        game = self._context.board.game()
        plies = () if game is None else game.plies
        if not plies or sent.get("plies") != str(len(plies)):
            raise _StaleError("players.take_back.late" if plies else "players.take_back.none")
        count = 0 if game is None else turns_to_take_back(game)
        voided = TurnsVoided(Instant(0), count or len(plies), give_back=True, who=who)
        return await self._context.board.correct(voided, len(plies))

    def _check_help(self) -> None:
        """Raise RefusedError in a tournament."""
        if self._context.is_tournament():
            raise RefusedError(statement("opponent.tournament"))

    async def resign(self, sent: Sent, who: str) -> Sequence[Ruling]:
        """Declare the game lost by one of two players."""
        self._check_help()
        game, player = self._context.board.game(), _text(sent, "player")
        players: Sequence[str] = ()
        if game is not None and game.outcome is None and game.exercise is None:
            players = show_of(game).seated_players(game)
        if len(players) != _TWO or player not in players:
            raise RefusedError(statement("opponent.resign.two"))
        if game is not None and plays_as(game, player, game.position):
            raise RefusedError(statement("opponent.resign.engine"))
        winner = players[1 - players.index(player)]
        return await self._context.board.correct(ResultDeclared(Instant(0), winner, RESIGNED, who))

    async def offer_draw(self, sent: Sent, who: str) -> Sequence[Ruling]:
        """Offer a draw for one of two players."""
        self._check_help()
        return await self._context.board.correct(DrawOffered(Instant(0), _text(sent, "player"), who))

    async def answer_draw(self, sent: Sent, who: str) -> Sequence[Ruling]:
        """Accept or decline the draw that was offered to a player; an engine answers by itself."""
        self._check_help()
        game, player = self._context.board.game(), _text(sent, "player")
        if game is not None and plays_as(game, player, game.position):
            raise RefusedError(statement("told.draw.engine.answers"))
        return await self._context.board.correct(DrawAnswered(Instant(0), player, sent.get("accepted") == "yes", who))

    async def hint(self, request: Request) -> Response:
        """What an engine would play for the player on turn, in plain words."""
        board, say = self._context.board, words_for(request)
        game = board.game()
        if game is None or self._context.advisor is None:
            why = sentence(statement("told.opponent.none"), say)
            return JSONResponse({"error": why}, HTTPStatus.CONFLICT)
        try:
            self._check_help()
            text = await self._context.advisor()
        except RefusedError as error:
            return JSONResponse({"error": sentence(statement_of(error), say)}, HTTPStatus.CONFLICT)
        from gnomon.coaching import coach_of, hint_steps  # noqa: PLC0415 - few ask for a hint

        turn = show_of(game).turn(game.turn, text, say)
        said, position = say("opponent.hinted", sentence=turn), game.position_at(board.now())
        steps = hint_steps(game.rules, coach_of(game.rules), position, text, turn, say)
        return JSONResponse({"hint": said, "text": text, "steps": steps or [said]})

    async def threat(self, request: Request) -> Response:
        """What the opponent of the player on turn threatens, in plain words."""
        from gnomon.web.games import threats  # noqa: PLC0415 - few ask for it, and it loads what writes games down
        from gnomon.web.games.move_values import MoveValues, UnvaluedError  # noqa: PLC0415 - as above

        say, context = words_for(request), self._context
        game = context.board.game()
        try:
            self._check_help()
            asked = threats.check_asked(game)
            key = (asked.rules.name, asked.given, len(asked.rulings), asked.timeless)
            told = await self._threats.ask_once(
                key, lambda: threats.find_threat(context.archive, asked.rules.name, MoveValues())
            )
            if context.threat_noter is not None:
                await context.threat_noter()
        except RefusedError as error:
            return JSONResponse({"error": sentence(statement_of(error), say)}, HTTPStatus.CONFLICT)
        except UnvaluedError:
            why = sentence(statement("told.opponent.none"), say)
            return JSONResponse({"error": why}, HTTPStatus.CONFLICT)
        return JSONResponse({"threat": " ".join(sentence(each, say) for each in told)})

    async def doubt(self, request: Request) -> Response:
        """The warning of a turn that was picked on the page, where the game warns of blunders."""
        sent, say, ask = await forms.texts(request), words_for(request), self._context.doubter
        try:
            told = None if ask is None or self._context.is_tournament() else await ask(_text(sent, "text"))
        except RefusedError as error:
            return JSONResponse({"error": sentence(statement_of(error), say)}, HTTPStatus.CONFLICT)
        except ValueError as error:
            return refusal(request, HTTPStatus.UNPROCESSABLE_ENTITY, statement_of(error))
        return JSONResponse({"warning": None if told is None else say("talk.warning", why=Clause(clause(told, say)))})

    async def judge_hand(self, request: Request) -> Response:
        """Whether a good turn is among those that begin as the player has begun, where the game says so."""
        sent, say, ask = await forms.texts(request), words_for(request), self._context.hand_judge
        try:
            texts = _text(sent, "texts").split()
            told = None if ask is None or self._context.is_tournament() else await ask(texts)
        except RefusedError as error:
            return JSONResponse({"error": sentence(statement_of(error), say)}, HTTPStatus.CONFLICT)
        except ValueError as error:
            return refusal(request, HTTPStatus.UNPROCESSABLE_ENTITY, statement_of(error))
        return JSONResponse({"held": None if told is None else sentence(told, say)})


class _StaleError(Exception):
    """What the page showed is not so any more; the message is the key of a sentence."""


def _text(sent: Sent, name: str) -> str:
    """A field that must be there. Raises InvalidValueError."""
    text = sent.get(name, "").strip()
    if not text or len(text) > LONGEST:
        raise InvalidValueError(statement("told.field", name=name, most=LONGEST))
    return text


def _plies(sent: Sent) -> int | None:
    """After how many turns something is meant, where that was said. Raises ValueError."""
    shown = sent.get("plies")
    return None if shown is None else int(shown[:9])


async def _look(request: Request) -> Response:
    """What a game looks like when something is going on."""
    try:
        return text_response(request, sample(request.path_params["name"], words_for(request)), SVG)
    except NoPictureError as error:
        return refusal(request, HTTPStatus.NOT_FOUND, error.statement)
