"""Tools for people who build and look after a board."""
