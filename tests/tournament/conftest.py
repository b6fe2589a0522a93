"""Provide what every test of tournaments shares."""

from tests.words.every_language import told_in_every_language

__all__ = ["told_in_every_language"]
