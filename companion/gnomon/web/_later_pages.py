"""Make the routes of a module of pages when one of its addresses is first asked for.

Lessons, puzzles, guessing, analyses and people are asked for on few evenings, and the modules that they need would take
more than a megabyte of every daemon's memory.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from starlette.routing import BaseRoute, Match, compile_path
from starlette.types import Receive, Scope, Send

_CHOSEN: Final = "gnomon.later_route"
"""Where a request carries the route that answers it."""


class LaterPages(BaseRoute):
    """Routes that `load` makes, all of them under one path such as `/games/{number}/analysis`."""

    def __init__(self, under: str, load: Callable[[], Sequence[BaseRoute]]) -> None:
        self._under, _, _ = compile_path(f"{under}{{rest:path}}")
        self._load = load

    @cached_property
    def routes(self) -> Sequence[BaseRoute]:
        """The routes, which are made for this. Raises what `load` raises."""
        return self._load()

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """How well a route fits; one that fits but for the method comes after all that fit."""
        best: tuple[Match, Scope] = (Match.NONE, {})
        if scope["type"] != "http" or not self._under.match(scope["path"]):
            return best
        for route in self.routes:
            match, child = route.matches(scope)
            if match.value > best[0].value:
                best = match, {**child, _CHOSEN: route}
        return best

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the route answer that `matches` found."""
        route: BaseRoute = scope[_CHOSEN]
        await route.handle(scope, receive, send)
