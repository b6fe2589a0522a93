"""Competitions of teams in report files: what is written comes back, and what contradicts itself is refused."""

import re
from dataclasses import replace

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    Event,
    HeadingTold,
    LineupTold,
    PairingProhibited,
    PersonTold,
    RoundPublished,
    TeamPlayTold,
    TeamTold,
    TeamWithdrew,
    TournamentOpened,
)
from gnomon.tournament.formats.trf import TrfEdition, TrfError, by_seeds, read_trf, write_trf
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.results import Points, parse_result
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import Bye, Scoring, System, TournamentSettings
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of, match_view, team_view
from tests.tournament._evening import after
from tests.tournament._teams import gathered, matches, opening, published, told
from tests.tournament._trf_files import player
from tests.tournament.test_team_tie_breaks import exercise


def any_result(pairing: Pairing) -> str:
    return ("1-0", "=", "0-1", "+/-")[(pairing.first * 7 + pairing.board) % 4]


def ranking(tournament: Tournament) -> list[tuple[object, ...]]:
    return [tuple(one) for one in standings(team_view(tournament))]


def comes_back(tournament: Tournament) -> Tournament:
    """The tournament that a file tells of another: the same boards, results and standings."""
    kept, _ = by_seeds(tournament)
    read = read_trf(write_trf(tournament).text).tournament
    assert read.rounds == kept.rounds
    assert match_view(read).rounds == match_view(kept).rounds
    assert book_of(read).play == book_of(kept).play
    assert book_of(read).rosters == book_of(kept).rosters
    assert ranking(read) == ranking(kept)
    return read


@pytest.mark.parametrize(
    ("teams", "boards", "system", "play"),
    [
        (4, 2, System.SWISS, {}),
        (5, 3, System.SWISS, {}),
        (5, 4, System.SWISS, {"games_first": True}),
        (4, 1, System.SWISS, {"alternate": True}),
        (4, 3, System.SWISS, {"alternate": False}),
        (5, 2, System.SWISS, {"scoring": Scoring(Points(3), Points(1), Points(0), Points(3)), "board_bye": Points(1)}),
        (4, 2, System.ROUND_ROBIN, {}),
        (5, 3, System.ROUND_ROBIN, {}),
        (2, 3, System.ROUND_ROBIN, {"scheveningen": True, "games_first": True}),
        (2, 4, System.ROUND_ROBIN, {"scheveningen": True, "games_first": True}),
    ],
)
def test_a_competition_of_teams_comes_back(teams: int, boards: int, system: System, play: dict[str, object]) -> None:
    competition = gathered(teams, boards, system, 3, tie_breaks=("MPVGP", "EDE", "BERLIN", "BHC1:MP", "BH:GP"), **play)
    for _ in range(3):
        competition = told(published(competition), any_result)
    assert comes_back(competition).settings == competition.settings
    lost = [str(remark) for remark in write_trf(competition).left_out]
    assert [each for each in lost if "numbered" not in each] == []


def test_fides_exercise_comes_back_with_its_byes_and_its_forfeited_match() -> None:
    competition = exercise("FIDE_2026", "MPVGP", "EMGSB")
    text = write_trf(competition).text
    assert "\r\n192 CUSTOM_TEAM_SWISS_MP\r\n352 WBWB\r\n362 TW 2.0   TD 1.0   TL 0.0\r\n202 MPvGP,EMGSB\r\n" in text
    assert "\r\n240 H 005   14\r\n240 Z 007    7\r\n" in text
    assert "\r\n320  1.0  2.0 000 000 000 000 012 000 014\r\n330 -+ 006   6   1\r\n" in text
    assert re.search(r"\r\n310   1 North {36}1988   10\.0   17\.5   2   ", text)
    # The page numbers matches otherwise than Gnomon would, which goes by points.
    kept, _ = by_seeds(competition)
    assert ranking(read_trf(text).tournament) == ranking(kept)
    assert "the matches and byes of teams" in " ".join(map(str, write_trf(competition).left_out))


def test_line_ups_out_of_order_and_empty_boards_are_written_where_they_are_not_the_rosters() -> None:
    lined = after(gathered(4), LineupTold(1, 1, (12, 13)), LineupTold(3, 1, (0, 32)), LineupTold(2, 1, (21, 0)))
    begun = told(published(lined), any_result)
    text = write_trf(begun).text
    orders = [line for line in text.splitlines() if line.startswith("300")]
    assert len(orders) == 3
    assert sum("0000" in line for line in orders) == 2
    assert any(pairing.second is None for pairing in comes_back(begun).rounds[0].pairings)


def test_a_team_that_leaves_a_league_is_told_by_its_forfeits() -> None:
    league = told(published(gathered(4, system=System.ROUND_ROBIN)), any_result)
    gone = told(published(after(league, TeamWithdrew(1, 2))), any_result)
    text = write_trf(gone).text
    assert len(re.findall(r"^330 (?:\+-|-\+) 002 ", text, re.MULTILINE)) == 1
    read = read_trf(text).tournament
    assert read.rounds == by_seeds(gone)[0].rounds
    assert any("1 North has left from round 2 on" in str(remark) for remark in write_trf(gone).left_out)


def test_teams_that_are_away_come_late_or_leave_are_told_by_their_byes() -> None:
    swiss = after(gathered(6), ByeGranted(1, 1, Bye.FULL), ByeGranted(2, 2, Bye.HALF), PairingProhibited(3, 4))
    once = told(published(swiss), any_result)
    coming = after(once, TeamWithdrew(5, 2), ByeGranted(3, 3, Bye.HALF))
    read = comes_back(coming)
    assert book_of(read).matches.withdrawn == {5: 2}
    assert book_of(read).matches.byes == {(1, 1): Bye.FULL, (2, 2): Bye.HALF, (3, 3): Bye.HALF}
    assert book_of(read).matches.prohibited == frozenset({frozenset({3, 4})})
    late = after(once, EntrantRegistered(90, "Late", since=2), TeamTold(7, "Late", (90,), since=2))
    assert match_view(read_trf(write_trf(late).text).tournament).byes[7, 1] is Bye.ZERO
    met = next(pair for pair in matches(once) if pair[1] is not None)
    apart = after(once, PairingProhibited(*met))  # type: ignore[arg-type]  # two teams, see above
    assert frozenset(met) in book_of(read_trf(write_trf(apart).text).tournament).matches.prohibited
    over = told(published(told(published(after(coming, TeamWithdrew(1, 2))), any_result)), any_result)
    assert book_of(read_trf(write_trf(over).text).tournament).matches.withdrawn == {}


def test_teams_that_met_last_are_kept_apart_in_no_line() -> None:
    swiss = told(published(gathered(4, rounds=1)), any_result)
    met = sorted(one for one in matches(swiss)[0] if one is not None)
    assert "\n260" not in write_trf(after(swiss, PairingProhibited(met[0], met[1]))).text


def test_the_heading_people_and_games_still_to_be_played_come_back() -> None:
    competition = told(published(gathered(4)), any_result)
    known = after(competition, HeadingTold(Heading(city="Ely")), PersonTold(11, PersonalData(title="FM")))
    read = comes_back(known)
    assert (read.heading.city, read.person(1).title) == ("Ely", "FM")
    waiting = read_trf(cup().replace("3 w 1", "3 w  ").replace("1 b 0", "1 b  ")).tournament
    assert waiting.waiting == (1,)


def test_prohibitions_end_where_their_lines_say() -> None:
    swiss = told(published(after(gathered(4), PairingProhibited(1, 2))), any_result)
    text = write_trf(swiss).text.replace("260 001 003", "260 001 001")
    assert book_of(read_trf(text).tournament).matches.prohibited == frozenset()


def test_what_a_file_does_not_tell_of_teams_is_said() -> None:
    competition = after(
        gathered(4),
        TeamTold(1, "North", (11, 12, 13), "Ada"),
        LineupTold(1, 2, (12, 13)),
    )
    lost = " ".join(map(str, write_trf(told(published(competition), any_result)).left_out))
    assert "who leads the teams (1)" in lost
    assert "line-ups for rounds to come (1)" in lost
    older = " ".join(map(str, write_trf(told(published(gathered(5)), any_result), TrfEdition.TRF16).left_out))
    assert "the matches and byes of teams, in round 1" in older
    gap: list[Event] = [EntrantRegistered(90, "Late"), TeamTold(9, "Ninth", (90,))]
    other = after(gathered(4, board_bye=Points(1)), *gap)
    older = " ".join(map(str, write_trf(told(published(other), any_result), TrfEdition.TRF16).left_out))
    assert "how teams play: boards, match points, byes or sides" in older
    assert "the roster of 9 Ninth" in older
    single = after(gathered(0), *(EntrantRegistered(one, f"P{one}") for one in (1, 2)))
    single = after(single, HeadingTold(Heading(kind="Individual")))
    assert "that teams play teams" in " ".join(map(str, write_trf(single, TrfEdition.TRF16).left_out))


def test_a_roster_of_more_than_a_line_holds_is_refused() -> None:
    many = [EntrantRegistered(100 + number, f"P{number}") for number in range(13)]
    long = fold([*opening(2), *many, TeamTold(1, "North", (11, 12, 13, *(one.number for one in many)))])
    with pytest.raises(TrfError, match="1 North: a report file holds 14 players of a team"):
        write_trf(long)


def test_two_games_at_a_board_have_no_lines_for_teams() -> None:
    with pytest.raises(TrfError, match="two games at a board cannot stand in one"):
        write_trf(gathered(2, games=2), TrfEdition.TRF26)


def test_a_round_being_played_is_not_written() -> None:
    begun = published(told(published(gathered(4)), any_result))
    assert len(read_trf(write_trf(begun).text).tournament.rounds) == 1


# Files of others

CUP = """\
012 Cup
142 1
162  W 3.0    D 1.0    L 0.0
192 {code}
202 {breaks}
001    1      A1                                2000                             0.0    1     3 w 1
001    2      A2                                1990                             0.0    1     4 b =
001    3      B1                                1980                             0.0    1     1 b 0
001    4      B2                                1970                             0.0    1     2 w =
310   1 A                                {points}   1    2
310   2 B                                                                  3    4
"""


def cup(code: str = "FIDE_TEAM_TYPEA_MP_GP", breaks: str = "MPvGP", points: str = " " * 32) -> str:
    return CUP.format(code=code, breaks=breaks, points=points)


@pytest.mark.parametrize(
    ("code", "system", "cycles", "games_first"),
    [
        ("FIDE_TEAM", System.SWISS, 1, False),
        ("FIDE_TEAM_TYPEB_GP_MP", System.SWISS, 1, True),
        ("FIDE_TEAM_GP", System.SWISS, 1, True),
        ("CUSTOM_TEAM_SWISS", System.SWISS, 1, False),
        ("FIDE_TEAM_ROUNDROBIN", System.ROUND_ROBIN, 1, False),
        ("BERGER_TEAM_DOUBLEROUNDROBIN", System.ROUND_ROBIN, 2, False),
    ],
)
def test_the_codes_of_competitions_of_teams(code: str, system: System, cycles: int, *, games_first: bool) -> None:
    found = read_trf(cup(code))
    settings = found.tournament.settings
    assert (settings.system, settings.cycles, book_of(found.tournament).play.games_first) == (
        system,
        cycles,
        games_first,
    )
    assert any("becomes" in str(remark) or code in str(remark) for remark in found.left_out)


def test_accelerated_teams_stay_so() -> None:
    assert read_trf(cup("FIDE_TEAM_TYPEA_MP_BAKU")).tournament.settings.accelerated


def test_a_file_without_a_code_says_in_words_what_it_is() -> None:
    words = cup().replace("192 FIDE_TEAM_TYPEA_MP_GP\n", "092 Team: Double Round-Robin\n")
    settings = read_trf(words).tournament.settings
    assert (settings.system, settings.cycles) == (System.ROUND_ROBIN, 2)
    swiss = read_trf(words.replace("Double Round-Robin", "Swiss-System")).tournament
    assert (swiss.settings.system, swiss.heading.kind) == (System.SWISS, "")


def test_what_is_not_told_is_taken_from_the_boards() -> None:
    found = read_trf(cup()).tournament
    assert book_of(found).play == TeamPlay(2)
    assert found.rounds[0].results == {1: parse_result("1-0"), 2: parse_result("=")}
    assert read_trf(cup().replace("192 FIDE_TEAM_TYPEA_MP_GP\n", "352 WB\n")).tournament.rounds == found.rounds
    older = re.sub(r"^310 {3}\d (A|B) +(\d +\d)$", lambda m: f"013 {m[1]:32}   {m[2]}", cup(), flags=re.MULTILINE)
    assert "\n013 B" in older
    assert read_trf(older).tournament.rounds == found.rounds


def test_the_tie_breaks_of_teams_have_codes() -> None:
    found = read_trf(cup(breaks="MPvGP,EDET/P,EMGSB,BH:MP/C1,BH/M1,OTHER_BERLIN,OTHER_SHOE"))
    assert found.tournament.settings.tie_breaks == ("MPVGP", "EMGSB", "BHC1:MP", "BHM1", "BERLIN")
    remarks = " ".join(map(str, found.left_out))
    assert "EDET/P" in remarks
    assert "OTHER_SHOE" in remarks
    assert read_trf(cup().replace("202 MPvGP\n", "212 PTS\n")).tournament.settings.tie_breaks == ()
    assert read_trf(cup().replace("202 MPvGP\n", "")).tournament.settings.tie_breaks == ()
    written = read_trf(cup(breaks="SOS,BHC1:GP,GAT")).tournament
    assert "202 OTHER_SOS,BH:GP/C1,OTHER_GAT" in write_trf(written).text


def test_points_that_are_otherwise_counted_are_said() -> None:
    points = "              9.0    9.0   1"
    assert any("9.0" in str(remark) for remark in read_trf(cup(points=points.ljust(32))).left_out)


def test_players_who_sat_alone_have_won_and_the_others_come_later() -> None:
    text = cup().replace("   4 b =", "0000 - +").replace("   2 w =", " " * 8)
    text += "300 001   2   1    3 0000\n"
    found = read_trf(text).tournament
    assert found.rounds[0].pairings == (Pairing(1, 1, 3), Pairing(2, 2))
    assert match_view(found).rounds[0].results[1] == parse_result("1-0")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (cup("FIDE_SCHILLER_TEAM"), "does not hold competitions of teams of the kind FIDE_SCHILLER_TEAM"),
        (cup().replace("310   2 B", "310   1 B"), "line 11: there are two teams 1"),
        (cup() + "300 001   9   1    1    2\n", "line 12: there is no team 9 in the file"),
        (cup() + "300 001   1   2    9    2\n", "line 12: there is no player 9: name one who has a line 001"),
        (cup() + "300 000   1   2    1    2\n", "line 12, column 5: 000 cannot be the round"),
        (cup() + "320  1.0  1.0 009\n", "line 12: there is no team 9 in the file"),
        (cup() + "330 =- 001   1   2\n", "line 12, column 5: =- is not a forfeit of a match"),
        (cup() + "330    001   1   2\n", "line 12, column 5: nothing is not a forfeit of a match"),
        (cup() + "330 +- 001   1   9\n", "line 12: there is no team 9 in the file"),
        (cup() + "240 H 001    9\n", "line 12: there is no team 9 in the file"),
        (cup() + "352 WWB\n", "line 12, column 5: WWB is not an order of sides"),
        (cup() + "352 \n", "line 12, column 5: nothing is not an order of sides"),
        (cup() + "362 XX 2.0\n", "line 12, column 5: no points for matches"),
        (cup() + "362 TW 0.0    TD 1.0\n", "1"),
        (cup() + "352 " + "WB" * 8 + "\n", "a match has 1 to 14 boards, not 16"),
        (cup() + "352 WW\n", "round 1: by their line-ups"),
        (cup() + "352 W\n", "plays at 1 boards"),
        (cup().replace("3    4\n", "3\n"), "4 and 2 meet, but they do not play for two teams"),
        (cup() + "300 001   1   2    1 0000\n300 001   2   1    3 0000\n", "4 and 2 meet at no board of the match"),
        (cup() + "300 001   1   2    2    1\n", "comes before"),
    ],
)
def test_what_contradicts_itself_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        read_trf(text)


def test_the_bye_of_a_team_may_be_written_by_others() -> None:
    text = cup() + "001    5      C1\n310   3 C                                                                  5\n"
    found = read_trf(text + "320  2.0  1.0 003\n").tournament
    assert book_of(found).play.scoring.bye == 2
    assert book_of(found).play.board_bye == Points(1, 2)
    assert (3, None) in matches(found)
    assert match_view(read_trf(text).tournament).byes == {(3, 1): Bye.ZERO}


def test_members_who_are_not_lined_up_may_have_byes_of_their_own() -> None:
    text = cup() + player(5, "0000 - Z")
    text = text.replace("    1    2\n", "    1    5    2\n")
    assert text.count("0000 - Z") == 1
    found = read_trf(text).tournament
    assert book_of(found).rosters[1].members == (1, 5, 2)
    assert found.rounds[0].pairings == (Pairing(1, 1, 3), Pairing(2, 4, 2))


def test_events_of_a_file_can_be_replayed() -> None:
    found = read_trf(write_trf(exercise("FIDE_2026", "MPVGP")).text)
    events: list[Event] = list(found.events)
    assert fold(events) == found.tournament
    assert sum(isinstance(event, RoundPublished) for event in events) == 7
    assert replace(found.tournament) == found.tournament


def accelerated(*, games_first: bool) -> Tournament:
    """Five teams of one, before the first of four rounds that lend points by the Baku rules."""
    settings = TournamentSettings("Teams", System.SWISS, 4, accelerated=True, tie_breaks=())
    people = [EntrantRegistered(number, f"P{number}", 2000 - number) for number in range(1, 6)]
    teams = [TeamTold(number, f"Team {number}", (number,)) for number in range(1, 6)]
    return fold([TournamentOpened(settings), TeamPlayTold(TeamPlay(1, games_first=games_first)), *people, *teams])


@pytest.mark.parametrize(
    ("games_first", "code", "lines"),
    [
        (False, "CUSTOM_TEAM_SWISS_MP_BAKU", ["250  2.0  0.0 001 001    1    4", "250  1.0  0.0 002 002    1    4"]),
        (True, "CUSTOM_TEAM_SWISS_GP_BAKU", ["250       1.0 001 001    1    4", "250       0.5 002 002    1    4"]),
    ],
)
def test_what_baku_lends_to_teams_is_written_and_read(*, games_first: bool, code: str, lines: list[str]) -> None:
    tournament = accelerated(games_first=games_first)
    text = write_trf(tournament).text
    assert [line for line in text.splitlines() if line.startswith(("192", "250"))] == [f"192 {code}", *lines]
    read = read_trf(text)
    assert (read.tournament.settings.accelerated, read.tournament.heading.virtual) == (True, ())
    assert not [each for each in read.left_out if "lent" in str(each)]


def test_other_points_lent_to_teams_are_handed_on() -> None:
    own = write_trf(accelerated(games_first=False)).text
    other = own.replace("250  2.0  0.0 001 001    1    4", "250  1.5      001 002    1    2")
    read = read_trf(other)
    assert str(read.left_out[-1]).startswith("points lent for pairing are only passed on")
    assert "250  1.5  0.0 001 002    1    2" in write_trf(read.tournament).text
