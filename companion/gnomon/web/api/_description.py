"""Generate the OpenAPI 3.1 description of the API from the table of operations."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from gnomon.web.access import Role
from gnomon.web.access.cookies import SESSION
from gnomon.web.api.operation import JSON, Operation, Parameter
from gnomon.web.api.schemas import ERROR, components

ROOT: Final = "/api/v1"

_REFUSALS: Final[Mapping[int, str]] = {
    400: "What was sent is not JSON.",
    401: "Nobody is known by this token or session; sign in, or send another token.",
    403: "You may not do this; or a session sent no X-CSRF-Token.",
    404: "There is no such thing.",
    408: "What was sent came too slowly.",
    409: "It cannot be done now; the sentence says why.",
    413: "More was sent than this takes.",
    415: "What was sent is not called application/json.",
    421: "This is not a name of the board.",
    422: "What was sent is JSON, and not what this takes; `where` it is wrong.",
    429: "Too many requests; ask again after Retry-After seconds.",
    503: "It cannot be answered at this moment; ask again after Retry-After seconds.",
}

_WORDS: Final = (
    "Everything that people do on the pages of a board. Reading is open to all, unless the board is set otherwise; "
    "what changes anything needs a role: a token (Authorization: Bearer …) that an admin makes on the page of people, "
    "or the session of a browser with the token of its forms in X-CSRF-Token. Times are seconds; board time begins "
    "with the game. Errors are JSON: one sentence in `error`, and in `where` which place in the request is wrong, if "
    "one is."
)


def describe_api(operations: Sequence[Operation]) -> Mapping[str, Any]:
    """The description of the operations, ready for JSON."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(f"/{operation.address}", {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Gnomon", "version": version("gnomon"), "description": _WORDS, "license": {"name": "MIT"}},
        "servers": [{"url": ROOT}],
        "paths": paths,
        "components": {
            "schemas": components(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": SESSION},
            },
        },
    }


def _operation(operation: Operation) -> Mapping[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.what,
        "tags": [operation.address.partition("/")[0]],
        "security": [{"token": []}, {"session": []}] if operation.role is not Role.SPECTATOR else [],
        "x-role": operation.role.value,
        "parameters": [
            *(_parameter("path", name, parameter) for name, parameter in operation.path.items()),
            *(_parameter("query", name, parameter) for name, parameter in operation.query.items()),
        ],
        "responses": dict(_responses(operation)),
    }
    if operation.more:
        told["description"] = operation.more
    if operation.takes is not None:
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.takes.schema()}}}
    return told


def _parameter(place: str, name: str, parameter: Parameter) -> Mapping[str, Any]:
    schema = dict(parameter.shape.schema())
    if parameter.default is not None:
        schema["default"] = parameter.default
    required = place == "path"
    return {"name": name, "in": place, "required": required, "description": parameter.what, "schema": schema}


def _responses(operation: Operation) -> Iterator[tuple[str, Mapping[str, Any]]]:
    done: dict[str, Any] = {"description": operation.what}
    if operation.gives.schema():
        done["content"] = {operation.media: {"schema": operation.gives.schema()}}
    yield str(operation.status), done
    for status in sorted(set(_refusals(operation))):
        yield str(status), {"description": _REFUSALS[status], "content": {JSON: {"schema": ERROR}}}


def _refusals(operation: Operation) -> Iterator[int]:
    yield from (401, 421, 429, 503)
    yield from operation.may_refuse
    if operation.role is not Role.SPECTATOR or operation.method != "GET":
        yield 403
    if operation.path:
        yield 404
    if operation.query:
        yield 422
    if operation.takes is not None or operation.method != "GET":
        yield from (408, 413)
    if operation.takes is not None:
        yield from (400, 415, 422)
