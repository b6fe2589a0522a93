"""Test how it is changed after the opening how teams play: what follows, what stays, and what is refused."""

import re
from dataclasses import replace

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import Event, TeamPlayChanged
from gnomon.tournament.settings.team_play_changes import (
    FROM_ROUND_ONE,
    PLAY,
    changed_parts,
    describe_play,
    play_texts,
    play_with,
)
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import ONE, Points
from gnomon.tournament.state.settings import Scoring, System
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of, team_view
from gnomon.words import LANGUAGES, words
from tests.tournament import _teams
from tests.tournament._evening import after, gathered, settings

PLAYED = _teams.played(_teams.gathered(4), [(1, 2, "11"), (3, 4, "==")])
THREE = Scoring(Points(3), ONE, Points(0), ONE)
OTHERS = {
    "match_win": "3",
    "match_draw": "½",
    "match_loss": "½",
    "match_bye": "2",
    "board_bye": "1",
    "rank_by": "game-points",
    "cup_breaks": "TBR, BBE",
    "boards": "3",
    "alternate": "no",
}


def changed(tournament: Tournament, now: TeamPlay, reason: str = "as voted") -> Tournament:
    return after(tournament, TeamPlayChanged(book_of(tournament).play, now, reason))


def points(tournament: Tournament) -> list[tuple[int, int]]:
    return [(one.number, int(one.points)) for one in standings(team_view(tournament))]


def test_matches_are_counted_anew() -> None:
    play = book_of(PLAYED).play
    assert points(PLAYED) == [(1, 2), (3, 1), (4, 1), (2, 0)]
    assert points(changed(PLAYED, replace(play, scoring=THREE))) == [(1, 3), (3, 1), (4, 1), (2, 0)]
    by_games = changed(PLAYED, replace(play, games_first=True))
    assert points(by_games) == [(1, 2), (3, 1), (4, 1), (2, 0)]
    assert book_of(by_games).matches.rounds == book_of(PLAYED).matches.rounds


@pytest.mark.parametrize("name", PLAY)
def test_every_part_is_read_as_it_is_written(name: str) -> None:
    play = play_with(TeamPlay(2), {name: OTHERS[name]})
    assert changed_parts(TeamPlay(2), play) == (name,)
    assert play_with(TeamPlay(2), play_texts(play)) == play


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_has_a_name_in_every_language(language: str) -> None:
    said = [str(each.values["setting"]) for each in describe_play(TeamPlay(2))]
    assert len(set(said)) == len(PLAY)
    assert len({words(language)(f"tournament.log.play.{name}") for name in PLAY}) == len(PLAY)


@pytest.mark.parametrize("name", sorted(FROM_ROUND_ONE))
def test_what_the_boards_of_a_round_rest_on_stays(name: str) -> None:
    now = play_with(TeamPlay(2), {name: OTHERS[name]})
    assert book_of(changed(_teams.gathered(4), now)).play == now
    with pytest.raises(TournamentError, match=r"can no longer be changed: .*; it has counted since round 1"):
        changed(PLAYED, now)


def test_another_winner_of_a_cup_is_refused_once_the_next_round_is_published() -> None:
    cup = _teams.played(_teams.gathered(4, 4, System.KNOCKOUT, 2), [(1, 4, "1001"), (2, 3, "1111")])
    final = _teams.published(cup)
    with pytest.raises(TournamentError, match="round 1, match 1: another team would go on"):
        changed(final, replace(book_of(final).play, cup_breaks=("TBR",)))
    assert changed(cup, replace(book_of(cup).play, cup_breaks=("TBR",))).rounds == cup.rounds


PLAY_OF = book_of(PLAYED).play


@pytest.mark.parametrize(
    ("before", "event", "sentence"),
    [
        (PLAYED, TeamPlayChanged(PLAY_OF, replace(PLAY_OF, scoring=THREE), " "), "cannot be changed without a reason"),
        (PLAYED, TeamPlayChanged(replace(PLAY_OF, scoring=THREE), PLAY_OF, "so"), "have been changed"),
        (PLAYED, TeamPlayChanged(PLAY_OF, PLAY_OF, "so"), "nothing would change"),
        (
            PLAYED,
            TeamPlayChanged(PLAY_OF, replace(PLAY_OF, cup_breaks=("TBR",)), "so"),
            "this means nothing here (swiss)",
        ),
        (gathered(2, settings()), TeamPlayChanged(PLAY_OF, PLAY_OF, "so"), "no teams play in"),
    ],
)
def test_what_cannot_be_is_refused(before: Tournament, event: Event, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        after(before, event)


@pytest.mark.parametrize(("name", "text"), [("rank_by", "games"), ("boards", "two"), ("alternate", "often")])
def test_a_text_that_is_no_value_is_refused(name: str, text: str) -> None:
    with pytest.raises(TournamentError):
        play_with(TeamPlay(2), {name: text})
