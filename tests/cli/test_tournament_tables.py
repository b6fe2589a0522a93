"""The commands `tables` and `places`, for tables of three and four."""

import json

from tests.cli.tournament_runs import FILE, UNDER_WAY, Run, Told, refused

SEVEN = (
    ["new", "Tayu evening", "--system", "tables", "--rounds", "2", "--file", FILE],
    ["add", "Ada:2000", "Ben:1900", "Cleo:1800", "Dov:1700", "Eva:1600", "Finn:1500", "Gus:1400"],
)


def test_a_round_is_seated_published_and_ends_in_places(told: Told) -> None:
    told(*SEVEN)
    preview = told("tables").splitlines()
    assert preview[0] == "Round 1 of 2, preview"
    assert preview[1].split("  ")[0] == "Table"
    published = told("tables --publish").splitlines()
    assert published[0] == "Round 1 of 2 is published"
    seats = json.loads(told("tables --json"))["tables"]
    assert [len(table["seats"]) for table in seats] == [4, 3]
    order = " ".join(map(str, seats[0]["seats"]))
    assert told(f"places 1 {order}").splitlines() == [
        f"round 1, table 1: {order}",
        "round 1 waits for board 2",
    ]
    one, other, last = seats[1]["seats"]
    assert told(f"places 2 {one}={other} {last}").strip() == f"round 1, table 2: {one}={other} {last}"
    assert f"{one}={other} {last}" in told("rounds 1")
    assert json.loads(told("rounds --json"))[0]["tables"][1]["places"] == [1, 1, 3]
    assert "¾" in told("standings")
    assert (
        told(["places", "2", "--undo", "--why", "slip"]).splitlines()[0] == "round 1, table 2: places taken back: slip"
    )


def test_tables_may_be_of_three_with_points_of_their_own(told: Told) -> None:
    told(["new", "Three", "--system", "tables", "--table-size", "3", "--place-points", "5,3,1"], ["add", "A", "B", "C"])
    told("tables --publish", "places 1 2 1 3")
    assert [line.split()[2:4] for line in told("standings").splitlines()[2:]] == [["B", "5"], ["A", "3"], ["C", "1"]]


def test_a_sheet_has_the_tables(told: Told) -> None:
    told(*SEVEN, "tables --publish")
    assert "Seat 4" in told("print pairings")


def test_tables_are_seated_by_hand(run: Run, told: Told) -> None:
    told(*SEVEN)
    assert "name the round to show, or all tables to publish" in refused(run, "tables", "1:1-2-3-4", "2:5-6-7")
    assert "'1:1' is not a table" in refused(run, "tables", "--publish", "1:1")
    assert "7 Gus plays in this round but is not paired" in refused(run, "tables", "--publish", "1:1-2-3-4", "2:5-6")
    published = told("tables --publish 2:5-6-7 1:4-1-3-2").splitlines()
    assert published[0] == "Round 1 of 2 is published"
    assert [line.split() for line in published[2:]] == [
        ["1", "4", "Dov", "1", "Ada", "3", "Cleo", "2", "Ben"],
        ["2", "5", "Eva", "6", "Finn", "7", "Gus"],
    ]


def test_what_cannot_be_is_refused(run: Run, told: Told) -> None:
    told(*SEVEN)
    assert "round 1 is not paired: it is seated at tables" in refused(run, "pair")
    told("tables --publish")
    assert "is no order of table 1" in refused(run, "places", "1", "1", "2")
    assert "must wait" in refused(run, "tables", "--publish")
    assert refused(run, "places", "9", "1").startswith("round 1 has no table 9: name one")
    assert "cannot be written to a report file" in refused(run, "export", "trf26")


def test_where_two_play_there_are_no_tables(run: Run, told: Told) -> None:
    told(*UNDER_WAY)
    for words in (["tables"], ["tables", "1"], ["tables", "--publish"], ["places", "1", "1", "2"]):
        assert "this tournament is played in pairs" in refused(run, *words)
