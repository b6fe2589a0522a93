"""Offer engines on the form for a new game, and read which one was chosen and which side it plays."""

import os
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.engines.plugins import plugin_folders, read_plugins
from gnomon.referee.game import ANOTHER_BOARD
from gnomon.referee.opponents import CODE, EVERY_SEAT, HANDS, NOBODY, OPPONENT, OTHER, PLAYS
from gnomon.refusals import InvalidValueError, Statement, statement
from gnomon.rules.registry import BARE_CLOCK, kind_of, rules_of
from gnomon.views.opponents import level_name
from gnomon.words import Words

WHO: Final = "opponent"
SIDE: Final = "opponent-side"
WAIT: Final = "opponent-hands"
ALSO: Final = "opponent-second"
INVITED: Final = "opponent-code"
SECOND: Final = "2"
"""Which side an engine plays unless somebody says otherwise: the person begins."""

Sent = Mapping[str, str]


class OpponentWishError(InvalidValueError):
    """There is no such opponent: the field that is wrong, and why."""

    def __init__(self, field: str, why: Statement) -> None:
        super().__init__(why)
        self.field = field


class OpponentOffer(NamedTuple):
    """An opponent that may be chosen, by its value on the form, and how it is called there."""

    value: str
    label: str


def opponent_offers(game: str, say: Words) -> Sequence[OpponentOffer]:
    """People here or at another board, the levels of our own engine, and plugged-in ones; none for the clock alone."""
    if game in {"", BARE_CLOCK}:
        return ()
    most = kind_of(game).levels
    levels = [OpponentOffer(str(level), level_name(level, most, say)) for level in range(1, most + 1)]
    apart = [OpponentOffer(ANOTHER_BOARD, say("opponent.another"))] if kind_of(game).plays_apart else []
    people = (OpponentOffer(NOBODY, say("opponent.none")), *apart)
    return (*people, *levels, *(OpponentOffer(name, name) for name in _names(game)))


def side_offers(game: str, labels: Sequence[str], say: Words) -> Sequence[OpponentOffer]:
    """The sides that an engine may play, by the number of their player, or all of them."""
    if game in {"", BARE_CLOCK}:
        return ()
    sides = [OpponentOffer(str(number), label) for number, label in enumerate(labels, 1)]
    return (*sides, OpponentOffer(EVERY_SEAT, say("opponent.side.all")))


def second_offers(game: str, say: Words) -> Sequence[OpponentOffer]:
    """The engines that may play the second side of an exhibition, the same one first."""
    engines = [each for each in opponent_offers(game, say) if each.value not in {NOBODY, ANOTHER_BOARD}]
    return (OpponentOffer("", say("opponent.second.same")), *engines) if engines else ()


def choose_opponent(game: str, settings: Mapping[str, str], sent: Sent) -> dict[str, str]:
    """The settings of the opponent that was chosen; none for people only.

    Raises OpponentWishError and SettingsError.
    """
    engine = sent.get(WHO, NOBODY)
    if engine == NOBODY or game == BARE_CLOCK:
        return {}
    if engine == ANOTHER_BOARD and kind_of(game).plays_apart:
        wait, code = sent.get(WAIT, "").strip(), sent.get(INVITED, "").strip()
        chosen = {OPPONENT: engine, PLAYS: _seat(game, settings, sent.get(SIDE, SECOND))}
        return chosen | ({HANDS: wait} if wait else {}) | ({CODE: code} if code else {})
    known = {*map(str, range(1, kind_of(game).levels + 1)), *_names(game)}
    if engine not in known:
        raise OpponentWishError(WHO, statement("players.new.wrong.choice"))
    chosen = {OPPONENT: engine, PLAYS: _seat(game, settings, sent.get(SIDE, SECOND))}
    second = sent.get(ALSO, "") if chosen[PLAYS] == EVERY_SEAT else ""
    if second and second not in known:
        raise OpponentWishError(ALSO, statement("players.new.wrong.choice"))
    wait = sent.get(WAIT, "").strip()
    return chosen | ({OTHER: second} if second else {}) | ({HANDS: wait} if wait else {})


def _seat(game: str, settings: Mapping[str, str], side: str) -> str:
    if side == EVERY_SEAT:
        return side
    seats = tuple(rules_of(game, settings).seats)
    if not (side.isascii() and side.isdecimal() and 1 <= int(side[:2]) <= len(seats)):
        raise OpponentWishError(SIDE, statement("players.new.wrong.choice"))
    return seats[int(side) - 1]


def _names(game: str) -> Sequence[str]:
    found, _ = read_plugins(plugin_folders(os.environ))
    return sorted(name for name, plugin in found.items() if game in plugin.games)
