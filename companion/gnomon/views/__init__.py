"""The only place that says what is true now: pure functions of (game, now) for the display, lights, sounds, pages."""
