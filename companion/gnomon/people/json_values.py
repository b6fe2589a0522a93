"""Convert what is known of people to JSON, for programs and for an export."""

from collections.abc import Iterable, Mapping, Sequence

from gnomon.people.profiles import Meeting, Profile, Summary, Tally
from gnomon.people.ratings import MonthRating, PersonRating


def summary_value(one: Summary, *, is_public: bool) -> dict[str, object]:
    """A person in a list."""
    return {
        "name": one.name,
        "public": is_public,
        "results": tally_value(one.results),
        "with_engines": one.with_engines,
        "last": one.last,
        "ratings": ratings_value(one.ratings),
    }


def profile_value(profile: Profile, *, is_public: bool) -> dict[str, object]:
    """Everything about a person."""
    return {
        "name": profile.name,
        "spellings": list(profile.spellings),
        "public": is_public,
        "ratings": ratings_value(profile.ratings),
        "results": _tallies(profile.by_game),
        "with_engines": _tallies(profile.with_engines),
        "opponents": [{"name": one.name, "results": _tallies(one.by_game)} for one in profile.opponents],
        "games": [meeting_value(one) for one in profile.games],
    }


def meetings_value(meetings: Iterable[Meeting]) -> list[dict[str, object]]:
    """The games of two people."""
    return [meeting_value(one) for one in meetings]


def meeting_value(meeting: Meeting) -> dict[str, object]:
    """A game, and how it ended for the person whom it is about."""
    game = meeting.encounter.game
    return {
        "source": game.source,
        "number": game.number,
        "game": game.game,
        "settings": dict(game.settings),
        "began": game.began,
        "result": meeting.score.name.lower(),
        "reason": game.reason,
        "with_engine": meeting.encounter.with_engine,
        "rated": meeting.encounter.is_rated,
    }


def tally_value(tally: Tally) -> dict[str, int]:
    """How many games were won, drawn and lost."""
    return tally._asdict()


def ratings_value(ratings: Mapping[str, PersonRating]) -> dict[str, object]:
    """Ratings by game; `low` and `high` are the bounds within which the strength lies in 95 of 100 cases."""
    return {game: _rating_value(one) for game, one in ratings.items()}


def history_value(name: str, history: Mapping[str, Sequence[MonthRating]]) -> dict[str, object]:
    """The ratings of a person by game, month by month."""
    told = {
        game: [{"month": one.month, **_rating_value(one.rating)} for one in months] for game, months in history.items()
    }
    return {"name": name, "history": told}


def _rating_value(one: PersonRating) -> dict[str, object]:
    return {
        "rating": round(one.rating.value, 2),
        "deviation": round(one.rating.deviation, 2),
        "volatility": round(one.rating.volatility, 6),
        "low": round(one.rating.value - one.rating.margin, 2),
        "high": round(one.rating.value + one.rating.margin, 2),
        "games": one.games,
        "last": one.last,
    }


def _tallies(by_game: Mapping[str, Tally]) -> dict[str, dict[str, int]]:
    return {game: tally_value(each) for game, each in by_game.items()}
