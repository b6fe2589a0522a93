"""What the system around the daemon is told and asked: its service files, its mounts, and whether a game is played."""
