"""Define the API operations on a board in software: hands at it, hands that play by themselves, and what is on it.

They are the controls of the bench, the board page of such a board. Only its daemon registers them.
"""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from http import HTTPStatus
from secrets import randbits
from typing import Any, Final

from starlette.responses import Response

from gnomon.referee.setup import GameSetup
from gnomon.web.access import Role
from gnomon.web.api.board import LANGUAGE, SETTING, rulings_payload
from gnomon.web.api.operation import Call, Operation
from gnomon.web.api.schemas import GAME, OBJECT, TEXT, component
from gnomon.web.api.shapes import Fields, ListOf, Named, OneOf, OrNull, TextShape, Truth, Whole, answer
from gnomon_pi.pages.server import Ways
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.simulated._table import ImpossibleActError
from gnomon_pi.simulated.autoplay import PACES
from gnomon_pi.simulated.bench._hands import BenchHands, Deed, Wait
from gnomon_pi.simulated.remote_control import RemoteControl

SEED_BITS: Final = 31
LOOK: Final = 0.04  # seconds between two looks at lights, display and table: smoother than the eye asks for
BEAT: Final = 24  # looks after which a page is told again, so that it knows that it hears
RETRY: Final = "retry: 1000\n\n"  # milliseconds until a browser asks again by itself

_NOTHING: Final = object()

HANDS: Final = Fields(
    {
        "verb": OneOf([deed.value for deed in Deed]),
        "space": TextShape(20, 1, example="D1"),
        "turned": Truth(),
        "player": TextShape(20, 1, example="red"),
        "button": TextShape(40, 1, example="red"),
        "squares": ListOf(TextShape(20, 1), 20),
    },
    frozenset({"space", "turned", "player", "button", "squares"}),
)
PLAY: Final = Fields(
    {
        "level": Whole(1, 3),
        "seed": Whole(),
        "game": GAME,
        "settings": Named(SETTING, "[a-z][a-z0-9_.-]{0,40}", 60),
    },
    frozenset({"level", "seed", "game", "settings"}),
)
PACE: Final = Fields({"pace": OneOf(list(PACES))})
CODE: Final = Fields({"code": TextShape(80, 1, example="04A1B2C3")})


def operations(
    remote: RemoteControl, ways: Ways, looking: Role = Role.SPECTATOR, wait: Wait = asyncio.sleep
) -> Sequence[Operation]:
    """What can be asked of a board in software.

    `wait` lets seconds pass while a hand holds a button or turns a glass, and between two looks at the board.
    """
    bench = _Bench(remote, ways, wait)
    refuses = (HTTPStatus.CONFLICT,)
    return (
        Operation(
            "followSimulation", "GET", "simulation/stream", looking,
            "What is on the simulated board, as server-sent events: each when it differs from what was sent before.",
            bench.stream, TEXT, media="text/event-stream",
            more="`table`: the glasses, rings and buttons of TAMSK; `tiles`: the squares on which tiles lie; `lights`: "
            "a colour for each space; `display`: the pixels of the display, eight to a byte, in base 64.",
        ),
        Operation(
            "useHands", "POST", "simulation/hands", Role.ARBITER, "Do with software what a hand does at the table.",
            bench.use_hands, answer(table=OrNull(OBJECT)), HANDS, query=LANGUAGE, may_refuse=refuses,
            more="`lift`, `place`, `set up`, `knock over`, `nudge` and `take ring` name a `space`, `drop ring` a "
            "`player` too, `press` and `hold` a `button`, `lay tile` and `lift tile` the `squares`; `repair` does the "
            "first step of the repair that the referee guides.",
        ),
        Operation(
            "letItPlay", "POST", "simulation/play", Role.ARBITER, "Let hands play by themselves from now on.",
            bench.let_it_play, answer(), PLAY, query=LANGUAGE, may_refuse=refuses,
            more="Where no game goes on, a new one is begun: `game` with `settings`, or the board's own, TAMSK at "
            "`level`. Engines play every side of it, unless `settings` name an `opponent`. In a game of people an "
            "engine chooses the turns for the hands. With the `opponent` `none` they choose legal turns by chance.",
        ),
        Operation(
            "pausePlaying", "POST", "simulation/pause", Role.ARBITER,
            "Pause the game that hands play: they rest, and time stands still.",
            bench.pause, answer(), Fields({}), query=LANGUAGE, may_refuse=refuses,
        ),
        Operation(
            "resumePlaying", "POST", "simulation/resume", Role.ARBITER, "Let that game go on after a pause.",
            bench.go_on, answer(), Fields({}), query=LANGUAGE, may_refuse=refuses,
        ),
        Operation(
            "setPace", "POST", "simulation/pace", Role.ARBITER, "Let hands play slower or faster from now on.",
            bench.set_pace, answer(), PACE, query=LANGUAGE,
        ),
        Operation(
            "stopPlaying", "POST", "simulation/stop", Role.ARBITER, "Stop the hands that play by themselves.",
            bench.stop, answer(), Fields({}), query=LANGUAGE, may_refuse=refuses,
        ),
        Operation(
            "readTag", "POST", "simulation/reads", Role.ARBITER, "Draw the tile with a given code, as a reader does.",
            bench.read, component("Rulings"), CODE, query=LANGUAGE, may_refuse=refuses,
        ),
    )  # fmt: skip


class _Bench:
    """What is answered to each."""

    def __init__(self, remote: RemoteControl, ways: Ways, wait: Wait) -> None:
        self._remote = remote
        self._ways = ways
        self._wait = wait
        self._hands = BenchHands(remote, wait)

    async def stream(self, call: Call) -> Response:
        return self._ways.answer(call.request, events(self._remote, self._hands, self._wait))

    async def use_hands(self, call: Call) -> Mapping[str, Any]:
        try:
            await self._ways.do(self._hands.do(call.body))
        except ImpossibleActError as error:
            raise ControllerError(error) from error
        return {"table": self._hands.table()}

    async def let_it_play(self, call: Call) -> Mapping[str, Any]:
        wish = call.body
        seed = wish.get("seed", randbits(SEED_BITS))
        level = {"level": wish["level"]} if "level" in wish else {}
        setup = GameSetup(wish.get("game", ""), {**level, **wish.get("settings", {})})
        await self._ways.do(self._remote.let_it_play(seed, setup))
        return {}

    async def pause(self, _call: Call) -> Mapping[str, Any]:
        await self._ways.do(self._remote.pause())
        return {}

    async def go_on(self, _call: Call) -> Mapping[str, Any]:
        await self._ways.do(self._remote.go_on())
        return {}

    async def set_pace(self, call: Call) -> Mapping[str, Any]:
        await self._ways.do(self._set_pace(call.body["pace"]))
        return {}

    async def _set_pace(self, pace: str) -> None:
        self._remote.set_pace(pace)

    async def stop(self, _call: Call) -> Mapping[str, Any]:
        await self._ways.do(self._stop())
        return {}

    async def _stop(self) -> None:
        self._remote.playground.stop_playing()

    async def read(self, call: Call) -> Mapping[str, Any]:
        return rulings_payload(call, await self._ways.do(self._remote.read(call.body["code"])))


async def events(remote: RemoteControl, hands: BenchHands, wait: Wait) -> AsyncGenerator[str, None]:
    """Everything on the board that changes, as server-sent events, from now on until the page closes.

    `table` and `tiles`: what stands and lies there; `lights`: 37 colours; `display`: the real pixels. Each is sent only
    when it differs from what was sent before, and all of them again when nothing else was to be said for a while.
    """
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
