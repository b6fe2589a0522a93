"""Tayu (Niek Neuwahl, Ta Yü, 1999 and 2008)."""
