"""The only place where real sand glasses are measured: guided by display and terminal, kept in one file."""
