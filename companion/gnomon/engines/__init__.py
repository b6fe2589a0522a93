"""Engines that play: what they answer, how strong they play, and the line protocol by which programs use them."""

from typing import Any

from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import kind_of

_PLAIN = "gnomon.engines._plain:PlainEngine"


def engine_of(rules: Rules[Any, Any]) -> Any:  # noqa: ANN401 - an engine for the positions of that game
    """The engine that plays a game, a `gnomon.engines.protocol.Engine`: its own, or else one that knows rules only."""
    return load(kind_of(rules.name).engine or _PLAIN)(rules)
