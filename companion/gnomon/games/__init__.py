"""Hold the games, each in a folder with its rules, how it is shown and its words."""
