"""People in records: the games that they played, and an export of all that is kept of a person."""
