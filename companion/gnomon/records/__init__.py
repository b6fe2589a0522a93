"""Records of games: journal, traces, dispute bundles, score sheets, SGF and Boardspace files."""
