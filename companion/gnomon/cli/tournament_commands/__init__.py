"""The subcommands of `gnomon tournament`, one module for each topic."""
