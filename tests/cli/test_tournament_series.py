"""The command `series`: the standings of several events."""

import json

from tests.cli.tournament_runs import Run, Told, refused

ONE, TWO = "one.gnomon-tournament", "two.gnomon-tournament"


def two_events(told: Told) -> None:
    for file, name, result in ((ONE, "One", "1-0"), (TWO, "Two", "0-1")):
        told(
            ["new", name, "--system", "round-robin", "--entrants", "2", "--file", file],
            f"add Ada Ben --file {file}",
            f"publish --file {file}",
            f"result 1 {result} --file {file}",
        )


def test_events_add_up(told: Told) -> None:
    two_events(told)
    assert told(f"series {ONE} {TWO}*2 --place-points 3,1").splitlines() == [
        "Place  Name  Pts  One  Two",
        "    1  Ben     7    1    6",
        "    2  Ada     5    3    2",
        "What is in brackets does not count",
    ]


def test_only_the_best_of_a_kind_counts(told: Told) -> None:
    two_events(told)
    said = told(f"series {ONE}=go {TWO}=go --scoring decathlon")
    assert "(0)" in said
    value = json.loads(told(f"series {ONE} {TWO} --scoring pentamind --best 1 --json"))
    assert [each["name"] for each in value] == ["Ada", "Ben"]
    assert [score["counts"] for score in value[0]["scores"]] == [True, False]


def test_what_cannot_be_is_refused(run: Run, told: Told) -> None:
    two_events(told)
    assert "are no points for places" in refused(run, "series", ONE, "--place-points", "1,2")
    assert "there is no tournament in three" in refused(run, "series", "three")
