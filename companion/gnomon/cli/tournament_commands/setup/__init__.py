"""The commands with which a tournament is opened: its settings, entrants, teams and stages."""
