"""What is kept of a game: the journal, traces, score sheets."""
