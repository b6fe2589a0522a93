"""What the daemon asks of its machine: clocks, threads, mounts, process and random numbers."""
