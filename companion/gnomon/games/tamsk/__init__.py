"""TAMSK (Kris Burm, 1998)."""
