"""Carry out at the simulated table the acts that its controls ask for."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final

from gnomon.referee.judgement import Action, Repair
from gnomon.referee.table import ARBITER
from gnomon.refusals import statement
from gnomon.web.api.shapes import ShapeError
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.simulated._table import GLASSES as OWNERS
from gnomon_pi.simulated._table import ImpossibleActError, TableAct, TamskTable, Verb
from gnomon_pi.simulated.remote_control import RemoteControl

PRESS: Final = 0.12  # seconds a button is held down
HELD: Final = 1.2  # seconds for which it is held: as long as the menu of the board asks for, and a little more
REST: Final = 0.06  # seconds until it is pressed again: longer than any bounce takes to settle
CARRY: Final = 0.15  # seconds a glass is carried at least: the referee doubts sensors that show it elsewhere in less
NUDGE: Final = 0.1  # seconds a nudged glass is off its socket: no lift, by the referee's rule
FLIP: Final = 0.25  # seconds to turn a glass over, or the 15-second glass on its stand

_BUTTON: Final = "button."

Order = Mapping[str, Any]
"""What hands are to do, as the API has read it."""

Wait = Callable[[float], Awaitable[None]]
"""Lets a number of seconds pass."""


class Deed(StrEnum):
    """What hands can do; most is one act at the table."""

    LIFT = "lift"
    PLACE = "place"
    TURN_IN_HAND = "turn in hand"
    KNOCK_OVER = "knock over"
    SET_UP = "set up"
    DROP_RING = "drop ring"
    TAKE_RING = "take ring"
    PRESS = "press"
    HOLD = "hold"
    TURN_TIMER15 = "turn timer15"
    NUDGE = "nudge"
    REPAIR = "repair"
    LAY_TILE = "lay tile"
    LIFT_TILE = "lift tile"


_NEEDED: Final[Mapping[Deed, tuple[str, ...]]] = {
    Deed.PRESS: ("button",),
    Deed.HOLD: ("button",),
    Deed.DROP_RING: ("space", "player"),
    Deed.LAY_TILE: ("squares",),
    Deed.LIFT_TILE: ("squares",),
    Deed.TURN_IN_HAND: (),
    Deed.TURN_TIMER15: (),
    Deed.REPAIR: (),
}
"""What else than a space some of them need."""


class BenchHands:
    """A pair of hands at the simulated table."""

    def __init__(self, remote: RemoteControl, wait: Wait) -> None:
        self._remote = remote
        self._wait = wait
        self._version = 0
        self._seen: TamskTable | None = None
        self._lifted_at = 0.0

    def table(self) -> Mapping[str, object] | None:
        """The table as it stands, ready for JSON; `version` grows with every change. None where no glasses are."""
        table = self._remote.playground.table
        if table is None:
            return None
        if table is not self._seen:
            self._seen = table
            self._version += 1
        return {"version": self._version, **describe_table(table)}

    async def do(self, order: Order) -> None:
        """Do what is asked. Raises ShapeError for nonsense, ImpossibleActError and ControllerError."""
        deed = Deed(order["verb"])
        _check(deed, order)
        match deed:
            case Deed.PRESS | Deed.HOLD:
                await self._press(self._button(order["button"]), HELD if deed is Deed.HOLD else PRESS)
            case Deed.TURN_TIMER15:
                await self._turn_timer()
            case Deed.NUDGE:
                await self._nudge(order["space"])
            case Deed.REPAIR:
                await self._repair()
            case Deed.LAY_TILE | Deed.LIFT_TILE:
                self._tile(deed, order["squares"])
            case _:
                turned, player = order.get("turned", False), order.get("player", "")
                if deed is Deed.PLACE:
                    await self._carry()
                self._act(TableAct(Verb(deed.value), order.get("space", ""), turned=turned, player=player))
                if deed is Deed.LIFT:
                    self._lifted_at = asyncio.get_running_loop().time()

    async def _carry(self) -> None:
        """Let a glass be in the hand for a moment, however fast one clicks."""
        left = self._lifted_at + CARRY - asyncio.get_running_loop().time()
        if left > 0:
            await self._wait(left)

    def _act(self, what: TableAct) -> None:
        self._let_alone()
        self._remote.playground.act(what)

    def _tile(self, deed: Deed, names: Sequence[str]) -> None:
        self._let_alone()
        if deed is Deed.LAY_TILE:
            self._remote.lay(names)
        else:
            self._remote.lift(names)

    def _let_alone(self) -> None:
        """Two pairs of hands are too many. Raises ControllerError while the board plays by itself."""
        if self._remote.playground.is_playing:
            raise ControllerError(statement("told.hands.playing"))

    def _button(self, name: str) -> str:
        """The input of a button by its short name. Raises ShapeError."""
        inputs = [button for button in self._remote.controller.buttons if button == f"{_BUTTON}{name}"]
        if not inputs:
            known = tuple(button.removeprefix(_BUTTON) for button in self._remote.controller.buttons)
            where = "/button"
            raise ShapeError(where, statement("api.one_of", field="button", known=known))
        return inputs[0]

    async def _press(self, button: str, seconds: float) -> None:
        if button != ARBITER:  # a person who lets the board play may still pause it
            self._let_alone()
        self._remote.press(button)
        await self._wait(seconds)
        # A press may begin a game by the board's own menu: the table is set out for it, and no button is down then.
        with suppress(ControllerError, ImpossibleActError):
            self._remote.release(button)
        await self._wait(REST)

    async def _turn_timer(self) -> None:
        self._act(TableAct(Verb.LIFT_TIMER15))
        await self._wait(FLIP)
        self._act(TableAct(Verb.PUT_TIMER15, turned=True))

    async def _nudge(self, space: str) -> None:
        self._act(TableAct(Verb.LIFT, space))
        await self._wait(NUDGE)
        self._act(TableAct(Verb.PLACE, space))

    async def _repair(self) -> None:
        """Do the first step of the repair that the referee guides."""
        game = self._remote.controller.game()
        if game is None or not game.judgement.repairs:
            raise ControllerError(statement("told.hands.no_repair"))
        step = game.judgement.repairs[0]
        if step.action in (Action.TAKE_TILE, Action.PUT_TILE):
            self._repair_tiles(step)
        elif step.action is Action.TURN_TIMER:
            await self._turn_timer()
        elif step.action is Action.TURN_GLASS:
            self._act(TableAct(Verb.LIFT, step.space))
            await self._wait(FLIP)  # or a sensor of one pole could not tell it from a nudge
            self._act(TableAct(Verb.PLACE, step.space, turned=True))
        elif self._remote.playground.table is not None:
            for what in _acts_to_mend(step, self._remote.playground.table, game.rules.players[game.position.mover]):
                self._act(what)

    def _repair_tiles(self, step: Repair) -> None:
        names, lying = step.space.split(), self._remote.playground.tiles or frozenset()
        if step.action is Action.TAKE_TILE:
            self._tile(Deed.LIFT_TILE, [name for name in names if name in lying])
        else:
            self._tile(Deed.LAY_TILE, [name for name in names if name not in lying])


def _check(deed: Deed, order: Order) -> None:
    """Refuse an order that lacks what its verb needs, or says more. Raises ShapeError."""
    needed = _NEEDED.get(deed, ("space",))
    for name in needed:
        if name not in order:
            place = f"/{name}"
            raise ShapeError(place, statement("api.missing", field=name))
    known = {"verb", *needed, *(["turned"] if deed in (Deed.PLACE, Deed.SET_UP) else [])}
    if more := sorted(order.keys() - known):
        place = f"/{more[0]}"
        raise ShapeError(place, statement("api.takes_no", verb=deed.value, field=more[0]))


def _acts_to_mend(step: Repair, table: TamskTable, player: str) -> tuple[TableAct, ...]:
    match step.action:
        case Action.PUT_GLASS:
            return (TableAct(Verb.PLACE if table.in_hand else Verb.SET_UP, step.space),)
        case Action.TAKE_GLASS:
            return (TableAct(Verb.LIFT, step.space),)
        case Action.PUT_RING:
            return (TableAct(Verb.DROP_RING, step.space, player),)
        case _:
            return (TableAct(Verb.TAKE_RING, step.space),)


def describe_table(table: TamskTable) -> Mapping[str, object]:
    """Everything on the table, ready for JSON: glasses by number, rings by space, holders, buttons held down."""
    places = {glass: space for space, glass in table.standing.items()}
    places |= dict.fromkeys(table.in_hand, "hand") | dict.fromkeys(table.beside, "beside")
    return {
        "glasses": [
            {"player": player, "where": places[glass], "pole": table.poles[glass]}
            for glass, player in enumerate(OWNERS)
        ],
        "in_hand": list(table.in_hand),
        "beside": list(table.beside),
        "rings": {space: len(stack) for space, stack in table.stacks.items() if stack},
        "holders": dict(table.holders),
        "timer15": None if table.timer15 is None else {"in_hand": table.timer15_in_hand, "pole": table.timer15},
        "pressed": sorted(table.pressed),
    }
