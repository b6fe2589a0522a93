"""Pages of a hall: its wall, its boards, and the tournaments played in it."""
