"""Extract from the finished games of journals and bundles who played which side, and who won.

The ruling at the end names a player of the rules. Where people may take roles or change sides during a game, it is
replayed to find who sat there.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from gnomon.people.games import FinishedGame, engine_seats
from gnomon.records.bundles import BEGAN, BOOTS, NUMBER, Bundle, bundle
from gnomon.records.formats.traces import players_in
from gnomon.records.imports import UNKNOWN
from gnomon.records.journal.entries import GameSource, Record, StoredGame
from gnomon.records.replay import film
from gnomon.referee.game import Game
from gnomon.referee.games import game_of
from gnomon.referee.player_roles import teams
from gnomon.rules.protocol import Outcome, Rules, SettingsError
from gnomon.rules.registry import kind_of

_DRAW: Final = "draw"
_TEXT: Final = "text"


def read_finished_games(archive: GameSource, source: str) -> Iterator[FinishedGame]:
    """The games of an archive that have ended with a result, and in which somebody is named.

    Raises JournalError. A game that cannot be followed any more, such as one whose rules are not here, is left out.
    """
    stored = [game for game in archive.games() if game.ended is not None and any(game.players.values())]
    if not stored:
        return
    endings = archive.endings(stored[0].id)
    for game in stored:
        ending = endings.get(game.id, {})
        winner, reason = (str(ending.get(key, "")) for key in ("winner", "reason"))
        outcome = Outcome(None if winner == _DRAW else winner, reason)
        if ending and not outcome.is_void:
            found = _finished_game(game, outcome, source, partial(archive.read, game.id))
            if found is not None:
                yield found


def finished_game_of_bundle(read: Bundle, source: str) -> FinishedGame | None:
    """The game of a bundle or another trace, or None where it has not ended with a result.

    Raises what a replay of it raises.
    """
    last = film(read).last
    outcome: Outcome | None = last.outcome
    if outcome is None or outcome.is_void:
        return None
    seat = _seat(last, outcome.winner)
    if outcome.winner is not None and seat is None:
        return None
    header = read.header
    boots, number = header.extras.get(BOOTS), header.extras.get(NUMBER)
    return FinishedGame(
        source,
        number if isinstance(number, int) else 0,
        last.rules.name,
        header.board,
        _boot_name(str(boots[0]) if isinstance(boots, list) and boots else ""),
        str(header.extras.get(BEGAN, "")),
        players_in(header.extras),
        _sides(last.rules),
        _winning_side(last.rules, seat),
        outcome.reason,
        not last.rules.ends_by_press,
        header.settings,
        engine_seats(header.settings, last.rules.seats),
    )


def _finished_game(
    game: StoredGame, outcome: Outcome, source: str, read: Callable[[], Sequence[Record]]
) -> FinishedGame | None:
    start = game.start
    try:
        rules = game_of(start.setup).rules
        winner = _seat_of_winner(game, rules, outcome.winner, read)
    except ValueError:
        return None
    if outcome.winner is not None and winner is None:
        return None
    return FinishedGame(
        source,
        game.id,
        start.game,
        start.board,
        _boot_name(start.boot),
        start.wall,
        game.players,
        _sides(rules),
        _winning_side(rules, winner),
        outcome.reason,
        not rules.ends_by_press,
        start.settings,
        engine_seats(start.settings, rules.seats),
    )


def _seat_of_winner(
    game: StoredGame, rules: Rules[Any, Any], winner: str | None, read: Callable[[], Sequence[Record]]
) -> str | None:
    """Where somebody sits who plays in the end as the winner. Raises ValueError for a game that cannot be followed."""
    if winner is None:
        return None
    swap = kind_of(game.start.game).swap
    records = read() if swap or winner not in rules.seats else ()
    is_direct = winner in rules.seats and not (swap and any(one.entry.body.get(_TEXT) == swap for one in records))
    return winner if is_direct else _seat(film(bundle(game, records)).last, winner)


def _seat(game: Game, winner: str | None) -> str | None:
    """The seat of the player who has won: roles are taken by bids, and sides are changed by a turn that swaps them."""
    if winner is None:
        return None
    rules = game.rules
    swap = kind_of(rules.name).swap
    if swap and sum(ply.text == swap for ply in game.plies) % 2:
        first, second = rules.players
        return str(second if winner == first else first)
    seat: str | None = rules.seat(game.position, winner)
    return seat


def _sides(rules: Rules[Any, Any]) -> tuple[tuple[str, ...], ...]:
    """Who wins and loses together: pairs of four, or else everybody alone."""
    try:
        return teams(rules)
    except SettingsError:
        return tuple((seat,) for seat in rules.seats)


def _boot_name(boot: str) -> str:
    return "" if boot == UNKNOWN else boot


def _winning_side(rules: Rules[Any, Any], seat: str | None) -> int | None:
    return next((place for place, side in enumerate(_sides(rules)) if seat in side), None)
