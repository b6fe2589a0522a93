"""The command `series`: the standings of several events."""

import json
from pathlib import Path

from tests.cli.tournament_runs import FILE, FOUR, Run, Told, refused

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


def test_the_same_file_twice_is_refused(run: Run, told: Told) -> None:
    told(*FOUR, "publish", "result 1 1-0 2 =")
    assert "Evening is in the series twice" in refused(run, "series", FILE, f"./{FILE}")
    Path("copy.gnomon-tournament").write_bytes(Path(FILE).read_bytes())
    assert "Evening is in the series twice" in refused(run, "series", FILE, "copy.gnomon-tournament")


def test_ratings_take_the_file_of_a_tournament_under_any_name(told: Told) -> None:
    told(*FOUR, "publish", "result 1 1-0 2 =")
    Path("evening.old").write_bytes(Path(FILE).read_bytes())
    assert told(["elo", "evening.old"]) == told(["elo", FILE])


def test_ratings_name_the_source_that_they_refuse(run: Run, told: Told) -> None:
    told(*FOUR)
    Path("photo.trf").write_bytes(b"\x7fELF\0\1\2")
    Path("words.trf").write_text("Dear Sir, this is no report\n", encoding="utf-8")
    assert refused(run, "elo", FILE, "photo.trf").startswith("photo.trf: this is not a text")
    assert refused(run, "elo", FILE, "words.trf").startswith("words.trf: ")


def test_a_list_that_is_no_text_is_refused_without_its_bytes(run: Run, told: Told) -> None:
    told(*FOUR)
    Path("photo.csv").write_bytes(b"\x7fELF\0\1\2\xff")
    Path("words.csv").write_text("Dear Sir\nthis is no list\n", encoding="utf-8")
    assert refused(run, "add", "Zed", "--list", "photo.csv") == (
        "photo.csv: this is not a text but another program's own file: save it there as CSV, in UTF-8"
    )
    assert refused(run, "add", "Zed", "--list", "words.csv").startswith("words.csv: row 1: none of the headings")
