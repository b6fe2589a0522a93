"""The tools of those who build and look after a board."""
