"""Model the physical TAMSK table: glasses, rings, holders and buttons, and the acts of hands on them.

The table has no rules: everything a hand can do is allowed, legal or not. What is refused is the impossible.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple, Self, assert_never

from gnomon.games.tamsk.rules import BOARD, CAPACITY, PLAYERS, START
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import (
    GLASS,
    POLES,
    TIMER,
    inputs_of,
    inputs_with,
    kinds_of,
    trusts_sockets,
    trusts_timer,
)
from gnomon.referee.evidence import BY_POLES, Sensing
from gnomon.refusals import RequestRefusedError, Statement, statement

GLASSES: Final = tuple(PLAYERS[glass // 3] for glass in range(6))
"""The owner of each glass; a glass is known by its number, as in the rules' positions."""

RINGS_EACH: Final = 32
TIMER_LEVEL: Final = 3  # the level of the rules at which the 15-second glass is used
_TURNED_OVER: Final = 2  # the level from which it matters which end of a glass is up (rule 10)


_IN_HAND: Final = (statement("told.hands.none_in_hand"), statement("told.hands.not_in_hand"))
_BESIDE: Final = (statement("told.hands.none_beside"), statement("told.hands.not_beside"))
"""Why no glass can be taken from there: there is none, or not that one."""


class ImpossibleActError(RequestRefusedError, ValueError):
    """Hands cannot do this to the table as it is."""


class Verb(StrEnum):
    """Everything that hands can do to the table."""

    LIFT = "lift"
    PLACE = "place"
    TURN_IN_HAND = "turn in hand"
    KNOCK_OVER = "knock over"
    SET_UP = "set up"
    DROP_RING = "drop ring"
    TAKE_RING = "take ring"
    LIFT_TIMER15 = "lift timer15"
    PUT_TIMER15 = "put timer15"
    PRESS = "press"
    RELEASE = "release"


class TableAct(NamedTuple):
    """One thing that hands do: a verb and what it needs.

    `what` names the space, or the button (`button.red`); `player` is who drops a ring; `glass` says which glass when
    there are several (the last one otherwise); `turned` whether it is turned over on its way.
    """

    verb: Verb
    what: str = ""
    player: str = ""
    glass: int | None = None
    turned: bool = False


@dataclass(frozen=True, slots=True)
class TamskTable:
    """The physical truth as a value: each verb gives the table after it, or raises ImpossibleActError.

    `standing` maps spaces to glasses, `in_hand` and `beside` hold glasses in the order in which they came there;
    `poles` tells which pole each glass shows to a socket (0 north, 1 south). `stacks` hold the owners of the rings on
    each space, from the bottom; `timer15` is the pole that the 15-second glass shows, or None where it is not used.
    `sensing` is what the sensors under it all tell of a glass.
    """

    standing: Mapping[str, int]
    poles: tuple[int, ...]
    stacks: Mapping[str, tuple[str, ...]]
    holders: Mapping[str, int]
    timer15: int | None
    timer15_in_hand: bool = False
    in_hand: tuple[int, ...] = ()
    beside: tuple[int, ...] = ()
    pressed: frozenset[str] = frozenset()
    sensing: Sensing = BY_POLES

    @classmethod
    def set_out(cls, level: int, sensing: Sensing = BY_POLES) -> Self:
        """The table as a game of this level begins: every glass shows north, all rings are in the holders."""
        return cls(
            standing={BOARD.names[space]: glass for glass, space in enumerate(START)},
            poles=(0,) * len(GLASSES),
            stacks=dict.fromkeys(BOARD.names, ()),
            holders=dict.fromkeys(PLAYERS, RINGS_EACH),
            timer15=0 if level == TIMER_LEVEL else None,
            sensing=sensing,
        )

    @classmethod
    def of(cls, game: TamskGame, on: Collection[str]) -> Self:
        """The table as a game that was brought back last sensed it: `on` are the inputs that it believes to be 1.

        Glasses that no socket shows are in the hand.
        """
        standing, poles = _standing_glasses(on, game)
        rings = {name: sum(f"{name}.ring{height}" in on for height in range(1, 5)) for name in BOARD.names}
        # Rings look alike to the board; whose they are is given out by what the holders lack.
        dropped = RINGS_EACH - game.rules.score(game.position)[PLAYERS[0]]
        stacks = {}
        for name, count in rings.items():
            red = min(dropped, count)
            dropped -= red
            stacks[name] = (PLAYERS[0],) * red + (PLAYERS[1],) * (count - red)
        on_board = [ring for stack in stacks.values() for ring in stack]
        timer = next((pole for pole, name in enumerate(POLES) if f"{TIMER}.{name}" in on), None)
        if f"{TIMER}.{GLASS}" in on:
            timer = game.trust.timer
        return cls(
            standing=standing,
            poles=poles,
            stacks=stacks,
            holders={player: RINGS_EACH - on_board.count(player) for player in PLAYERS},
            timer15=game.timer_pole if timer is None else timer,
            timer15_in_hand=timer is None and game.timer_pole is not None,
            in_hand=tuple(glass for glass in range(len(poles)) if glass not in standing.values()),
            sensing=Sensing(game.sensing.single),
        )

    @property
    def trusts_timer(self) -> bool:
        """Whether the board does not see which way up the 15-second glass stands."""
        return trusts_timer(self.sensing)

    def inputs(self) -> dict[str, int]:
        """What every input of the board shows of this table: 0 or 1."""
        return dict.fromkeys(self.names(), 0) | dict.fromkeys(self.on(), 1)

    def names(self) -> tuple[str, ...]:
        """Every input of the board, in its order."""
        sockets, timer = kinds_of(self.sensing)
        return inputs_with(sockets=sockets, timer=timer)

    def on(self) -> set[str]:
        """The inputs that this table makes 1."""
        trusted = trusts_sockets(self.sensing)
        shown = {f"{space}.{GLASS if trusted else POLES[self.poles[glass]]}" for space, glass in self.standing.items()}
        for space, stack in self.stacks.items():
            if stack:
                shown.update(_rings(space, len(stack)))
        if self.timer15 is not None and not self.timer15_in_hand:
            shown.add(f"{TIMER}.{GLASS if self.trusts_timer else POLES[self.timer15]}")
        return shown | self.pressed

    def glass_on(self, space: str) -> int | None:
        """The number of the glass that stands on a space, or None."""
        return self.standing.get(_check_space(space))

    def has_room(self, space: str) -> bool:
        """Whether another ring fits into the tube of a space."""
        return len(self.stacks[_check_space(space)]) < CAPACITY[BOARD.index[space]]

    def after(self, act: TableAct) -> Self:  # noqa: C901, PLR0911  # one line for each verb
        """The table after an act. Raises ImpossibleActError."""
        match act.verb:
            case Verb.LIFT:
                return self.lift(act.what)
            case Verb.PLACE:
                return self.place(act.what, act.glass, turned=act.turned)
            case Verb.TURN_IN_HAND:
                return self.turn_in_hand(act.glass)
            case Verb.KNOCK_OVER:
                return self.knock_over(act.what)
            case Verb.SET_UP:
                return self.set_up(act.what, act.glass, turned=act.turned)
            case Verb.DROP_RING:
                return self.drop_ring(act.what, act.player)
            case Verb.TAKE_RING:
                return self.take_ring(act.what)
            case Verb.LIFT_TIMER15:
                return self.lift_timer15()
            case Verb.PUT_TIMER15:
                return self.put_timer15(turned=act.turned)
            case Verb.PRESS:
                return self.press(act.what)
            case Verb.RELEASE:
                return self.release(act.what)
            case _:
                assert_never(act.verb)

    def lift(self, space: str) -> Self:
        """Take the glass that stands on a space into the hand."""
        standing, glass = self._without(space)
        return replace(self, standing=standing, in_hand=(*self.in_hand, glass))

    def place(self, space: str, glass: int | None = None, *, turned: bool = False) -> Self:
        """Put a glass from the hand on a space, the one lifted last unless `glass` names another."""
        chosen, in_hand = _pick(self.in_hand, glass, _IN_HAND)
        return self._stand(chosen, space, turned=turned, in_hand=in_hand)

    def turn_in_hand(self, glass: int | None = None) -> Self:
        """Turn a glass over in the hand."""
        chosen, _ = _pick(self.in_hand, glass, _IN_HAND)
        return replace(self, poles=self._poles(chosen, turned=True))

    def knock_over(self, space: str) -> Self:
        """Knock the glass on a space over: it lies beside the board."""
        standing, glass = self._without(space)
        return replace(self, standing=standing, beside=(*self.beside, glass))

    def set_up(self, space: str, glass: int | None = None, *, turned: bool = False) -> Self:
        """Set a glass that lies beside the board up on a space."""
        chosen, beside = _pick(self.beside, glass, _BESIDE)
        return self._stand(chosen, space, turned=turned, beside=beside)

    def drop_ring(self, space: str, player: str) -> Self:
        """Drop a ring from a player's holder into the tube of a space; it comes to lie on top."""
        if not self.has_room(space):
            capacity = CAPACITY[BOARD.index[space]]
            if capacity == 1:
                raise ImpossibleActError(statement("told.hands.tube.1", space=space))
            raise ImpossibleActError(statement("told.hands.tube", space=space, capacity=capacity))
        if not self.holders.get(player, 0):
            raise ImpossibleActError(statement("told.hands.holder", player=player or "nobody"))
        return replace(
            self,
            stacks={**self.stacks, space: (*self.stacks[space], player)},
            holders={**self.holders, player: self.holders[player] - 1},
        )

    def take_ring(self, space: str) -> Self:
        """Take the top ring off a space, back into the holder that it came from."""
        *rest, top = self.stacks[_check_space(space)] or ("",)
        if not top:
            raise ImpossibleActError(statement("told.hands.no_ring", space=space))
        return replace(
            self,
            stacks={**self.stacks, space: tuple(rest)},
            holders={**self.holders, top: self.holders[top] + 1},
        )

    def lift_timer15(self) -> Self:
        """Take the 15-second glass off its stand."""
        if self.timer15 is None or self.timer15_in_hand:
            raise ImpossibleActError(statement("told.hands.timer.stand"))
        return replace(self, timer15_in_hand=True)

    def put_timer15(self, *, turned: bool) -> Self:
        """Put the 15-second glass back on its stand, turned over or not."""
        if self.timer15 is None or not self.timer15_in_hand:
            raise ImpossibleActError(statement("told.hands.timer.hand"))
        return replace(self, timer15=self.timer15 ^ turned, timer15_in_hand=False)

    def press(self, button: str) -> Self:
        """Press a button, named by its input, and keep it down."""
        if not button.startswith("button.") or button not in inputs_of(self.sensing):
            raise ImpossibleActError(statement("told.hands.no_button", button=button))
        if button in self.pressed:
            raise ImpossibleActError(statement("told.hands.down", button=button))
        return replace(self, pressed=self.pressed | {button})

    def release(self, button: str) -> Self:
        """Let a button go."""
        if button not in self.pressed:
            raise ImpossibleActError(statement("told.hands.up", button=button))
        return replace(self, pressed=self.pressed - {button})

    def _without(self, space: str) -> tuple[dict[str, int], int]:
        glass = self.glass_on(space)
        if glass is None:
            raise ImpossibleActError(statement("told.hands.no_glass", space=space))
        return {name: other for name, other in self.standing.items() if other != glass}, glass

    def _stand(
        self,
        glass: int,
        space: str,
        *,
        turned: bool,
        in_hand: tuple[int, ...] | None = None,
        beside: tuple[int, ...] | None = None,
    ) -> Self:
        if self.glass_on(space) is not None:
            raise ImpossibleActError(statement("told.hands.stands", space=space))
        return replace(
            self,
            standing={**self.standing, space: glass},
            poles=self._poles(glass, turned=turned),
            in_hand=self.in_hand if in_hand is None else in_hand,
            beside=self.beside if beside is None else beside,
        )

    def _poles(self, glass: int, *, turned: bool) -> tuple[int, ...]:
        return tuple(pole ^ (turned and number == glass) for number, pole in enumerate(self.poles))


def changes(before: TamskTable, after: TamskTable) -> tuple[tuple[str, int], ...]:
    """The inputs that differ between two tables, each with its value after, in the order of the board's inputs."""
    on = after.on()
    return tuple((name, int(name in on)) for name in sorted(before.on() ^ on, key=after.names().index))


@cache
def _rings(space: str, number: int) -> tuple[str, ...]:
    """The inputs that so many rings on a space make 1."""
    return tuple(f"{space}.ring{height}" for height in range(1, number + 1))


def _check_space(space: str) -> str:
    if space not in BOARD.index:
        raise ImpossibleActError(statement("told.hands.no_space", space=space))
    return space


def _pick(
    glasses: tuple[int, ...], wanted: int | None, none: tuple[Statement, Statement]
) -> tuple[int, tuple[int, ...]]:
    """The wanted glass, or the last one, and the others."""
    if not glasses or (wanted is not None and wanted not in glasses):
        raise ImpossibleActError(none[wanted is not None])
    chosen = glasses[-1] if wanted is None else wanted
    return chosen, tuple(glass for glass in glasses if glass != chosen)


# A table that agrees with the game


def next_to_tidy(table: TamskTable, game: TamskGame) -> TableAct | None:
    """The next thing to do for the table to show what the game believes, or None when it does."""
    return next(_differences(table, game), None)


def _standing_glasses(on: Collection[str], game: TamskGame) -> tuple[dict[str, int], tuple[int, ...]]:
    # Where one pole is seen, a glass stands as the game has it: which way up, nobody can tell.
    kinds = {**{kind: pole for pole, kind in enumerate(POLES)}, GLASS: None}
    shown = {name: pole for name in BOARD.names for kind, pole in kinds.items() if f"{name}.{kind}" in on}
    believed = {BOARD.names[space]: glass for glass, space in enumerate(game.position.glasses)}
    standing = {name: believed[name] for name in shown if name in believed}
    # A glass on another space is one of the mover's that is missing: they may be in the middle of a turn, and has moved
    # it to a neighbour. What shows a pole beyond that was a glitch.
    mover = game.position.mover
    elsewhere = [name for name in shown if name not in believed]
    for origin, glass in sorted(believed.items(), key=lambda each: each[1] // 3 != mover):
        if origin not in standing and elsewhere:
            near = {BOARD.names[space] for space in BOARD.neighbours[BOARD.index[origin]]}
            place = next((name for name in elsewhere if name in near), elsewhere[0])
            elsewhere.remove(place)
            standing[place] = glass
    poles = list(game.poles)
    for name, glass in standing.items():
        pole = shown[name]
        poles[glass] = poles[glass] if pole is None else pole
    return standing, tuple(poles)


def _differences(table: TamskTable, game: TamskGame) -> Iterator[TableAct]:
    yield from _glasses(table, game)
    for space, name in enumerate(BOARD.names):
        rings, wanted = len(table.stacks[name]), game.position.rings_on(space)
        if rings > wanted:
            yield TableAct(Verb.TAKE_RING, name)
        if rings < wanted:
            yield TableAct(Verb.DROP_RING, name, max(table.holders, key=table.holders.__getitem__))
    # Where one pole is seen, every set-down counts as a turning: what the game trusts is what it must be mended by.
    timer15 = game.trust.timer if trusts_timer(game.sensing) else table.timer15
    if table.timer15_in_hand:
        yield TableAct(Verb.PUT_TIMER15, turned=trusts_timer(game.sensing) or timer15 != game.timer_pole)
    elif timer15 != game.timer_pole:
        yield TableAct(Verb.LIFT_TIMER15)
    yield from (TableAct(Verb.RELEASE, button) for button in table.pressed)


def _glasses(table: TamskTable, game: TamskGame) -> Iterator[TableAct]:
    """First the glasses that are away from the board, then those that stand wrong."""
    turned_over = game.rules.settings.level >= _TURNED_OVER
    believed = {glass: BOARD.names[space] for glass, space in enumerate(game.position.glasses)}
    wrong_way = {glass for glass in believed if turned_over and table.poles[glass] != game.poles[glass]}
    for glasses, verb in ((table.in_hand, Verb.PLACE), (table.beside, Verb.SET_UP)):
        for glass in glasses:
            if believed[glass] not in table.standing:
                yield TableAct(verb, believed[glass], glass=glass, turned=glass in wrong_way)
    for name, glass in table.standing.items():
        if believed[glass] != name or glass in wrong_way:
            yield TableAct(Verb.LIFT, name)
