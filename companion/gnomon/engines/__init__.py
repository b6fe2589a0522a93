"""Engines that play: their interface and levels, and the line protocol by which programs use them.

`protocol` says what an engine answers, and `engine_of` finds that of a game. `ugi` is an engine's end of the line
protocol, and `process.EngineProcess` the other end: it runs Gnomon's own engine, or anybody's, as a process that can do
no harm. `plugins` reads the files by which engines are plugged in. `matches` measures strength, and `conformance` tries
an engine out.
"""

from typing import Any

from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import kind_of

_PLAIN = "gnomon.engines._plain:PlainEngine"


def engine_of(rules: Rules[Any, Any]) -> Any:  # noqa: ANN401 - an engine for the positions of that game
    """The engine that plays a game, a `gnomon.engines.protocol.Engine`: its own, or else one that knows rules only."""
    return load(kind_of(rules.name).engine or _PLAIN)(rules)
