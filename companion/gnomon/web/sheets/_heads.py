"""Format the event data in the head of a sheet: place, dates and chief arbiter."""

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, shown_day
from gnomon.words import Words


def about(tournament: Tournament, words: Words) -> str:
    """The place, the days and the chief arbiter in a line, as far as they are told."""
    heading = tournament.heading
    place = f"{heading.city} ({heading.federation})" if heading.city and heading.federation else heading.city
    arbiter = words("sheet.arbiter", name=heading.arbiter) if heading.arbiter else ""
    return " · ".join(filter(None, (place, _days(heading), arbiter)))


def day_of_round(tournament: Tournament, in_round: int) -> str:
    """The day on which a round is played, empty where it is not told."""
    dates = tournament.heading.dates
    return shown_day(dates[in_round - 1]) if in_round <= len(dates) <= tournament.settings.rounds else ""


def _days(heading: Heading) -> str:
    return " – ".join(dict.fromkeys(shown_day(day) for day in (heading.starts, heading.ends) if day))
