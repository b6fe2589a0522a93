"""Define the API operations on recorded games: search, read and download as files."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starlette.responses import Response

from gnomon.records.journal.entries import Archive, Record, StoredGame
from gnomon.records.journal.event_codec import in_english, ruled_in
from gnomon.records.journal.store import EntryError
from gnomon.refusals import sentence, statement, statement_of
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import seconds
from gnomon.web.access import Role
from gnomon.web.api.operation import ApiError, Call, Operation, Parameter, language
from gnomon.web.api.schemas import GAME, TEXT, component
from gnomon.web.api.shapes import TextShape, Truth, Whole
from gnomon.web.live.streams import board_payload
from gnomon.words import LANGUAGES

if TYPE_CHECKING:
    from gnomon.records.formats.sheets import (
        Sheet,  # as all that writes games down, for a request for a game that was played
    )

PAGE: Final = 20
RECORDS: Final = 1000
OVER: Final = "over"
LANGUAGE: Final = {"language": language(LANGUAGES)}
DAY: Final = TextShape(10, 10, "[0-9]{4}-[0-9]{2}-[0-9]{2}", "2026-11-20")
AnswerT = TypeVar("AnswerT")
NUMBER: Final = {"number": Parameter(Whole(1), "The number of the game.")}


async def _list(call: Call) -> Mapping[str, Any]:
    shelf, archive, wish = call.context.shelf, call.context.archive_for(call.visitor), call.query
    found = [game for game in reversed(await shelf.ask(archive.games)) if _fits(game, wish)]
    each, page = wish["each"], wish["page"]
    pages = max(1, -(-len(found) // each))
    games = [await _payload(call, game) for game in found[(page - 1) * each : page * each]]
    return {"games": games, "in_all": len(found), "page": page, "pages": pages}


def _fits(game: StoredGame, wish: Mapping[str, Any]) -> bool:
    """Whether a game is among those that are wished."""
    start, text = game.start, (wish["text"] or "").casefold()
    searched = f"{game.id} {start.game} {start.board} {start.wall} {start.temperament} {dict(start.settings)}"
    return (
        wish["game"] in (None, start.game)
        and wish["ended"] in (None, game.ended is not None)
        and (wish["since"] is None or wish["since"] <= start.wall[:10])
        and (wish["until"] is None or start.wall[:10] <= wish["until"])
        and text in searched.casefold()
    )


async def _payload(call: Call, game: StoredGame) -> Mapping[str, Any]:
    archive = call.context.archive_for(call.visitor)

    def ask() -> Mapping[str, Any] | EntryError | None:
        try:
            return _result(archive.read(game.id))
        except EntryError as error:  # the other games can be read
            return error

    start = game.start
    found = None if game.ended is None else await _remember(call, "result", game, ask)
    result, damage = (None, found) if isinstance(found, EntryError) else (found, None)
    return {
        "number": game.id,
        "game": start.game,
        "board": start.board,
        "settings": dict(start.settings),
        "temperament": start.temperament,
        "began": start.wall,
        "version": start.version,
        "ended": game.ended is not None,
        "result": result,
        "damage": None if damage is None else sentence(damage.statement, call.words),
    }


async def _remember(call: Call, what: str, game: StoredGame, ask: Callable[[], AnswerT]) -> AnswerT:
    """An answer about a game, remembered when nothing more can happen to it: it is over, and not at the board."""
    shelf, archive = call.context.shelf, call.context.archive_for(call.visitor)
    last = await shelf.ask(archive.last_game)
    if game.ended is None or last is None or last.id == game.id:
        return await shelf.ask(ask)
    return await shelf.ask_once((what, game.id, game.ended), ask)


def _result(records: Sequence[Record]) -> Mapping[str, Any] | None:
    """How a game ended, as it was ruled last."""
    over = next((body for body in reversed(ruled_in(records)) if body.get("ruling") == OVER), None)
    if over is None:
        return None
    return {"winner": None if over["winner"] == "draw" else over["winner"], "reason": over["reason"]}


async def _find_game(call: Call) -> tuple[Archive, StoredGame]:
    """The game of the number in the address. Raises ApiError."""
    archive, number = call.context.archive_for(call.visitor), call.path["number"]
    games = await call.context.shelf.ask(archive.games)
    found = next((game for game in games if game.id == number), None)
    if found is None:
        raise ApiError(HTTPStatus.NOT_FOUND, statement("api.no_game", number=number), "path/number")
    return archive, found


async def _sheet_of(call: Call) -> tuple[StoredGame, "Sheet", Sequence[Mapping[str, object]]]:
    """A game as a score sheet, and what was ruled in it. Raises ApiError for one that nobody can follow any more."""
    archive, game = await _find_game(call)

    def follow() -> "tuple[Sheet, Sequence[Mapping[str, object]]]":
        from gnomon.records.bundles import bundle  # noqa: PLC0415 - with what a board at rest does not need
        from gnomon.records.transcripts import transcript  # noqa: PLC0415 - as above

        records = archive.read(game.id)
        return transcript(bundle(game, records).trace), ruled_in(records)

    try:
        sheet, ruled = await _remember(call, "sheet", game, follow)
    except ValueError as error:
        why = statement("api.not_followed", number=game.id, detail=statement_of(error))
        raise ApiError(HTTPStatus.CONFLICT, why) from error
    return game, sheet, ruled


async def _record(call: Call) -> Mapping[str, Any]:
    game, sheet, ruled = await _sheet_of(call)
    turns = [
        {
            "number": number,
            "player": line.player,
            "text": line.text,
            "at": None if line.at is None else seconds(line.at),
            "clock": None if line.clock is None else seconds(line.clock),
            "comment": list(line.comment),
        }
        for number, line in enumerate(sheet.lines, 1)
    ]
    return {
        **await _payload(call, game),
        "players": dict(sheet.players),
        "turns": turns,
        "rulings": list(map(in_english, ruled)),
    }


async def _take_up(call: Call) -> Mapping[str, Any]:
    archive, game = await _find_game(call)
    records = await call.context.shelf.ask(lambda: archive.read(game.id))
    await call.context.board.take_up(game, records)
    return board_payload(call.context.board, call.words, call.visitor.role)


async def _records(call: Call) -> Mapping[str, Any]:
    archive, game = await _find_game(call)
    after, most = call.query["after"], call.query["most"]
    records = await call.context.shelf.ask(lambda: archive.read(game.id))
    found = list(islice((record for record in records if record.seq > after), most + 1))
    return {
        "records": [_entry(record) for record in found[:most]],
        "next": found[most - 1].seq if len(found) > most else None,
    }


def _entry(record: Record) -> Mapping[str, Any]:
    entry = record.entry
    return {
        "number": record.seq,
        "kind": entry.kind.value,
        "at_us": entry.at,
        "cause": entry.cause,
        "body": dict(entry.body),
        "wall": entry.wall,
    }


def _file(writer: str, media: str, ending: str) -> Callable[[Call], Any]:
    """What answers with a game as a file; `writer` is the function that writes a sheet, named "module:name"."""

    async def export(call: Call) -> Response:
        game, sheet, _ = await _sheet_of(call)
        try:
            text = load(writer)(sheet)
        except ValueError as error:
            why = statement("api.not_written", number=game.id, detail=statement_of(error))
            raise ApiError(HTTPStatus.CONFLICT, why) from error
        return _download(text, media, f"{game.start.game}-{game.id}.{ending}")

    return export


async def _trace(call: Call) -> Response:
    from gnomon.records.bundles import bundle  # noqa: PLC0415 - as above

    archive, game = await _find_game(call)
    try:
        text = await call.context.shelf.ask(lambda: "".join(bundle(game, archive.read(game.id)).lines()))
    except ValueError as error:
        why = statement("api.not_followed", number=game.id, detail=statement_of(error))
        raise ApiError(HTTPStatus.CONFLICT, why) from error
    return _download(text, "application/jsonl", f"{game.start.game}-{game.id}.jsonl")


def _download(text: str, media: str, name: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(), media_type=media, headers=headers)


_SEARCH: Final = {
    "game": Parameter(GAME, "Only this game."),
    "ended": Parameter(Truth(), "Only games that have ended, or only those that have not."),
    "since": Parameter(DAY, "Only games that began on this day or later."),
    "until": Parameter(DAY, "Only games that began on this day or before."),
    "text": Parameter(TextShape(100), "Only games in whose number, board, date or settings this stands."),
    "page": Parameter(Whole(1, 1_000_000), "Which page.", 1),
    "each": Parameter(Whole(1, 50), "How many games on a page.", PAGE),
}
_PAGED: Final = {
    "after": Parameter(Whole(0), "Only entries with a greater number.", 0),
    "most": Parameter(Whole(1, RECORDS), "How many at most.", RECORDS),
}
OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        "listGames", "GET", "games", Role.SPECTATOR, "The recorded games, newest first.",
        _list, component("GameList"), query=_SEARCH,
    ),
    Operation(
        "readGame", "GET", "games/{number}", Role.SPECTATOR,
        "A game: its settings, its turns and its rulings.",
        _record, component("GameRecord"), path=NUMBER, may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "readRecords", "GET", "games/{number}/records", Role.SPECTATOR, "Every entry of the journal about a game.",
        _records, component("Records"), path=NUMBER, query=_PAGED,
    ),
    Operation(
        "exportSheet", "GET", "games/{number}/sheet", Role.SPECTATOR, "A game as a score sheet.",
        _file("gnomon.records.formats.sheets:sheet_text", "text/plain", "sheet"), TEXT, path=NUMBER, media="text/plain",
        may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "exportSgf", "GET", "games/{number}/sgf", Role.SPECTATOR, "A game as SGF.",
        _file("gnomon.records.formats.sgf_sheets:sgf_text", "application/x-go-sgf", "sgf"), TEXT, path=NUMBER,
        media="application/x-go-sgf",
        may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "exportTrace", "GET", "games/{number}/trace", Role.SPECTATOR,
        "The dispute bundle: everything that happened, for a replay on any machine.",
        _trace, TEXT, path=NUMBER, media="application/jsonl", may_refuse=(HTTPStatus.CONFLICT,),
    ),
    Operation(
        "takeUpGame", "POST", "games/{number}/taking-up", Role.ARBITER,
        "Bring an adjourned game back to the board, paused.",
        _take_up, component("Summary"), path=NUMBER, query=LANGUAGE, may_refuse=(HTTPStatus.CONFLICT,),
    ),
)  # fmt: skip
"""What can be asked of the games."""
