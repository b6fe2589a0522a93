"""First boot: a page that asks for a machine's settings, and their way into the system's files."""
