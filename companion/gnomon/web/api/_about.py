"""Define the API operations on the service itself: version, health and the caller's identity."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from gnomon.refusals import clause
from gnomon.web.access import Role
from gnomon.web.api.operation import Call, Operation
from gnomon.web.api.schemas import GAME, ROLE, TEXT, TEXTS
from gnomon.web.api.shapes import ListOf, Truth, Whole, answer

VERSION: Final = 1


async def _version(call: Call) -> Mapping[str, Any]:
    return {"api": VERSION, "version": version("gnomon"), "games": list(call.context.board.games)}


async def _health(call: Call) -> Mapping[str, Any]:
    """Whether all is well is for everybody; what is not, for those who can do something about it, as on the pages."""
    role, health = call.visitor.role, call.board.health()
    wrong = health if role.may(Role.ARBITER) else call.board.notices() if role.may(Role.PLAYER) else ()
    return {
        "well": not health,
        "wrong": [clause(told, call.words) for told in wrong],
        "readers": call.context.readers.number,
    }


async def _me(call: Call) -> Mapping[str, Any]:
    visitor = call.visitor
    return {"name": visitor.name, "role": visitor.role.value, "proof": visitor.proof.value}


OPERATIONS: Final[Sequence[Operation]] = (
    Operation(
        "readVersion", "GET", "version", Role.SPECTATOR, "Which version this is, and which games can be played here.",
        _version, answer(api=Whole(), version=TEXT, games=ListOf(GAME)),
    ),
    Operation(
        "readHealth", "GET", "health", Role.SPECTATOR,
        "Whether all is well, what is wrong, and how many readers there are.",
        _health, answer(well=Truth(), wrong=TEXTS, readers=Whole()),
    ),
    Operation(
        "whoAmI", "GET", "me", Role.SPECTATOR, "Who sends this request, how the board knows, and in which role.",
        _me, answer(name=TEXT, role=ROLE, proof=TEXT),
    ),
)  # fmt: skip
"""What can be asked of the service."""
