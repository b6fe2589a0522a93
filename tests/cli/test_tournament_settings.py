"""The command `gnomon tournament settings`: what it shows, changes and previews."""

import json

from gnomon.tournament.settings.texts import READERS
from tests.cli.test_tournament_of_teams import CUP
from tests.cli.tournament_runs import FOUR, UNDER_WAY, Run, Told, refused


def test_the_settings_are_shown(told: Told) -> None:
    told(*FOUR)
    assert "tie-breaks: DE BHC1 BH SB WIN" in told("settings").splitlines()
    assert json.loads(told("settings --json")).keys() == set(READERS)


def test_each_setting_has_an_option(run: Run) -> None:
    said = run("settings", "--help").output
    assert [name for name in READERS if f"--{name.replace('_', '-')} " not in said] == []


def test_a_preview_changes_nothing_and_needs_no_reason(told: Told) -> None:
    told(*UNDER_WAY)
    before = told("settings")
    assert told("settings --rounds 5 --preview").splitlines() == [
        "rounds 5 (was 3)",
        "This is a preview: nothing was changed",
        "nobody changes place",
    ]
    assert told("settings") == before


def test_who_moves_in_the_standings_is_told(told: Told) -> None:
    told(*FOUR, "publish", "result 1 1-0 2 =")
    said = told("settings --tie-breaks SEED --why announced").splitlines()
    assert said == [
        "the settings were changed: tie-breaks SEED (was DE BHC1 BH SB WIN): announced",
        "4 Dov: place 3 (was 2)",
    ]
    changed = json.loads(told("settings --tie-breaks BH --why so --json"))
    assert (changed["settings"]["tie_breaks"], changed["moved"]) == ("BH", [[4, 3, 2]])


def test_what_cannot_be_changed_is_refused(run: Run, told: Told) -> None:
    told(*UNDER_WAY)
    assert "settings cannot be changed without a reason" in refused(run, "settings", "--rounds", "5")
    assert "can no longer be changed: system" in refused(run, "settings", "--system", "mcmahon", "--why", "x")
    assert "'often' is not a number" in refused(run, "settings", "--rounds", "often", "--why", "x")


def test_a_change_of_who_is_ranked_is_told_without_moves(told: Told) -> None:
    told(*FOUR, "settings --check-in yes --why club")
    assert told("settings --check-in no --why all").splitlines() == [
        "the settings were changed: check-in at the door no (was yes): all",
        "nobody changes place",
    ]


def test_where_teams_play_the_moves_are_theirs(told: Told) -> None:
    told(*CUP, "publish", "result 1 1-0 2 1-0")
    assert told("settings --tie-breaks BH:MP --why shorter").endswith("nobody changes place\n")
    assert told("settings --tie-breaks TBR --why boards").splitlines()[1:] == [
        "1 North: place 2 (was 1)",
        "2 South: place 3 (was 1)",
    ]
