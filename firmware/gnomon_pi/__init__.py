"""Daemon of a physical board: device drivers, event loop, pages, and a complete board in software."""
