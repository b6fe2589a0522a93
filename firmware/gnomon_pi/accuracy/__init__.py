"""The only place that measures how exact this machine is with a board, and writes a report of it."""
