from dataclasses import replace

import pytest
from hypothesis import given

from gnomon.games.tamsk.sensing.inputs import INPUTS
from gnomon.games.tamsk.show._sentences import REASONS
from gnomon.referee.judgement import Action, Judgement, Phase, Repair
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
from gnomon.refusals import statement
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Instant
from gnomon.views import sentences
from gnomon.views.phrases import winner_sentence
from tests.views.tables import judgements, rulings
from tests.words.statements import files, stated

NOON = Instant(0)
GLASS_BACK = (Repair(Action.TAKE_GLASS, "D2"), Repair(Action.PUT_GLASS, "D1"))

SAID: list[tuple[Ruling, str]] = [
    (TurnRuled(NOON, "red", "D1-D2"), "Red moves D1 to D2 and drops a ring."),
    (TurnRuled(NOON, "black", "G1-F1x"), "Black moves G1 to F1 and drops a ring, which fills it (rule 4)."),
    (
        TurnRuled(NOON, "red", "+D2,A1-B2=,+C3"),
        (
            "Red first uses the ring Black did not drop on D2 (rule 3), then moves A1 to B2 and drops no ring, "
            "and a second ring on C3 (rule 18)."
        ),
    ),
    (TurnRuled(NOON, "red", "pass"), "Red cannot move and passes (rule 6)."),
    (TurnRuled(NOON, "red", "+C3"), "Red cannot move and drops the penalty ring on C3 (rule 18)."),
    (TurnRuled(NOON, "red", "e2e4"), "Red: e2e4"),
    (
        IllegalRuled(NOON, "red", "D1-D2", "must_be_another_glass", GLASS_BACK),
        (
            "Not allowed, Red D1-D2. Rule 11: each of your first three turns must move a different glass. "
            "To put right: take the glass off D2; put a glass on D1."
        ),
    ),
    (
        IllegalRuled(NOON, "black", None, "never_heard", ()),
        "Not allowed, Black. No legal turn leads to what stands on the board.",
    ),
    (Righted(NOON), "The board agrees with the game again: play goes on."),
    (GlassStopped(NOON, "red", "D4"), "Red's glass on D4 has run out: it stays there to the end (rule 12)."),
    (
        TimerTurned(NOON, "black", Instant(15)),
        "Black turns the 15-second glass: Red must lift a glass in time (rule 16).",
    ),
    (PenaltyRuled(NOON, "black"), "Red was late: Black may drop a second ring next turn (rule 18)."),
    (TurnLost(NOON, "red"), "Red lifted no glass in time and loses the turn (rule 19)."),
    (
        FaultRuled(NOON, "D2.ring1", "chatter"),
        "Ring sensor 1 of D2 flickers: it no longer counts, and the game goes on.",
    ),
    (QuestionAsked(NOON, "which_turn", ("D1-D2", "D1-D2=")), "Which turn was it? (D1-D2 or D1-D2=)"),
    (GamePaused(NOON), "The game is paused: the sand does not count."),
    (GameResumed(NOON), "The game goes on."),
    (
        GameOver(NOON, "red", "fewest_rings", {"red": 3, "black": 5}),
        "Red wins. Rule 7: neither player can move, and the fewest rings are left. Rings left: Red 3, Black 5.",
    ),
    (GameOver(NOON, None, "agreed", {"red": 3, "black": 3}), "A draw. By agreement. Rings left: Red 3, Black 3."),
    (
        Corrected(NOON, statement("corrected.entered", text="D1-D2"), "arbiter", "misread"),
        "By hand, arbiter: turn D1-D2 entered (misread).",
    ),
    (SandDeclared(NOON, "D2", "red", "black"), "Red says that the glass on D2 has run out, and Black agrees."),
    (SandDeclared(NOON, "timer15", "black", ""), "Black says that the 15-second glass has run out."),
    (QuestionAsked(NOON, "which_stopped", ("D2", "none")), "Which glass has run out? (D2 or None of them)"),
    (
        QuestionAsked(NOON, "timer15_first", ("yes", "no")),
        "Was the 15-second glass turned before the turn was over? (Yes or No)",
    ),
    (
        QuestionAsked(NOON, "in_time", ("yes", "no")),
        "Was the turn made before the 15-second glass was empty? (Yes or No)",
    ),
]


@pytest.mark.parametrize(("ruling", "said"), SAID)
def test_a_ruling_is_said_in_plain_words(ruling: Ruling, said: str) -> None:
    assert sentences.sentence(ruling, "tamsk") == said


@given(rulings())
def test_every_ruling_is_a_whole_sentence(ruling: Ruling) -> None:
    said = sentences.sentence(ruling, "tamsk")
    assert said[0].isupper()
    assert said[-1] in ".)?"
    assert "_" not in said
    assert "  " not in said


@given(rulings())
def test_every_ruling_has_a_brief_form_that_is_no_longer(ruling: Ruling) -> None:
    brief = sentences.brief(ruling, "tamsk")
    assert 0 < len(brief) <= len(sentences.sentence(ruling, "tamsk")) + 10
    assert "_" not in brief


@given(judgements())
def test_every_phase_is_a_whole_sentence(judgement: Judgement) -> None:
    said = sentences.phase(judgement, "tamsk")
    assert said[0].isupper()
    assert said[-1] == "."


# The codes of the trace interface: what a person can do wrong with glasses and rings.
CODES = {
    "not_adjacent",
    "occupied",
    "full",
    "not_yours",
    "not_your_turn",
    "stopped_glass",
    "not_turned",
    "must_be_another_glass",
    "ring_elsewhere",
    "two_rings",
    "ring_removed",
    "timer15_running",
}
# A person cannot do these on a board: the line protocol alone refuses them, in the rules' own words.
PROTOCOL_ONLY = {"over", "no_such_move", "no_lift", "no_timer15", "by_itself", "not_running"}


def codes_of_the_rules() -> set[str]:
    """Every code that the rules give, read from their text."""
    rules = files("companion/gnomon/games/tamsk/rules/_legality.py")
    return {code for file in rules for each in stated(file) if each.keys[0].startswith("told.") for code in each.codes}


def test_every_code_has_a_reason() -> None:
    assert len(codes_of_the_rules()) > 10
    assert (CODES | codes_of_the_rules()) - PROTOCOL_ONLY - set(REASONS) == set()


def test_a_reason_names_its_rule() -> None:
    assert (
        sentences.reason("must_be_another_glass", "tamsk").sentence
        == "Rule 11: each of your first three turns must move a different glass."
    )


@pytest.mark.parametrize("action", Action)
def test_a_step_of_a_repair_is_a_request(action: Action) -> None:
    ends = {Action.TURN_TIMER: "back.", Action.FLIP_TIMER: "over."}  # of the 15-second glass, which has no space
    request = sentences.repair(Repair(action, "" if action in ends else "E5"))
    assert request[0].isupper()
    assert request.endswith(ends.get(action, "E5."))


@pytest.mark.parametrize("name", INPUTS)
def test_every_input_has_a_name_that_says_where_it_is(name: str) -> None:
    place, _, part = name.partition(".")
    said = sentences.sensor(name)
    assert said[0].isupper()
    assert (part if place == "button" else "15-second glass" if place == "timer15" else place) in said


@pytest.mark.parametrize(
    ("outcome", "said"), [(Outcome("red", "stall"), "Red wins."), (Outcome(None, "draw"), "A draw.")]
)
def test_a_result_is_said(outcome: Outcome, said: str) -> None:
    assert winner_sentence(outcome.winner, reason=outcome.reason) == said


def test_nothing_is_said_of_a_result_without_a_reason() -> None:
    assert not sentences.ending_reason("", "tamsk").text


def test_where_something_is_to_be_put_back_nobody_is_told_to_finish_a_move() -> None:
    unsettled = Judgement(Phase.UNSETTLED)
    away = replace(unsettled, repairs=(Repair(Action.PUT_GLASS, "A4"),))
    assert sentences.phase(unsettled, "tamsk") == "Finish the move: the board cannot tell yet."
    assert sentences.phase(away, "tamsk") == "First put the board right."
