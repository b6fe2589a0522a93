"""Keizer, arena, ladder, open rounds and deadlines on the command line."""

import json

from tests.cli.tournament_runs import FILE, Run, Told, refused

FOUR = ["add", "Ada:2000", "Ben:1900", "Cleo:1800", "Dov:1700"]


def begun(told: Told, *options: str) -> None:
    told(["new", "Evening", "--file", FILE, *options], FOUR)


def test_a_club_evening_by_keizer(told: Told) -> None:
    begun(told, "--system", "keizer", "--rounds", "9")
    told("publish", "result 1 1-0 2 =")
    assert "Pts" in told("standings")
    assert [line.split()[3] for line in told("standings").splitlines()[2:]] == ["9", "7", "6½", "3"]


def test_an_arena_pairs_the_players_who_are_free(told: Told) -> None:
    begun(told, "--system", "arena", "--win", "2", "--draw", "1", "--streak")
    told("publish", "result 1 1-0", ["add", "Eva:1500"])
    assert told("publish").splitlines()[0] == "Round 2 of 99 is published"
    said = told("result 2 1-0 --round 1").splitlines()
    assert said[-1] == "round 2 waits for board 1"


def test_a_ladder_is_climbed_by_challenges(run: Run, told: Told) -> None:
    begun(told, "--system", "ladder", "--reach", "2")
    assert "3 rungs apart, and a challenge reaches 2" in refused(run, "publish", "1:4-1")
    told("publish 1:4-2", "result 1 1-0")
    assert [line.split()[2] for line in told("standings").splitlines()[2:]] == ["Ada", "Dov", "Ben", "Cleo"]


def test_each_round_plays_another_game(told: Told) -> None:
    begun(told, "--rounds", "2", "--round-games", "tabik, tayu")
    told("publish", "result 1 1-0 2 1-0", "publish")
    titles = [line for line in told("rounds").splitlines() if line.startswith("Round")]
    assert [title.rpartition(" – ")[2] for title in titles] == ["Tabik", "Tayu"]


def test_rounds_at_a_distance_have_deadlines(run: Run, told: Told) -> None:
    begun(told, "--system", "round-robin", "--entrants", "4", "--open-rounds", "2")
    assert told("deadline").strip() == "No round has a deadline, and no result is missing"
    told("publish", "publish")
    assert told("deadline 1 2026-11-19").strip() == "results of round 1 may come in until 2026-11-19"
    assert told("deadline").splitlines() == [
        "Round  Until       Boards open  Remarks",
        "    1  2026-11-19  1, 2         overdue",
        "    2              1, 2",
    ]
    assert told("result 1 1-0 --round 1").splitlines()[1:] == [
        "round 1 waits for board 2",
        "round 2 waits for board 1, 2",
    ]
    assert json.loads(told("deadline --json"))[0]["is_overdue"] is True
    assert told("deadline 1 none").strip() == "round 1 has no deadline"
    assert "is no deadline" in refused(run, "deadline", "1", "soon")
    assert "round 3 must wait: round 1 has no result yet at board 2" in refused(run, "publish")
