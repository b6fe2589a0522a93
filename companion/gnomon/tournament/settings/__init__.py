"""Parse and format the settings of a tournament, check them against its system, and change them."""
