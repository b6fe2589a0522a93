"""Views: pure functions of (game, now) that compute what displays, lights, sounds and pages show."""
