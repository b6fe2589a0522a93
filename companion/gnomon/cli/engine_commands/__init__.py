"""The commands of `gnomon engine`, each imported when it is called."""
