"""Refresh the pages of live boards in a site, a bounded number of them a second.

A hall is asked for all boards at once, and for the pages of those that have changed. Whatever the number of spectators,
it is asked no more.
"""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from gnomon.web.publication._folder import Site
from gnomon.web.publication._links import BOARDS, NOW, PICTURES, file_of, rewrite
from gnomon.web.publication._page_client import Ask, PublicationError

PAGES: Final = 10
"""Pages of boards for which a hall is asked in a second at most."""
_MOVES: Final = ("left", "runs")

Json = Mapping[str, object]


class LiveBoards:
    """The boards of a site. For one loop."""

    def __init__(self, ask: Ask, site: Site, languages: Sequence[str]) -> None:
        self._ask = ask
        self._site = site
        self._languages = languages
        self._seen: dict[str, Json] = {}
        self._waiting: deque[str] = deque()

    async def look(self, seconds: float) -> int:
        """Write what has changed since the last look, which was so long ago; how many files that were.

        Pages beyond what there is time for wait for the next look. Raises PublicationError.
        """
        first = self._languages[0]
        told = await self._ask(NOW, first, "")
        if told is None:
            return 0
        files = {file_of(NOW, first, self._languages): told.body}
        self._note(json.loads(told.text)["boards"])
        for language in self._languages:
            await self._page(BOARDS, language, files)
            await self._page(PICTURES, language, files)
        for _ in range(min(len(self._waiting), max(1, round(PAGES * seconds / len(self._languages))))):
            board = self._waiting.popleft()
            for language in self._languages:
                await self._page(f"{BOARDS}/{board}", language, files)
                with suppress(PublicationError):  # the game may have been put away meanwhile, and there is no picture
                    await self._page(f"{BOARDS}/{board}/miniature.svg", language, files)
        return self._site.write_live(files)

    def _note(self, boards: Sequence[Json]) -> None:
        """Remember which boards show something else than at the last look."""
        for told in boards:
            name = str(told["board"])
            now = {key: value for key, value in told.items() if key not in {"urgent", "timer15", "players"}}
            now["players"] = [_without_times(each) for each in told["players"]]  # type: ignore[attr-defined]  # a list
            if self._seen.get(name) != now and name not in self._waiting:
                self._waiting.append(name)
            self._seen[name] = now

    async def _page(self, address: str, language: str, files: dict[str, bytes]) -> None:
        answer = await self._ask(address, language, "")
        if answer is not None:
            file = file_of(address, language, self._languages)
            text = rewrite(answer.text, file, language, self._languages) if answer.is_page else answer.text
            files[file] = text.encode()


def _without_times(player: Json) -> Json:
    return {key: value for key, value in player.items() if key not in _MOVES}
