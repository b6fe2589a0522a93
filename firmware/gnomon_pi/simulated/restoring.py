"""Rebuild the simulated TAMSK table from a recovered game, and list the acts that make them agree."""

from collections.abc import Collection, Iterator

from gnomon.games.tamsk.rules import BOARD, PLAYERS
from gnomon.referee.evidence import Sensing
from gnomon.referee.tamsk_game import TamskGame
from gnomon.referee.tamsk_inputs import GLASS, POLES, TIMER, trusts_timer
from gnomon_pi.simulated.table import RINGS_EACH, Act, Table, Verb

_RING = "ring"
_TURNED_OVER = 2  # the level from which it matters which end of a glass is up (rule 10)


def table_of(game: TamskGame, on: Collection[str]) -> Table:
    """The table as a game that was brought back last sensed it: `on` are the inputs that it believes to be 1.

    Glasses that no socket shows are in the hand.
    """
    standing, poles = _standing(on, game)
    rings = {name: sum(f"{name}.{_RING}{height}" in on for height in range(1, 5)) for name in BOARD.names}
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
    return Table(
        standing=standing,
        poles=poles,
        stacks=stacks,
        holders={player: RINGS_EACH - on_board.count(player) for player in PLAYERS},
        timer15=game.timer_pole if timer is None else timer,
        timer15_in_hand=timer is None and game.timer_pole is not None,
        in_hand=tuple(glass for glass in range(len(poles)) if glass not in standing.values()),
        sensing=Sensing(game.sensing.single),
    )


def tidying(table: Table, game: TamskGame) -> Act | None:
    """The next thing to do for the table to show what the game believes, or None when it does."""
    return next(_differences(table, game), None)


def _standing(on: Collection[str], game: TamskGame) -> tuple[dict[str, int], tuple[int, ...]]:
    # Where one pole is seen, a glass stands as the game has it: which way up, nobody can tell.
    kinds = {**{kind: pole for pole, kind in enumerate(POLES)}, GLASS: None}
    shown = {name: pole for name in BOARD.names for kind, pole in kinds.items() if f"{name}.{kind}" in on}
    believed = {BOARD.names[space]: glass for glass, space in enumerate(game.position.glasses)}
    standing = {name: believed[name] for name in shown if name in believed}
    # A glass on another space is one of the mover's that is missing: he may be in the middle of a turn, and has moved
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


def _differences(table: Table, game: TamskGame) -> Iterator[Act]:
    yield from _glasses(table, game)
    for space, name in enumerate(BOARD.names):
        rings, wanted = len(table.stacks[name]), game.position.rings_on(space)
        if rings > wanted:
            yield Act(Verb.TAKE_RING, name)
        if rings < wanted:
            yield Act(Verb.DROP_RING, name, max(table.holders, key=table.holders.__getitem__))
    # Where one pole is seen, every set-down counts as a turning: what the game trusts is what it must be mended by.
    timer15 = game.trust.timer if trusts_timer(game.sensing) else table.timer15
    if table.timer15_in_hand:
        yield Act(Verb.PUT_TIMER15, turned=trusts_timer(game.sensing) or timer15 != game.timer_pole)
    elif timer15 != game.timer_pole:
        yield Act(Verb.LIFT_TIMER15)
    yield from (Act(Verb.RELEASE, button) for button in table.pressed)


def _glasses(table: Table, game: TamskGame) -> Iterator[Act]:
    """First the glasses that are away from the board, then those that stand wrong."""
    turned_over = game.rules.settings.level >= _TURNED_OVER
    believed = {glass: BOARD.names[space] for glass, space in enumerate(game.position.glasses)}
    wrong_way = {glass for glass in believed if turned_over and table.poles[glass] != game.poles[glass]}
    for glasses, verb in ((table.in_hand, Verb.PLACE), (table.beside, Verb.SET_UP)):
        for glass in glasses:
            if believed[glass] not in table.standing:
                yield Act(verb, believed[glass], glass=glass, turned=glass in wrong_way)
    for name, glass in table.standing.items():
        if believed[glass] != name or glass in wrong_way:
            yield Act(Verb.LIFT, name)
