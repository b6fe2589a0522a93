"""The words of each language: one module a language, each with every entry of the catalogue."""
