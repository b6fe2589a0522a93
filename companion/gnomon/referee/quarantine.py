"""Quarantine inputs that lie, and trust them again once they have moved, been quiet and show what is expected."""

from typing import Final

from gnomon.referee.announcements import announce
from gnomon.referee.game import Game, GameT, Judged
from gnomon.referee.judgement import Phase
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import FaultRuled
from gnomon.timekeeping.instants import Instant

UNSURE: Final = "unsure"
"""The fault of a sensor that flickered or contradicts another: nobody knows when it changed, but it is believed."""


def quarantine(  # noqa: PLR0913 - what is to be known of a fault
    game: GameT,
    at: Instant,
    name: str,
    fault: str,
    names: tuple[str, ...] = (),
    *,
    back: bool = False,
    is_known: bool = False,
) -> Judged[GameT]:
    """The game with an input that is no longer believed, and with it `names` of the same cause.

    Their places go on by hand. `back`: it has moved, and is believed again when it has been quiet. `is_known`: its
    cause was named, and is not named again.
    """
    names = names or (name,)
    quiet = game.quiet
    if (back or fault == "chatter") and game.board.quiet(game):
        quiet = {**quiet, **dict.fromkeys(names, at)}
    game = game.board.without(replace(game, quarantined=(*game.quarantined, *names), quiet=quiet), names)
    return (game, ()) if is_known else announce(game, FaultRuled(at, name, fault))


def believe(game: GameT, now: Instant) -> GameT:
    """The game in which inputs that have been quiet for long enough are believed again, if they show what it says.

    The others are asked again when they have been quiet for as long once more.
    """
    if game.board.is_moving(game):
        return replace(game, quiet={name: max(last, now) for name, last in game.quiet.items()})
    on = game.debouncer.on
    quiet_since = now - game.board.quiet(game)
    rested = [name for name, last in game.quiet.items() if last <= quiet_since]
    # In the middle of a turn nobody knows what they should show but for what it waits for: players are asked instead.
    fits = game.board.is_awaited if game.judgement.phase is not Phase.AGREED else _shows_expected
    agreed = {name for name in rested if game.paused_at is None and fits(game, name)}
    later = {name: now if last <= quiet_since else last for name, last in game.quiet.items() if name not in agreed}
    believing = replace(
        game,
        shown=game.shown - agreed | (on & agreed),
        quarantined=tuple(name for name in game.quarantined if name not in agreed),
        quiet=later,
    )
    seen: GameT = game.board.believe(believing, {name: game.quiet[name] for name in agreed})
    return seen


def _shows_expected(game: Game, name: str) -> bool:
    return bool(game.board.is_expected(game, name)) == (name in game.debouncer.on)
