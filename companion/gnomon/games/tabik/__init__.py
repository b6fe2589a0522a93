"""Tabik (Luis Bolaños Mures, 2020)."""
