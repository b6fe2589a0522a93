"""Subcommands of `gnomond`, each in its own module that is imported when the command is called."""
