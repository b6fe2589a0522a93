"""Decide which glasses of TAMSK may move, when a turn is lost, and when the game is over."""

from gnomon.games.tamsk.rules._sand import is_watched
from gnomon.games.tamsk.rules._settings import TamskSettings
from gnomon.games.tamsk.rules.position import (
    BLACK,
    GLASS_MASKS,
    GLASSES,
    MASKS,
    PLAYERS,
    RED,
    UNTIL_SEEN,
    Position,
)
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Instant


def is_opening(position: Position, player: int) -> bool:
    """Whether a player has yet to move each of their glasses once (rule 11).

    [D] A turn lost to the 15-second glass moves none, so the opening then lasts longer than three turns.
    """
    own = GLASS_MASKS[player]
    return position.moved & own != own


def may_leave(position: Position, glass: int, now: Instant) -> bool:
    """Whether a glass may be lifted at `now`: any at level 1, an unmoved one in the opening, a running one after it."""
    if not position.sands:
        return True
    if is_opening(position, glass // 3):
        return not position.moved >> glass & 1
    return position.sands[glass].is_running(now)


def has_a_move(position: Position, player: int, now: Instant) -> bool:
    """Whether a player could move one of their glasses at `now` if it were their turn (rules 1, 4, 8, 11 and 12)."""
    if not position.rings_left[player]:
        return False  # Rule 8 [D]: without a ring at the start of a turn there is no move.
    enterable, glasses = position.enterable, position.glasses
    for glass in GLASSES[player]:  # noqa: SIM110  # asked after every turn: a loop takes half the time of any()
        if enterable & MASKS[glasses[glass]] and may_leave(position, glass, now):
            return True
    return False


def cannot_move(position: Position) -> bool:
    """Whether the player on turn has to pass (rule 6); one who has lifted a glass in time has begun to move."""
    return position.lifted < 0 and not has_a_move(position, position.mover, position.now)


def must_pass(position: Position) -> bool:
    """Whether the player on turn can do nothing but pass; one with a glass in the air has a move if it may go on."""
    if position.lifted >= 0:
        has_move = bool(position.enterable & MASKS[position.lifted])
    else:
        has_move = has_a_move(position, position.mover, position.now)
    return not has_move and not may_drop_free_ring(position)


def may_drop_free_ring(position: Position) -> bool:
    """Whether the player on turn has a second ring to drop even if they cannot move (rule 18).

    The board has room for all rings, so there is a space for any ring that is left.
    """
    return position.penalty and position.rings_left[position.mover] > 0


def lost_is_due(position: Position) -> bool:
    """Whether the player on turn has lost it: to the 15-second glass (rule 19), or by sitting out (rule 21).

    The timer had to find them with a move when it ran out: one who could not move by then had passed (rule 13).
    """
    if position.ending is not None:
        return False
    if position.sits_out >> position.mover & 1:
        return True
    bound_until = Instant(position.bound_until)
    return 0 <= bound_until < position.now and position.lifted < 0 and has_a_move(position, position.mover, bound_until)


def outcome_of(settings: TamskSettings, position: Position) -> Outcome | None:
    """How the game ends at this very instant, or None when it goes on."""
    if position.lifted >= 0:
        return None
    if settings.stalls_after and position.idle >= settings.stalls_after:
        winner = _winner(position)
        return Outcome(winner, "stall")  # Rule 9: scored as it stands.
    if any(has_a_move(position, player, position.now) for player in (RED, BLACK)) or may_drop_free_ring(position):
        return None
    winner = _winner(position)
    if position.rings_left[RED] != position.rings_left[BLACK]:
        return Outcome(winner, "fewest_rings")  # Rule 7.
    if winner is None and is_watched(position) and any(sand.is_running(position.now) for sand in position.sands):
        return None  # Rule 15: which glass stops last is still to be seen.
    return Outcome(winner, "draw" if winner is None else "last_running_glass")


def is_lined_up(position: Position) -> bool:
    """Whether nobody can move and nothing but the sand that the players watch is still to decide (rule 15)."""
    if not is_watched(position) or position.ending is not None or position.lifted >= 0:
        return False
    return not may_drop_free_ring(position) and not any(
        has_a_move(position, player, position.now) for player in (RED, BLACK)
    )


def _winner(position: Position) -> str | None:
    """The player with fewer rings left (rule 7), or on equality the owner of the last glass to stop (rule 15)."""
    red, black = position.rings_left
    if red != black:
        return PLAYERS[RED if red < black else BLACK]
    last = [max((_stops_at(position, glass) for glass in GLASSES[player]), default=0) for player in (RED, BLACK)]
    if last[RED] == last[BLACK]:
        return None  # None runs, or [D] both stop at the same microsecond; level 1 has no tie-break.
    return PLAYERS[RED if last[RED] > last[BLACK] else BLACK]


def _stops_at(position: Position, glass: int) -> int:
    """When a running glass will stop; 0 for one that does not run, and for ever where only eyes will see it."""
    if not position.sands or not position.sands[glass].is_running(position.now):
        return 0
    return position.sands[glass].runs_out_at() or UNTIL_SEEN
