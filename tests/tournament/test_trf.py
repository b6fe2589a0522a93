"""Whatever a report file can tell comes back from one; what it cannot is named, and so is every mistake."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    EntrantRegistered,
    PairingAllowed,
    PairingProhibited,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.formats.trf import TrfEdition, TrfError, read_trf, write_trf
from gnomon.tournament.formats.trf import _parser as parser
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.results import GameResult, Points, parse_result
from gnomon.tournament.state.settings import Bye, Scoring, System, TournamentSettings
from tests.conftest import examples
from tests.tournament._evening import gathered, pairs, played, settings
from tests.tournament._trf_files import SAMPLE, TWO, exported, file, player, told
from tests.tournament._trf_stories import tournaments

ON_PURPOSE = ("entrants are numbered by their rank", "round ")
PAGE = (Path(__file__).parents[2] / "docs" / "tournament-files.md").read_text(encoding="utf-8")


@pytest.mark.untraced
@tried(max_examples=examples(60))
@given(tournaments())
def test_a_tournament_comes_back_from_a_file_as_it_was(tournament: Tournament) -> None:
    written = write_trf(tournament)
    is_as_told = exported(tournament)
    others = [str(one) for one in written.left_out if not str(one).startswith(ON_PURPOSE)]
    assert (read_trf(written.text).tournament == is_as_told) == (others == [])
    # Boards go by number in a table, and one who enters after the round that is being played comes a round sooner.
    assert others == [] or is_as_told != tournament
    assert (written.left_out == ()) == (is_as_told == tournament and others == [])


@pytest.mark.untraced
@tried(max_examples=examples(25))
@given(tournaments())
def test_the_older_edition_tells_as_much_or_says_what_it_does_not(tournament: Tournament) -> None:
    written = write_trf(tournament, TrfEdition.TRF16)
    others = [str(one) for one in written.left_out if not str(one).startswith(ON_PURPOSE)]
    assert (read_trf(written.text).tournament == exported(tournament)) == (others == [])


def test_a_file_tells_who_played_whom_and_how_it_ended() -> None:
    tournament = told()
    assert tournament.settings == TournamentSettings("Ely Open", System.SWISS, 4, leader_first=True)
    assert [entrant.name for entrant in tournament.entrants.values()][:2] == ["Ashe, Tom", "Byrd, Eve"]
    assert [entrant.rating for entrant in tournament.entrants.values()] == [2500, 2400, 2300, 2200, None]
    assert [entrant.team for entrant in tournament.entrants.values()] == ["Ely Castle"] * 2 + ["", "", "Ship of Fools"]
    assert [pairs(round_.pairings) for round_ in tournament.rounds] == [
        [(1, 3), (4, 2)],
        [(2, 1), (5, 4), (3, None)],
    ]
    assert tournament.rounds[0].results == {1: parse_result("1-0"), 2: parse_result("-/+")}
    assert tournament.byes == {(5, 1): Bye.HALF}
    assert tournament.prohibited == {frozenset((1, 5))}


def test_a_file_keeps_what_federations_ask_for() -> None:
    read = read_trf(SAMPLE)
    assert read.tournament.heading == Heading(
        city="Ely",
        federation="ENG",
        starts="2026/11/20",
        ends="2026/11/22",
        arbiter="IA Bell, Ann",
        deputies=("FA Kay, Jo", "NA Lee, Max"),
        time="90 min + 30 s",
        dates=("26/11/20", "26/11/21"),
    )
    assert read.tournament.person(2) == PersonalData("w", "WIM", "IRL", "4000002", "1991")
    again = write_trf(read.tournament, TrfEdition.TRF16, line_end="\n").text
    kept = [line for line in SAMPLE.splitlines() if not line.startswith(("###", "XXC"))]
    assert [line for line in again.splitlines() if not line.startswith("XXC")] == kept
    assert [str(remark) for remark in read.left_out] == ["line 17: the setting rank of the pairing program is left out"]


@given(st.integers(0, len(SAMPLE) - 1), st.sampled_from(["", " ", "0", "1", "9", "w", "=", "-", "²", "é", "\t", "\n"]))
def test_a_file_with_a_misprint_is_read_or_refused_in_a_sentence(place: int, letter: str) -> None:
    sentence = ""
    try:
        read = read_trf(SAMPLE[:place] + letter + SAMPLE[place + 1 :])
    except TrfError as refusal:
        sentence = str(refusal)
    else:
        assert fold(read.events) == read.tournament
    assert re.match(r"$|line \d+|round \d|there is no|the players have|.* is no |.* in line \d+", sentence)


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_lines_end_as_they_like(end: str) -> None:
    assert told("\ufeff" + SAMPLE.replace("\n", end)) == told()


def test_events_can_be_replayed() -> None:
    read = read_trf(SAMPLE)
    assert fold(read.events) == read.tournament


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no player: a tournament report file has a line 001 for each"),
        (file("001\n"), "line 3, column 5: a player needs a number and a name: write them in columns 5 to 8 and 15 to"),
        (file("001    1\n"), "line 3, column 15: a player needs a number and a name"),
        (
            file("001  abc      P\n"),
            "line 3, column 5: abc cannot be the player's number: write a number from 1 to 9999",
        ),
        (file(player(1).replace("001    1      P1", "001    1      P1".ljust(48) + "12x4")), "line 3, column 49: 12x4"),
        (file(player(1, points="2,55")), "line 3, column 81: 2,55 is not a number of points: write it like 3.5"),
        (file(player(1), player(1)), "line 4, column 5: player 1 has a line already, line 3: leave one out"),
        (file(player(1, "   1 w 1")), "line 3, column 92: player 1 is their own opponent: write the number of another"),
        (file(player(1, "   9 w 1")), "line 3, column 92: there is no player 9 for 1 P1 to meet"),
        (
            file(player(1, "   2 x 1"), player(2)),
            "line 3, column 97: x is not a side: write w, b, or - where there was",
        ),
        (
            file(player(1, "   2 w 7"), player(2)),
            "line 3, column 99: 7 is not a result: write one of 1 0 = + - W D L H F",
        ),
        (file(player(1, "   2w  1"), player(2)), "line 3, column 96: w stands between the columns of two rounds"),
        (file(player(1, "0000 - 1")), "line 3, column 92: 1 P1 has the result 1 but no opponent: name one"),
        (file(player(1, "0000 w U")), "line 3, column 92: 1 P1 has the result U but no opponent"),
        (
            file(player(1, "        ", "   2 w 1"), player(2)),
            "line 3, column 102: 1 P1 and 2 P2 do not name each other as opponents in round 2: correct one of them",
        ),
        (
            file(player(1, "   2 w 1"), player(2, "   1 w 0")),
            "line 3, column 92: 1 P1 and 2 P2 do not have opposite sides in round 1: give one of them w and the other",
        ),
        (file(player(1, "   2 - 1"), player(2, "   1 - 0")), "line 3, column 92: 1 P1 and 2 P2 do not have opp"),
        (
            file(player(1, "   2 w 1"), player(2, "   1 b =")),
            "line 3, column 92: 1 P1 and 2 P2 have the results 1 and = in round 1, which do not match: correct one",
        ),
        (
            file(player(1, "   2 w 1"), player(2, "   1 b")),
            "line 3, column 92: 1 P1 and 2 P2 have the results 1 and none",
        ),
        (file(*TWO, rounds=0), "line 2, column 5: 0 cannot be the number of rounds: write a number from 1 to 99"),
        (file(*TWO, "142 x\n"), "line 5, column 5: x cannot be the number of rounds"),
        (file(*TWO, "152 red\n"), "line 5, column 5: red is not a colour: write W or B"),
        (file(*TWO, "162  Q 1.0\n"), "line 5, column 6: no points can be given for Q: write one of W, D"),
        (file(*TWO, "162  W 1.0      1.0\n"), "line 5, column 15: no points can be given for nothing"),
        (file(*TWO, "162  W x\n"), "line 5, column 7: x is not a number of points: write it like 3.5"),
        (file(*TWO, "162  A 0.5\n"), "line 5: Gnomon gives no points for an absence or a forfeited game"),
        (file(*TWO, "BBD  2.0\n"), "these points cannot be: win 1, draw 2, loss 0, bye 1"),
        (
            file(*TWO, "240 Q 002    1\n"),
            "line 5, column 5: Q is not a bye that can be granted beforehand: write F, H or Z",
        ),
        (file(*TWO, "240 H        1\n"), "line 5, column 7: the bye has no round: write its number"),
        (file(*TWO, "240 H 002    9\n"), "line 5: there is no player 9: name one who has a line 001"),
        (
            file(*TWO, "250       1.0 002 001    1    2\n"),
            "line 5, column 15: acceleration goes from a round to a later",
        ),
        (
            file(*TWO, "260 001 003    1\n"),
            "line 5: two players or more are kept apart from each other: write their numbers",
        ),
        (
            file(*TWO, "XXP 2 2\n"),
            "line 5: two players or more are kept apart from each other: write their numbers, each once",
        ),
        (file(*TWO, "XXP 1 x\n"), "line 5, column 7: x cannot be the player's number"),
        (file(*TWO, "XXZ x\n"), "line 5, column 5: x cannot be the player's number"),
        (file(*TWO, "XXS W:3\n"), "line 5, column 5: W:3 gives no points for a result: write them like W=3.0"),
        (file(*TWO, "XXS WW=3.0 BW=2.0\n"), "line 5, column 12: BW=2.0 gives a result other points than"),
        (file(*TWO, "013\n"), "line 5, column 5: the team has no name: write one"),
        (file(*TWO, "310   1\n"), "line 5, column 9: the team has no name: write one"),
        (
            file(*TWO, "013 Elks                               1\n", "013 Owls                               1\n"),
            "line 6: player 1 is in two teams, Elks and Owls: leave one out",
        ),
        (file(*TWO, "330 +- 001 001 002\n"), "line 5: there is no team 1 in the file"),
        (file(*TWO, "192 FIDE_TEAM\n"), "round 1: 1 and 2 meet, but they do not play for two teams"),
        (
            file(*TWO, "192 FIDE_SCHILLER\n"),
            "Gnomon does not hold tournaments of the kind FIDE_SCHILLER in line 192: it",
        ),
        (
            file(*TWO, "092 Team Swiss System\n"),
            "line 092 says team swiss system: Gnomon does not hold matches of teams",
        ),
        (
            file(
                *(player(number, *[f"   {number + 4} w 1"] * 2) for number in (1, 2, 3, 4)),
                *(player(number, *[f"   {number - 4} b 0"] * 2) for number in (5, 6, 7, 8)),
            ),
            (
                "round 2 breaks an absolute rule: 1 P1 and 5 P5 have met before; 2 P2 and 6 P6 have met before; "
                "3 P3 and 7 P7 have met before; and 1 more"
            ),
        ),
        (file(*TWO, "192 FIDE_DOUBLESWISS\n"), "3 rounds cannot be halved: each round of a double Swiss takes two"),
        (
            file(*TWO, rounds=1).replace("   2 w 1", "   2 w 1  0000 - H"),
            "the players have entries for 2 rounds, but the",
        ),
        (
            file(player(1, "0000 - Z", "   2 w 1"), player(2, "0000 - Z", "   1 b 0")),
            "round 1 has no game, but round 2 has: pair it, or leave its columns out",
        ),
        (
            file(player(1, "   2 w 1", "   2 b 1"), player(2, "   1 b 0", "   1 w 0")),
            "round 2 breaks an absolute rule: 2 P2 and 1 P1 have met before",
        ),
        (
            file(*TWO, "192 CUSTOM_ROUNDROBIN\n", player(3, "0000 - H")),
            "3 P3 has a half-point bye in round 1, but a round",
        ),
        (
            file(player(1, "   2 w 1"), player(2, "   1 b 0"), player(3, "0000 - Z"), player(4, "0000 - Z")).replace(
                "142", "192 CUSTOM_KNOCKOUT\n142"
            ),
            "round 1 does not follow the bracket of the seeds, by rating and then by number: Gnomon can hold no other",
        ),
        (
            file(
                player(1, "   4 w 1", "   2 w 1"),
                player(2, "   3 w 1", "   1 b 0"),
                player(3, "   2 b 0", "0000 - U"),
                player(4, "   1 b 0", "0000 - U"),
                "192 CUSTOM_KNOCKOUT\n",
            ),
            "round 2 does not follow the bracket of the seeds",
        ),
        (
            file(player(1, *["   2 w 1"] * 3), player(2, *["   1 b 0"] * 3), "192 CUSTOM_KNOCKOUT\n"),
            "round 2 cannot be paired: 1 P1 has won",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(TrfError, match=f"^{re.escape(fault)}"):
        read_trf(text)


DOUBLE = ("192 CUSTOM_DOUBLESWISS\n",)


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        (
            (("   2 w 1", "   2 w 1"), ("   1 b 0", "   1 b 0")),
            "not every pair meets in both with sides changed: correct one",
        ),
        (
            (("   2 w 1", "0000 - Z"), ("   1 b 0", "0000 - Z")),
            "not every pair meets in both with sides changed: correct one",
        ),
        ((("   2 w 1", "   2 b  "), ("   1 b 0", "   1 w  ")), "but 1 and 2 have only one result: give both"),
        ((("0000 - H", "0000 - Z"), ("0000 - U", "0000 - U")), "their byes differ: correct one"),
    ],
)
def test_two_columns_of_a_round_of_two_games_must_agree(cells: tuple[tuple[str, ...], ...], fault: str) -> None:
    lines = (player(number, *told_of) for number, told_of in enumerate(cells, start=1))
    with pytest.raises(TrfError, match=f"^rounds 1 and 2 of the file are the two games of a round, .*{fault}"):
        read_trf(file(*lines, *DOUBLE, rounds=4))


@pytest.mark.parametrize(
    ("lines", "remark"),
    [
        (("XYZ 12\n",), "line 5: XYZ is left out: Gnomon does not know this kind of line"),
        (("172 ENG FIDE\n",), "line 5: the method of ranking, ENG FIDE, is left out"),
        (("162  X 0.5\n",), "line 5: the points for an unknown result are left out"),
        (("299 W        0.5  001    1\n",), "line 5: line 299 gives 0.5 points for W, which Gnomon cannot hold"),
        (("299          0.5  001    1\n",), "line 5: points not won in a game are left out"),
        (("299          1.0  000    1\n",), "line 5: points not won in a game are left out"),
        (("202 DE,EDET/P\n",), "the tie-break EDET/P is left out: Gnomon does not compute it"),
        (("192 FIDE_DUTCH_2025\n",), "FIDE_DUTCH_2025 in line 192 becomes CUSTOM_SWISS: from here on Gnomon pairs"),
        (("250       1.0 001 001    1    1\n",), "points lent for pairing are only passed on"),
        ((player(3, points="4.5"),), "line 5: 3 P3 has 4.5 points in the file, but 0.0 by the results"),
    ],
)
def test_what_gnomon_does_not_keep_is_said(lines: tuple[str, ...], remark: str) -> None:
    assert any(str(one).startswith(remark) for one in read_trf(file(*TWO, *lines)).left_out)


def test_a_file_without_name_and_number_of_rounds_says_what_is_taken() -> None:
    read = read_trf("".join(TWO))
    assert (read.tournament.settings.name, read.tournament.settings.rounds) == ("Tournament", 1)
    assert [str(one) for one in read.left_out] == [
        "the tournament has no name in line 012, and is called Tournament",
        "the file does not say how many rounds there are: 1 are assumed",
    ]


@pytest.mark.parametrize(
    ("line", "system", "cycles", "games"),
    [
        ("092 Individual: Round-Robin", System.ROUND_ROBIN, 1, 1),
        ("092 Double Round Robin (Berger)", System.ROUND_ROBIN, 2, 1),
        ("092 Knock-out", System.KNOCKOUT, 1, 1),
        ("092 Double Swiss", System.SWISS, 1, 2),
        ("192 FIDE_DUTCH", System.SWISS, 1, 1),
        ("192 fide_dubov_baku", System.SWISS, 1, 1),
        ("192 BERGER_DOUBLEROUNDROBIN", System.ROUND_ROBIN, 2, 1),
        ("192 FIDE_DOUBLESWISS_BAKU", System.SWISS, 1, 2),
    ],
)
def test_the_system_is_told_by_a_code_or_in_words(line: str, system: System, cycles: int, games: int) -> None:
    found = told(file(player(1), player(2), f"{line}\n", rounds=4)).settings
    assert (found.system, found.cycles, found.games) == (system, cycles, games)
    assert found.accelerated == line.casefold().endswith("_baku")


@pytest.mark.parametrize(
    ("lines", "scoring"),
    [
        (("162  W 3.0    D 1.0\n",), Scoring(Points(3), Points(1), Points(0), Points(3))),
        (("162  W 3.0    D 1.0    L 0.5    P 1.0\n",), Scoring(Points(3), Points(1), Points(1, 2), Points(1))),
        (
            ("BBW  3.0\n", "BBD  1.0\n", "BBU  2.0\n", "BBL  0.0\n", "BBZ  0.0\n"),
            Scoring(Points(3), Points(1), bye=Points(2)),
        ),
        (("XXS WW=3 BW=3,0 D=1.0 PAB=0.0 ZPB=0\n",), Scoring(Points(3), Points(1), bye=Points(0))),
    ],
)
def test_a_point_system_is_told_in_new_lines_and_old(lines: tuple[str, ...], scoring: Scoring) -> None:
    assert told(file(*TWO, *lines)).settings.scoring == scoring


def test_of_two_lines_of_tie_breaks_the_one_without_points_counts() -> None:
    assert told(file(*TWO, "202 DE,BH/C1\n", "212 PTS,SB\n")).settings.tie_breaks == ("DE", "BHC1")
    assert told(file(*TWO, "212 PTS,SB-C1\n")).settings.tie_breaks == ("SBC1",)


def test_older_files_tell_byes_by_results_without_an_opponent() -> None:
    tournament = told(
        file(*TWO, player(3, "0000 - ="), player(4, "0000 - -"), player(5, "       +"), player(6, "0000 - F"))
    )
    assert tournament.byes == {(3, 1): Bye.HALF, (4, 1): Bye.ZERO, (6, 1): Bye.FULL}
    assert pairs(tournament.rounds[0].pairings) == [(1, 2), (5, None)]


def test_a_game_that_is_not_rated_counts_all_the_same() -> None:
    read = read_trf(file(player(1, "   2 b L"), player(2, "   1 w W")))
    assert read.tournament.rounds[0].results == {1: (GameResult.FIRST_WON,)}
    assert "1 P1 and 2 P2: the file says that their game of round 1 is not rated" in str(read.left_out[0])


def test_a_forfeit_needs_no_sides() -> None:
    tournament = told(file(player(1, "   2 - -"), player(2, "   1   +")))
    assert tournament.rounds[0].results == {1: (GameResult.SECOND_BY_FORFEIT,)}


def test_the_lot_follows_from_the_first_round_when_it_is_not_told() -> None:
    assert not told(file(player(1, "   2 b 1"), player(2, "   1 w 0"))).settings.leader_first
    assert told(file(player(1), player(2))).settings.leader_first
    assert not told(file("152 b\n", *TWO)).settings.leader_first


def test_who_has_no_entry_came_late_left_or_was_away() -> None:
    games = (("   2 w 1", "   3 b 1", "   4 w 1"), ("   1 b 0", "   4 w 1", "   3 b 0"))
    lines = [player(number, *cells) for number, cells in enumerate(games, start=1)]
    lines += [player(3, "        ", "   1 w 0", "   2 w 1"), player(4, "0000 - U", "   2 b 0", "   1 b 0")]
    lines += [player(5, "0000 - Z"), player(6, "0000 - H", "        ", "0000 - Z"), player(7)]
    tournament = told(file(*lines, rounds=4))
    assert {number: entrant.since for number, entrant in tournament.entrants.items()} == {
        **dict.fromkeys((1, 2, 4, 5, 6), 1),
        3: 2,
        7: 4,
    }
    # An entrant who is not absent from the next round too is expected there.
    assert tournament.withdrawn == {}
    assert told(file(*lines, "240 Z 004    5    7\n", rounds=4)).withdrawn == {5: 2, 7: 1}
    assert told(file(*lines, rounds=3)).withdrawn == {5: 2, 7: 1}


def test_byes_of_the_next_round_stand_in_its_column_or_in_lines() -> None:
    lines = (player(1, "   2 w 1", "0000 - H"), player(2, "   1 b 0"))
    assert told(file(*lines, "240 F 003    2\n")).byes == {(1, 2): Bye.HALF, (2, 3): Bye.FULL}
    assert told(file(*lines, "XXZ 2\n")).byes == {(1, 2): Bye.HALF, (2, 2): Bye.ZERO}


def test_prohibitions_hold_for_the_rounds_they_name() -> None:
    lines = (*TWO, player(3, "   4 w 1"), player(4, "   3 b 0"))
    read = read_trf(file(*lines, "260 001 001    1    3    4\n".replace("    4", "")))
    assert PairingProhibited(1, 3) in read.events
    assert PairingAllowed(1, 3) in read.events
    assert told(file(*lines, "260 002 003    1    2    3\n")).prohibited == {
        frozenset(pair) for pair in ((1, 2), (1, 3), (2, 3))
    }
    assert told(file(*lines, "XXP 1 2\n")).prohibited == {frozenset((1, 2))}


def test_a_round_of_a_file_in_which_somebody_had_a_side_three_times_is_taken_over_and_sides_stay_balanced() -> None:
    cells = [("   2 w 1", "   3 w 1", "   4 w 1"), ("   1 b 0", "   4 b 1", "   3 w 1")]
    cells += [("   4 w 1", "   1 b 0", "   2 b 0"), ("   3 b 0", "   2 w 0", "   1 b 0")]
    read = read_trf(file(*(player(number, *told_of) for number, told_of in enumerate(cells, start=1)), "XXR 4\n"))
    assert read.tournament.settings.balance
    remark = str(next(one for one in read.left_out if "kept as it was paired" in str(one)))
    assert remark.startswith("round 3 is kept as it was paired: 1 P1 would move first for the third time running; ")
    override = next(one for one in read.events if isinstance(one, RoundPublished) and one.round == 3)
    assert override.override == "a report file told it so"
    assert [one.reason for one in read.tournament.corrections] == ["a report file told it so"]


def test_bonuses_by_rating_are_what_mcmahon_begins_with() -> None:
    mcmahon = played(gathered(4, settings(System.MCMAHON, bars=(1997, 1999))), 1)
    assert told(write_trf(mcmahon).text) == mcmahon
    lines = (player(1, "   2 w 1", rating=2000), player(2, "   1 b 0", rating=1800), player(3, rating=1500))
    assert told(file(*lines, "299          2.0  000    1\n", "299          1.0  000    2\n")).settings.bars == (
        1800,
        2000,
    )
    unordered = read_trf(file(*lines, "299          1.0  000    2    3\n"))
    assert unordered.tournament.settings.system is System.SWISS
    assert "points not won in a game" in str(unordered.left_out[0])
    unrated = read_trf(file(*TWO, "299          1.0  000    1\n"))
    assert "points not won in a game" in str(unrated.left_out[0])
    tabled = read_trf(file(*lines[:2], "299          1.0  000    1\n", "192 FIDE_ROUNDROBIN\n"))
    assert "points not won in a game" in str(tabled.left_out[0])


def test_baku_is_told_by_what_it_lends() -> None:
    events = [EntrantRegistered(number, f"P{number}", 2000 - number) for number in (1, 2, 5, 6, 7)]
    tournament = fold([TournamentOpened(settings(rounds=4, accelerated=True)), *events])
    written = write_trf(tournament)
    assert [line for line in written.text.splitlines() if line.startswith("250")] == [
        "250       1.0 001 001    1    4",
        "250       0.5 002 002    1    4",
    ]
    assert told(written.text) == exported(tournament)
    table = read_trf(file(*TWO, "192 FIDE_ROUNDROBIN\n", "250       1.0 001 001    1    1\n"))
    assert str(table.left_out[-1]).startswith("points lent for pairing are only passed on")


def test_the_older_acceleration_is_handed_on() -> None:
    read = read_trf(file(*TWO, "XXA    1  1.0  1.0       0.5\n"))
    assert [line.points for line in read.tournament.heading.virtual] == [Points(1), Points(1, 2)]
    again = write_trf(read.tournament, TrfEdition.TRF16, line_end="\n").text
    assert "XXA    1  1.0  1.0  0.0  0.5\n" in again
    assert "250       0.5 004 004    1    1" in write_trf(read.tournament).text


def test_the_page_about_files_names_every_line_and_says_a_mistake_as_it_is_said() -> None:
    tags = {*parser._HANDLERS, *parser._HEADINGS, *parser._OLD_POINTS, *parser._COUNTED}
    assert [tag for tag in sorted(tags) if f"`{tag}" not in PAGE] == []
    with pytest.raises(TrfError) as refusal:
        read_trf(SAMPLE.replace("     3 w 1", "     5 w 1"))
    assert f"\n{refusal.value}\n" in PAGE
