"""Middleware around every request: limits of rate and size, checks of the origin, and error pages."""
