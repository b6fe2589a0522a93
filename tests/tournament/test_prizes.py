"""Test prizes by place and category: how they are written, and who gets what."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import event_of, event_text
from gnomon.tournament.events import EntrantCorrected, Event, PersonTold, PrizesAnnounced
from gnomon.tournament.standings.awards import Award, award_rows, awards
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import PersonalData
from gnomon.tournament.state.prizes import NO_PRIZES, Category, Prize, PrizeList, Sharing, parse_prizes, prizes_text
from gnomon.tournament.state.settings import System
from tests.tournament import _teams
from tests.tournament._evening import after, by_hand, gathered, played, settings

PEOPLE: list[Event] = [
    PersonTold(2, PersonalData(sex="w", born="2009/05/01", club="Rooks", federation="GER")),
    PersonTold(3, PersonalData(sex="w", born="1950", title="FM")),
    PersonTold(4, PersonalData(sex="m", born="2010")),
    EntrantCorrected(6, "Finn", None, "North"),
]
SIX = after(gathered(6, settings(rounds=3, tie_breaks=("SEED",))), *PEOPLE)
# Ada 2, Ben, Cleo, Dov and Eva 1 each, Finn 0.
PLAYED = by_hand(SIX, [(1, 4, "1-0"), (5, 2, "0-1"), (3, 6, "1-0")], [(2, 1, "0-1"), (4, 3, "1-0"), (6, 5, "0-1")])


def announced(lines: str, sharing: Sharing = Sharing.TIE_BREAK, *, one_each: bool = True) -> Tournament:
    return after(PLAYED, PrizesAnnounced(parse_prizes(lines, sharing, one_each=one_each)))


def given_to(lines: str, sharing: Sharing = Sharing.TIE_BREAK, *, one_each: bool = True) -> list[tuple[int, str, int]]:
    found = awards(announced(lines, sharing, one_each=one_each))
    return [(award.number, award.category, award.amount // 100) for award in found]


def test_prizes_go_by_place() -> None:
    assert given_to("1: 300\n2: 200\n3: 100") == [(1, "", 300), (2, "", 200), (3, "", 100)]


CLUBS: list[Event] = [
    *(PersonTold(number, PersonalData(club="Rooks", sex="w" if number == 4 else "")) for number in (1, 4)),
    *(PersonTold(number, PersonalData(club=club)) for number, club in ((2, "Bishops"), (3, "bishops"), (6, "Pawns"))),
    EntrantCorrected(5, "Eva", None, "North"),
]


def groups(lines: str, sharing: Sharing = Sharing.TIE_BREAK) -> list[tuple[str, int, tuple[str, ...]]]:
    told = after(PLAYED, *CLUBS, PrizesAnnounced(parse_prizes(lines, sharing, one_each=True)))
    return [(award.group, award.amount // 100, award.things) for award in awards(told) if award.group]


def test_clubs_get_prizes_by_the_points_of_their_best_players() -> None:
    best = "Clubs = best 2 of club\nClubs 1: 90 cup\nClubs 2: 50\nClubs 3: 30\nClubs 4: 10"
    assert groups(best) == [("Rooks", 90, ("cup",)), ("Bishops", 50, ()), ("Pawns", 30, ())]
    assert groups(best.replace("best 2", "best 1"), Sharing.SPLIT) == [
        ("Rooks", 90, ("cup",)),
        ("Bishops", 50, ()),
        ("Pawns", 30, ()),
    ]
    assert groups("Teams = best 3 of team\nTeams 1: 20\nTeams 2: 10") == [("North", 20, ())]
    assert groups("Women = best 1 of club, sex w\nWomen 1: 20\nWomen 2: 10") == [("Rooks", 20, ())]


def test_prizes_of_clubs_are_written_as_they_are_read_and_kept_in_the_log() -> None:
    lines = "Clubs = best 3 of club, born since 2008\nClubs 1: 150 cup"
    told = parse_prizes(lines, Sharing.SPLIT, one_each=True)
    assert prizes_text(told) == lines
    assert event_of(event_text(PrizesAnnounced(told))) == PrizesAnnounced(told)
    with pytest.raises(TournamentError, match="best 3 of club"):
        parse_prizes("Clubs = best 0 of club", Sharing.SPLIT, one_each=True)


def test_level_clubs_split_or_stand_as_their_best_players_do() -> None:
    clubs: list[Event] = [
        PersonTold(2, PersonalData(club="A")),
        PersonTold(3, PersonalData(club="B")),
        PersonTold(4, PersonalData(club="B")),
        PersonTold(5, PersonalData(club="A")),
    ]
    lines = "1: 70\nClubs = best 2 of club\nClubs 1: 40 cup\nClubs 2: 20"
    for sharing, shares, places in ((Sharing.SPLIT, [30, 30], [1, 1]), (Sharing.TIE_BREAK, [40, 20], [1, 2])):
        told = after(PLAYED, *clubs, PrizesAnnounced(parse_prizes(lines, sharing, one_each=True)))
        mine = [award for award in awards(told) if award.group]
        assert [(award.group, award.amount // 100) for award in mine] == [("A", shares[0]), ("B", shares[1])]
        assert [(row.place, row.number, row.name) for row in award_rows(told)[1:]] == [
            (places[0], 0, "A"),
            (places[1], 0, "B"),
        ]
        assert awards(told)[0].number == 1, "a club's prize keeps nobody from one"


def test_players_level_on_points_split_what_they_would_get_one_by_one() -> None:
    assert given_to("1: 300\n2: 200\n3: 100", Sharing.SPLIT) == [
        (1, "", 300),
        (2, "", 75),
        (3, "", 75),
        (4, "", 75),
        (5, "", 75),
    ]


def test_a_hundredth_too_many_goes_to_the_higher_placed() -> None:
    shares = [award.amount for award in awards(announced("1: 3\n2: 0.05\n3: 0.01", Sharing.SPLIT))]
    assert shares == [300, 2, 2, 1, 1]


def test_nobody_gets_money_twice_and_everybody_the_most_they_may() -> None:
    lines = "1: 300\n2: 50\nWomen = sex w\nWomen 1: 150\nWomen 2: 20"
    assert given_to(lines) == [(1, "", 300), (2, "Women", 150), (3, "", 50)]
    assert given_to(lines, one_each=False) == [
        (1, "", 300),
        (2, "Women", 150),
        (2, "", 50),
        (3, "Women", 20),
    ]


def test_who_took_a_prize_of_a_category_has_no_share_elsewhere() -> None:
    lines = "1: 300\n2: 200\n3: 100\nJunior = born since 2008\nJunior 1: 250"
    assert given_to(lines, Sharing.SPLIT) == [
        (1, "", 300),
        (2, "Junior", 250),
        (3, "", 100),
        (4, "", 100),
        (5, "", 100),
    ]


def test_who_is_level_in_two_categories_shares_in_one() -> None:
    woman = after(PLAYED, PersonTold(4, PersonalData(sex="w")))
    told = parse_prizes("Women = sex w\nWomen 1: 90\n1: 300\n2: 210", Sharing.SPLIT, one_each=True)
    found = awards(after(woman, PrizesAnnounced(told)))
    assert [(award.number, award.category, award.amount // 100) for award in found] == [
        (1, "", 300),
        (2, "", 70),
        (3, "Women", 90),
        (4, "", 70),
        (5, "", 70),
    ]


def test_a_thing_goes_to_the_best_whatever_else_they_won() -> None:
    found = awards(announced("1: 300 cup\nWomen = sex w\nWomen 1: a book\n2: 200", Sharing.SPLIT))
    assert found[0] == Award(1, "", 30000, ("cup",), (1,))
    assert found[1:3] == (Award(2, "", 5000, (), (2,)), Award(2, "Women", 0, ("a book",), (1,)))


def test_what_is_shared_names_the_places_that_it_comes_from() -> None:
    rows = award_rows(announced("1: 300 cup\n2: 50\n3: 50", Sharing.SPLIT))
    assert rows[0][2:] == ("Ada", "1", "300", "cup")
    assert {row[2:] for row in rows[1:]} == {(name, "2+3", "25", "") for name in ("Ben", "Cleo", "Dov", "Eva")}


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ("sex w", [2, 3]),
        ("sex w, born since 2008", [2]),
        ("born until 1966", [3]),
        ("club ROOKS", [2]),
        ("team north", [6]),
        ("federation GER", [2]),
        ("title FM", [3]),
        ("rating below 1997", [4, 5]),
        ("rating from 1998", [1, 2]),
        ("unrated", [6]),
    ],
)
def test_a_category_has_those_of_whom_everything_is_so(conditions: str, numbers: list[int]) -> None:
    lines = "\n".join([f"Some = {conditions}", *(f"Some {place}: 10" for place in range(1, 7))])
    assert [number for number, _, _ in given_to(lines)] == numbers


def test_in_a_knockout_those_who_went_out_together_split() -> None:
    cup = played(gathered(4, settings(System.KNOCKOUT, rounds=2, tie_breaks=())), 2)
    told = after(cup, PrizesAnnounced(parse_prizes("1: 100\n2: 50\n3: 30\n4: 10", Sharing.SPLIT, one_each=True)))
    assert [(award.number, award.amount) for award in awards(told)] == [(1, 10000), (2, 5000), (3, 2000), (4, 2000)]


AMOUNTS = st.lists(st.integers(0, 50_000), min_size=1, max_size=6).map(lambda some: sorted(some, reverse=True))


@given(AMOUNTS, AMOUNTS, st.sampled_from(Sharing), st.booleans())
def test_everything_that_can_be_given_is_given_and_no_more(
    overall: list[int],
    women: list[int],
    sharing: Sharing,
    one_each: bool,
) -> None:
    prizes = [Prize("", place, amount) for place, amount in enumerate(overall, start=1)]
    prizes += [Prize("Women", place, amount) for place, amount in enumerate(women, start=1)]
    told = PrizeList((Category("Women", sex="w"),), tuple(prizes), sharing, one_each)
    found = awards(after(PLAYED, PrizesAnnounced(told)))
    paid = [award for award in found if award.amount]
    assert sum(award.amount for award in found) <= sum(prize.amount for prize in prizes)
    assert {award.number for award in paid if award.category == "Women"} <= {2, 3}
    if one_each:
        assert len({award.number for award in paid}) == len(paid)
    else:
        assert sum(award.amount for award in found) == sum(overall) + sum(women[:2])


@given(st.lists(st.sampled_from(["1: 300", "2: 200.50 cup", "3: a book", "U18 1: 20", "Old 1: 5"]), unique=True))
def test_prizes_are_read_as_they_are_written(lines: list[str]) -> None:
    text = "\n".join(["U18 = sex w, born since 2008", "Old = born until 1960, rating from 1200, unrated", *lines])
    told = parse_prizes(text, Sharing.SPLIT, one_each=False)
    assert prizes_text(told) == text
    assert parse_prizes(f"\n{prizes_text(told)}\n", Sharing.SPLIT, one_each=False) == told


def test_nothing_announced_is_nothing_to_win() -> None:
    assert awards(PLAYED) == ()
    assert prizes_text(NO_PRIZES) == ""
    assert announced("1: 5").in_public().prizes == NO_PRIZES


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("much money", "line 1 names no prize: 'much money'"),
        ("1: 300\n2:", "line 2 names no prize: '2:'"),
        ("= sex w", "line 1 names no prize"),
        ("U = rating below 0", "line 1"),
        ("U = born since 0000", "line 1"),
        ("Women = ", "line 1 names no prize"),
        ("Women = ,", "line 1 names no prize: 'Women = ,'"),
        ("Women = kind", "line 1: 'kind' says nothing that is known of entrants; write one of sex w, club NAME"),
        ("Women = sex f", "'sex f' says nothing"),
        ("Old = born until long ago", "'born until long ago' says nothing"),
        ("Women 1: 300", "there is no category 'Women'"),
        ("1: 300\n1: 200", "the prize 1 appears twice"),
        ("0: 300", "the prize 0 appears twice, or has no place from 1 up"),
        ("1: 100\n2: 200", "the prize 2 is worth more than the place before it"),
        ("1: 12345678", "'12345678' is not an amount"),
    ],
)
def test_what_is_no_prize_is_refused(lines: str, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        parse_prizes(lines, Sharing.SPLIT, one_each=True)


# Team 1 beats 2 at both boards, team 3 draws with 4: North, South, East, West with players 11, 12 … 43.
TEAMS = [
    PersonTold(11, PersonalData(sex="w")),
    PersonTold(12, PersonalData(sex="w")),
    *(PersonTold(number, PersonalData(sex="w")) for number in (31, 32, 33)),
]
CUP = after(_teams.gathered(4), *TEAMS)
CUP = _teams.played(CUP, [(1, 2, "11"), (3, 4, "==")])


def of_cup(lines: str, sharing: Sharing = Sharing.TIE_BREAK) -> list[tuple[int, bool | None, str, int]]:
    told = after(CUP, PrizesAnnounced(parse_prizes(lines, sharing, one_each=True)))
    return [(award.number, award.of_team, award.category, award.amount // 100) for award in awards(told)]


def test_where_teams_play_the_prizes_are_theirs() -> None:
    assert of_cup("1: 300\n2: 200") == [(1, True, "", 300), (3, True, "", 100), (4, True, "", 100)]
    assert of_cup("1: 300\n2: 200\n4: 50", Sharing.SPLIT)[0] == (1, True, "", 300)


@pytest.mark.parametrize(
    ("conditions", "teams"),
    [
        ("sex w", [3]),
        ("team NORTH", [1]),
        ("rating below 1979", [3, 4]),
        ("rating from 1979", [1, 2]),
        ("unrated", []),
        ("sex w, rating from 1979", []),
    ],
)
def test_a_team_is_in_a_category_if_all_its_members_are(conditions: str, teams: list[int]) -> None:
    lines = "\n".join([f"Some = {conditions}", *(f"Some {place}: 10" for place in range(1, 5))])
    assert sorted(number for number, *_ in of_cup(lines)) == teams


BOARDS = "Board 1 = board 1\nBoard 1 1: 40\nBoard 1 2: 20\nWomen = board 1, sex w\nWomen 1: a book"


def test_the_prizes_of_a_board_are_for_its_players() -> None:
    # At board 1: 11 won, 31 and 41 drew.
    tie_break = of_cup(f"1: 300\n{BOARDS}")
    assert tie_break == [
        (1, True, "", 300),
        (11, False, "Board 1", 40),
        (11, False, "Women", 0),
        (31, False, "Board 1", 10),
        (41, False, "Board 1", 10),
    ]
    # With more games before the same points 31 stands behind 41, unless money goes by points alone.
    later = _teams.played(CUP, [(3, 1, "01"), (2, 4, "=1")])
    told = [PrizesAnnounced(parse_prizes(BOARDS, sharing, one_each=True)) for sharing in Sharing]
    split, by_place = ([(one.number, one.amount) for one in awards(after(later, each))] for each in told)
    assert split[:2] == by_place[:2] == [(11, 4000), (11, 0)]
    assert (split[2:], by_place[2:]) == ([(41, 2000)], [(41, 2000)])


def test_awards_name_teams_and_players() -> None:
    rows = award_rows(after(CUP, PrizesAnnounced(parse_prizes(f"1: 300\n{BOARDS}", Sharing.SPLIT, one_each=True))))
    assert rows[0] == (1, 1, "North", "1", "300", "")
    assert rows[1] == (1, 11, "North 1 (North)", "Board 1 1", "40", "")
    assert rows[3][:3] == (2, 31, "East 1 (East)")


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        (PLAYED, "'First' is for players of teams at board 3, and no teams play here"),
        (CUP, "'First' is for board 3, and teams have 2: name a board that there is"),
    ],
)
def test_a_board_at_which_no_team_sits_is_refused(before: Tournament, sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        after(before, PrizesAnnounced(parse_prizes("First = board 3\nFirst 1: 5", Sharing.SPLIT, one_each=True)))
