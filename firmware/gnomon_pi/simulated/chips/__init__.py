"""The chips of a board in software, down to the bits on the buses."""
