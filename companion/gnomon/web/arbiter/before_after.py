"""Preview a correction by applying it to a copy of the game and listing what changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Final, NamedTuple

from gnomon.referee.effects import Announce
from gnomon.referee.events import Correction
from gnomon.referee.game import Game
from gnomon.referee.games import tell
from gnomon.timekeeping.instants import Instant
from gnomon.views import sentences
from gnomon.views.phrases import name
from gnomon.views.show import show_of
from gnomon.views.summary import summary
from gnomon.words import Words, upper

_FEW: Final = 0.05  # seconds: less cannot be told apart on the page


class Changed(NamedTuple):
    """One thing that would be otherwise: what, and in words how it is and how it would be."""

    what: str
    before: str
    after: str


class CorrectionPreview(NamedTuple):
    """What a correction would lead to: what changes, what is ruled, and how the board would have to follow."""

    changes: Sequence[Changed]
    rulings: Sequence[str]
    repairs: Sequence[str]


def preview(game: Game, correction: Correction, now: Instant, words: Words) -> CorrectionPreview:
    """What a correction would change if it were made now. Raises CorrectionError when it cannot be."""
    after, effects = tell(game, replace(correction, at=now))
    told, told_after = summary(game, now, (), words), summary(after, now, (), words)
    rulings = [
        sentences.sentence(each.ruling, game.rules.name, words) for each in effects if isinstance(each, Announce)
    ]
    changes = [
        Changed(what, one, other)
        for (what, one), (_, other) in _pairs(_facts(game, told, words), _facts(after, told_after, words))
        if one != other
    ]
    repairs = told_after["repairs"] if told_after["repairs"] != told["repairs"] else []
    assert isinstance(repairs, list)  # noqa: S101 - so that mypy knows what every summary has
    return CorrectionPreview(changes, rulings, [str(step) for step in repairs])


Fact = tuple[str, str]


def _pairs(before: Mapping[str, Fact], after: Mapping[str, Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Facts by their keys, in order; what is not there before or after is a dash."""
    for key in dict.fromkeys([*before, *after]):
        what = (before.get(key) or after[key])[0]
        yield before.get(key, (what, "–")), after.get(key, (what, "–"))


def _facts(game: Game, told: Mapping[str, Any], words: Words) -> Mapping[str, Fact]:
    """What can be otherwise, each with what it is called and how it is."""
    shown = show_of(game)
    facts = {
        "turn": (words("arbiter.fact.turn"), _turn(told, words)),
        "outcome": (words("arbiter.fact.result"), told["outcome"]["sentence"] if told["outcome"] else "–"),
        "plies": (words("arbiter.fact.turns"), _last(told)),
        "paused": (words("arbiter.fact.state"), _state(game, words)),
    }
    for player, points in told["score"].items():
        key = shown.score_fact
        facts[f"score {player}"] = (words(key, player=name(player, words)), str(points))
    facts |= shown.facts(game, told, words)
    if game.clock is not None:
        facts |= _of_clock(told["clock"], words)
    return facts


def _of_clock(clock: Mapping[str, Any], words: Words) -> dict[str, Fact]:
    """What the match clock shows, and what an arbiter may turn of it."""
    runs = name(clock["running"], words) if clock["running"] else "–"
    facts = {"clock": (words("arbiter.fact.clock.runs"), runs)}
    for number, side in enumerate(clock["sides"]):
        flag = words("arbiter.flag.down" if side["flagged"] else "arbiter.flag.up")
        shown = {
            "time": side["text"],
            "moves": str(side["moves"]),
            "to_go": "–" if side["to_go"] is None else str(side["to_go"]),
            "period": f"{side['period']} / {side['periods']}",
            "spells": str(side["spells"]) if side["kind"] == "byo-yomi" else "–",
            "flag": flag,
        }
        for what, value in shown.items():
            facts[f"clock {number} {what}"] = (words(f"arbiter.fact.clock.{what}", player=side["name"]), value)
    return facts


def chance_awaited(told: Mapping[str, Any], words: Words) -> str:
    """Who throws or draws, where that is what comes next; empty where a turn is to be made, and at the end."""
    if not told.get("is_natures"):
        return ""
    return words(words.first(f"players.does.{told['due']}", "players.does.move"), name=told["actor_name"])


def _turn(told: Mapping[str, Any], words: Words) -> str:
    if told["turn"] == "over":
        return words("arbiter.fact.over")
    return chance_awaited(told, words) or name(told["turn"], words)


def _last(told: Mapping[str, Any]) -> str:
    """How many turns were made, and the last of them."""
    last = told["plies"][-1]["text"] if told["plies"] else ""
    return f"{len(told['plies'])} ({last})" if last else "0"


def _state(game: Game, words: Words) -> str:
    if game.outcome is not None:
        return words("arbiter.state.over")
    if game.adjourned:
        return words("arbiter.state.adjourned")
    return words("arbiter.state.running" if game.paused_at is None else "arbiter.state.paused")


def clock(seconds: float) -> str:
    """Seconds for people: minutes and seconds, rounded up as a clock does."""
    minutes, rest = divmod(ceil(seconds - _FEW), 60)
    return f"{minutes}:{rest:02}"


def sentence_of(sentence: str) -> str:
    """A refusal as a sentence of its own."""
    return f"{upper(sentence).rstrip('.')}."
