"""The commands `split` and `advance`: from groups to a final."""

from pathlib import Path

from tests.cli.tournament_runs import FILE, FOUR, Run, Told, refused

POOLS = ("evening-a.gnomon-tournament", "evening-b.gnomon-tournament")
FINAL = "final.gnomon-tournament"


def split(told: Told) -> str:
    return told(*FOUR, "split --groups 2")


def finish(told: Told) -> None:
    for pool in POOLS:
        told(f"publish --file {pool}", f"result 1 1-0 --file {pool}")
    told(["new", "Final", "--system", "knockout", "--entrants", "2", "--file", FINAL])


def test_entrants_are_drawn_into_groups(told: Told) -> None:
    assert split(told).splitlines() == [f"{POOLS[0]}: Ada, Dov", f"{POOLS[1]}: Ben, Cleo"]
    assert "round robin" in told(f"log --file {POOLS[0]}")


def test_the_winners_of_groups_go_on_into_a_final(told: Told) -> None:
    split(told)
    finish(told)
    go_on = ["advance", "--file", FINAL, "--places", "1"]
    go_on += [word for pool in POOLS for word in ("--from", pool)]
    assert told([*go_on, "--preview"]).splitlines() == [
        "No  Name  From       Place  Pts",
        " 1  Ada   Evening A      1    0",
        " 2  Ben   Evening B      1    0",
        "This is a preview: nothing was changed",
    ]
    told([*go_on, "--carry", "points"])
    log = told(f"log --file {FINAL}")
    assert "seeds were set: 1 Ada, 2 Ben – Evening A, Evening B" in " ".join(log.split())


def test_a_source_may_have_places_of_its_own(told: Told) -> None:
    split(told)
    finish(told)
    said = told(
        ["advance", "--file", FINAL, "--from", f"{POOLS[0]}:2", "--from", f"{POOLS[1]}:1-", "--seeding", "listed"]
    )
    assert [line.split()[1] for line in said.splitlines()[1:]] == ["Dov", "Ben", "Cleo"]


def test_a_lot_names_everybody_who_is_level(run: Run, told: Told) -> None:
    told(*FOUR, "publish", "result 1 ½-½ 2 ½-½")
    sentence = "1 Ada, 2 Ben, 3 Cleo and 4 Dov are level: name them all, the best first"
    assert refused(run, "lot", "2", "1") == sentence
    assert refused(run, "order", "2", "1", "--why", "a play-off") == sentence
    assert told("lot 2 1 4 3").strip() == "the lot put 2 Ben before 1 Ada before 4 Dov before 3 Cleo"


def test_seeds_are_set_by_hand_and_go_by_rating_again(run: Run, told: Told) -> None:
    told(*FOUR)
    assert told("seed 4 2 --why draw").strip() == "seeds were set: 4 Dov, 2 Ben"
    assert [line.split()[0] for line in told("entrants").splitlines()[1:5]] == ["4", "2", "1", "3"]
    assert told("seed --why mistake").strip() == "seeds go by rating again"
    assert [line.split()[0] for line in told("entrants").splitlines()[1:5]] == ["1", "2", "3", "4"]
    told("publish")
    assert "seeds can no longer be set" in refused(run, "seed", "1", "--why", "x")


def test_what_cannot_be_is_refused(run: Run, told: Told) -> None:
    split(told)
    assert "groups of 4 entrants cannot be" in refused(run, "split", "--file", FILE, "--groups", "3")
    assert "--rounds NUMBER" in refused(run, "split", "--file", FILE, "--groups", "2", "--system", "swiss", code=2)
    told(["new", "Final", "--system", "knockout", "--entrants", "2", "--file", FINAL])
    assert "Evening A is not over yet" in refused(run, "advance", "--file", FINAL, "--from", POOLS[0])
    assert "names no places" in refused(run, "advance", "--file", FINAL, "--from", POOLS[0], "--places", "best")
    assert Path(FINAL).is_file()
