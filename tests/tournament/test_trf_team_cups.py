"""Cups of teams in report files: the bracket comes back, and who goes on from a level match."""

import re
from dataclasses import replace

import pytest

from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import LotDrawn, OrderDecided, TeamWithdrew
from gnomon.tournament.formats.trf import TrfEdition, TrfError, by_seeds, read_trf, write_trf
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of, match_view, team_view, undecided_matches
from tests.tournament._evening import after
from tests.tournament._teams import gathered, matches, opening, played, published, told


def cup(teams: int, rounds: int, boards: int = 4, **play: object) -> Tournament:
    return gathered(teams, boards, System.KNOCKOUT, rounds, **play)


def with_third_place(tournament: Tournament) -> Tournament:
    assert tournament.teams is not None
    settings = replace(tournament.settings, third_place=True)
    book = replace(tournament.teams, matches=replace(tournament.teams.matches, settings=settings))
    return replace(tournament, settings=settings, teams=book)


def stronger(pairing: Pairing) -> str:
    """Every board is won by the stronger team, but for board 2 of each match, which is drawn."""
    if pairing.board % 4 == 2:
        return "="
    return "1-0" if pairing.first < (pairing.second or 0) else "0-1"


def drawn(_: Pairing) -> str:
    return "="


def places(tournament: Tournament) -> list[tuple[int, int]]:
    return [(one.place, one.number) for one in standings(team_view(tournament))]


def lost(tournament: Tournament) -> list[str]:
    return [said for remark in write_trf(tournament).left_out if "numbered" not in (said := str(remark))]


def comes_back(tournament: Tournament) -> Tournament:
    """The cup that a file tells of another: the same boards and matches, and the same teams went on."""
    kept, _ = by_seeds(tournament)
    read = read_trf(write_trf(tournament).text).tournament
    assert read.rounds == kept.rounds
    assert match_view(read).rounds == match_view(kept).rounds
    assert book_of(read).rosters == book_of(kept).rosters
    assert places(read) == places(kept)
    return read


@pytest.mark.parametrize(("teams", "rounds"), [(2, 1), (4, 2), (5, 3), (6, 3), (7, 3), (8, 3)])
def test_a_cup_comes_back_round_by_round(teams: int, rounds: int) -> None:
    played_so_far = cup(teams, rounds)
    for _ in range(rounds):
        played_so_far = told(published(played_so_far), stronger)
        read = comes_back(played_so_far)
        assert (read.settings, book_of(read).play) == (played_so_far.settings, book_of(played_so_far).play)
        assert lost(played_so_far) == []


def test_a_cup_has_a_code_of_its_own_and_its_byes_where_there_is_room() -> None:
    one, many = (told(published(cup(teams, 3)), stronger) for teams in (7, 5))
    text = write_trf(one).text
    assert "\r\n192 CUSTOM_TEAM_KNOCKOUT\r\n" in text
    assert "\r\n092 Team: Knockout\r\n" in text
    assert "\r\n320  1.0  2.0 001\r\n" in text
    assert "\r\n320  1.0  2.0 000\r\n" in write_trf(many).text
    assert read_trf(text.replace("192 CUSTOM_TEAM_KNOCKOUT\r\n", "")).tournament.settings.system is System.KNOCKOUT


def test_a_level_match_is_decided_by_its_boards_again() -> None:
    semifinals = played(cup(4, 2), [(1, 4, "0==1"), (2, 3, "1001")])
    read = comes_back(told(published(semifinals), stronger))
    assert book_of(read).matches.orders == ()
    assert {team for match in book_of(read).matches.rounds[1].pairings for team in match.entrants} == {3, 4}


def test_who_goes_on_by_a_lot_or_a_decision_is_told_by_the_next_round_and_by_the_places() -> None:
    semifinals = after(played(cup(4, 2), [(1, 4, "===="), (2, 3, "====")]), LotDrawn((4, 1)), OrderDecided((3, 2), "?"))
    over = after(told(published(semifinals), drawn), LotDrawn((4, 3)))
    read = comes_back(over)
    assert book_of(read).matches.orders == ((4, 1), (3, 2), (4, 3))
    assert lost(over) == [
        "the file does not have 2 lots, only what they led to",
        "the file does not have 1 order, only what it led to",
        "the file does not have 1 correction, only what it led to",
    ]
    assert comes_back(semifinals).rounds == by_seeds(semifinals)[0].rounds
    decided = after(played(cup(2, 1), [(1, 2, "====")]), OrderDecided((2, 1), "a play-off"))
    assert comes_back(decided).orders == ()
    assert lost(decided) == ["the file does not have 1 correction, only what it led to"]


def test_a_level_match_of_which_nobody_has_decided_stays_so() -> None:
    level = played(cup(4, 2), [(1, 4, "===="), (2, 3, "1111")])
    text = re.sub(r"(?m)^(310 .{64})...", r"\g<1>   ", write_trf(level).text)
    assert [match.board for match in undecided_matches(read_trf(text).tournament)] == [1]
    alike = re.sub(r"(?m)^(310 .{64})...", r"\g<1>  1", write_trf(level).text)
    assert [match.board for match in undecided_matches(read_trf(alike).tournament)] == [1]


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_cup_with_other_rules_for_level_matches_is_decided_by_the_file(rounds: int) -> None:
    # By Berlin 1 and 3 go on; by the first board that a team has won, 4 and 2.
    cup_of_others = played(cup(4, 2, cup_breaks=("TBR",)), [(1, 4, "0110"), (2, 3, "1001")])
    if rounds > 1:
        cup_of_others = played(cup_of_others, [(4, 2, "0110")])
    read = comes_back(cup_of_others)
    assert book_of(read).play.cup_breaks == ()
    assert len(book_of(read).matches.orders) == 2 * rounds - rounds // 2
    assert lost(cup_of_others) == ["how teams play: boards, match points, byes or sides"]


def test_a_match_for_third_place_is_told_when_it_is_played() -> None:
    semifinals = told(published(with_third_place(cup(4, 2))), stronger)
    assert lost(semifinals) == ["the setting third place is on but would be read back as off"]
    over = told(published(semifinals), stronger)
    assert comes_back(over).settings.third_place
    assert lost(over) == []


def test_losers_of_level_semifinals_play_for_third_place() -> None:
    semifinals = after(
        told(published(with_third_place(cup(4, 2))), drawn), OrderDecided((4, 1), "?"), OrderDecided((2, 3), "?")
    )
    over = told(published(semifinals), stronger)
    read = comes_back(over)
    assert {frozenset(match) for match in matches(read)} == {frozenset({2, 4}), frozenset({1, 3})}


def test_a_team_that_leaves_a_cup_is_away_from_then_on() -> None:
    quarters = told(published(cup(8, 3)), stronger)
    gone = after(quarters, TeamWithdrew(4, 2), TeamWithdrew(7, 2))
    assert "\r\n240 Z 002    4    7\r\n240 Z 003    4    7\r\n" in write_trf(gone).text
    assert book_of(comes_back(gone)).matches.withdrawn == {4: 2, 7: 2}
    semifinals = told(published(gone), stronger)
    assert sorted(len([*filter(None, match)]) for match in matches(semifinals)) == [1, 2]
    assert book_of(comes_back(semifinals)).matches.withdrawn == {4: 2, 7: 2}
    assert lost(semifinals) == []


def test_a_final_without_an_opponent_is_told() -> None:
    gone = after(told(published(cup(4, 2)), stronger), TeamWithdrew(1, 2))
    alone = published(gone)
    assert "\r\n320  1.0  2.0 000 002\r\n" in write_trf(alone).text
    assert len(comes_back(alone).rounds) == 2
    assert lost(alone) == []


def test_the_third_place_without_an_opponent_is_told() -> None:
    over = told(published(told(published(with_third_place(cup(3, 2))), stronger)), stronger)
    assert matches(over)[1] == (3, None)
    assert comes_back(over).settings.third_place
    assert lost(over) == []


def test_a_last_round_of_several_without_opponents_is_missed_in_a_file() -> None:
    gone = after(told(published(with_third_place(cup(3, 2))), stronger), TeamWithdrew(2, 2))
    alone = published(gone)
    assert [second for _, second in matches(alone)] == [None, None]
    assert "the matches and byes of teams, in round 2" in lost(alone)
    wrong = write_trf(told(published(cup(7, 3)), stronger)).text.replace("320  1.0  2.0 001", "320  1.0  2.0 002")
    with pytest.raises(TrfError, match="round 1 does not follow the bracket"):
        read_trf(wrong)
    untold = wrong.replace("320  1.0  2.0 002\r\n", "")
    assert matches(read_trf(untold).tournament)[0] == (1, None)


def test_a_file_whose_matches_follow_no_bracket_is_refused() -> None:
    text = write_trf(told(published(cup(4, 2)), stronger)).text
    other = played(gathered(4, 4, System.SWISS, 2), [(1, 2, "1111"), (3, 4, "1111")])
    swiss = (
        write_trf(other)
        .text.replace("CUSTOM_TEAM_SWISS_MP", "CUSTOM_TEAM_KNOCKOUT")
        .replace("Swiss-System", "Knockout")
    )
    assert read_trf(text).tournament.rounds
    with pytest.raises(TrfError, match="round 1 does not follow the bracket of the seeds"):
        read_trf(swiss)
    on_and_on = played(gathered(2, 4, System.SWISS, 3), [(1, 2, "1111")])
    thrice = re.sub(r"(?m)^(001.{86})(.{10})", r"\g<1>\g<2>\g<2>\g<2>", write_trf(on_and_on).text)
    with pytest.raises(TrfError, match="round 2 cannot be paired: 1 North has won"):
        read_trf(thrice.replace("CUSTOM_TEAM_SWISS_MP", "CUSTOM_TEAM_KNOCKOUT"))


def test_a_file_whose_winner_has_the_worse_place_is_believed_where_a_level_match_has_another_rule() -> None:
    level = played(cup(2, 1), [(1, 2, "1==0")])
    text = write_trf(level).text
    swapped = re.sub(r"(?m)^(310   1 .{60})...", r"\g<1>  2", re.sub(r"(?m)^(310   2 .{60})...", r"\g<1>  1", text))
    assert places(read_trf(text).tournament) == [(1, 1), (2, 2)]
    assert places(read_trf(swapped).tournament) == [(1, 2), (2, 1)]


def test_an_older_file_says_in_words_that_it_is_a_cup() -> None:
    over = told(published(cup(2, 1)), stronger)
    read = read_trf(write_trf(over, TrfEdition.TRF16).text).tournament
    assert (read.settings.system, read.rounds) == (System.KNOCKOUT, by_seeds(over)[0].rounds)


def test_a_cup_that_has_not_begun_has_its_teams() -> None:
    assert comes_back(fold(opening(4, 2, System.KNOCKOUT, 2))).rounds == ()
    assert book_of(read_trf(write_trf(cup(4, 2)).text).tournament).play == TeamPlay(4)
