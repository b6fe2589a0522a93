"""The commands of the door: `check-in`, `payment` and `prizes`."""

import json
from pathlib import Path

from tests.cli.tournament_runs import FOUR, Run, Told, refused

AT_THE_DOOR = (*FOUR, "settings --check-in yes --why club")


def test_who_is_missing_is_listed_until_everybody_is_there(told: Told) -> None:
    told(*FOUR)
    assert told("check-in").startswith("This tournament does not ask for check-in")
    told("settings --check-in yes --why club")
    assert told("check-in 1 2 4").splitlines() == [
        "1 Ada is checked in",
        "2 Ben is checked in",
        "4 Dov is checked in",
        "1 entrant is missing and would not be paired in round 1:",
        "  3 Cleo",
    ]
    assert "3 Cleo" not in told("pair")
    assert json.loads(told("check-in 3 --json")) == {
        "checked_in": {"1": 1, "2": 1, "4": 1, "3": 1},
        "missing": [],
    }
    assert told("check-in").splitlines() == ["Everybody is checked in (4)"]
    assert told("check-in 3 --undo").startswith("3 Cleo is not there, after all")


def test_who_comes_late_is_checked_in_from_a_round_on(run: Run, told: Told) -> None:
    told(*AT_THE_DOOR, "check-in 1 2 4", "publish")
    assert "cannot be checked in from round 3 on: take one of 1, 2" in refused(run, "check-in", "3", "--since", "3")
    assert told("check-in 3").startswith("3 Cleo is checked in from round 2 on")


def test_a_new_tournament_may_ask_for_check_in(told: Told) -> None:
    told(["new", "Evening", "--check-in"], ["add", "Ada", "Ben"])
    assert "2 entrants are missing" in told("check-in")


def test_the_till_lists_what_is_owed_and_paid(run: Run, told: Told) -> None:
    told(*FOUR)
    assert told("payment --all --owed 15").splitlines()[-1] == "owed 60, paid 0, still due 60"
    assert told("payment 1 --paid all").strip() == "1 Ada: payment noted"
    told(["payment", "2", "--paid", "7,50", "--note", "member"])
    assert told("payment").splitlines() == [
        "No  Name  Owes  Paid   Due  Remarks",
        " 1  Ada     15    15     0",
        " 2  Ben     15  7.50  7.50  member",
        " 3  Cleo    15     0    15",
        " 4  Dov     15     0    15",
        "owed 60, paid 22.50, still due 37.50",
    ]
    sums = json.loads(told("payment --json"))
    assert (sums["due"], sums["entrants"][1]["note"]) == ("37.50", "member")
    assert "payment noted" in told("log --last 1")
    assert "7.50" not in told("log")
    assert "'much' is not an amount" in refused(run, "payment", "1", "--paid", "much")


def test_prizes_are_announced_and_given(run: Run, told: Told) -> None:
    told(*FOUR, ["entrant", "2", "--sex", "w"], "publish", "result 1 1-0 2 =")
    assert told("prizes").strip() == "No prizes are announced yet"
    Path("prizes.txt").write_text("1: 300 cup\n2: 100\nWomen = sex w\nWomen 1: 50\n", "utf-8")
    assert told("prizes --announce prizes.txt --sharing split").strip() == "prizes were announced: 3"
    assert told("prizes --list").splitlines() == ["Women = sex w", "1: 300 cup", "2: 100", "Women 1: 50"]
    assert told("prizes").splitlines() == [
        "Place  No  Name  Prize  Amount  Remarks",
        "    1   1  Ada   1         300  cup",
        "    2   2  Ben   2          50",
        "    2   4  Dov   2          50",
    ]
    assert json.loads(told("prizes --json"))[0]["amount"] == "300"
    assert "none.txt cannot be read" in refused(run, "prizes", "--announce", "none.txt")


def test_prizes_are_read_in_the_letters_of_older_programs(run: Run, told: Told) -> None:
    told(*FOUR)
    Path("old.txt").write_bytes("1: 300 Pökal".encode("cp1252"))
    told("prizes --announce old.txt")
    assert "Pökal" in told("prizes")
    Path("sheet.xls").write_bytes(b"\0\1\2")
    assert refused(run, "prizes", "--announce", "sheet.xls").startswith("sheet.xls: ")
