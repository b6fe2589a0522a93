"""Format the heading of a round: its number, its game if rounds differ, and its deadline."""

from gnomon.rules.registry import find_game
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.settings import TournamentSettings
from gnomon.words import Words


def game_of_round(settings: TournamentSettings, in_round: int, words: Words) -> str:
    """The game of a round as people call it, as it was written if nobody here knows it; empty if all play the same."""
    named = settings.game_in(in_round)
    return words.name_of(f"game.{find_game(named)}", named)


def round_heading(settings: TournamentSettings, in_round: int, words: Words, key: str = "sheet.round.of") -> str:
    """A round of how many, and its game where each plays another one. `key` has other words for the first part."""
    game = game_of_round(settings, in_round, words)
    return words(key, number=in_round, rounds=settings.rounds) + (f" – {game}" if game else "")


def deadline_text(tournament: Tournament, in_round: int, words: Words) -> str:
    """Until when the results of a round may come in; empty without a deadline."""
    until = tournament.deadlines.get(in_round, "")
    return words("director.deadline.until", until=until) if until else ""
