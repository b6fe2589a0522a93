"""Test how settings are changed after the opening: what follows, what stays, and what is refused."""

import re
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given

from gnomon.refusals import clause
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    HeadingTold,
    PairingProhibited,
    SettingsChanged,
    TablesSeated,
)
from gnomon.tournament.settings.changes import FROM_ROUND_ONE, changed_fields, describe_changes, describe_settings
from gnomon.tournament.settings.scope import check_scope
from gnomon.tournament.settings.texts import READERS, setting_texts, settings_with
from gnomon.tournament.standings import moved_places, standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import Bye, GradeRules, Scoring, System, TournamentSettings
from gnomon.words import LANGUAGES, words
from tests.tournament._evening import after, by_hand, gathered, played, settings
from tests.tournament._teams import gathered as teams_of
from tests.tournament._teams import played as teams_played
from tests.tournament.test_codec import SETTINGS

FOUR = gathered(4, settings(rounds=3))
PLAYED = by_hand(FOUR, [(1, 3, "½-½"), (4, 2, "0-1")], [(2, 1, "½-½"), (3, 4, "½-½")])


def changed(tournament: Tournament, reason: str = "so", **others: Any) -> Tournament:
    was = tournament.settings
    return after(tournament, SettingsChanged(was, replace(was, **others), reason))


def points(tournament: Tournament) -> list[tuple[int, Points]]:
    return [(one.number, one.points) for one in standings(tournament)]


def test_standings_are_computed_anew_by_the_points_of_now() -> None:
    assert points(PLAYED) == [(2, Points(3, 2)), (1, Points(1)), (3, Points(1)), (4, Points(1, 2))]
    three = changed(PLAYED, scoring=Scoring(Points(3), Points(1), Points(0), Points(3)))
    assert points(three) == [(2, Points(4)), (1, Points(2)), (3, Points(2)), (4, Points(1))]
    assert three.rounds == PLAYED.rounds


def test_who_moves_in_the_standings_is_said() -> None:
    by_seed = changed(PLAYED, tie_breaks=("SEED",))
    without = changed(PLAYED, tie_breaks=())
    assert moved_places(without, by_seed) == ((3, 2, 3),)
    assert moved_places(by_seed, by_seed) == ()


def test_an_entrant_who_is_not_ranked_before_has_not_moved() -> None:
    asked = changed(FOUR, check_in=True)
    assert standings(asked) == ()
    assert moved_places(asked, changed(asked, check_in=False)) == ()


def test_where_teams_play_it_is_teams_that_move() -> None:
    cup = teams_played(teams_of(2), [(1, 2, "0=")])
    fewer = changed(cup, tie_breaks=("BH:MP",), scoring=replace(cup.settings.scoring, win=Points(3)))
    assert moved_places(cup, fewer) == ()
    level = changed(teams_played(teams_of(2), [(1, 2, "10")]), tie_breaks=("BC",))
    assert moved_places(level, changed(level, tie_breaks=())) == ((2, 2, 1),)


def test_more_rounds_are_played_and_fewer_end_it_earlier() -> None:
    assert played(changed(PLAYED, rounds=3, balance=False, team_mates_meet=False), 1).next_round == 4
    shorter = changed(PLAYED, rounds=2)
    with pytest.raises(TournamentError, match="has had its 2 rounds"):
        played(shorter, 1)


BEFORE_ROUND_ONE: dict[str, object] = {
    "system": System.ROUND_ROBIN,
    "games": 2,
    "leader_first": False,
    "bars": (1500,),
    "grades": GradeRules(bar=3),
    "cycles": 2,
    "accelerated": True,
    "lives": 2,
    "check_in": True,
    "table_size": 3,
}


SYSTEMS = {
    "bars": System.MCMAHON,
    "grades": System.MCMAHON,
    "cycles": System.ROUND_ROBIN,
    "lives": System.KNOCKOUT,
    "table_size": System.TABLES,
}


@pytest.mark.parametrize("name", BEFORE_ROUND_ONE)
def test_what_published_rounds_rest_on_stays(name: str) -> None:
    system = SYSTEMS.get(name, System.SWISS)
    before = gathered(4, settings(system, rounds=5))
    value = BEFORE_ROUND_ONE[name]
    at_tables = TablesSeated(1, (Table(1, (1, 2, 3, 4)),))
    begun = after(before, at_tables) if system is System.TABLES else played(before, 1)
    assert getattr(changed(before, "so", **{name: value}).settings, name) == value
    with pytest.raises(TournamentError, match=r"can no longer be changed: .*; it has counted since round 1"):
        changed(begun, "so", **{name: value})


def test_everything_fixed_is_tried() -> None:
    assert set(BEFORE_ROUND_ONE) == FROM_ROUND_ONE


def test_a_match_for_the_third_place_may_be_added_until_the_last_round_is_published() -> None:
    cup = played(gathered(4, settings(System.KNOCKOUT, rounds=2, tie_breaks=())), 1)
    assert changed(cup, third_place=True).settings.third_place
    with pytest.raises(TournamentError, match="match for third place"):
        changed(played(cup, 1), third_place=True)


@pytest.mark.parametrize(
    ("before", "others", "sentence"),
    [
        (PLAYED, {"rounds": 1}, "1 rounds are too few: round 2 is published already"),
        (PLAYED, {}, "nothing would change: Club evening has these settings already"),
        (PLAYED, {"name": " "}, "a tournament needs a name: give one"),
        (PLAYED, {"rule_set": "FIDE_1900"}, "there are no tie-break rules FIDE_1900"),
        (PLAYED, {"tie_breaks": ("LUCK",)}, "LUCK is not a tie-break"),
        (PLAYED, {"reason": " ", "rounds": 4}, "settings cannot be changed without a reason"),
        (
            after(FOUR, EntrantRegistered(5, "Eva", since=3)),
            {"rounds": 2},
            "2 rounds are too few: something is planned for 5 Eva in round 3; change that first",
        ),
        (after(FOUR, ByeGranted(1, 3, Bye.HALF)), {"rounds": 2}, "something is planned for 1 Ada in round 3"),
        (
            after(FOUR, ByeGranted(1, 3, Bye.HALF)),
            {"system": System.KNOCKOUT},
            "the system cannot become knockout: 1 Ada enters late or has a bye",
        ),
        (
            after(FOUR, EntrantRegistered(5, "Eva", since=3)),
            {"system": System.ROUND_ROBIN},
            "the system cannot become round robin: 5 Eva enters late or has a bye",
        ),
        (
            after(FOUR, PairingProhibited(2, 1)),
            {"system": System.ROUND_ROBIN},
            "the system cannot become round robin: 1 Ada and 2 Ben are kept apart",
        ),
        (
            after(FOUR, HeadingTold(Heading(dates=("26/11/20",) * 3))),
            {"rounds": 2},
            "3 days were given, but there are 2 rounds",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(before: Tournament, others: dict[str, str], sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        changed(before, **others)


def test_a_change_that_was_decided_on_other_settings_is_refused() -> None:
    event = SettingsChanged(FOUR.settings, replace(FOUR.settings, rounds=5), "more time")
    with pytest.raises(TournamentError, match="have been changed meanwhile"):
        after(changed(FOUR, name="Cup"), event)


@given(SETTINGS, SETTINGS)
def test_a_change_names_what_differs_and_can_be_taken_back(was: TournamentSettings, now: TournamentSettings) -> None:
    names = changed_fields(was, now)
    assert replace(was, **{name: getattr(now, name) for name in names}) == now
    assert (names == ()) == (was == now)
    assert len(list(describe_changes(was, now))) >= len(names)


@given(SETTINGS)
def test_settings_are_read_as_they_are_written(like: TournamentSettings) -> None:
    tidy = replace(like, name=" ".join(like.name.split()))
    assert settings_with(tidy, setting_texts(tidy)) == tidy


def test_every_setting_has_a_text() -> None:
    kept = {one.name for one in fields(TournamentSettings)} - {"scoring"} | {one.name for one in fields(Scoring)}
    assert set(READERS) == kept


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({"rounds": "many"}, "'many' is not a number: write a whole number up to 9999"),
        ({"balance": "perhaps"}, "'perhaps' is neither yes nor no"),
        ({"system": "chess"}, "'chess' is not a system: take one of round robin, swiss"),
        ({"win": "0"}, "these points cannot be"),
        ({"unrated": "-1"}, "'-1' is not a number"),
        ({"grades": "strong"}, "'strong' is not McMahon by grades: write floor and bar, such as"),
        ({"grades": "20k 99d"}, "'99d' is not a grade"),
    ],
)
def test_what_is_no_setting_is_refused(texts: dict[str, str], sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        settings_with(FOUR.settings, texts)


def test_each_round_may_play_another_game() -> None:
    like = settings_with(FOUR.settings, {"round_games": "Tabik,  Tayu , tau"})
    assert like.round_games == ("Tabik", "Tayu", "tau")
    assert [like.game_in(number) for number in range(1, 5)] == ["Tabik", "Tayu", "tau", "Tabik"]
    assert setting_texts(like)["round_games"] == "Tabik, Tayu, tau"
    assert FOUR.settings.game_in(1) == ""


def test_people_write_settings_in_several_ways() -> None:
    told = settings_with(
        FOUR.settings, {"system": "round-robin", "bars": "1800, 1500", "unrated": "1000", "tie_breaks": "de, sb, de"}
    )
    assert (told.system, told.bars, told.unrated) == (System.ROUND_ROBIN, (1500, 1800), 1000)
    assert told.tie_breaks == ("DE", "SB")
    assert settings_with(FOUR.settings, {"tie_breaks": "BH:GP ks-l-3"}).tie_breaks == ("BH:GP", "KSL-3")


def test_the_tie_breaks_of_teams_may_be_chosen_where_teams_play() -> None:
    assert changed(teams_of(4), tie_breaks=("BH:GP", "EMMSB")).settings.tie_breaks == ("BH:GP", "EMMSB")
    with pytest.raises(TournamentError, match="EMMSB"):
        changed(FOUR, tie_breaks=("EMMSB",))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_has_a_name_in_every_language(language: str) -> None:
    said = [clause(each, words(language)) for each in describe_settings(FOUR.settings)]
    assert len(set(said)) == len(READERS)


def test_a_change_is_described() -> None:
    now = replace(FOUR.settings, unrated=1000, bars=(1500, 1800), system=System.MCMAHON, balance=False)
    assert [each.message for each in describe_changes(FOUR.settings, now)] == [
        "system McMahon (was Swiss)",
        "balance of sides no (was yes)",
        "bars 1500 1800 (was none)",
        "rating of unrated players in averages 1000 (was none)",
    ]


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ({"bars": (1800,)}, "bars: this means nothing here (swiss); leave it out, or choose another system"),
        ({"third_place": True}, "match for third place: this means nothing here (swiss)"),
        ({"cycles": 2}, "cycles: this means nothing here (swiss)"),
        ({"streak": True}, "bonus for wins in a row"),
        ({"reach": 4}, "rungs that a challenge may reach"),
        ({"table_size": 3}, "players at a table"),
        ({"grades": GradeRules(floor=-20)}, "bar and floor by grades"),
        ({"grades": GradeRules(bar=3)}, "bar and floor by grades"),
        ({"system": System.MCMAHON, "bars": (1800,), "grades": GradeRules(handicap=2)}, "bars are ratings or grades"),
        (
            {"system": System.TABLES, "grades": GradeRules(handicap=2)},
            "handicap stones: this means nothing",
        ),
        ({"system": System.KNOCKOUT, "team_mates_meet": False}, "members of a team may meet"),
    ],
)
def test_a_setting_that_means_nothing_in_the_system_is_refused(others: dict[str, object], sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        changed(FOUR, "so", **others)
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        check_scope(replace(FOUR.settings, **others))  # type: ignore[arg-type]  # by name


def test_what_an_older_tournament_holds_is_left_to_it() -> None:
    old = gathered(4, settings(rounds=3, bars=(1800,), grades=GradeRules(floor=-20)))
    assert changed(old, rounds=4).settings.rounds == 4
    with pytest.raises(TournamentError, match="bars: this means nothing"):
        changed(old, system=System.KEIZER)
    graded = changed(FOUR, grades=GradeRules(handicap=1))
    assert changed(graded, system=System.MCMAHON, grades=GradeRules(3, -20, 1)).settings.grades == GradeRules(3, -20, 1)
