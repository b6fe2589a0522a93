"""Pages of those who enter a tournament: registration, check-in and teams."""
