"""Add rulings to a game, and order their announcement, each with its tune."""

from typing import Final

from gnomon.referee.effects import Announce, Effect, Sound, Tune
from gnomon.referee.game import GameT, Judged
from gnomon.referee.judgement import Temperament
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import Ruling

_TUNES: Final = {
    "illegal": Tune.REFUSED,
    "righted": Tune.RIGHTED,
    "stopped": Tune.GLASS_STOPPED,
    "timer15": Tune.TIMER_TURNED,
    "lost": Tune.TIME_LOST,
    "fault": Tune.FAULT,
    "ask": Tune.QUESTION,
    "paused": Tune.PAUSED,
    "over": Tune.OVER,
    "turn": Tune.ACCEPTED,
    "clock": Tune.ACCEPTED,
    "flag": Tune.FLAG,
}
_HEARD_BY_ALL: Final = frozenset({"paused", "over", "timer15", "flag"})  # what even the silent referee sounds


def announce(game: GameT, *rulings: Ruling) -> Judged[GameT]:
    """The game with rulings written down, and the orders to announce them."""
    if not rulings:
        return game, ()
    effects: list[Effect] = []
    for ruling in rulings:
        effects.append(Announce(ruling))
        tune = tune_of(ruling, game.temperament)
        if tune is not None:
            effects.append(Sound(tune))
    return replace(game, rulings=(*game.rulings, *rulings)), tuple(effects)


def tune_of(ruling: Ruling, temperament: Temperament) -> Tune | None:
    """What a ruling sounds like, if the temperament lets it be heard."""
    if temperament is Temperament.SILENT and ruling.kind not in _HEARD_BY_ALL:
        return None
    return _TUNES.get(ruling.kind)
