"""The daemon of a physical board: drivers, the only loop, and the whole board in software."""
