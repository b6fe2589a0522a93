"""The commands `gnomon tournament` where teams play teams: entering them, their line-ups, matches and standings."""

import json
from pathlib import Path

import pytest

from tests.cli.tournament_runs import FILE, FOUR, Run, Told, refused

CUP = (
    ["new", "Evening", "--boards", "2", "--rounds", "3"],
    ["team", "North", "Ada:2000", "Ben:1900", "Cleo:1800"],
    ["team", "South", "Dov:1950", "Eva:1850", "Finn", "--captain", "Finn"],
    ["team", "East", "Gus", "Hal", "Ida"],
)


def test_a_team_is_entered_with_its_players(told: Told) -> None:
    told(*CUP)
    assert told("teams").splitlines() == [
        "No  Team   Rating  Captain",
        " 1  North    1950",
        "    1 Ada, 2 Ben, 3 Cleo",
        " 2  South    1900  Finn",
        "    4 Dov, 5 Eva, 6 Finn",
        " 3  East",
        "    7 Gus, 8 Hal, 9 Ida",
        "3 teams, 3 in round 1",
    ]
    assert json.loads(told("teams --json"))[1]["captain"] == "Finn"
    assert told(["team", "South", "--rename", "The South", "--captain", ""]).startswith("team 2 The South: 4 Dov")
    assert told(["team", "The South", "Joe:1700", "--add"]) == "team 2 The South: 4 Dov, 5 Eva, 6 Finn, 10 Joe\n"
    assert told(["team", "East", "9", "8"]) == "team 3 East: 9 Ida, 8 Hal\n"


def test_teams_are_entered_from_the_column_of_entrants(told: Told) -> None:
    told(CUP[0], "add Ada Ben --team North", "add Cleo Dov --team South", "add Eva")
    assert "1 Ada, 2 Ben" not in told("teams")
    assert told("teams --enter").splitlines()[1:] == [
        " 1  North",
        "    1 Ada, 2 Ben",
        " 2  South",
        "    3 Cleo, 4 Dov",
        "2 teams, 2 in round 1",
    ]


def test_a_round_of_teams_from_the_line_up_to_the_standings(told: Told) -> None:
    told(*CUP)
    assert told("lineup South 4 6") == "2 South plays round 1 with 4 Dov, 6 Finn\n"
    assert told("lineup 2") == "2 South plays round 1 with 4 Dov, 6 Finn\n"
    assert told("lineup north -- 1 -") == "1 North plays round 1 with 1 Ada, nobody\n"
    assert told("lineup North --roster") == "1 North plays round 1 in the order of its roster\n"
    boards = [
        "Match 1: 1 North (0) – 2 South (0)",
        "Board  No  Moves first  Team   No  Moves second  Team   Result",
        "    1   1  Ada          North   4  Dov           South",
        "    2   6  Finn         South   2  Ben           North",
        "Match 2: 3 East (0), bye",
    ]
    assert told("pair").splitlines() == [
        "Round 1 of 3, preview",
        *boards,
        "Publish it: gnomon tournament publish",
    ]
    assert told("publish").splitlines() == ["Round 1 of 3 is published", *boards]
    assert told("pair").splitlines()[-1] == "Round 1 is already published like this"
    assert told("result 1 1-0").splitlines() == [
        "round 1, board 1: 1 Ada – 4 Dov  1-0",
        "Match 1: 1 North – 2 South  1–0 …",
        "round 1 waits for board 2",
    ]
    assert told("result 2 =").splitlines()[1:] == ["Match 1: 1 North – 2 South  1½–½", "round 1 is complete"]
    assert told("standings").splitlines() == [
        "Standings after round 1 of 3",
        "Place  No  Name   Pts  MPVGP  BH:MP  EMGSB  EDE",
        "    1   1  North    2     1½      0      0    0",
        "    2   3  East     1      1      1      1    0",
        "    3   2  South    0      ½      2      1    0",
    ]
    assert told("standings --boards").splitlines() == [
        "Players by board after round 1 of 3",
        "Board  Place  No  Name  Team   Pts  Games",
        "    1      1   1  Ada   North    1      1",
        "    1      2   4  Dov   South    0      1",
        "    2      1   2  Ben   North    ½      1",
        "    2      1   6  Finn  South    ½      1",
    ]
    assert json.loads(told("standings --boards --json"))[0]["points"] == "1"
    assert "2:1½" in told("cross")
    assert told("rounds 1").splitlines()[1] == "Match 1: 1 North (0) – 2 South (0)  1½–½"
    assert "Ada       1  first   Dov" in told("rounds 1 --by-name")
    value = json.loads(told("rounds --json"))[0]
    assert [match["first_points"] for match in value["matches"] if match["second"]] == ["3/2"]
    assert value["matches"][1] == {
        "match": 2,
        "first": 3,
        "second": None,
        "first_name": "East",
        "second_name": None,
    }
    assert "1 North" not in told("standings --round 0")


def test_a_change_names_teams_and_their_boards_follow(told: Told) -> None:
    told(*CUP, "publish")
    assert told("change 1 2 --why colours").splitlines() == [
        "Round 1 is changed",
        "match 1: 2 South – 1 North (was 1 North – 2 South)",
    ]
    assert told("rounds 1").splitlines()[3].split()[1:3] == ["4", "Dov"]


def test_a_board_that_stays_empty_has_nobody(told: Told) -> None:
    told(*CUP, "lineup South -- 4 -", "publish")
    assert told("rounds 1").splitlines()[4] == "    2   2  Ben          North      nobody"


def test_teams_leave_return_and_have_byes(told: Told) -> None:
    told(*CUP)
    assert told("withdraw 3 --team") == "3 East withdrew from round 1 on\n"
    assert told("return 3 --team") == "3 East plays again from round 1 on\n"
    assert told("bye 3 half") == "3 East has a half-point bye in round 1\n"
    assert told("bye 3 none") == "3 East plays in round 1\n"
    assert told("apart 1 3") == "1 North and 3 East are kept apart\n"
    assert "kept apart: 1 North and 3 East" in told("entrants")
    assert told("undo --why mistake").endswith("1 North and 3 East may meet\n")


def test_scheveningen_has_a_round_for_every_board(told: Told) -> None:
    opened = told(["new", "Evening", "--system", "scheveningen", "--boards", "3"])
    assert "round robin, 3 rounds" in opened
    told("team A A1 A2 A3", "team B B1 B2 B3", "publish", "result 1 1-0 2 1-0 3 1-0")
    assert told("publish").splitlines()[1] == "Match 1: 1 A (2) – 2 B (1)"


def test_match_points_byes_and_what_ranks_first_are_settled_at_the_opening(told: Told) -> None:
    play = "--boards 2 --match-win 3 --match-draw 1 --match-bye 3 --board-bye 1 --rank-by game-points --no-alternate"
    told(["new", "Evening", *play.split()], *CUP[1:], "publish")
    assert [line.split()[1:2] for line in told("rounds 1").splitlines()[3:5]] == [["1"], ["2"]]
    told("result 1 1-0 2 =")
    assert told("standings").splitlines()[2].split()[2:5] == ["East", "2", "3"]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("lineup North 2 1", "1 Ada comes before 2 Ben in the roster of 1 North: name 1 Ada before 2 Ben"),
        ("lineup North 1 4", "4 Dov is not in the roster of 1 North"),
        ("lineup Nord 1 2", "there is no team 'Nord': name one by its number or its name"),
        ("lineup 9 1 2", "there is no team '9'"),
        ("lineup 1 Ada", "'Ada' is no number of an entrant"),
        ("team North 4", "4 Dov is in the roster of 2 South: nobody plays for two teams"),
        ("team ///", "'///' is not the name of a team"),
        ("team West Ada", "Ada is entrant 1 already"),
        ("withdraw 9 --team", "there is no entrant 9"),
    ],
)
def test_what_teams_cannot_do_is_refused_in_one_sentence(run: Run, told: Told, command: str, sentence: str) -> None:
    told(*CUP)
    assert sentence in refused(run, *command.split(" "))


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("new Cup --boards 2 --system keizer --rounds 2", "teams cannot play a keizer like that"),
        ("new Cup --boards 2 --tie-breaks XX", "XX is not a tie-break"),
        ("new Cup --tie-breaks EMMSB", "EMMSB is not a tie-break"),
    ],
)
def test_how_teams_cannot_play(run: Run, command: str, sentence: str) -> None:
    assert sentence in refused(run, *command.split())


def test_scheveningen_is_for_teams(run: Run) -> None:
    assert "Scheveningen is played by two teams" in refused(run, "new", "Cup", "--system", "scheveningen", code=2)


@pytest.mark.parametrize("command", ["teams", "lineup 1", "team North Ada", "standings --boards", "withdraw 1 --team"])
def test_where_nobody_plays_in_teams_commands_say_so(run: Run, told: Told, command: str) -> None:
    told("new Evening", "add Ada")
    assert "no teams play in Evening" in refused(run, *command.split())


def test_a_report_file_carries_teams_to_another_machine(run: Run, told: Told) -> None:
    told(*CUP, "lineup South 4 6", "publish", "result 1 1-0 2 =")
    assert "who leads the teams (1)" in run("export", "trf26", "-o", "cup.trf").stderr
    read = told("import cup.trf --file other.gnomon-tournament")
    assert "9 entrants, rounds so far: 1" in read
    other = "--file other.gnomon-tournament"
    assert told(f"standings {other}") == told(f"standings --file {FILE}")
    assert "Finn" in told(f"rounds 1 {other}")


def test_bbppairings_pairs_no_teams(run: Run, told: Told) -> None:
    told(*CUP)
    assert run("pair", "--engine", "bbp").exit_code == 1


def test_prizes_and_payments_of_teams(run: Run, told: Told) -> None:
    told(*CUP, "publish", "result 1 1-0 2 =")
    Path("prizes.txt").write_text("1: 300 cup\nTop = board 1\nTop 1: 50\n", "utf-8")
    told("prizes --announce prizes.txt")
    assert told("prizes").splitlines() == [
        "Place  No  Name         Prize  Amount  Remarks",
        "    1   1  North        1         300  cup",
        "    1   1  Ada (North)  Top 1      50",
    ]
    awarded = json.loads(told("prizes --json"))
    assert [(one["name"], one["of_team"]) for one in awarded] == [("North", True), ("Ada (North)", False)]
    told("payment --all --team --owed 60", "payment 2 --team --paid all --note cash", "payment 4 --owed 5")
    assert told("payment").splitlines() == [
        "No  Team   Owes  Paid  Due  Remarks",
        " 1  North    60     0   60",
        " 2  South    60    60    0  cash",
        " 3  East     60     0   60",
        "No  Name  Owes  Paid  Due  Remarks",
        " 4  Dov      5     0    5",
        "owed 185, paid 60, still due 125",
    ]
    assert [one["due"] for one in json.loads(told("payment --json"))["teams"]] == ["60", "0", "60"]
    told("payment 4 --owed 0")
    assert len(told("payment").splitlines()) == 5
    assert "9" in refused(run, "payment", "9", "--team", "--owed", "5")


def test_both_games_at_a_board_count_for_the_team(run: Run, told: Told) -> None:
    told(["new", "Cup", "--boards", "2", "--games", "2", "--rounds", "1", "--tie-breaks", "MPVGP"])
    told(["team", "North", "Ada", "Ben"], ["team", "South", "Cleo", "Dov"], "publish")
    assert told("result 1 1-0 ½-½").splitlines()[1] == "Match 1: 1 North – 2 South  1½–½ …"
    assert "2 games" in refused(run, "result", "2", "1-0")
    assert told("result 2 1-0 1-0").splitlines()[1] == "Match 1: 1 North – 2 South  1½–2½"
    assert [line.split()[2:] for line in told("standings").splitlines()[2:]] == [
        ["South", "2", "2½"],
        ["North", "0", "1½"],
    ]
    assert "two games at a board cannot stand in one" in refused(run, "export", "trf26")


def test_how_teams_play_is_changed_with_a_reason(run: Run, told: Told) -> None:
    told(*CUP, "publish", "result 1 1-0 2 1-0")
    assert told(["settings", "--match-win", "3", "--board-bye", "0", "--preview"]).splitlines()[0] == (
        "match points for a win 3 (was 2); points of a bye for each game 0 (was ½)"
    )
    said = told(["settings", "--match-win", "3", "--name", "Night cup", "--why", "as voted"])
    assert "name Night cup (was Evening): as voted" in said
    assert "match points for a win 3 (was 2): as voted" in said
    assert json.loads(told("settings --json"))["match_win"] == "3"
    assert "match points for a win: 3" in told("settings")
    assert "boards of a match; it has counted since round 1" in refused(run, "settings", "--boards", "3", "--why", "x")
    assert "game ranks nothing" in refused(run, "settings", "--rank-by", "game", "--why", "x")
    told("undo --why mistake")
    assert json.loads(told("settings --json"))["match_win"] == "2"


def test_single_players_have_no_match_points(run: Run, told: Told) -> None:
    told(*FOUR)
    assert "no teams play in" in refused(run, "settings", "--match-win", "3", "--why", "x")


def test_pools_of_teams_lead_to_a_cup(run: Run, told: Told) -> None:
    told("new League --boards 1 --rounds 3")
    for number, name in enumerate(("North", "South", "East", "West"), start=1):
        told(["team", name, f"P{number}:{2000 - number}", f"Q{number}", "--file", "league.gnomon-tournament"])
    assert told("split --groups 2").splitlines() == [
        "league-a.gnomon-tournament: North, West",
        "league-b.gnomon-tournament: South, East",
    ]
    for pool in ("league-a", "league-b"):
        told(f"publish --file {pool}.gnomon-tournament", f"result 1 1-0 --file {pool}.gnomon-tournament")
    told(["new", "Cup", "--system", "knockout", "--entrants", "2", "--boards", "1", "--file", "cup.gnomon-tournament"])
    pools = [word for pool in ("league-a", "league-b") for word in ("--from", f"{pool}.gnomon-tournament")]
    assert told(["advance", "--file", "cup.gnomon-tournament", "--places", "1", *pools]).splitlines()[1:] == [
        " 1  North  League A      1    0",
        " 2  South  League B      1    0",
    ]
    assert "1 P1, 2 Q1" in told("teams --file cup.gnomon-tournament")
    assert told("seed 2 1 --file cup.gnomon-tournament --why draw").strip() == "seeds were set: 2 South, 1 North"
    told(["new", "Singles", "--file", "singles.gnomon-tournament"])
    mixed = refused(run, "advance", "--file", "singles.gnomon-tournament", "--from", "league-a.gnomon-tournament")
    assert "teams go on into a tournament of teams" in mixed
