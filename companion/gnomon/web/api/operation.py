"""Define what an API operation is: path, role, parameters, body, answer and errors."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from gnomon.refusals import Refusal, Statement
from gnomon.web.access import Role, Visitor, visitor_of
from gnomon.web.api.shapes import OneOf, Shape
from gnomon.web.app_context import AppContext
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import LiveBoard
from gnomon.words import Words

JSON: Final = "application/json"


class ApiError(Refusal):
    """What was asked is refused: the status, why, and where in the request it is wrong."""

    def __init__(self, status: int, why: Statement | str, where: str = "", wait: int = 0) -> None:
        """`wait` is the number of seconds after which it may be asked again; 0 does not say."""
        super().__init__(why)
        self.status = status
        self.where = where
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value in the path or after the question mark; one without a default must be there."""

    shape: Shape
    what: str
    default: Any = None


@dataclass(frozen=True, slots=True)
class Call:
    """One request for an operation, after it has been read."""

    context: AppContext
    request: Request
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Any

    @property
    def visitor(self) -> Visitor:
        """The visitor who asks."""
        return visitor_of(self.request)

    @property
    def who(self) -> str:
        """By what name it is written down what they do."""
        return self.visitor.name or self.visitor.role.value

    @property
    def words(self) -> Words:
        """The words of their language."""
        return words_for(self.request)

    @property
    def board(self) -> LiveBoard:
        """The board as they may see it."""
        return self.context.board_for(self.visitor)


Answer = Response | Mapping[str, Any] | None
"""A response as it is, or what it says as JSON."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked: where, by whom, what it takes and what it gives.

    `may_refuse` are the statuses with which it refuses beside those that follow from the rest.
    """

    name: str
    method: str
    address: str
    role: Role
    what: str
    do: Callable[[Call], Awaitable[Answer]]
    gives: Shape
    takes: Shape | None = None
    path: Mapping[str, Parameter] = field(default_factory=dict)
    query: Mapping[str, Parameter] = field(default_factory=dict)
    may_refuse: tuple[int, ...] = ()
    status: int = 200
    media: str = JSON
    more: str = ""


def language(codes: Sequence[str]) -> Parameter:
    """The parameter that chooses the language of sentences."""
    return Parameter(OneOf(codes), "The language of sentences; without it, the one that Accept-Language prefers.")
