"""The commands of `gnomon tournament`, a module for each part of an evening."""
