"""Games on the pages: choosing a new one, and finding, replaying and exporting recorded ones."""
