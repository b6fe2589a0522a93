"""Test tournaments of teams: rosters, line-ups, the boards of a match, and what is refused."""

import re
from dataclasses import replace

import pytest

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.event_log.reducer import fold, step
from gnomon.tournament.events import (
    ByeGranted,
    EntrantCheckedIn,
    EntrantCorrected,
    EntrantRegistered,
    EntrantWithdrew,
    Event,
    LineupTold,
    PairingProhibited,
    ResultCorrected,
    ResultEntered,
    RoundChanged,
    RoundPublished,
    RoundRevoked,
    SettingsChanged,
    TeamPlayTold,
    TeamReturned,
    TeamTold,
    TeamWithdrew,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.ratings.report import rating_report
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import GameResult, Points, parse_result
from gnomon.tournament.state.round_history import History, histories
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import Bye, Scoring, System
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import (
    as_people,
    as_shown,
    book_of,
    game_view,
    match_boards,
    match_games,
    match_score,
    match_view,
    named_teams,
    outcome,
    source_of,
    team_view,
)
from gnomon.tournament.teams.seating import lineup_of
from tests.tournament import _evening
from tests.tournament._evening import after, pairs, settings
from tests.tournament._teams import gathered, matches, opening, played, published, told

FOUR = gathered(4)
BEGUN = after(FOUR, RoundPublished(1, at_boards([(1, 3), (4, 2)])))
WON, DRAWN, LOST = parse_result("1-0"), parse_result("="), parse_result("0-1")


def refused(tournament: Tournament, event: Event, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        step(tournament, event)


def test_a_match_is_played_at_boards_and_who_moves_first_changes_from_board_to_board() -> None:
    assert BEGUN.rounds[0].pairings == (
        Pairing(1, 11, 31),
        Pairing(2, 32, 12),
        Pairing(3, 41, 21),
        Pairing(4, 22, 42),
    )


def test_a_team_may_move_first_at_all_its_boards() -> None:
    begun = after(gathered(2, 3, alternate=False), RoundPublished(1, at_boards([(1, 2)])))
    assert pairs(begun.rounds[0].pairings) == [(11, 21), (12, 22), (13, 23)]


def test_a_match_goes_to_the_team_with_more_game_points() -> None:
    half = after(BEGUN, ResultEntered(1, 1, WON))
    assert match_view(half).rounds[0].results == {}
    assert match_score(half, half.rounds[0], Pairing(1, 1, 3)) == (Points(1), Points(0), (2,))
    over = after(half, ResultEntered(1, 2, DRAWN), ResultEntered(1, 3, LOST), ResultEntered(1, 4, LOST))
    assert match_view(over).rounds[0].results == {1: (GameResult.FIRST_WON,), 2: (GameResult.DRAWN,)}
    assert game_view(over).rounds[0].results == {
        1: (GameResult.FIRST_WON, GameResult.DRAWN),
        2: (GameResult.SECOND_WON, GameResult.FIRST_WON),
    }
    assert team_view(over) == match_view(over)
    first_by_games = replace(book_of(over), play=TeamPlay(2, games_first=True))
    assert team_view(replace(over, teams=first_by_games)) == game_view(replace(over, teams=first_by_games))


@pytest.mark.parametrize(
    ("games", "ended"),
    [
        ("1-0 0-1", GameResult.DRAWN),
        ("1-0 1-0", GameResult.FIRST_WON),
        ("0-1 =", GameResult.SECOND_WON),
        ("0-0 0-0", GameResult.BOTH_LOST),
        ("0-0 -/-", GameResult.BOTH_LOST),
        ("-/- -/-", GameResult.DOUBLE_FORFEIT),
        ("+/- -/-", GameResult.FIRST_BY_FORFEIT),
        ("-/+ -/+", GameResult.SECOND_BY_FORFEIT),
        ("+/- -/+", GameResult.DRAWN),
        ("+/- 0-1", GameResult.DRAWN),
        ("+/- +/- -/+", GameResult.FIRST_WON),
        ("-/+ -/+ +/-", GameResult.SECOND_WON),
    ],
)
def test_how_a_match_ends_follows_from_its_games(games: str, ended: GameResult) -> None:
    assert outcome(Scoring(), parse_result(games)) is ended


def test_where_a_loss_brings_points_a_forfeit_brings_none() -> None:
    # By the number of wins this would be a draw: one was won at the board, one by forfeit.
    three = Scoring(Points(3), Points(2), Points(1), Points(3))
    assert outcome(three, parse_result("1-0 -/+")) is GameResult.SECOND_WON


def test_where_both_teams_have_won_boards_by_forfeit_both_came() -> None:
    begun = after(gathered(2, 3), RoundPublished(1, at_boards([(1, 2)])))
    forfeited = told(begun, lambda pairing: "+/-" if pairing.board == 3 else "-/+")
    assert game_view(forfeited).rounds[0].results[1] == parse_result("0-1 1-0 1-0")
    with_loss = replace(forfeited.settings, scoring=Scoring(Points(3), Points(2), Points(1), Points(3)))
    assert game_view(replace(forfeited, settings=with_loss)).rounds[0].results[1] == parse_result("-/+ +/- +/-")


def test_two_games_at_a_board_both_count_for_the_match() -> None:
    begun = after(gathered(4, games=2), RoundPublished(1, at_boards([(1, 3), (4, 2)])))
    refused(begun, ResultEntered(1, 1, WON), "2 games")
    # 11 wins a game and loses one, 12 wins one and draws one: the first in a pairing is first in both games.
    begun = after(begun, ResultEntered(1, 1, parse_result("1-0 0-1")))
    assert match_score(begun, begun.rounds[0], Pairing(1, 1, 3)) == (Points(1), Points(1), (2,))
    begun = after(begun, ResultEntered(1, 2, parse_result("0-1 ½-½")))
    match = Pairing(1, 1, 3)
    assert match_score(begun, begun.rounds[0], match) == (Points("2.5"), Points("1.5"), ())
    assert match_boards(begun, begun.rounds[0], match) == ((*WON, *LOST), (*WON, *DRAWN))
    assert match_games(begun, begun.rounds[0], match) == (*WON, *LOST, *WON, *DRAWN)
    turn = histories(match_view(begun))[1][0]
    assert (turn.points, histories(game_view(begun))[1][0].points) == (Points(2), Points("2.5"))
    assert begun.waiting == (3, 4)
    # The other match: 41 comes to neither game, 42 wins and loses.
    begun = after(begun, ResultEntered(1, 3, parse_result("-/+ -/+")), ResultEntered(1, 4, parse_result("1-0 0-1")))
    assert {team: turns[0].points for team, turns in histories(game_view(begun)).items()} == {
        1: Points("2.5"),
        2: 3,
        3: Points("1.5"),
        4: 1,
    }
    # The rating report counts every game that was played.
    assert {one.number: one.games for one in rating_report(begun) if one.number in {11, 12, 22, 41}} == {
        11: 2,
        12: 2,
        22: 2,
    }


def test_who_sits_alone_wins_both_games_and_a_bye_is_worth_both() -> None:
    begun = after(gathered(3, games=2), LineupTold(3, 1, (31, 0)), RoundPublished(1, at_boards([(1, 3), (2, None)])))
    begun = after(begun, ResultEntered(1, 1, parse_result("0-1 0-1")))
    assert {team: turns[0].points for team, turns in histories(game_view(begun)).items()} == {1: 2, 2: 2, 3: 2}
    assert {team: turns[0].points for team, turns in histories(match_view(begun)).items()} == {1: 1, 2: 1, 3: 1}
    both_away = after(
        gathered(2, games=2),
        LineupTold(1, 1, (11, 0)),
        LineupTold(2, 1, (21, 0)),
        RoundPublished(1, at_boards([(1, 2)])),
    )
    both_away = after(both_away, ResultEntered(1, 1, parse_result("1-0 1-0")))
    assert match_games(both_away, both_away.rounds[0], Pairing(1, 1, 2)) == (
        *WON * 2,
        *(GameResult.DOUBLE_FORFEIT,) * 2,
    )


def test_teams_of_one_round_robin_meet_each_other_once_by_the_table() -> None:
    league = gathered(3, system=System.ROUND_ROBIN)
    met = []
    for _ in range(3):
        league = told(published(league), lambda _: "1-0")
        met += matches(league)
    assert {frozenset(each) for each in met} == {frozenset(each) for each in [(1, 2), (1, 3), (2, 3)]}
    with pytest.raises(TournamentError, match="Club evening has had its 3 rounds"):
        pair(league)


def test_the_odd_team_out_of_a_swiss_has_a_bye_worth_a_drawn_match() -> None:
    swiss = told(published(gathered(3)), lambda _: "1-0")
    assert matches(swiss)[-1] == (3, None)
    assert [turn.points for turn in rounds_of(match_view(swiss), 3)] == [Points(1)]
    assert [turn.points for turn in rounds_of(game_view(swiss), 3)] == [Points(1)]
    # Nobody has two of them, and nobody meets the same team twice: the validator of single entrants sees to it.
    again = told(published(swiss), lambda _: "1-0")
    assert matches(again)[-1][1] is None
    assert matches(again)[-1][0] != 3
    refused(again, RoundPublished(3, at_boards([(1, 2), (3, None)])), "3 East has already won a round without playing")


def rounds_of(tournament: Tournament, number: int) -> History:
    return histories(tournament)[number]


def test_the_next_round_waits_for_boards_and_not_for_matches() -> None:
    refused(BEGUN, RoundPublished(2, at_boards([(1, 2), (3, 4)])), "round 1 has no result yet at board 1, 2, 3, 4")
    with pytest.raises(TournamentError, match="at board 1, 2, 3, 4"):
        pair(BEGUN)


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        ((12, 11), "11 North 1 comes before 12 North 2 in the roster of 1 North: name 11 North 1 before 12 North 2"),
        ((13, 12), "12 North 2 comes before 13 North 3 in the roster of 1 North"),
        ((11, 21), "21 South 1 is not in the roster of 1 North: add them to it, or name another player"),
        ((11, 11), "11 North 1 is in the line-up of 1 North twice"),
        ((11,), "1 North plays at 2 boards, but 1 was named"),
        ((11, 99), "there is no entrant 99"),
    ],
)
def test_a_line_up_keeps_to_the_roster_and_its_order(players: tuple[int, ...], sentence: str) -> None:
    refused(FOUR, LineupTold(1, 1, players), sentence)
    refused(BEGUN, LineupTold(1, 1, players), sentence)


def test_a_substitute_moves_everybody_behind_up() -> None:
    lined = after(FOUR, LineupTold(1, 1, (12, 13)), LineupTold(3, 1, (31, 0)))
    assert lineup_of(lined, 1, 1) == (12, 13)
    assert lineup_of(lined, 1, 2) == (11, 12)
    begun = after(lined, RoundPublished(1, at_boards([(1, 3), (4, 2)])))
    assert begun.rounds[0].pairings[:2] == (Pairing(1, 12, 31), Pairing(2, 13))
    # The board that stays empty is won by forfeit, and nobody waits for it.
    assert match_games(
        after(begun, ResultEntered(1, 1, LOST)), after(begun, ResultEntered(1, 1, LOST)).rounds[0], Pairing(1, 1, 3)
    ) == (GameResult.SECOND_WON, GameResult.FIRST_BY_FORFEIT)
    refused(begun, ResultEntered(1, 2, WON), "round 1, board 2 is the bye of 13 ")


def test_a_board_that_both_leave_empty_is_nobodys() -> None:
    lined = after(FOUR, LineupTold(1, 1, (12, 0)), LineupTold(3, 1, (31, 0)))
    begun = after(lined, RoundPublished(1, at_boards([(1, 3), (4, 2)])), ResultEntered(1, 1, WON))
    assert [pairing.board for pairing in begun.rounds[0].pairings] == [1, 3, 4]
    assert match_view(begun).rounds[0].results == {1: (GameResult.FIRST_WON,)}


def test_a_board_may_be_empty_at_the_other_team_too() -> None:
    begun = after(FOUR, LineupTold(1, 1, (0, 12)), RoundPublished(1, at_boards([(1, 3), (4, 2)])))
    assert begun.rounds[0].pairings[:2] == (Pairing(1, 31), Pairing(2, 32, 12))
    ended = after(begun, ResultEntered(1, 2, LOST))
    assert game_view(ended).rounds[0].results[1] == (GameResult.SECOND_BY_FORFEIT, GameResult.FIRST_WON)


def test_a_player_may_be_replaced_while_their_board_has_no_result() -> None:
    replaced = after(BEGUN, ResultEntered(1, 1, WON), LineupTold(1, 1, (11, 13)))
    assert replaced.rounds[0].pairings[:2] == (Pairing(1, 11, 31), Pairing(2, 32, 13))
    assert replaced.rounds[0].results == {1: WON}
    refused(replaced, LineupTold(1, 1, (12, 13)), "11 and 31 have a result at board 1")
    assert after(replaced, LineupTold(1, 1, ())).rounds == after(BEGUN, ResultEntered(1, 1, WON)).rounds


@pytest.mark.parametrize("in_round", [1, 4])
def test_a_line_up_is_for_the_round_being_played_or_one_to_come(in_round: int) -> None:
    second = published(told(BEGUN, lambda _: "1-0"))
    refused(second, LineupTold(1, in_round, (11, 12)), f"not for round {in_round}")
    assert lineup_of(after(second, LineupTold(1, 3, (12, 13))), 1, 3) == (12, 13)


def test_who_has_left_or_comes_later_is_in_no_line_up() -> None:
    late = (EntrantRegistered(14, "Late", since=2), TeamTold(1, "North", (11, 12, 13, 14)))
    left = after(FOUR, EntrantWithdrew(11, 1), *late)
    assert lineup_of(left, 1, 1) == (12, 13)
    refused(left, LineupTold(1, 1, (11, 12)), "11 North 1 of 1 North does not play in round 1")
    refused(left, LineupTold(1, 1, (12, 14)), "14 Late of 1 North does not play in round 1")
    # A player who leaves after the line-up was told must be replaced before the round can begin.
    told_before = after(FOUR, LineupTold(1, 1, (11, 12)), EntrantWithdrew(11, 1))
    refused(told_before, RoundPublished(1, pair(told_before)), "11 North 1 of 1 North does not play in round 1")


def test_a_team_that_cannot_fill_its_boards_leaves_the_last_ones_empty() -> None:
    few = after(FOUR, EntrantWithdrew(11, 1), EntrantWithdrew(13, 1))
    assert lineup_of(few, 1, 1) == (12, 0)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TeamTold(5, "North", (15,)), "there is no entrant 15"),
        (TeamTold(5, "North", (11,)), "11 North 1 is in the roster of 1 North: nobody plays for two teams"),
        (TeamTold(1, "North", (11, 12, 11)), "11 North 1 is in the roster of North twice"),
        (TeamTold(1, "North", ()), "North needs at least one player in its roster"),
        (TeamTold(1, "South", (11, 12)), "South is team 2 already"),
        (TeamTold(1, " ", (11, 12)), "needs a name"),
        (TeamWithdrew(9, 1), "there is no entrant 9"),
        (LineupTold(9, 1, (11, 12)), "there is no entrant 9"),
        (PairingProhibited(1, 1), "1 North cannot be kept apart from themselves"),
        (TeamPlayTold(TeamPlay(2, board_bye=Points(2))), "a bye cannot be worth 2 points a game"),
    ],
)
def test_what_a_team_cannot_be(event: Event, sentence: str) -> None:
    refused(FOUR, event, sentence)


def test_the_roster_is_fixed_once_a_round_is_published_but_for_substitutes_at_its_end() -> None:
    changed = after(FOUR, TeamTold(1, "North", (12, 11), "Ada"))
    assert [changed.entrants[one].team for one in (11, 12, 13)] == ["North", "North", ""]
    assert lineup_of(changed, 1, 1) == (12, 11)
    late = after(BEGUN, EntrantRegistered(19, "Late", since=2))
    refused(late, TeamTold(1, "North", (12, 11, 13)), "the roster of North is fixed since round 1 was published")
    refused(late, TeamTold(1, "North", (11, 12)), "the roster of North is fixed")
    joined = after(late, TeamTold(1, "The North", (11, 12, 13, 19)))
    assert joined.entrants[19].team == joined.entrants[11].team == "The North"
    assert as_shown(joined).label_of(1) == "1 The North"


def test_the_team_of_an_entrant_is_the_one_whose_roster_they_are_in() -> None:
    corrected = after(FOUR, EntrantRegistered(50, "Solo"), EntrantCorrected(11, "Ada", 2100, "West"))
    assert corrected.entrants[11].team == "North"
    assert after(corrected, EntrantCorrected(50, "Solo", 1, "Club")).entrants[50].team == "Club"


def test_teams_come_and_go_as_single_entrants_do() -> None:
    left = after(FOUR, TeamWithdrew(4, 1))
    assert team_view(left).players(1) == (1, 2, 3)
    assert after(left, TeamReturned(4)) == FOUR
    absent = after(FOUR, ByeGranted(4, 1, Bye.HALF))
    assert matches(published(absent))[-1][1] is None
    apart = after(FOUR, PairingProhibited(1, 3))
    refused(apart, RoundPublished(1, at_boards([(1, 3), (4, 2)])), "1 North and 3 East are kept apart")


def test_a_team_that_leaves_a_league_forfeits_its_boards() -> None:
    league = played(gathered(4, system=System.ROUND_ROBIN), [(1, 4, "11"), (2, 3, "11")], [(4, 3, "11"), (1, 2, "11")])
    gone = published(after(league, TeamWithdrew(1, 3)))
    alone = [pairing for pairing in gone.rounds[-1].pairings if pairing.second is None]
    assert [pairing.first // 10 for pairing in alone] == [3, 3]
    met = next(match for match in book_of(gone).matches.rounds[-1].pairings if 1 in match.entrants)
    ours = (GameResult.FIRST_BY_FORFEIT,) if met.first == 3 else (GameResult.SECOND_BY_FORFEIT,)
    assert match_view(gone).rounds[-1].results[met.board] == ours


def test_matches_are_changed_by_hand_and_their_boards_follow() -> None:
    begun = after(BEGUN, ResultEntered(1, 3, WON))
    refused(begun, RoundChanged(1, at_boards([(1, 4), (3, 2)]), "swap"), "41 and 21 have a result at board 3")
    swapped = after(BEGUN, RoundChanged(1, at_boards([(1, 4), (3, 2)]), "swap"))
    assert swapped.rounds[0].pairings[:2] == (Pairing(1, 11, 41), Pairing(2, 42, 12))
    assert swapped.corrections[-1].reason == "swap"


def test_a_round_of_teams_is_revoked_with_its_matches() -> None:
    revoked = after(BEGUN, RoundRevoked(1, "again"))
    assert (revoked.rounds, book_of(revoked).matches.rounds) == ((), ())
    refused(
        after(BEGUN, ResultEntered(1, 1, WON)), RoundRevoked(1, "again"), "round 1 cannot be revoked: it has results"
    )


def test_a_result_at_a_board_is_corrected_and_the_match_with_it() -> None:
    over = told(BEGUN, lambda _: "1-0")
    assert match_view(over).rounds[0].results[1] == (GameResult.DRAWN,)
    corrected = after(over, ResultCorrected(1, 2, LOST, "slip"))
    assert match_view(corrected).rounds[0].results[1] == (GameResult.FIRST_WON,)


@pytest.mark.parametrize(
    ("system", "others", "play", "sentence"),
    [
        (System.KEIZER, {}, TeamPlay(2), "teams cannot play a keizer like that"),
        (System.MCMAHON, {}, TeamPlay(2), "teams do not play McMahon"),
        (System.SWISS, {}, TeamPlay(2, scheveningen=True), "teams cannot play a swiss like that"),
        (System.SWISS, {"games": 2, "match_score": True}, TeamPlay(2), "teams count every game at a board"),
    ],
)
def test_how_teams_may_play(system: System, others: dict[str, object], play: TeamPlay, sentence: str) -> None:
    refused(_evening.gathered(4, settings(system, 3, **others)), TeamPlayTold(play), sentence)


def test_how_teams_play_is_settled_before_the_first_round() -> None:
    assert book_of(after(FOUR, TeamPlayTold(TeamPlay(3)))).rosters == book_of(FOUR).rosters
    refused(BEGUN, TeamPlayTold(TeamPlay(3)), "Club evening has begun")


@pytest.mark.parametrize("event", [TeamTold(1, "A", (1,)), TeamWithdrew(1, 1), TeamReturned(1), LineupTold(1, 1, ())])
def test_where_nobody_plays_in_teams_there_are_none(event: Event) -> None:
    single = _evening.gathered(4, settings())
    refused(single, event, "no teams play in Club evening")
    assert as_shown(single) is single
    assert source_of(single) is None
    with pytest.raises(TournamentError, match="no teams play in Club evening"):
        book_of(single)


@pytest.mark.parametrize("boards", [0, 15])
def test_a_match_has_a_number_of_boards_that_a_report_file_can_hold(boards: int) -> None:
    with pytest.raises(TournamentError, match=f"a match has 1 to 14 boards, not {boards}"):
        TeamPlay(boards)


def test_a_bye_takes_no_points_from_a_board() -> None:
    with pytest.raises(TournamentError, match="a bye cannot be worth -1 points a game"):
        TeamPlay(2, board_bye=Points(-1))


@pytest.mark.parametrize("boards", [1, 2, 3, 4, 5, 6, 8])
def test_in_scheveningen_everybody_meets_everybody_and_sides_are_even(boards: int) -> None:
    both = gathered(2, boards, System.ROUND_ROBIN, 2 * boards, scheveningen=True)
    met: list[tuple[int, int]] = []
    for number in range(1, 2 * boards + 1):
        both = told(published(both), lambda _: "1-0")
        assert len(both.rounds[-1].pairings) == boards
        ours = sum(pairing.first < 20 for pairing in both.rounds[-1].pairings)
        assert abs(2 * ours - boards) <= 2
        met += [(pairing.first, pairing.second or 0) for pairing in both.rounds[-1].pairings]
        if number == boards:
            assert len({frozenset(two) for two in met}) == boards**2
            firsts = [sum(one == first for first, _ in met) for one in both.entrants if one % 10 <= boards and one % 10]
            assert max(firsts) - min(firsts) <= boards % 2
    # The second time round sides change.
    assert {(second, first) for first, second in met[: boards**2]} == set(met[boards**2 :])


def test_scheveningen_needs_two_teams_and_ranks_by_game_points() -> None:
    with pytest.raises(NoPairingError, match="a Scheveningen match has two teams, not 3"):
        pair(gathered(3, system=System.ROUND_ROBIN, scheveningen=True))
    two = gathered(2, 2, System.ROUND_ROBIN, 2, scheveningen=True)
    assert team_view(two) == game_view(two)


def test_teams_are_made_of_the_entrants_who_name_one() -> None:
    named = [EntrantRegistered(50, "A", team="Lake"), EntrantRegistered(51, "B", team="Hill")]
    four = after(FOUR, *named, EntrantRegistered(52, "C", team="Lake"), EntrantRegistered(53, "D"))
    assert list(named_teams(four)) == [TeamTold(5, "Lake", (50, 52)), TeamTold(6, "Hill", (51,))]


def test_the_people_of_a_tournament_without_teams_are_its_entrants() -> None:
    single = _evening.gathered(4, settings())
    assert as_people(single) is single
    assert as_people(FOUR).teams is None


def test_the_strength_of_a_team_is_the_average_of_its_first_boards() -> None:
    assert team_view(FOUR).entrants[1].rating == 1989
    unrated = fold([*opening(1), EntrantCorrected(11, "A"), EntrantCorrected(12, "B")])
    assert team_view(unrated).entrants[1].rating is None


def check_in(*numbers: int, since: int = 1) -> list[Event]:
    return [EntrantCheckedIn(number, since) for number in numbers]


def asked(tournament: Tournament) -> Tournament:
    was = tournament.settings
    return after(tournament, SettingsChanged(was, replace(was, check_in=True), "club"))


def test_a_team_is_there_once_one_of_its_players_is() -> None:
    door = asked(FOUR)
    with pytest.raises(NoPairingError, match="or check in those who are"):
        pair(door)
    three = after(door, *check_in(11, 12, 21, 22, 32, 33))
    assert {team for match in pair(three) for team in match.entrants} == {1, 2, 3}
    # A player who is missing is in no line-up, so the substitute plays.
    assert lineup_of(three, 3, 1) == (32, 33)
    refused(three, LineupTold(3, 1, (31, 32)), "31 East 1")
    first = told(published(three), lambda _: "1-0")
    late = after(first, *check_in(41, 43, since=2))
    assert {team for match in pair(late) for team in match.entrants} == {1, 2, 3, 4}
    assert lineup_of(late, 4, 2) == (41, 43)
    assert book_of(late).matches.checked_in == {}


def test_a_league_waits_for_teams_and_not_for_every_player() -> None:
    league = asked(gathered(4, system=System.ROUND_ROBIN))
    here = after(league, *check_in(11, 21, 31))
    with pytest.raises(TournamentError, match="check in or withdraw 4 West"):
        published(here)
    assert len(published(after(here, *check_in(42))).rounds) == 1
