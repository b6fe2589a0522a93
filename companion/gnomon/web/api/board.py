"""Define the API operations on the board: its state, new games, turns, answers and corrections."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from gnomon.records.formats.traces import ruling_record
from gnomon.referee.events import DrawAnswered, DrawOffered, QuestionAnswered, StopDeclared
from gnomon.referee.judgement import Temperament
from gnomon.referee.opponents import plays_as
from gnomon.referee.rulings import IllegalRuled, Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import sentence, statement, statement_of
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant
from gnomon.views import sentences
from gnomon.views.pictures import DARK, LIGHT, picture, to_svg
from gnomon.views.places import places
from gnomon.views.results import result_of
from gnomon.web._pictures import for_the_page
from gnomon.web.access import Role
from gnomon.web.api._corrections import CorrectionShape
from gnomon.web.api.operation import ApiError, Call, Operation, Parameter, language
from gnomon.web.api.schemas import GAME, MAYBE, OBJECT, TEMPERAMENT, TEXT, component
from gnomon.web.api.shapes import AnyOf, Fields, Named, TextShape, Truth, Whole, answer
from gnomon.web.live.interfaces import LiveBoard, RefusedError
from gnomon.web.live.streams import board_payload
from gnomon.words import LANGUAGES, Words

LANGUAGE: Final = {"language": language(LANGUAGES)}
MOVES: Final = 400
ROUTINE: Final = frozenset({"turn", "timer15", "over", "clock"})
"""Rulings that are no incidents: turns, the 15-second glass, the end, that the match clock was started."""

WHY: Final = TextShape()
TURN: Final = Fields({"text": TextShape(4000, 1, example="D1-D2"), "why": WHY}, frozenset({"why"}))
ANSWER: Final = Fields({"choice": TextShape(400, 1), "why": WHY}, frozenset({"why"}))
DRAW: Final = Fields({"player": TextShape(20, 1, example="red"), "why": WHY}, frozenset({"why"}))
DRAW_ANSWER: Final = Fields(
    {"player": TextShape(20, 1, example="black"), "accepted": Truth(), "why": WHY}, frozenset({"why"})
)
STOP: Final = Fields({"space": TextShape(20, 1, example="D1"), "why": WHY}, frozenset({"why"}))
SETTING: Final = AnyOf((TextShape(), Whole(), Truth()), "api.setting")
NEW_GAME: Final = Fields(
    {
        "game": GAME,
        "settings": Named(SETTING, "[a-z][a-z0-9_.-]{0,40}", 60),
        "temperament": TEMPERAMENT,
        "players": Named(TextShape(80), "[a-z][a-z0-9_-]{0,20}", 8),
        "abandon": Truth(),
    },
    frozenset({"game", "settings", "temperament", "players", "abandon"}),
)  # fmt: skip
CORRECTION: Final = CorrectionShape()


async def _summary(call: Call) -> Mapping[str, Any]:
    return board_payload(call.board, call.words, call.visitor.role)


async def _stream(call: Call) -> Response:
    readers = call.context.readers
    return readers.answer(call.request, readers.feed(call.board, call.words, call.visitor.role).events())


async def _moves(call: Call) -> Mapping[str, Any]:
    board = call.board
    game = board.game()
    if game is None:
        return {"game": None, "turn": None, "moves": [], "in_all": 0}
    position = game.position_at(board.now())
    moves = () if game.outcome is not None else game.rules.legal_moves(position)
    return {
        "game": game.rules.name,
        "turn": game.rules.turn(position) if game.outcome is None else "over",
        "moves": [game.rules.text(position, move) for move in moves[: call.query["most"]]],
        "in_all": len(moves),
    }


async def _picture(call: Call) -> Response:
    return Response(_draw(call.board), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def _draw(board: LiveBoard) -> str:
    game = board.game()
    if game is None:
        raise ApiError(HTTPStatus.NOT_FOUND, statement("api.no_game_yet"))
    return to_svg(picture(game.rules, game.position_at(board.now()), result=result_of(game)), LIGHT, dark=DARK)


async def _preview(call: Call) -> Mapping[str, Any]:
    game = call.board.game()
    if game is None:
        raise RefusedError(statement("told.hands.no_move"))
    text, words = call.query["text"], call.words
    position = game.position_at(call.board.now())
    try:
        after = game.rules.play(position, game.rules.parse(position, text))
    except RulesError as error:
        return {"picture": None, "why": sentence(statement_of(error), words)}
    drawn = picture(game.rules, after, last_move=text, caption=words("players.not_played"), words=words)
    return {"picture": for_the_page(to_svg(drawn, LIGHT, dark=DARK)), "why": None}


async def _places(call: Call) -> Mapping[str, Any]:
    game = call.board.game()
    found = {} if game is None else places(game.rules)
    return {"places": {name: [round(length, 2) for length in place] for name, place in found.items()}}


async def _incidents(call: Call) -> Mapping[str, Any]:
    game = call.board.game()
    if game is None:
        return {"game": None, "incidents": []}
    found = [ruling for ruling in reversed(game.rulings) if ruling.kind not in ROUTINE]
    return {
        "game": game.rules.name,
        "incidents": [_ruling_payload(ruling, game.rules.name, call.words) for ruling in found],
    }


async def _new_game(call: Call) -> Mapping[str, Any]:
    wish = call.body
    board = call.context.board
    abandoned_by = call.who if wish.get("abandon", False) else ""
    if abandoned_by:
        call.context.check_abandoning(call.visitor)
    players = {player: name for player, name in wish.get("players", {}).items() if name}
    temperament = wish.get("temperament", Temperament.ASSISTANT)
    await board.new_game(GameSetup(wish.get("game", ""), wish.get("settings", {}), temperament, players), abandoned_by)
    return board_payload(board, call.words, call.visitor.role)


async def _turn(call: Call) -> Mapping[str, Any]:
    return rulings_payload(call, await call.context.board.enter(call.body["text"], call.who, call.body.get("why", "")))


async def _throw(call: Call) -> Mapping[str, Any]:
    return rulings_payload(call, await call.context.board.throw())


async def _answer(call: Call) -> Mapping[str, Any]:
    event = CORRECTION.event("question_answered", call.body)
    assert isinstance(event, QuestionAnswered)  # noqa: S101 - by its name
    return rulings_payload(call, await call.context.board.correct(replace(event, who=call.who)))


async def _stop(call: Call) -> Mapping[str, Any]:
    event = CORRECTION.event("stop_declared", call.body)
    assert isinstance(event, StopDeclared)  # noqa: S101 - by its name
    return rulings_payload(call, await call.context.board.correct(replace(event, who=call.who)))


async def _offer_draw(call: Call) -> Mapping[str, Any]:
    _check_help(call)
    event = DrawOffered(Instant(0), call.body["player"], call.who, call.body.get("why", ""))
    return rulings_payload(call, await call.context.board.correct(event))


async def _answer_draw(call: Call) -> Mapping[str, Any]:
    _check_help(call)
    body, game = call.body, call.context.board.game()
    if game is not None and plays_as(game, body["player"], game.position):
        raise RefusedError(statement("told.draw.engine.answers"))
    event = DrawAnswered(Instant(0), body["player"], body["accepted"], call.who, body.get("why", ""))
    return rulings_payload(call, await call.context.board.correct(event))


def _check_help(call: Call) -> None:
    """Raise RefusedError in a tournament."""
    if call.context.is_tournament():
        raise RefusedError(statement("opponent.tournament"))


async def _correct(call: Call) -> Mapping[str, Any]:
    return rulings_payload(call, await call.context.board.correct(replace(call.body, who=call.who)))


def rulings_payload(call: Call, rulings: Sequence[Ruling]) -> Mapping[str, Any]:
    """The answer to what was entered: what was ruled, and whether it was accepted."""
    game = call.context.board.game()
    name = "" if game is None else game.rules.name
    return {
        "rulings": [_ruling_payload(ruling, name, call.words) for ruling in rulings],
        "accepted": not any(isinstance(ruling, IllegalRuled) for ruling in rulings),
    }


def _ruling_payload(ruling: Ruling, game: str, words: Words) -> Mapping[str, Any]:
    return {**ruling_record(ruling), "sentence": sentences.sentence(ruling, game, words)}


OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        "readBoard", "GET", "board", Role.SPECTATOR, "The present state of the board.",
        _summary, component("Summary"), query=LANGUAGE,
    ),
    Operation(
        "followBoard", "GET", "board/stream", Role.SPECTATOR,
        "The present state as server-sent events: at once, after every change, and at least every second.",
        _stream, TEXT, query=LANGUAGE, media="text/event-stream",
        more="Each event `summary` is the whole of what readBoard tells. Nothing heard for five seconds: ask again.",
    ),
    Operation(
        "readMoves", "GET", "board/moves", Role.SPECTATOR, "The legal moves of the player on turn, in canonical text.",
        _moves, component("Moves"), query={"most": Parameter(Whole(1, 5000), "How many at most.", MOVES)},
    ),
    Operation(
        "drawBoard", "GET", "board/picture", Role.SPECTATOR, "A picture of the position.",
        _picture, TEXT, media="image/svg+xml", may_refuse=(HTTPStatus.NOT_FOUND,),
    ),
    Operation(
        "previewTurn", "GET", "board/preview", Role.SPECTATOR,
        "A picture of the position as it would be after a turn, or, in `why`, why the turn is not allowed.",
        _preview, answer(picture=MAYBE, why=MAYBE),
        query={**LANGUAGE, "text": Parameter(TextShape(4000), "The turn.", "")}, may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "readPlaces", "GET", "board/places", Role.SPECTATOR,
        "Where the places of the board are on its picture: left, top, width and height, by name.",
        _places, answer(places=OBJECT),
    ),
    Operation(
        "readIncidents", "GET", "board/incidents", Role.SPECTATOR,
        "The incidents of this game, newest first: faults, corrections, pauses, questions.",
        _incidents, component("Incidents"), query=LANGUAGE,
    ),
    Operation(
        "startGame", "POST", "board/games", Role.PLAYER, "Start a new game; without a name, the game of the board.",
        _new_game, component("Summary"), NEW_GAME, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
        status=HTTPStatus.CREATED,
        more="An unfinished game is given up only with `abandon`, which is recorded with who did it. `players` are the "
        "people's names by the players of the rules. With the setting `clock` a match clock stands beside any game; "
        "the game `clock` is that clock alone.",
    ),
    Operation(
        "enterTurn", "POST", "board/turns", Role.PLAYER, "Enter the next turn, throw or draw.",
        _turn, component("Rulings"), TURN, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
        more="An illegal turn is refused with its rule, or ruled on: then `accepted` is false.",
    ),
    Operation(
        "throw", "POST", "board/throws", Role.PLAYER, "Let Gnomon throw or draw, with the exact odds.",
        _throw, component("Rulings"), query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "answerQuestion", "POST", "board/answers", Role.PLAYER,
        "Answer the referee's question with one of its choices.",
        _answer, component("Rulings"), ANSWER, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "declareStop", "POST", "board/stops", Role.PLAYER,
        "Say that a glass has run out, if the players judge this by eye.",
        _stop, component("Rulings"), STOP, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "offerDraw", "POST", "board/draws", Role.PLAYER,
        "Offer a draw for a player; the other player or the engine answers.",
        _offer_draw, component("Rulings"), DRAW, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
        more="One offer between two turns of the player. In a tournament only arbiters declare a draw.",
    ),
    Operation(
        "answerDraw", "POST", "board/draws/answers", Role.PLAYER,
        "Accept or decline the draw that was offered to a player.",
        _answer_draw, component("Rulings"), DRAW_ANSWER, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "correct", "POST", "board/corrections", Role.ARBITER, "Correct the game by hand: any event of the arbiter.",
        _correct, component("Rulings"), CORRECTION, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
        more="The board stamps the event, and writes down who entered it and why.",
    ),
)  # fmt: skip
"""What can be asked of the board."""
