"""Choose a move of a given strength among those that an engine has weighed."""

from collections.abc import Sequence

from gnomon.engines._chance import draw_weighted
from gnomon.engines.protocol import Candidate, Chance


def choose(candidates: Sequence[Candidate], loss: float, chance: Chance) -> Candidate:
    """One of the candidates whose chance of winning is at most `loss` below the best one's, likelier the better it is.

    The weight of a candidate falls in a straight line from 1 for the best to 0 for one that loses as much. A move that
    is proven to lose is never chosen while one is not. Raises ValueError without candidates.
    """
    if not candidates:
        message = "there is no move to choose"
        raise ValueError(message)
    best = max(each.score.chance for each in candidates)
    fits = [each for each in candidates if each.score.chance == best]
    if loss > 0:
        fits = [each for each in candidates if best - each.score.chance < loss]
        alive = [each for each in fits if not (each.score.proven and each.score.chance <= 0)]
        fits = alive or fits
    weights = [1 - (best - each.score.chance) / loss if loss > 0 else 1.0 for each in fits]
    return draw_weighted(fits, weights, chance)
