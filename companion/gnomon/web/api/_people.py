"""Define the API operations for admins: people, devices, sessions, pairing codes and tokens."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

from gnomon.refusals import statement
from gnomon.web.access import Role
from gnomon.web.access.authenticator import TOKEN_DAYS
from gnomon.web.access.reasons import AccessError, SignInReason
from gnomon.web.access.store import WebAccount
from gnomon.web.api.operation import Answer, ApiError, Call, Operation, Parameter
from gnomon.web.api.schemas import TEXT, component
from gnomon.web.api.shapes import DescribedShape, Fields, ListOf, OneOf, TextShape, Whole, answer

GIVEN: Final = OneOf([role.value for role in Role if role is not Role.SPECTATOR])
NAME: Final = TextShape(80, 1)
SECRET: Final = TextShape(200, 1)
NOTHING: Final = DescribedShape()
PERSON: Final = {"person": Parameter(Whole(1), "The number of the person.")}
NAMED: Final = {"id": Parameter(TextShape(64, 1, "[0-9a-f]+"), "By which it is known; it opens nothing.")}
_CONFLICTS: Final = frozenset({SignInReason.NAME_TAKEN, SignInReason.LAST_ADMIN, SignInReason.DEVICE_ROLE})


@contextmanager
def _translate_refusals(call: Call) -> Iterator[None]:
    """Say in the visitor's language why something about people is not done. Raises ApiError."""
    try:
        yield
    except AccessError as error:
        said = call.words(error.why, **({"seconds": error.wait} if error.why is SignInReason.WAIT else {}))
        status = (
            HTTPStatus.TOO_MANY_REQUESTS
            if error.wait
            else HTTPStatus.CONFLICT
            if error.why in _CONFLICTS
            else HTTPStatus.UNPROCESSABLE_ENTITY
        )
        raise ApiError(status, said, f"body/{error.field}" if error.field else "", error.wait) from error


def _person(call: Call) -> WebAccount:
    """The person of the number in the address. Raises ApiError."""
    found = call.context.door.store.person(call.path["person"])
    if found is None:
        raise ApiError(HTTPStatus.NOT_FOUND, statement("api.no_person", number=call.path["person"]), "path/person")
    return found


async def _list(call: Call) -> Mapping[str, Any]:
    return {"people": [_payload(person) for person in call.context.door.store.people()]}


async def _add(call: Call) -> Mapping[str, Any]:
    wish = call.body
    with _translate_refusals(call):
        return _payload(await call.context.door.add_person(wish["name"], Role(wish["role"]), wish["secret"]))


async def _change(call: Call) -> Mapping[str, Any]:
    person, wish, door = _person(call), call.body, call.context.door
    with _translate_refusals(call):
        if "role" in wish:
            await door.change_role(person.id, Role(wish["role"]))
        if "secret" in wish:
            await door.change_secret(
                person.id, wish["secret"], call.visitor if person.id == call.visitor.person else None
            )
    return _payload(_person(call))


async def _remove(call: Call) -> Answer:
    with _translate_refusals(call):
        await call.context.door.remove(_person(call).id)
    return None


async def _sessions(call: Call) -> Mapping[str, Any]:
    sessions = call.context.door.store.sessions()
    return {"sessions": [{**each._asdict(), "made": _time(each.made), "seen": _time(each.seen)} for each in sessions]}


async def _end_session(call: Call) -> Answer:
    await call.context.door.revoke_session(call.path["id"])
    return None


async def _tokens(call: Call) -> Mapping[str, Any]:
    tokens = call.context.door.store.tokens()
    return {
        "tokens": [
            {
                **each._asdict(),
                "role": each.role.value,
                "made": _time(each.made),
                "expires": _time(each.expires),
                "seen": None if each.seen is None else _time(each.seen),
            }
            for each in tokens
        ]
    }


async def _make_token(call: Call) -> Mapping[str, Any]:
    wish = call.body
    with _translate_refusals(call):
        door = call.context.door
        return {"token": await door.make_token(call.visitor, wish["label"], Role(wish["role"]), int(wish["days"]))}


async def _revoke_token(call: Call) -> Answer:
    await call.context.door.revoke_token(call.path["id"])
    return None


async def _make_code(call: Call) -> Mapping[str, Any]:
    code = call.context.door.make_code(Role(call.body["role"]))
    return {"code": code.readable, "role": code.role.value}


def _payload(person: WebAccount) -> Mapping[str, Any]:
    return {
        "id": person.id,
        "name": person.name,
        "role": person.role.value,
        "is_device": person.is_device,
        "made": _time(person.made),
        "seen": None if person.seen is None else _time(person.seen),
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        "listPeople", "GET", "people", Role.ADMIN, "Everyone who has an account, and every connected device.",
        _list, answer(people=ListOf(component("Person"))),
    ),
    Operation(
        "addPerson", "POST", "people", Role.ADMIN, "Add a person with a first PIN or password.",
        _add, component("Person"), Fields({"name": NAME, "role": GIVEN, "secret": SECRET}),
        may_refuse=(HTTPStatus.CONFLICT,), status=HTTPStatus.CREATED,
    ),
    Operation(
        "changePerson", "PATCH", "people/{person}", Role.ADMIN, "Change a person's role, PIN or password.",
        _change, component("Person"), Fields({"role": GIVEN, "secret": SECRET}, frozenset({"role", "secret"})),
        path=PERSON, may_refuse=(HTTPStatus.CONFLICT,),
        more="With another PIN the person is signed out everywhere, and the tokens end.",
    ),
    Operation(
        "removePerson", "DELETE", "people/{person}", Role.ADMIN, "Remove an account with its sessions and tokens.",
        _remove, NOTHING, path=PERSON, may_refuse=(HTTPStatus.CONFLICT,), status=HTTPStatus.NO_CONTENT,
    ),
    Operation(
        "listSessions", "GET", "sessions", Role.ADMIN, "The browsers in which people are signed in.",
        _sessions, answer(sessions=ListOf(component("Session"))),
    ),
    Operation(
        "endSession", "DELETE", "sessions/{id}", Role.ADMIN, "Sign a browser out, if it is signed in.",
        _end_session, NOTHING, path=NAMED, status=HTTPStatus.NO_CONTENT,
    ),
    Operation(
        "listTokens", "GET", "tokens", Role.ADMIN, "The tokens of programs; their secrets are not kept.",
        _tokens, answer(tokens=ListOf(component("Token"))),
    ),
    Operation(
        "makeToken", "POST", "tokens", Role.ADMIN, "Make a token for a program; it is shown only once.",
        _make_token, answer(token=TEXT),
        Fields({"label": NAME, "role": GIVEN, "days": OneOf([str(days) for days in TOKEN_DAYS])}),
        status=HTTPStatus.CREATED,
    ),
    Operation(
        "revokeToken", "DELETE", "tokens/{id}", Role.ADMIN, "Revoke a token, if it exists.",
        _revoke_token, NOTHING, path=NAMED, status=HTTPStatus.NO_CONTENT,
    ),
    Operation(
        "makeCode", "POST", "codes", Role.ADMIN,
        "Make a code for a new person with a given role, valid once and for ten minutes.",
        _make_code, answer(code=TEXT, role=TEXT), Fields({"role": GIVEN}), status=HTTPStatus.CREATED,
    ),
)  # fmt: skip
"""What can be asked about people."""
