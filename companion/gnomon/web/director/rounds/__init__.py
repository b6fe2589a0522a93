"""Pages of a round: boards, pairings, results, and tables of three and four."""
