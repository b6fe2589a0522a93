"""Coach players: hints in three steps, threats, a verdict on a move before it is made, and points for guessed moves.

An engine has weighed the moves; what is said of them comes from its values, and from the `Coach` that a game's folder
may bring. Everything here is pure: the engine is handed in as a function.
"""

from typing import Any

from gnomon.coaching._guesses import (
    FULL,
    Guess,
    guess_points,
    guessable,
    piece_verdict,
    summary,
    winning_seat,
)
from gnomon.coaching._hints import REASONS, Hint, Threat, hint, hint_steps, threat
from gnomon.coaching._plain import PlainCoach
from gnomon.coaching._verdicts import Verdict, VerdictKind, is_deep, judge, judge_held
from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import kind_of

__all__ = [
    "FULL",
    "REASONS",
    "Guess",
    "Hint",
    "Threat",
    "Verdict",
    "VerdictKind",
    "coach_of",
    "guess_points",
    "guessable",
    "hint",
    "hint_steps",
    "is_deep",
    "judge",
    "judge_held",
    "piece_verdict",
    "summary",
    "threat",
    "winning_seat",
]


def coach_of(rules: Rules[Any, Any]) -> Any:  # noqa: ANN401 - a coach for the positions of that game
    """The coach of a game, a `gnomon.coaching.protocol.Coach`: its own, or else one that knows only texts."""
    coach = kind_of(rules.name).coach
    return load(coach)(rules) if coach else PlainCoach(rules)
