"""Describe rulings, refusals, turns and states of every game in sentences.

Every ruling has a long form for pages and records, with the number of the rule it rests on, and a brief form of at
most three lines of the display. Rule numbers are those of each game's rules in this project. A recent refusal is given
in the rules' own sentence, with its squares; the sentences by code alone are used when only the code is left.
"""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from gnomon import refusals
from gnomon.referee import rulings
from gnomon.referee.judgement import BUTTONS, Judgement, Phase, Repair
from gnomon.referee.opponents import NOT_ANNOUNCED
from gnomon.refusals import Statement, clause, render
from gnomon.rules.protocol import NATURE
from gnomon.views import phrases
from gnomon.views.endings import reason_of
from gnomon.views.phrases import Reason, in_turn, name, shorten_numbers
from gnomon.views.show import show
from gnomon.words import ENGLISH, Clause, Words, upper

BY_HAND: Final = "by_hand"
"""The code of a board that lags behind a correction: nobody is to blame."""

ENGINE_COUNTS: Final = "engine_counts"
"""The code of a board that lags behind an engine's turn, which counts although no hand has made it yet."""

EXERCISE_SET_OUT: Final = "exercise_set_out"
"""The code of a board that does not show the position of an exercise yet."""

EXERCISE_OTHER: Final = "exercise_other"
"""The code of a board that shows a turn for which an exercise did not ask."""

_EVERYWHERE: Final = frozenset(
    {"no_such_move", "over", BY_HAND, NOT_ANNOUNCED, ENGINE_COUNTS, EXERCISE_SET_OUT, EXERCISE_OTHER}
)


def sentence(  # noqa: C901, PLR0911, PLR0912 - a line for each letter
    ruling: rulings.Ruling, game: str, words: Words = ENGLISH
) -> str:
    """The ruling in plain words, with the rule it rests on, in a game by its name."""
    if isinstance(ruling, rulings.GameRuling):
        return show(game).ruling_sentence(ruling, words)
    match ruling:
        case rulings.TurnRuled(player=player, text=text):
            return turn(player, text, game, words)
        case rulings.IllegalRuled():
            return _refusal(ruling, game, words)
        case rulings.Righted():
            return words("ruling.righted")
        case rulings.FaultRuled(input=source, fault=fault):
            return words(words.first(f"ruling.fault.{fault}", "ruling.fault.other"), sensor=sensor(source, words))
        case rulings.QuestionAsked(choices=choices):
            offered = phrases.either((choice(each, words) for each in choices), words)
            return words("ruling.ask", question=question_text(ruling, game, words), choices=offered)
        case rulings.GamePaused():
            return words(words.first(f"ruling.paused.{game}", "ruling.paused"))
        case rulings.GameResumed():
            return words("ruling.resumed")
        case rulings.GameOver(winner=winner, reason=why, score=score):
            won = phrases.winner_sentence(winner, words, why)
            return " ".join(
                filter(
                    None, (won, ending_reason(why, game, words).with_source(words), score_sentence(score, game, words))
                )
            )
        case rulings.Corrected(why=why):
            return words(f"ruling.corrected{'.why' if why else ''}", **_correction_values(ruling, words))
        case rulings.ClockStarted(player=player):
            return words("ruling.clock", player=name(player, words))
        case rulings.FlagFell(player=player):
            return words("ruling.flag", player=name(player, words))
        case _:
            assert_never(ruling)


def brief(  # noqa: C901, PLR0911, PLR0912 - a line for each letter
    ruling: rulings.Ruling, game: str, words: Words = ENGLISH
) -> str:
    """The ruling in the few words that the display has room for."""
    if isinstance(ruling, rulings.GameRuling):
        return show(game).ruling_sentence(ruling, words, at_length=False)
    match ruling:
        case rulings.TurnRuled(player=player, text=text):
            return show(game).turn(player, text, words, at_length=False)
        case rulings.IllegalRuled(code=code):
            return reason(code, game, words).text
        case rulings.Righted():
            return words("ruling.righted.brief")
        case rulings.FaultRuled(input=source, fault=fault):
            key = words.first(f"ruling.fault.{fault}.brief", "ruling.fault.brief")
            return words(key, sensor=sensor(source, words))
        case rulings.QuestionAsked():
            return question_text(ruling, game, words)
        case rulings.GamePaused():
            return words("ruling.paused.brief")
        case rulings.GameResumed():
            return words("ruling.resumed")
        case rulings.GameOver(winner=winner, reason=why):
            return phrases.winner_sentence(winner, words, why)
        case rulings.Corrected():
            return words("ruling.corrected.brief", **_correction_values(ruling, words))
        case rulings.ClockStarted(player=player):
            return words("ruling.clock.brief", player=name(player, words))
        case rulings.FlagFell(player=player):
            return words("ruling.flag.brief", player=name(player, words))
        case _:
            assert_never(ruling)


def turn(player: str, text: str, game: str, words: Words = ENGLISH) -> str:
    """A turn in canonical text, in plain words; text of another grammar is given as it stands."""
    return show(game).turn(player, text, words)


def reason(code: str, game: str, words: Words = ENGLISH) -> Reason:
    """Why the code forbids what happened; a code without an entry is what no legal turn explains."""
    rules = show(game).reasons
    if code in rules:
        return Reason(rules[code], words(f"reason.{game}.{code}"))
    if code in _EVERYWHERE:
        return Reason(0, words(f"reason.{code}"))
    return Reason(0, words(words.first(f"reason.{game}.unexplained", "reason.unknown")))


def ending_reason(why: str, game: str, words: Words = ENGLISH) -> Reason:
    """Why a game ended."""
    return reason_of(why, show(game).endings, words)


def score_sentence(score: Mapping[str, int], game: str, words: Words = ENGLISH) -> str:
    """The score in words."""
    return show(game).score(score, words)


def refusal_reason(why: Statement, words: Words = ENGLISH) -> Reason:
    """The rules' own sentence on what was refused, told apart from the first rule that says so."""
    return Reason(next(iter(why.rules), 0), refusals.sentence(why._replace(rules=()), words))


def question_text(ruling: rulings.QuestionAsked, game: str, words: Words = ENGLISH) -> str:
    """The question; one without an entry stands as it is."""
    key = words.first(f"question.{game}.{ruling.question}", f"question.{ruling.question}")
    return words.name_of(key, ruling.question)


def choice(text: str, words: Words = ENGLISH) -> str:
    """An answer as people say it: a turn stays in canonical text."""
    return words.name_of(f"choice.{text}", text)


def repair(step: Repair, words: Words = ENGLISH) -> str:
    """One step of putting the board right, as a request."""
    return words("repair.request", step=Clause(clause(step.statement, words)))


def squares(names: Sequence[str], most: int = 6, words: Words = ENGLISH) -> str:
    """Squares in words, the rest of many as a number."""
    more = len(names) - most
    return " ".join(names) if more <= 0 else words("squares.more", squares=" ".join(names[:most]), number=more)


def button(source: str, words: Words = ENGLISH) -> str:
    """A button of the board ("red", "black", "arbiter" or "not_turned") as people say it."""
    return words(words.first(f"button.{source}", "button.other"), button=source)


def sensor(source: str, words: Words = ENGLISH) -> str:
    """An input of the board in plain words ("D2.ring1" is the ring sensor 1 of D2)."""
    place, _, part = source.partition(".")
    if place == "button":
        return upper(button(part, words))
    if part.startswith("ring"):
        return words("sensor.ring", number=part.removeprefix("ring"), place=place)
    return words(words.first(f"sensor.{place}.{part}", f"sensor.{part}", "sensor.other"), part=part, place=place)


def quarantine(source: str, words: Words = ENGLISH) -> str:
    """That an input is not believed, and what to do."""
    place, _, _ = source.partition(".")
    key = "quarantine" if place == "button" else words.first(f"quarantine.{place}", "quarantine.by_hand")
    return words(key, sensor=sensor(source, words), place=place)


def phase(judgement: Judgement, game: str, words: Words = ENGLISH) -> str:
    """How the board stands to the game, in plain words; or why a button has done nothing."""
    if judgement.code in BUTTONS:
        return words(f"phase.{judgement.code}")
    match judgement.phase:
        case Phase.AGREED:
            return words("phase.agreed")
        case Phase.IN_HAND:
            return words("phase.in_hand", spaces=phrases.join_items(judgement.lifted, words) or judgement.origin)
        case Phase.MAY_GO_ON:
            return words("phase.may_go_on", origin=judgement.origin, target=judgement.target)
        case Phase.UNSETTLED:
            return words("phase.put_right" if judgement.repairs else "phase.unsettled")
        case Phase.WRONG:
            return reason(judgement.code, game, words).with_source(words)
        case Phase.ASKING:
            return words("phase.asking")
        case _:
            assert_never(judgement.phase)


def _refusal(ruling: rulings.IllegalRuled, game: str, words: Words) -> str:
    who = [] if ruling.player == NATURE else [name(ruling.player, words)]
    tried = " ".join([*who, *([ruling.text] if ruling.text else [])])
    steps = in_turn((clause(step.statement, words) for step in ruling.put_right), words)
    key = "ruling.illegal.put_right" if steps else "ruling.illegal"
    why = reason(ruling.code, game, words).with_source(words)
    return shorten_numbers(words(key, tried=tried, reason=why, steps=steps))


def _correction_values(ruling: rulings.Corrected, words: Words) -> Mapping[str, str]:
    """What a correction did, of whom and why: names, and the people's own words, stay as they are."""
    return {
        "what": clause(ruling.what, words),
        "who": _who(ruling.who, words),
        "why": render(ruling.why, words),
    }


def _who(who: str | Statement, words: Words) -> str:
    """A name as it stands; a person who gave none is called by their role, or by the button that they pressed."""
    role = f"who.{who}"
    return words.name_of(role, render(who, words))
