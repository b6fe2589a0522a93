"""A board in a hall: it tells what it does, and does what the hall wants; nothing in the daemon waits for the hall."""
