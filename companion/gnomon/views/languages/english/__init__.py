"""The English words, one module an area: each has every entry that the English one has."""
