"""What the rules of the last round let pass, and what a director overrides with a reason."""

from collections.abc import Iterable

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent, event_of, event_text
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.event_log.undo import undo_event
from gnomon.tournament.events import EntrantRegistered, Event, ResultEntered, RoundChanged, RoundPublished, RoundRevoked
from gnomon.tournament.formats.trf import TrfEdition, read_trf, write_trf
from gnomon.tournament.formats.trf.sheets import sheet_of
from gnomon.tournament.pairing._preferences import Preference
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.pairing.validator import faults_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import HALF, NOTHING, ONE, GameResult, Points
from gnomon.tournament.state.round_history import RoundKind, Turn
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import Scoring, System
from gnomon.tournament.strength.given_points import lent_points
from gnomon.tournament.tiebreaks.fields import Field
from gnomon.tournament.tiebreaks.rule_sets import FIDE_2026
from gnomon.tournament.tiebreaks.values import TIE_BREAKS
from tests.tournament._evening import after, by_hand, gathered, opening, pairs, settings

DUTCH = "FIDE_DUTCH_2025"
SENSIBLE = "both asked for it, and the table was set"


def before_the_last(rounds: int = 3, system: System = System.SWISS) -> Tournament:
    """1 and 2 have won twice and moved second twice; 3 and 4 have lost twice and moved first twice."""
    like = settings(system, rounds=rounds)
    return by_hand(gathered(4, like), [(3, 1, "0-1"), (4, 2, "0-1")], [(4, 1, "0-1"), (3, 2, "0-1")])


LAST = at_boards([(1, 2), (3, 4)])
BY_THE_END_OF_THE_TABLE = (
    "3 Cleo would move first for the third time running",
    "3 Cleo would have moved first three times more often",
)


@pytest.mark.parametrize("system", [System.SWISS, System.MCMAHON])
def test_topscorers_may_have_a_third_game_on_one_side_in_the_last_round_and_nobody_else(system: System) -> None:
    broken = faults_of(before_the_last(system=system), 3, LAST).all
    assert tuple(each.message for each in broken) == BY_THE_END_OF_THE_TABLE
    assert len(faults_of(before_the_last(4, system), 3, LAST).all) == 2 * len(BY_THE_END_OF_THE_TABLE)


def test_a_side_that_another_seating_would_spare_a_topscorer_is_no_exemption() -> None:
    # 1 may move first and 3 second: that they met before is another matter.
    sides = faults_of(before_the_last(), 3, at_boards([(3, 1), (2, 4)])).sides
    assert [one.values["who"] for one in sides] == ["3 Cleo", "3 Cleo", "1 Ada", "1 Ada"]


def test_a_director_overrides_a_rule_with_a_reason_that_is_kept() -> None:
    with pytest.raises(TournamentError, match="round 3 breaks an absolute rule: 3 Cleo would move first"):
        after(before_the_last(), RoundPublished(3, LAST, "  "))
    overridden = after(before_the_last(), RoundPublished(3, LAST, SENSIBLE))
    (correction,) = overridden.corrections
    assert (correction.round, correction.reason) == (3, SENSIBLE)
    assert correction.now == "; ".join(BY_THE_END_OF_THE_TABLE)
    assert overridden.settings.balance


def test_a_reason_where_no_rule_is_broken_changes_nothing() -> None:
    assert after(gathered(4, settings()), RoundPublished(1, at_boards([(1, 3), (4, 2)]), SENSIBLE)).corrections == ()


@pytest.mark.parametrize(
    ("system", "pairs_", "fault"),
    [
        (System.SWISS, [(1, 2), (3, 9)], "there is no entrant 9"),
        (System.SWISS, [(1, 2), (1, 3)], "entrant 1 sits in 2 places"),
        (System.SWISS, [(1, 2)], "3 Cleo plays in this round but is not paired"),
        (
            System.ROUND_ROBIN,
            [(1, 2), (3, None)],
            "3 Cleo has a bye: the table leaves this entrant free, and a free entrant is not paired",
        ),
        (System.KNOCKOUT, [(1, 2)], "3 Cleo is not in the bracket"),
    ],
)
def test_what_makes_no_sense_no_reason_overrides(
    system: System, pairs_: Iterable[tuple[int, int | None]], fault: str
) -> None:
    with pytest.raises(TournamentError, match=fault):
        after(gathered(4, settings(system, rounds=3)), RoundPublished(1, at_boards(pairs_), SENSIBLE))


def test_a_round_robin_may_be_paired_against_its_table_with_a_reason() -> None:
    once = by_hand(gathered(4, settings(System.ROUND_ROBIN, rounds=3)), [(1, 4, "1-0"), (2, 3, "1-0")])
    with pytest.raises(TournamentError, match="4 Dov and 1 Ada meet only once, and already have"):
        after(once, RoundPublished(2, at_boards([(4, 1), (3, 2)])))
    assert len(after(once, RoundPublished(2, at_boards([(4, 1), (3, 2)]), SENSIBLE)).corrections) == 1


def test_a_round_is_changed_against_a_rule_with_its_reason_and_undone_again() -> None:
    published = after(by_hand(gathered(4, settings()), [(1, 3, "1-0"), (4, 2, "0-1")]), RoundPublished(2, LAST))
    again = at_boards([(1, 3), (2, 4)])
    with pytest.raises(TournamentError, match="1 Ada and 3 Cleo have met before"):
        after(published, RoundChanged(2, again, SENSIBLE))
    changed = after(published, RoundChanged(2, again, SENSIBLE, override=True))
    assert changed.rounds[-1].override == SENSIBLE
    assert changed.corrections[-1].reason == SENSIBLE


def book(*events: Event) -> list[LoggedEvent]:
    return [LoggedEvent(number, "", "Mia", "", event) for number, event in enumerate(events, start=1)]


def test_what_was_overridden_comes_back_when_its_withdrawal_is_undone() -> None:
    first, second = at_boards([(1, 3), (4, 2)]), at_boards([(3, 1), (2, 4)])
    events = [*opening(4, settings()), RoundPublished(1, first)]
    events += [ResultEntered(1, board, (GameResult.DRAWN,)) for board in (1, 2)]
    events += [RoundPublished(2, second, SENSIBLE, DUTCH)]
    revoked = book(*events, RoundRevoked(2, "too early"))
    assert undo_event(revoked, len(revoked), "no") == events[-1]
    changed = book(*events, RoundChanged(2, at_boards([(1, 2), (3, 4)]), "better"))
    event = undo_event(changed, len(changed), "no")
    assert event == RoundChanged(2, second, "no", override=True)
    fold([*(each.event for each in changed), event])


@pytest.mark.parametrize("event", [RoundPublished(3, LAST, SENSIBLE, DUTCH), RoundChanged(3, LAST, "x", True)])
def test_an_override_is_written_and_what_was_written_before_there_were_any_is_read(event: Event) -> None:
    text = event_text(event)
    assert event_of(text) == event
    old = text.replace(f',"override":"{SENSIBLE}","paired_by":"FIDE_DUTCH_2025"', "").replace(',"override":true', "")
    assert event_of(old) != event


def test_sides_after_an_override_lead_back_to_balance() -> None:
    # Four more of one side: the other is due, and having it is not what the rule forbids.
    wish = Preference.of((True, True, True, True))
    assert (wish.first, wish.may_first, wish.may_second) == (False, False, True)
    like = settings(rounds=6)
    uneven = by_hand(
        gathered(6, like), [(1, 2, "1-0"), (3, 4, "1-0"), (5, 6, "1-0")], [(1, 3, "1-0"), (2, 6, "1-0"), (4, 5, "1-0")]
    )
    uneven = after(uneven, RoundPublished(3, at_boards([(1, 4), (6, 3), (2, 5)]), SENSIBLE))
    uneven = after(uneven, *(ResultEntered(3, board, (GameResult.DRAWN,)) for board in (1, 2, 3)))
    assert 1 not in dict(pairs(pair(uneven)))  # the one who has moved first three times moves second now


def test_a_third_game_on_one_side_goes_through_a_file_and_back() -> None:
    exempt = after(before_the_last(), RoundPublished(3, LAST, SENSIBLE, DUTCH))
    exempt = after(exempt, *(ResultEntered(3, board, (GameResult.DRAWN,)) for board in (1, 2)))
    written = write_trf(exempt)
    assert "192 CUSTOM_SWISS" in written.text  # the first two rounds nobody's engine paired
    read = read_trf(written.text).tournament
    assert read.settings.balance
    assert [round_.pairings for round_ in read.rounds] == [round_.pairings for round_ in exempt.rounds]


def test_what_an_engine_of_federations_paired_bears_their_code_until_a_hand_changes_it() -> None:
    dutch = after(gathered(4, settings(accelerated=True)), RoundPublished(1, at_boards([(1, 3), (4, 2)]), "", DUTCH))
    over = after(dutch, *(ResultEntered(1, board, (GameResult.DRAWN,)) for board in (1, 2)))
    assert "192 FIDE_DUTCH_2025_BAKU\r\n" in write_trf(over).text
    assert read_trf(write_trf(over).text).tournament.rounds[0].paired_by == DUTCH
    by_us = after(dutch, RoundChanged(1, at_boards([(3, 1), (4, 2)]), "colours as at the board"))
    assert by_us.rounds[0].paired_by == ""
    mcmahon = after(gathered(2, settings(System.MCMAHON)), RoundPublished(1, at_boards([(1, 2)]), "", DUTCH))
    assert "192 CUSTOM_SWISS" in write_trf(mcmahon).text


@pytest.mark.parametrize(
    ("edition", "apart"), [(TrfEdition.TRF16, "XXP 1 2"), (TrfEdition.TRF26, "260 001 009    1    2")]
)
def test_a_file_for_the_engines_of_federations_has_no_teams_and_keeps_mates_apart(
    edition: TrfEdition, apart: str
) -> None:
    """BbpPairings 6 refuses a file with a line for a team."""
    opened, *entrants = opening(4, settings(team_mates_meet=False))
    of_a_club = [EntrantRegistered(one, f"Member {one}", 2000 - one, "Rooks") for one in (1, 2)]
    begun = fold([opened, *of_a_club, *entrants[2:]])
    paired = {who: after(begun, RoundPublished(1, at_boards([(1, 3), (4, 2)]), "", who)) for who in ("", DUTCH)}
    over = {who: after(one, *(ResultEntered(1, b, (GameResult.DRAWN,)) for b in (1, 2))) for who, one in paired.items()}
    teams = {
        who: [line for line in write_trf(one, edition).text.splitlines() if line[:3] in {"013", "310"}]
        for who, one in over.items()
    }
    assert (len(teams[""]), teams[DUTCH]) == (1, [])
    by_hand_since = after(over[DUTCH], RoundPublished(2, at_boards([(1, 4), (3, 2)])))
    for dutch in (over[DUTCH], by_hand_since):
        written = write_trf(dutch, edition)
        assert apart in written.text.splitlines()
        assert "the teams of 2 entrants" in " ".join(map(str, written.left_out))
        assert "Rooks" not in " ".join(map(str, written.left_out))
    assert read_trf(write_trf(over[DUTCH], edition).text).tournament.prohibited == {frozenset({1, 2})}


def test_a_file_is_numbered_by_rank_and_tells_the_rounds_that_are_over() -> None:
    mixed = fold([*opening(2, settings()), *(opening(4, settings())[3:])])
    swapped = fold([opening(0, settings())[0], *reversed(opening(4, settings())[1:])])
    assert write_trf(swapped).text == write_trf(mixed).text
    playing = after(mixed, RoundPublished(1, pair(mixed)), ResultEntered(1, 1, (GameResult.FIRST_WON,)))
    assert sheet_of(playing) == sheet_of(mixed)
    for edition in TrfEdition:
        written = write_trf(playing, edition)
        assert all(len(line) == len(line[:89]) for line in written.text.split("\r\n") if line.startswith("001"))
        assert "round 1 is being played: the file has it once its last result is in" in map(str, written.left_out)


def test_the_first_round_gives_the_lots_side_by_pairing_number_with_acceleration_too() -> None:
    accelerated = gathered(8, settings(accelerated=True))
    assert lent_points(accelerated, 1)
    assert pairs(pair(accelerated)) == [(1, 3), (4, 2), (5, 7), (8, 6)]
    assert pairs(pair(gathered(6, settings()))) == [(1, 4), (5, 2), (3, 6)]
    assert pairs(pair(gathered(10, settings(accelerated=True))))[2:4] == [(3, 6), (7, 9)]


def test_the_cut_takes_of_two_rounds_given_up_that_against_the_lower_score() -> None:
    """C.07, 16.5 with 14: the game against the lowest score, not the least product."""
    met = [
        Turn(1, RoundKind.PLAYED, 2, first=True, points=ONE, units_won=1),
        Turn(2, RoundKind.PLAYED, 3, points=ONE, units_won=1),
    ]
    mine = (*met, Turn(3, RoundKind.HALF_BYE, points=HALF), Turn(4, RoundKind.FORFEIT_LOSS, 4, points=NOTHING))
    others = {
        one: tuple(Turn(number, RoundKind.PLAYED, 5, points=points) for number in range(1, 5))
        for one, points in ((2, ONE), (3, ONE), (4, Points(5, 8)), (5, NOTHING))
    }
    table = Field({1: mine, **others}, dict.fromkeys((1, 2, 3, 4, 5), NOTHING), Scoring(), 1, FIDE_2026)
    # The bye is against 2 (the cap of four draws) for half a point, the forfeit against 2½ for none: the bye goes.
    assert TIE_BREAKS["SB"](table, 1) - TIE_BREAKS["SBC1"](table, 1) == ONE


@pytest.mark.parametrize(("rounds", "told"), [(1, "its only round"), (2, "its 2 rounds")])
def test_a_tournament_that_is_over_says_so_of_one_round_too(rounds: int, told: str) -> None:
    over = by_hand(
        gathered(4, settings(rounds=rounds)), *([(1, 3, "1-0"), (4, 2, "0-1")], [(2, 1, "1-0"), (3, 4, "1-0")])[:rounds]
    )
    with pytest.raises(TournamentError, match=f"Club evening has had {told}: there is no other"):
        pair(over)
