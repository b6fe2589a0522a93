"""Describe in sentences why something was refused and how to put the board right."""

from gnomon.referee.judgement import Action, Repair
from gnomon.referee.rulings import IllegalRuled
from gnomon.views.wording import Reason, in_turn
from gnomon.words import ENGLISH, Clause, Words


def request(step: Repair, words: Words = ENGLISH) -> str:
    """One step as a sentence."""
    return words("repair.request", step=Clause(_phrase(step, words)))


def refusal(ruling: IllegalRuled, tried: str, why: Reason, words: Words = ENGLISH) -> str:
    """That something is not allowed: who tried what, why not, and how it is put right."""
    steps = in_turn((_again(step, words) for step in ruling.put_right), words)
    key = "ruling.illegal.put_right" if steps else "ruling.illegal"
    return words(key, tried=tried, reason=why.cited(words), steps=steps)


def _phrase(step: Repair, words: Words) -> str:
    return words(f"repair.{step.action.name.lower()}", space=step.space)


def _again(text: str, words: Words) -> str:
    """A step as a ruling keeps it, in the words of a language."""
    for action in Action:
        if text.startswith(action.value):
            return _phrase(Repair(action, text.removeprefix(action.value).strip()), words)
    return text
