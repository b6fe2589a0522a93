"""Words of each language: one package a language, each with every entry of the catalogue."""
