"""The hub of a hall: receive and store the records of boards, and track the state of each board."""
