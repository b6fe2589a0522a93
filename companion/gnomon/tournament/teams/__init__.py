"""Teams against teams: rosters, line-ups, matches made of boards, and the standings of teams."""
