"""Explain what the sensors of the TAMSK board show, and rule on it."""
