"""The only door to the pages of a hall: its wall, its boards, and the tournaments that are played in it."""
