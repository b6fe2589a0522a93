"""Describe in sentences why something was refused and how to put the board right."""

from gnomon.referee.judgement import Repair
from gnomon.referee.rulings import IllegalRuled
from gnomon.refusals import clause
from gnomon.views.phrases import Reason, in_turn
from gnomon.words import ENGLISH, Clause, Words


def request(step: Repair, words: Words = ENGLISH) -> str:
    """One step as a sentence."""
    return words("repair.request", step=Clause(clause(step.statement, words)))


def refusal(ruling: IllegalRuled, tried: str, why: Reason, words: Words = ENGLISH) -> str:
    """That something is not allowed: who tried what, why not, and how it is put right."""
    steps = in_turn((clause(step.statement, words) for step in ruling.put_right), words)
    key = "ruling.illegal.put_right" if steps else "ruling.illegal"
    return words(key, tried=tried, reason=why.with_source(words), steps=steps)
