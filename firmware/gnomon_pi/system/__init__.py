"""The daemon's view of the operating system: service files, mounts, and games in progress."""
