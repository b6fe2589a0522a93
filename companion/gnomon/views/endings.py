"""Look up the sentence and the rule number for the reason why a game ended."""

from collections.abc import Mapping

from gnomon.views.phrases import Reason
from gnomon.words import Words, upper


def reason_of(why: str, rules: Mapping[str, int], words: Words) -> Reason:
    """The reason by its code, with the rule that has it; what was declared by hand in other words stands as it is."""
    key = f"ending.{why}"
    if key in words.entries:
        return Reason(rules.get(why, 0), words(key))
    return Reason(0, f"{upper(why.replace('_', ' ')).rstrip('.')}." if why else "")
