"""People and their games: who is who, results by game and opponent, and ratings with their uncertainty."""
