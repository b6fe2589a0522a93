"""The event log of a tournament: encode events, fold them into its state, describe them, and undo them."""
