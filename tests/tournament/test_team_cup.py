"""Test knockouts of teams: who goes on from a level match, what waits for a lot, and what is refused."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.events import (
    LotDrawn,
    OrderDecided,
    ResultCorrected,
    ResultEntered,
    RoundChanged,
    SettingsChanged,
    TeamPlayTold,
    TeamWithdrew,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.standings import check_order, standings
from gnomon.tournament.standings.crosstables import bracket_of
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import HALF, NOTHING, ONE, from_chair, parse_result
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import GradeRules, Scoring, System
from gnomon.tournament.state.team_play import CUP_BREAKS, CupVerdict, TeamPlay, decide_match
from gnomon.tournament.teams.matches import (
    as_shown,
    cup_verdict,
    describe_verdict,
    match_view,
    team_view,
    undecided_matches,
)
from tests.tournament import _teams
from tests.tournament._evening import after, gathered, settings

TEN = (ONE, NOTHING)


def cup(teams: int = 4, boards: int = 4, rounds: int = 2, **play: object) -> Tournament:
    return _teams.gathered(teams, boards, System.KNOCKOUT, rounds, **play)


def verdict(tournament: Tournament, match: int = 0) -> CupVerdict | None:
    assert tournament.teams is not None
    return cup_verdict(tournament, tournament.rounds[-1], tournament.teams.matches.rounds[-1].pairings[match])


def goes_on(points: str, *names: str) -> CupVerdict | None:
    """Who goes on from a match between 1 and 4 by the points of 1 at the boards."""
    told = cup(cup_breaks=names) if names else cup()
    return verdict(_teams.played(told, [(1, 4, points), (2, 3, "1111")]))


def test_the_winner_of_a_match_goes_on_whatever_the_boards() -> None:
    assert goes_on("1110") is None
    won = _teams.played(cup(), [(1, 4, "1110"), (2, 3, "1111")])
    assert describe_verdict(won, won.rounds[0], team_view(won).rounds[0].pairings[0]) is None
    told = _teams.played(cup(), [(1, 4, "1==="), (2, 3, "0001")])
    assert {frozenset(match) for match in _teams.matches(_teams.published(told))} == {frozenset({1, 3})}


@pytest.mark.parametrize(
    ("points", "names", "first", "rule"),
    [
        ("1001", (), False, "BBE"),
        ("1==0", (), True, "BERLIN"),
        ("0==1", (), False, "BERLIN"),
        ("0110", (), True, "BBE"),
        ("1100", ("BBE",), True, "BBE"),
        ("1001", ("BBE",), False, "BBE"),
        ("0110", ("TBR",), False, "TBR"),
        ("0110", ("BERLIN", "TBR"), False, "TBR"),
        ("====", ("BERLIN", "BBE", "TBR"), None, ""),
        ("1==0", ("TBR", "BERLIN"), True, "TBR"),
        ("+==-", (), True, "BERLIN"),
    ],
)
def test_a_level_match_is_decided_by_its_boards(
    points: str, names: tuple[str, ...], first: bool | None, rule: str
) -> None:
    assert goes_on(points, *names) == CupVerdict(first, rule)


def test_two_games_at_a_board_are_one_board_of_a_level_match() -> None:
    # Of eight games four are won: the first team has 2 points at board 1, none at 2, and 1 at each of the others.
    begun = _teams.published(cup(games=2))
    assert begun.teams is not None
    match = begun.teams.matches.rounds[0].pairings[0]
    first = begun.teams.rosters[match.first].members
    points = ("1-0 1-0", "0-1 0-1", "1-0 0-1", "½-½ ½-½")
    for board, ours in enumerate(points, start=1):
        pairing = begun.rounds[0].at(board)
        result = from_chair(parse_result(ours), first=pairing.first in first)
        begun = after(begun, ResultEntered(1, board, result))
    assert verdict(begun) == CupVerdict(True, "BERLIN")


def test_the_example_of_an_english_league() -> None:
    # Staffordshire: 1 0 ½ 0 1 ½ is 3-3 with a board count of 6 each; without board 6 and 5 the others lead 2½-1½.
    made = (ONE, NOTHING, HALF, NOTHING, ONE, HALF)
    other = tuple(ONE - points for points in made)
    assert CUP_BREAKS["BERLIN"](made) == CUP_BREAKS["BERLIN"](other)
    assert decide_match(("BERLIN", "BBE"), (made, other), (1, 2), (), ()) == CupVerdict(False, "BBE")


@given(st.lists(st.sampled_from([ONE, HALF, NOTHING]), min_size=1, max_size=8))
def test_berlin_is_the_board_count_of_matches_that_are_level(made: list[object]) -> None:
    other = [ONE - points for points in made]  # type: ignore[operator]  # points all
    if sum(made) != sum(other):  # type: ignore[arg-type]  # likewise
        return

    def count(boards: list[object]) -> int:
        return sum(at for at, points in enumerate(boards, start=1) if points == ONE)

    berlin = [CUP_BREAKS["BERLIN"](boards) for boards in (made, other)]  # type: ignore[arg-type]  # likewise
    assert (berlin[0] > berlin[1]) == (count(made) < count(other))


LEVEL = _teams.played(cup(), [(1, 4, "===="), (2, 3, "1111")])


def test_a_match_that_stays_level_waits_for_a_lot() -> None:
    assert [match.board for match in undecided_matches(LEVEL)] == [1]
    assert describe_verdict(LEVEL, LEVEL.rounds[0], undecided_matches(LEVEL)[0]) is not None
    sentence = "match 1 is level, and its boards do not decide it: draw lots between 1 North and 4 West"
    with pytest.raises(TournamentError, match=sentence):
        pair(LEVEL)
    check_order(LEVEL, LotDrawn((4, 1)))  # all four are level, but a lot is about their match
    drawn = after(LEVEL, LotDrawn((4, 1)))
    assert verdict(drawn) == CupVerdict(False, "lot")
    assert undecided_matches(drawn) == ()
    assert _teams.matches(_teams.published(drawn)) in ([(2, 4)], [(4, 2)])
    assert after(drawn, LotDrawn((1, 4))).teams != drawn.teams


def test_the_director_may_decide_after_a_play_off() -> None:
    decided = after(LEVEL, LotDrawn((4, 1)), OrderDecided((1, 4), "play-off 2½-1½"))
    assert verdict(decided) == CupVerdict(True, "order")
    with pytest.raises(TournamentError, match="match 1 is level"):
        pair(after(LEVEL, LotDrawn((2, 3)), OrderDecided((2, 3), "so")))
    said = describe_verdict(decided, decided.rounds[0], team_view(decided).rounds[0].pairings[0])
    assert said is not None
    assert said.message == "North goes on (decided by the director)"


def test_who_got_further_stands_higher_and_a_decided_match_is_won() -> None:
    told = after(LEVEL, LotDrawn((4, 1)))
    final = _teams.played(told, [(4, 2, "1110")])
    assert [one.number for one in standings(as_shown(final))][:2] == [4, 2]
    assert [one.points for one in standings(as_shown(final))][:2] == [4, 2]
    drawn = bracket_of(as_shown(final))
    assert [match.told for match in drawn.rounds[0]] == ["2–2", "4–0"]
    assert [slot.number for slot in drawn.rounds[1][0].slots] == [4, 2]
    with pytest.raises(TournamentError, match="has had its 2 rounds"):
        pair(final)
    longer = after(final, SettingsChanged(final.settings, replace(final.settings, rounds=3), "so"))
    with pytest.raises(NoPairingError, match="4 West"):
        pair(longer)


def test_a_match_of_which_nobody_came_sends_nobody_on() -> None:
    told = _teams.played(cup(), [(1, 4, "++--"), (2, 3, "1111")])
    assert verdict(told) == CupVerdict(True, "BERLIN")
    absent = _teams.gathered(4, 1, System.KNOCKOUT, 2)
    both = _teams.told(_teams.published(absent), lambda pairing: "-/-" if pairing.board == 1 else "1-0")
    assert undecided_matches(both) == ()
    lost = _teams.told(_teams.published(absent), lambda pairing: "0-0" if pairing.board == 1 else "1-0")
    assert [match.board for match in undecided_matches(lost)] == [1]


def test_a_bye_and_a_board_without_a_result_are_no_level_match() -> None:
    three = _teams.published(cup(3))
    assert undecided_matches(three) == ()
    assert [verdict(three, at) for at in (0, 1)] == [None, None]
    assert undecided_matches(cup()) == ()
    assert undecided_matches(gathered(4, settings(System.KNOCKOUT, 2, tie_breaks=()))) == ()


def test_another_winner_is_refused_once_the_next_round_is_published() -> None:
    final = _teams.published(after(LEVEL, LotDrawn((4, 1))))
    sentence = r"round 1, match 1: another team would go on, but the next round is published: revoke that round first"
    with pytest.raises(TournamentError, match=sentence):
        after(final, LotDrawn((1, 4)))
    with pytest.raises(TournamentError, match=sentence):
        after(final, ResultCorrected(1, 1, parse_result("1-0"), "slip"))
    same = after(final, ResultCorrected(1, 5, parse_result("="), "slip"))
    assert same.rounds[0].results[5] == parse_result("=")
    dear = replace(final.settings, scoring=Scoring(ONE * 3, ONE, NOTHING, ONE))
    assert after(final, SettingsChanged(final.settings, dear, "so")).settings.scoring.win == 3


def test_a_team_that_leaves_goes_no_further() -> None:
    told = _teams.played(cup(), [(1, 4, "1111"), (2, 3, "1111")])
    gone = after(told, TeamWithdrew(2, 2))
    assert _teams.matches(_teams.published(gone)) == [(1, None)]
    with pytest.raises(TournamentError, match=r"lost|out"):
        after(_teams.published(told), RoundChanged(2, at_boards([(1, 3)]), "so", override=True))


def test_game_points_first_rank_no_bracket() -> None:
    told = _teams.played(cup(games_first=True), [(1, 4, "1==="), (2, 3, "1111")])
    assert team_view(told) == match_view(told)


@pytest.mark.parametrize(
    ("system", "others", "play", "sentence"),
    [
        (System.MCMAHON, {}, {}, "teams do not play McMahon: its starting points are those of one player’s strength"),
        (System.KEIZER, {}, {}, "teams cannot play a keizer like that: choose a Swiss, a round robin or a knockout"),
        (System.SWISS, {"grades": GradeRules(handicap=1)}, {}, "teams play even games: leave out the handicap stones"),
        (System.SWISS, {}, {"cup_breaks": ("TBR",)}, "what decides a level match: this means nothing here (swiss)"),
        (System.KNOCKOUT, {}, {"scheveningen": True}, "teams cannot play a knockout like that"),
    ],
)
def test_what_teams_do_not_play_is_refused(
    system: System, others: dict[str, object], play: dict[str, object], sentence: str
) -> None:
    single = gathered(0, settings(system, 3, tie_breaks=(), **others))
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        after(single, TeamPlayTold(TeamPlay(2, **play)))  # type: ignore[arg-type]  # by name


def test_an_unknown_break_is_refused() -> None:
    with pytest.raises(TournamentError, match=re.escape("SB decides no level match: choose from BERLIN, TBR, BBE")):
        TeamPlay(4, cup_breaks=("BERLIN", "SB"))
