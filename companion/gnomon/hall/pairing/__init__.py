"""Pair rounds outside of the process that asks: in a worker, or with bbpPairings."""
