"""Make up tournaments with everything that a report file can tell."""

from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold, step
from gnomon.tournament.events import (
    ByeGranted,
    ByeWithdrawn,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    HeadingTold,
    PairingProhibited,
    PersonTold,
    ResultEntered,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.results import GameResult, Points
from gnomon.tournament.state.round_history import winner
from gnomon.tournament.state.settings import Bye, Scoring, System, TournamentSettings

GAMES = st.sampled_from([game for game in GameResult if game is not GameResult.BOTH_WON])  # which is of Go alone
LETTERS = st.characters(categories=["L", "Nd"], include_characters="-'.,")
NAMES = st.text(LETTERS, min_size=1, max_size=33)
WORDS = st.lists(NAMES, max_size=3).map(" ".join)
DAYS = st.dates().map(lambda day: f"{day:%y/%m/%d}")
HEADINGS = st.builds(
    Heading,
    deputies=st.lists(NAMES, max_size=3).map(tuple),
    dates=st.lists(DAYS, max_size=6).map(tuple),
    **dict.fromkeys(["city", "federation", "starts", "ends", "arbiter", "time", "encoded_time", "paired_by"], WORDS),
)
PERSONS = st.builds(
    PersonalData,
    st.sampled_from(["", "m", "w"]),
    st.text(LETTERS, max_size=3),
    st.sampled_from(["", "ENG", "FID"]),
    st.integers(1, 10**11 - 1).map(str),
    st.sampled_from(["", "1991", "1990/02/03"]),
)
TENTHS = st.integers(1, 40).map(lambda tenths: Points(tenths, 10))


@st.composite
def scorings(draw: st.DrawFn) -> Scoring:
    loss, draw_, win = sorted(draw(st.tuples(TENTHS, TENTHS, TENTHS)))
    return Scoring(win + 1, draw_, loss, draw(st.sampled_from([win + 1, draw_, Points(0)])))


def tournaments() -> st.SearchStrategy[Tournament]:
    """Tournaments that a file tells whole, at any moment of them."""
    return stories().map(stayed)


@st.composite
def stories(draw: st.DrawFn) -> Tournament:
    system = draw(st.sampled_from([System.SWISS, System.MCMAHON, System.ROUND_ROBIN, System.KNOCKOUT]))
    swiss = system in {System.SWISS, System.MCMAHON}
    ratings = draw(st.lists(st.none() | st.integers(1, 9999), min_size=2, max_size=9))
    numbers = draw(st.lists(st.integers(1, 9999), min_size=len(ratings), max_size=len(ratings), unique=True))
    rated = sorted({rating for rating in ratings if rating is not None})
    if not rated and system is System.MCMAHON:
        ratings[0] = 1500  # without a bar that somebody reaches it is a Swiss
        rated = [1500]
    like = TournamentSettings(
        draw(NAMES),
        system,
        draw(st.integers(1, 6)) if swiss else 9,
        games=draw(st.sampled_from([1, 2])) if system is System.SWISS else 1,
        leader_first=draw(st.booleans()),
        scoring=draw(st.just(Scoring()) | scorings()),
        bars=tuple(rated[:2]) if system is System.MCMAHON else (),
        cycles=draw(st.sampled_from([1, 2])) if system is System.ROUND_ROBIN else 1,
        tie_breaks=draw(st.sampled_from([("DE", "BHC1", "SB"), ("WON", "BPG", "KS"), ()])),
        accelerated=draw(st.booleans()) if system is System.SWISS else False,
    )
    events: list[Event] = [TournamentOpened(like)]
    for number, rating in zip(numbers, ratings, strict=True):
        team = draw(st.sampled_from(["", "Rooks", "Knights of Ely"]))
        events.append(EntrantRegistered(number, draw(NAMES), rating, team))
    events.append(HeadingTold(draw(HEADINGS)))
    known = draw(st.dictionaries(st.sampled_from(numbers), PERSONS, max_size=3))
    tournament = fold([*events, *(PersonTold(number, person) for number, person in known.items())])
    for _ in range(draw(st.integers(0, 4))):
        if tournament.next_round > like.rounds:
            return tournament
        if swiss:
            tournament = disturbed(draw, tournament)
        try:
            pairings = pair(tournament)
        except TournamentError:
            return tournament
        tournament = step(tournament, RoundPublished(tournament.next_round, pairings))
        tournament = told(draw, tournament)
        if tournament.waiting:
            return tournament
    return tournament


def told(draw: st.DrawFn, tournament: Tournament) -> Tournament:
    """The round being played with results, or sometimes without one of them."""
    round_ = tournament.rounds[-1]
    for board in round_.waiting:
        if draw(st.integers(0, 12)) == 12:
            continue
        result = tuple(draw(GAMES) for _ in range(tournament.settings.games))
        if tournament.settings.system is System.KNOCKOUT and winner(round_.at(board), result) is None:
            result = (GameResult.FIRST_WON,)
        tournament = step(tournament, ResultEntered(round_.number, board, result))
    return tournament


def disturbed(draw: st.DrawFn, tournament: Tournament) -> Tournament:
    """Somebody leaves, comes back, comes late, has a bye in some round to come, or is kept from somebody."""
    number = tournament.next_round
    one, other = (draw(st.sampled_from(sorted(tournament.entrants))) for _ in range(2))
    # To a file, an entrant who never had an entry in any round is somebody who comes late.
    has_been_there = any(round_.of(one) for round_ in tournament.rounds)
    events: list[Event] = []
    match draw(st.integers(0, 7)):
        case 0 if one not in tournament.withdrawn and (number == 1 or has_been_there):
            events = [EntrantWithdrew(one, number)]
        case 1 if has_been_there:
            events = [EntrantReturned(one)]
        case 2:
            bye = draw(st.sampled_from([Bye.ZERO, Bye.HALF, Bye.FULL]))
            events = [ByeGranted(one, draw(st.integers(number, 6)), bye)]
        case 3:
            late = next(free for free in range(1, 9999) if free not in tournament.entrants)
            events = [EntrantRegistered(late, draw(NAMES), draw(st.none() | st.integers(1, 9999)), "", number)]
        case 4 if one != other:
            events = [PairingProhibited(one, other)]
        case _:
            pass
    try:
        for event in events:
            tournament = step(tournament, event)
    except TournamentError:
        pass
    return tournament


def stayed(tournament: Tournament) -> Tournament:
    """Nobody asks for an absence from every round that is left: to a file they would have gone."""
    left = range(tournament.next_round, tournament.settings.rounds + 1)
    for one in tournament.entrants:
        if left and all(tournament.byes.get((one, number)) is Bye.ZERO for number in left):
            tournament = step(tournament, ByeWithdrawn(one, left[-1]))
    return tournament
