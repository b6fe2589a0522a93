"""What the explorer found, kept as traces: what the board showed, what the hands did, and what the table is told."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from gnomon.records.formats.traces import WatchedUntil, read_trace
from gnomon.referee.events import InputChanged, TurnEntered
from gnomon.referee.evidence import STANDING, UNCONTRADICTED, Evidence
from gnomon.referee.games import begin
from gnomon.referee.rulings import FaultRuled, GameOver, GlassStopped, IllegalRuled, QuestionAsked, Ruling, TimerTurned
from tests.faults.known_games import Refused, told_of, told_until, turns

FOUND = sorted(Path(__file__).with_name("found").glob("*.jsonl"))
BEFORE = json.loads(Path(__file__).with_name("found_as_before.json").read_text(encoding="utf-8"))
"""What the referee of 23edd2d3 ruled on them, by the edition of the evidence that was the last one then."""


ALONE = (
    "a-ring-elsewhere-is-gone-until-a-glass-was-lifted-again",
    "forgotten-ring-shows-for-a-moment-and-falls-again-long-after",
    "glass-is-lost-as-the-button-is-pressed",
    "glass-seen-on-its-space-too-soon",
    "glass-set-down-unseen-and-answered",
    "glass-shown-upside-down-as-its-ring-falls",
    "kill-as-the-15-second-glass-runs-out-in-the-last-turn",
    "kill-hides-a-press-before-a-question",
    "kill-hides-two-turns-and-a-press-ends-one",
    "last-ring-is-lost-as-a-glass-stops",
    "lift-alone-would-end-the-game",
    "lift-shown-late-and-the-button-pressed",
    "lift-shown-late-of-a-glass-that-ran-out-in-the-hand",
    "new-socket-never-shows-its-glass-and-the-press-is-in-vain",
    "new-socket-stays-dark-long-after-a-press-in-vain",
    "press-ends-no-turn-and-another-is-made",
    "press-right-after-a-question",
    "register-loses-a-glass-as-another-is-lifted",
    "ring-blinks-before-it-has-shown-for-long",
    "ring-bounces-and-shows-when-the-15-second-glass-is-turned",
    "ring-falls-before-its-browned-out-register-is-believed",
    "ring-falls-unseen-as-the-15-second-glass-runs-out",
    "ring-is-to-be-taken-off-as-a-new-socket-is-dark-and-the-game-ends",
    "ring-lost-after-five-seconds",
    "ring-sensor-chatters-as-the-button-is-pressed",
    "ring-shows-for-a-moment-and-its-player-moves-on",
    "sand-runs-out-in-a-hand-as-its-old-space-shows-a-glass",
    "sand-runs-out-in-a-socket-that-is-not-believed",
    "second-ring-shows-for-a-moment-and-falls-again-in-the-reply",
    "socket-blinks-behind-a-glass-as-the-button-is-pressed",
    "socket-hides-a-lift-as-a-turn-is-lost-to-the-15-second-glass",
    "socket-hides-a-lift-as-the-last-sand-runs-out-and-one-more-stands",
    "socket-loses-its-glass-as-the-15-second-glass-is-turned-before-the-last-turn",
    "socket-never-shows-its-glass-for-a-whole-reply",
    "socket-shows-a-glass-again-as-it-is-set-down-elsewhere",
    "socket-shows-a-glass-until-it-stands-elsewhere-as-the-last-sand-runs-out",
    "socket-shows-a-glass-where-none-may-go-at-the-press",
    "stand-in-doubt-before-the-last-turn",
    "stand-never-shows-the-15-second-glass-that-makes-a-turn-late",
    "stand-pulses-and-takes-back-what-a-press-was-asked-about",
    "stand-shows-the-other-pole-too-soon",
    "turn-ends-by-a-press-while-a-ring-is-missing",
)
"""Some branches of the referee are run by these alone. Coverage follows no others: it takes twice as long."""

ALONE_BEFORE = ("ghost-of-a-glass-makes-a-turn-late", "lift-seen-after-the-button")
"""By the terms of that edition, these go through what no other test does."""


class Outcome(NamedTuple):
    """The turns, who turned the 15-second glass, which glasses stopped, the words about something wrong, the end."""

    turns: list[tuple[str, str]]
    timer15: list[str]
    stopped: list[str]
    alarms: list[str]
    is_over: bool


def ruled(path: Path, evidence: Evidence = STANDING) -> tuple[Outcome, Outcome]:
    """What is ruled on a trace, and what should be: the turns are those of the hands."""
    said: list[Ruling | Refused] = []
    with path.open("rb") as lines:
        trace = read_trace(lines)
        header = trace.header
        game = begin(
            header.game, header.settings, board=header.board, sensing=header.sensing._replace(evidence=evidence)
        )
        for entry in trace.entries:
            assert isinstance(entry, InputChanged | TurnEntered | WatchedUntil)
            game, told = told_until(game, entry.at) if isinstance(entry, WatchedUntil) else told_of(game, entry)
            said += [it.ruling for it in told]
    wanted = trace.header.extras
    return (
        Outcome(
            turns(said),
            [each.by for each in said if isinstance(each, TimerTurned)],
            [each.space for each in said if isinstance(each, GlassStopped)],
            [alarm(each) for each in said if alarm(each)],
            any(isinstance(each, GameOver) for each in said),
        ),
        Outcome(
            # Where two turns explain the board the likelier one is ruled, and its sensors are named.
            [(player, text) for player, text in wanted.get("turns", wanted["hands"])],
            wanted["timer15"],
            wanted["stopped"],
            wanted["alarms"],
            is_over=wanted.get("is_over", False),
        ),
    )


def alarm(ruling: Ruling | Refused) -> str:
    """The word about something wrong, empty for any other ruling."""
    match ruling:
        case FaultRuled(input=name):
            return f"fault {name}"
        case IllegalRuled(code=code):
            return f"illegal {code}"
        case QuestionAsked(question=question):
            return f"ask {question}"
        case Refused(text=text):
            return f"refused {text}"
        case _:
            return ""


def marks(path: Path, traced: tuple[str, ...], *others: pytest.MarkDecorator) -> list[pytest.MarkDecorator]:
    return [] if path.stem in traced else [pytest.mark.untraced, *others]


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem, marks=marks(path, ALONE)) for path in FOUND])
def test_what_misled_the_referee_once_does_so_no_more(path: Path) -> None:
    outcome, wanted = ruled(path)
    if any(not word.startswith("fault") for word in wanted.alarms):
        # The game was stopped with a word: the turns after it are still to be made.
        wanted = wanted._replace(turns=wanted.turns[: len(outcome.turns)])
    assert outcome == wanted


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=marks(path, ALONE_BEFORE, pytest.mark.long)) for path in FOUND]
)
def test_a_record_of_the_edition_before_keeps_its_rulings(path: Path) -> None:
    kept = BEFORE[path.stem]
    assert ruled(path, UNCONTRADICTED)[0] == Outcome(**kept | {"turns": [tuple(turn) for turn in kept["turns"]]})
