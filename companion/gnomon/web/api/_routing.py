"""Make routes from the table of operations, parse their requests, and turn errors into JSON."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NoReturn

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from gnomon.records.journal.store import EntryError, JournalError
from gnomon.refusals import clause, error_payload, sentence, statement, statement_of
from gnomon.web.access import allow
from gnomon.web.api import _about as about
from gnomon.web.api import _clocks as clocks
from gnomon.web.api import _exercises as exercises
from gnomon.web.api import _games as games
from gnomon.web.api import _people as people
from gnomon.web.api import board
from gnomon.web.api._description import ROOT, describe_api
from gnomon.web.api.operation import ApiError, Call, Operation, Parameter
from gnomon.web.api.shapes import ShapeError, Truth, Whole
from gnomon.web.app_context import AppContext
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import RefusedError

DIGITS: Final = 12  # no number of ours has more
_QUERY: Final = "query"
_TRUTHS: Final = {"true": True, "false": False}
NO_STORE: Final = {"Cache-Control": "no-store"}

OPERATIONS: Final[Sequence[Operation]] = (
    *board.OPERATIONS,
    *exercises.OPERATIONS,
    *clocks.OPERATIONS,
    *games.OPERATIONS,
    *people.OPERATIONS,
    *about.OPERATIONS,
)
"""Everything that can be asked; the description of itself is asked besides."""


def routes(context: AppContext, more: Sequence[Operation] = ()) -> Sequence[BaseRoute]:
    """The API under a context, with further operations."""
    operations = (*OPERATIONS, *more)
    own = [Route(f"/{each.address}", _endpoint(context, each), methods=[each.method]) for each in operations]

    async def describe(_request: Request) -> Response:
        return JSONResponse(describe_api(operations))  # asked for once in a long while: it is not worth its memory

    api = Starlette(
        routes=[*own, Route("/openapi.json", describe)],
        exception_handlers={
            HTTPException: _no_such_thing,
            ApiError: _refuse,
            ShapeError: _misshapen,
            RefusedError: _refuse_conflict,
            EntryError: _refuse_conflict,
            JournalError: _unavailable,
        },
    )
    return (Mount(ROOT, api),)


def _endpoint(context: AppContext, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        path = {
            name: _parameter(f"path/{name}", parameter, request.path_params[name])
            for name, parameter in operation.path.items()
        }
        query = _query(operation, request)
        body = None if operation.takes is None else operation.takes.read(await _body(request), "")
        given = await operation.do(Call(context, request, path, query, body))
        if isinstance(given, Response):
            return given
        if operation.status == HTTPStatus.NO_CONTENT:
            return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)
        return JSONResponse(given, operation.status, headers=NO_STORE)

    return allow(operation.role, answer)


def _query(operation: Operation, request: Request) -> Mapping[str, Any]:
    """The parameters after the question mark. Raises ShapeError, also for one that nobody knows."""
    known = operation.query
    given: dict[str, str] = {}
    for name, text in request.query_params.multi_items():
        if name not in known:
            if not known:
                raise ShapeError(_QUERY, statement("api.no_parameters", field=name))
            raise ShapeError(_QUERY, statement("api.unknown_parameter", field=name, known=tuple(known)))
        if name in given:
            place = f"{_QUERY}/{name}"
            raise ShapeError(place, statement("api.twice", field=name))
        given[name] = text
    return {
        name: _parameter(f"query/{name}", parameter, given[name]) if name in given else parameter.default
        for name, parameter in known.items()
    }


def _parameter(where: str, parameter: Parameter, text: str) -> Any:  # noqa: ANN401 - what the shape reads
    """A parameter of an address is text: one that says a number or a truth value is taken for it."""
    match parameter.shape:
        case Whole() if text.isascii() and text.isdecimal() and len(text) <= DIGITS:
            return parameter.shape.read(int(text), where)
        case Truth() if text in _TRUTHS:
            return _TRUTHS[text]
        case _:
            return parameter.shape.read(text, where)


async def _body(request: Request) -> object:
    """The JSON in a request. Raises ApiError."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, statement("api.not_json_type"), "header/content-type")
    try:
        value: object = json.loads(await request.body(), parse_constant=_no_number)
        json.dumps(
            value, ensure_ascii=False
        ).encode()  # half a letter (a lone surrogate) can be read, and never written
    except (ValueError, RecursionError):
        raise ApiError(HTTPStatus.BAD_REQUEST, statement("api.not_json"), "body") from None
    return value


def _no_number(constant: str) -> NoReturn:
    message = f"{constant} is no number of JSON"
    raise ValueError(message)


# Errors: one sentence, its code and values for programs, and where in the request


def _error(
    request: Request, status: int, why: Exception, where: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    words = words_for(request)
    # The words of this API are whole sentences, which may begin with the name of a field.
    text = (
        clause(statement_of(why), words)
        if isinstance(why, ApiError | ShapeError)
        else sentence(statement_of(why), words)
    )
    told = {"error": text, **error_payload(why)} | ({"where": where} if where else {})
    return JSONResponse(told, status, headers={**NO_STORE, **(headers or {})})


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)  # noqa: S101 - so it is asked for above
    return _error(request, error.status, error, error.where, {"Retry-After": str(error.wait)} if error.wait else None)


async def _misshapen(request: Request, error: Exception) -> Response:
    assert isinstance(error, ShapeError)  # noqa: S101 - as above
    status = HTTPStatus.NOT_FOUND if error.where.startswith("path/") else HTTPStatus.UNPROCESSABLE_ENTITY
    where = error.where if error.where.startswith(("path", "query")) else f"body{error.where}"
    return _error(request, status, error, where)


async def _refuse_conflict(request: Request, error: Exception) -> Response:
    return _error(request, HTTPStatus.CONFLICT, error)


async def _unavailable(request: Request, error: Exception) -> Response:
    why = statement("api.games_unreadable", detail=statement_of(error))
    return await _refuse(request, ApiError(HTTPStatus.SERVICE_UNAVAILABLE, why, wait=5))


async def _no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - as above
    if error.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
        nothing = statement("api.nothing_there", path=request.url.path, description=f"{ROOT}/openapi.json")
        return await _refuse(request, ApiError(error.status_code, nothing))
    methods = sorted(_methods(request))
    why = ApiError(error.status_code, statement("api.method", method=request.method, known=tuple(methods)))
    return _error(request, why.status, why, headers={"Allow": ", ".join(methods)})


def _methods(request: Request) -> set[str]:
    """What can be done at an address: several operations may share one."""
    router = request.scope["app"].routes
    found: set[str] = set()
    for route in router:
        if isinstance(route, Route) and route.matches(dict(request.scope))[0].value:
            found |= route.methods or set()
    return found
