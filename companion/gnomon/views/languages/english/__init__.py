"""English words, one module an area, whose entries every other language must have."""
