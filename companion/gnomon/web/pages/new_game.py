"""Serve the page that starts a new game, with its settings and the names of the players."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.referee.games import game_of
from gnomon.referee.help import HELPS
from gnomon.referee.judgement import Temperament
from gnomon.referee.opponents import HELP, WARNINGS
from gnomon.referee.setup import GameSetup
from gnomon.refusals import sentence, statement_of
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import BARE_CLOCK
from gnomon.views.show import Choice, show
from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import AppContext
from gnomon.web.games import clock_choices, opponent_choices
from gnomon.web.games.choices import choose_settings, mistakes, refusal, seats
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import LiveBoard, RefusedError, is_free
from gnomon.words import Words

PATH: Final = "/board/new"
BOARD: Final = "/board"
CLOCK: Final = "/clock"
NAME: Final = "name-"  # and the number of the player, from 1
ABANDON: Final = "abandon"
AT: Final = "at"  # from which page somebody comes
BENCH: Final = "bench"
_USUAL: Final = GameSetup().temperament

Sent = Mapping[str, str]


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The page and its form: everybody may look at it, players and arbiters start a game."""
    office = _NewGamePages(context)
    return (Route(PATH, office.show), Route(PATH, allow(Role.PLAYER, office.begin), methods=["POST"]))


class _NewGamePages:
    """What is answered at the address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def show(self, request: Request) -> Response:
        return self._page(request, request.query_params.get("game", ""))

    async def begin(self, request: Request) -> Response:
        sent = await forms.read(request)
        board, say = self._context.board, words_for(request)
        game = sent.get("game", "")
        if game not in _game_choices(board):
            return self._page(request, "", sent, {"form": say("players.new.wrong.game")})
        wrong = _wrong(game, sent, say)
        if not is_free(board.game()) and sent.get(ABANDON) != "yes":
            wrong[ABANDON] = say("players.new.wrong.abandon")
        if wrong:
            return self._page(request, game, sent, wrong)
        abandoned_by = (visitor_of(request).name or Role.PLAYER.value) if sent.get(ABANDON) == "yes" else ""
        try:
            if abandoned_by:
                self._context.check_abandoning(visitor_of(request))
            await board.new_game(_setup(game, sent), abandoned_by)
        except RefusedError as error:
            return self._page(request, game, sent, {"form": sentence(statement_of(error), say)})
        return go_to(CLOCK if game == BARE_CLOCK else self._back(sent.get(AT, "")))

    def _page(self, request: Request, game: str, sent: Sent | None = None, wrong: Sent | None = None) -> Response:
        board = self._context.board_for(visitor_of(request))
        games = _game_choices(board)
        name = game if game in games else ""
        against = request.query_params.get(opponent_choices.WHO, "")
        at = BENCH if (sent or request.query_params).get(AT) == BENCH else ""
        if not name and len(board.games) == 1:
            name = board.games[0]
        return page(
            request,
            "new_game.html",
            HTTPStatus.UNPROCESSABLE_ENTITY if wrong else 200,
            games=games,
            game=name,
            choices=show(name).choices if name else (),
            labels=_labels(name, words_for(request)),
            temperaments=[each.value for each in Temperament],
            sent=sent or ({opponent_choices.WHO: against} if against else {}),
            against=against,
            wrong=wrong or {},
            is_unfinished=not is_free(board.game()),
            offers=clock_choices.offers(words_for(request)),
            usual_clock=clock_choices.usual(name),
            is_bare=name == BARE_CLOCK,
            may_press=not name or clock_choices.may_press(name),
            opponents=()
            if self._context.is_tournament()
            else opponent_choices.opponent_offers(name, words_for(request)),
            seconds=opponent_choices.second_offers(name, words_for(request)),
            sides=opponent_choices.side_offers(name, _side_labels(name, words_for(request)), words_for(request)),
            has_sand=bool(name) and bool(show(name).drawings),
            at=at,
            back=self._back(at),
        )

    def _back(self, at: str) -> str:
        """Where the form leads: to the board, or to the bench of a simulated one for a visitor from there."""
        return self._context.simulated if at == BENCH and self._context.simulated is not None else BOARD


def _game_choices(board: LiveBoard) -> list[str]:
    """The games that can be chosen; the clock alone goes with any board."""
    return list(dict.fromkeys((*board.games, BARE_CLOCK)))


def _wrong(game: str, sent: Sent, say: Words) -> dict[str, str]:
    """What is wrong with a form, by its fields."""
    wrong = {name: _choice_label(choice, say) for name, choice in mistakes(game, sent).items()}
    if sent.get("temperament", _USUAL) not in {each.value for each in Temperament}:
        wrong["temperament"] = say("players.new.wrong.choice")
    if not wrong and (refused := refusal(game, choose_settings(game, sent))) is not None:
        wrong[refused[0]] = sentence(refused[1].statement, say)
    return wrong or _wrong_clock(game, sent, say)


def _wrong_clock(game: str, sent: Sent, say: Words) -> dict[str, str]:
    """What is wrong with the clock, or with this clock beside a game that is well otherwise."""
    try:
        game_of(_setup(game, sent))
    except (clock_choices.ClockWishError, opponent_choices.OpponentWishError) as error:
        return {error.field: sentence(statement_of(error), say)}
    except SettingsError as error:
        fields = {
            "told.setting.opponent.hands": opponent_choices.WAIT,
            "told.setting.distance.code": opponent_choices.INVITED,
        }
        told = statement_of(error)
        return {fields.get(told.key, clock_choices.WHICH): sentence(told, say)}
    return {}


def _choice_label(choice: Choice, say: Words) -> str:
    if choice.is_number:
        return say("players.new.wrong.number", least=choice.least, most=choice.most)
    return say("players.new.wrong.choice")


def _setup(game: str, sent: Sent) -> GameSetup:
    """The game that is wanted, as far as its own settings go together. Raises ClockWishError and OpponentWishError."""
    settings = choose_settings(game, sent)
    clock = clock_choices.choose_clock(game, sent)
    opponent = opponent_choices.choose_opponent(game, settings, sent)
    warnings = {WARNINGS: "on"} if sent.get(WARNINGS) == "on" and game != BARE_CLOCK else {}
    helped = {HELP: sent[HELP]} if sent.get(HELP) in HELPS and game != BARE_CLOCK else {}
    return GameSetup(
        game,
        settings | clock | opponent | warnings | helped,
        sent.get("temperament", _USUAL),
        _names(game, settings, sent),
    )


def _names(game: str, settings: Mapping[str, str], sent: Sent) -> dict[str, str]:
    given = {player: sent.get(f"{NAME}{number}", "").strip() for number, player in enumerate(seats(game, settings), 1)}
    return {player: name for player, name in given.items() if name}


def _side_labels(game: str, say: Words) -> list[str]:
    return [label for _, label in _labels(game, say)]


def _labels(game: str, say: Words) -> list[tuple[str, str]]:
    """The players for whose names there are fields, each with what the field is called."""
    if not game:
        return []
    if show(game).numbers_players:
        return [
            (f"p{number}", say("player.numbered", number=number)) for number in range(1, show(game).most_players + 1)
        ]
    return [(player, say.player(player)) for player in seats(game, show(game).sample_settings)]
