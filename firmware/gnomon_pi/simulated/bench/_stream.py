"""Stream what is on a simulated board to open pages as server-sent events, one stream per page.

`table` and `tiles`: what stands and lies there; `lights`: 37 colours; `display`: the real pixels. Each is sent only
when it differs from what was sent before, and all of them again when nothing else was to be said for a while.
"""

import json
from base64 import b64encode
from collections.abc import AsyncGenerator, Iterator
from typing import Final

from gnomon_pi.simulated.bench._hands import BenchHands, Wait
from gnomon_pi.simulated.remote_control import RemoteControl

LOOK: Final = 0.04  # seconds between two looks at lights, display and table: smoother than the eye asks for
BEAT: Final = 24  # looks after which a page is told again, so that it knows that it hears
RETRY: Final = "retry: 1000\n\n"  # milliseconds until a browser asks again by itself

_NOTHING: Final = object()


async def events(remote: RemoteControl, hands: BenchHands, wait: Wait) -> AsyncGenerator[str, None]:
    """Everything that changes, from now on until the page closes."""
    yield RETRY
    sent: dict[str, object] = {}
    silent = 0
    while True:
        silent += 1
        for name, value in _visible(remote, hands):
            if sent.get(name, _NOTHING) != value or (name == "table" and silent >= BEAT):
                sent[name], silent = value, 0
                yield f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n"
        await wait(LOOK)


def _visible(remote: RemoteControl, hands: BenchHands) -> Iterator[tuple[str, object]]:
    yield "table", hands.table()
    if remote.playground.tiles is not None:
        yield "tiles", sorted(remote.playground.tiles)
    yield "lights", [f"{red:02x}{green:02x}{blue:02x}" for red, green, blue in remote.playground.board.lights()]
    yield "display", b64encode(remote.playground.board.display_image().convert("1").tobytes()).decode()
