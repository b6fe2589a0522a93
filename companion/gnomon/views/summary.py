"""Build the JSON summary of a game for programs and pages, as a function of (game, now); each game says how.

Texts for people are in the words of their language; words for programs, and notation, are the same in each.
"""

from gnomon.referee.game import Game
from gnomon.refusals import Statement, clause
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import Instant, seconds
from gnomon.views._draws_and_warnings import talk_payload
from gnomon.views.exercises import exercise_payload
from gnomon.views.opponents import opponent_payload
from gnomon.views.show import show_of
from gnomon.words import ENGLISH, Words


def summary(
    game: Game | None, now: Instant, health: tuple[Statement, ...] = (), words: Words = ENGLISH
) -> dict[str, object]:
    """The whole table at board time `now`, ready for JSON; without a game only `game` (null), `health` and `now`."""
    if game is None:
        return {"game": None, "health": [clause(told, words) for told in health], "now": seconds(now)}
    whole: dict[str, object] = load(show_of(game).summary)(game, now, health, words)
    whole["talk"] = talk_payload(game, words)
    opponent, exercise = opponent_payload(game, now, words), exercise_payload(game, words)
    return {
        **whole,
        **({} if opponent is None else {"opponent": opponent}),
        **({} if exercise is None else {"exercise": exercise}),
    }
