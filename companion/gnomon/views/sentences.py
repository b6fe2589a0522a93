"""The only place that says rulings, rules and states of play in plain words: the catalogue, in English.

Every entry has a long form for pages and records, with the number of the rule it rests on, and where the display needs
one a brief form of at most three of its lines. Here are those of TAMSK, with the numbers of its rules in this project,
and what is said alike in every game; the rest is in `table_sentences`.
"""

import re
from collections.abc import Mapping
from typing import Final, assert_never

from gnomon.referee.judgement import Judgement, Phase, Repair
from gnomon.referee.rulings import (
    Corrected,
    FaultRuled,
    GameOver,
    GamePaused,
    GameResumed,
    GlassStopped,
    IllegalRuled,
    PenaltyRuled,
    QuestionAsked,
    Righted,
    Ruling,
    SandDeclared,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.rules.protocol import Outcome
from gnomon.rules.tamsk import PLAYERS, Tamsk
from gnomon.views import table_sentences, wording
from gnomon.views.wording import Reason

BY_HAND: Final = "by_hand"
"""The code of a board that lags behind a correction: nobody is to blame."""

REASONS: Final[Mapping[str, Reason]] = {
    "not_adjacent": Reason(1, "A glass moves to a space next to its own."),
    "occupied": Reason(1, "A glass moves to a vacant space: another glass stands there."),
    "not_yours": Reason(1, "You move your own glasses only."),
    "not_your_turn": Reason(1, "It is the other player's turn."),
    "ring_elsewhere": Reason(2, "A ring falls on the space the glass has moved to, nowhere else."),
    "two_rings": Reason(2, "One ring a turn, on the space the glass has moved to."),
    "ring_removed": Reason(2, "A ring that has fallen stays where it is."),
    "in_the_air": Reason(1, "A turn moves one glass: another one is in the air."),
    "no_glass": Reason(1, "No glass of the game stands there."),
    "blocked": Reason(1, "This glass has no space to go to."),
    "must_pass": Reason(8, "Who has no ring left at the start of the turn cannot move."),
    "must_move": Reason(6, "Who can move must move."),
    "first_ring": Reason(18, "The second ring may not take the place of the first."),
    "turn_lost": Reason(19, "This turn is lost: no glass was lifted in time."),
    "not_lost": Reason(19, "This turn is not lost."),
    "no_move": Reason(16, "The 15-second glass is not turned against who cannot move."),
    "ring_due": Reason(0, "In this game a ring falls with every move."),
    "not_full": Reason(4, "The ring does not fill the space."),
    "full": Reason(4, "The space is full of rings: no glass may enter it."),
    "no_ring": Reason(8, "There is no ring left in the holder to drop."),
    "not_turned": Reason(10, "A glass is turned over with every move."),
    "must_be_another_glass": Reason(11, "Each of your first three turns must move a different glass."),
    "stopped_glass": Reason(12, "A glass that has run out never moves again."),
    BY_HAND: Reason(0, "Put right by hand: now the board must follow."),
    "timer15_running": Reason(16, "The 15-second glass is turned only when it is empty."),
}
NO_LEGAL_TURN: Final = Reason(0, "No legal turn leads to what stands on the board.")

ENDINGS: Final[Mapping[str, Reason]] = {
    "fewest_rings": Reason(7, "Neither player can move, and the fewest rings are left."),
    "last_running_glass": Reason(15, "Equal rings: the glass that stops last decides."),
    "draw": Reason(7, "Neither player can move, and nothing tells them apart."),
    "stall": Reason(9, "No ring has fallen for too many turns: it counts as it stands."),
    "full_space": Reason(5, "A glass was moved onto a full space."),
}


QUESTIONS: Final[Mapping[str, str]] = {
    "which_turn": "Which turn was it?",
    "take_back": "The board stands as it did before. Take the turns since then back?",
    "which_stopped": "Which glass has run out?",
}
_CHOICES: Final[Mapping[str, str]] = {"yes": "Yes", "no": "No", "none": "None of them"}


def reason(code: str) -> Reason:
    """Why the code forbids what happened; a code without an entry is what no legal turn explains."""
    return REASONS.get(code, NO_LEGAL_TURN)


def name(player: str) -> str:
    """A player as people say it."""
    return wording.name(player)


def other(player: str) -> str:
    """The player across the board."""
    return PLAYERS[1 - PLAYERS.index(player)]


def button(source: str) -> str:
    """A button of the board ("red", "black" or "arbiter") as people say it."""
    return f"the {source} button"


def sentence(ruling: Ruling, game: str = Tamsk.name) -> str:  # noqa: C901, PLR0911, PLR0912 - a line for each letter
    """The ruling in plain words, with the rule it rests on, in a game by its name."""
    if game != Tamsk.name and (said := table_sentences.sentence(ruling, game)) is not None:
        return said
    match ruling:
        case TurnRuled(player=player, text=text):
            return turn(player, text)
        case IllegalRuled():
            return _refusal(ruling)
        case Righted():
            return "The board agrees with the game again: play goes on."
        case GlassStopped(player=player, space=space):
            return f"{name(player)}'s glass on {space} has run out: it stays there to the end (rule 12)."
        case TimerTurned(by=by):
            return f"{name(by)} turns the 15-second glass: {name(other(by))} must lift a glass in time (rule 16)."
        case PenaltyRuled(player=player):
            return f"{name(other(player))} was late: {name(player)} may drop a second ring next turn (rule 18)."
        case TurnLost(player=player):
            return f"{name(player)} had lifted no glass in time and loses the turn (rule 19)."
        case FaultRuled(input=source, fault=fault):
            return f"{sensor(source)} {_FAULTS.get(fault, 'cannot be right')}: it no longer counts, the game goes on."
        case QuestionAsked(question=question, choices=choices):
            return f"{QUESTIONS.get(question, question)} ({' or '.join(map(choice, choices))})"
        case GamePaused():
            return "The game is paused: no sand runs."
        case GameResumed():
            return "The game goes on."
        case GameOver(winner=winner, reason=why, score=score):
            return f"{result(Outcome(winner, why))} {ending(why).sentence} {rings_left(score)}"
        case Corrected(what=what, who=who, why=why):
            return f"By hand, {who}: {what}{f' ({why})' if why else ''}."
        case SandDeclared(space=space, by=by, agreed=agreed):
            agrees = f", and {name(agreed)} agrees" if agreed else ""
            return f"{name(by)} says that {sand_of(space)} has run out{agrees}."
        case _:
            assert_never(ruling)


def brief(ruling: Ruling, game: str = Tamsk.name) -> str:  # noqa: C901, PLR0911, PLR0912 - a line for each letter
    """The ruling in the few words that the display has room for."""
    if game != Tamsk.name and (said := table_sentences.brief(ruling, game)) is not None:
        return said
    match ruling:
        case TurnRuled(player=player, text=text):
            return f"{name(player)}: {_brief_turn(text)}"
        case IllegalRuled(code=code):
            return reason(code).text
        case Righted():
            return "All is right again: go on."
        case GlassStopped(player=player, space=space):
            return f"{name(player)}'s glass on {space} has stopped."
        case TimerTurned(by=by):
            return f"{name(other(by))} must lift a glass before the 15 seconds are over."
        case PenaltyRuled(player=player):
            return f"{name(other(player))} was late: {name(player)} may drop a second ring."
        case TurnLost(player=player):
            return f"{name(player)} was too late and loses the turn."
        case FaultRuled(input=source):
            return f"{sensor(source)} no longer counts."
        case QuestionAsked(question=question):
            return QUESTIONS.get(question, question)
        case GamePaused():
            return "Paused."
        case GameResumed():
            return "The game goes on."
        case GameOver(winner=winner, reason=why):
            return result(Outcome(winner, why))
        case Corrected(what=what, who=who):
            return f"By hand, {who}: {what}"
        case SandDeclared(space=space, by=by):
            return f"{name(by)}: {sand_of(space)} has run out."
        case _:
            assert_never(ruling)


def choice(text: str) -> str:
    """An answer as people say it: a turn stays in canonical text."""
    return _CHOICES.get(text, text)


def turn(player: str, text: str) -> str:
    """A turn in canonical text, in plain words; text of another grammar is given as it stands."""
    if alone := _PENALTY_ALONE.fullmatch(text):
        return f"{name(player)} cannot move and drops the penalty ring on {alone[1]} (rule 18)."
    found = _TURN.fullmatch(text)
    if found is None:
        return f"{name(player)} {_FORCED[text]}" if text in _FORCED else f"{name(player)}: {text}"
    before, origin, target, ring, free = found.group("before", "origin", "target", "ring", "free")
    first = f"first uses the ring {name(other(player))} did not drop on {before} (rule 3), then " if before else ""
    second = f", and a second ring on {free} (rule 18)" if free else ""
    return f"{name(player)} {first}moves {origin} to {target} {_RINGS[ring]}{second}."


def repair(step: Repair) -> str:
    """One step of putting the board right, as a request."""
    return f"{wording.upper(step.text)}."


def result(outcome: Outcome) -> str:
    """Who has won."""
    return f"{name(outcome.winner)} wins." if outcome.winner else "A draw."


def ending(why: str) -> Reason:
    """Why the game ended; a word that is not in the catalogue was declared by hand and stands as it is."""
    return ENDINGS.get(why) or Reason(0, f"{wording.upper(why.replace('_', ' ')).rstrip('.')}." if why else "")


def rings_left(score: Mapping[str, int]) -> str:
    """The score in words."""
    return f"Rings left: {', '.join(f'{name(player)} {score[player]}' for player in PLAYERS if player in score)}."


def sensor(source: str) -> str:
    """An input of the board in plain words ("D2.ring1" is the ring sensor 1 of D2)."""
    place, _, part = source.partition(".")
    if place == "button":
        return wording.upper(button(part))
    if part.startswith("ring"):
        return f"Ring sensor {part.removeprefix('ring')} of {place}"
    return f"The {part} sensor of {'the 15-second glass' if place == 'timer15' else place}"


def sand_of(space: str) -> str:
    """The glass on a space, or `timer15`, as people say it."""
    return "the 15-second glass" if space == "timer15" else f"the glass on {space}"


def quarantine(source: str) -> str:
    """That an input is not believed, and what to do."""
    place, _, _ = source.partition(".")
    by_hand = "" if place in {"button", "timer15"} else f" Enter {place} by hand."
    return f"{sensor(source)} does not count.{by_hand}"


def phase(judgement: Judgement) -> str:
    """How the board stands to the game, in plain words."""
    match judgement.phase:
        case Phase.AGREED:
            return "The board and the game agree."
        case Phase.IN_HAND:
            return f"In hand: the glass of {' and '.join(judgement.lifted) or judgement.origin}."
        case Phase.MAY_GO_ON:
            return f"{judgement.origin} to {judgement.target}: a ring may still fall, or the button ends the turn."
        case Phase.UNSETTLED:
            return "The board is not clear yet: finish the move."
        case Phase.WRONG:
            return reason(judgement.code).sentence
        case Phase.ASKING:
            return "The referee has a question."
        case _:
            assert_never(judgement.phase)


_TURN: Final = re.compile(
    r"(?:\+(?P<before>[A-G][1-7]),)?(?P<origin>[A-G][1-7])-(?P<target>[A-G][1-7])(?P<ring>[x=]?)"
    r"(?:,\+(?P<free>[A-G][1-7]))?"
)
_PENALTY_ALONE: Final = re.compile(r"\+([A-G][1-7])")
_RINGS: Final = {"": "and drops a ring", "x": "and drops a ring, which fills it (rule 4)", "=": "and drops no ring"}
_FORCED: Final = {"pass": "cannot move and passes (rule 6).", "lost": "was too late and loses the turn (rule 19)."}
_BRIEF_RINGS: Final = {"": ", ring", "x": ", ring, full", "=": ""}
_BRIEF_FORCED: Final = {"pass": "passes", "lost": "loses the turn"}
_FAULTS: Final = {"chatter": "chatters", "stack": "shows a ring on nothing", "stuck": "is stuck"}


def _brief_turn(text: str) -> str:
    """A turn in few words: its canonical text where that speaks for itself."""
    found = _TURN.fullmatch(text)
    if found is None:
        return _BRIEF_FORCED.get(text, text)
    before, origin, target, ring, free = found.group("before", "origin", "target", "ring", "free")
    rings = "".join(f", ring {space}" for space in (before, free) if space)
    return f"{origin} to {target}{_BRIEF_RINGS[ring]}{rings}"


def _refusal(ruling: IllegalRuled) -> str:
    tried = f" {ruling.text}" if ruling.text else ""
    steps = f" To put right: {'; '.join(ruling.put_right)}." if ruling.put_right else ""
    return f"Not allowed, {name(ruling.player)}{tried}. {reason(ruling.code).sentence}{steps}"
