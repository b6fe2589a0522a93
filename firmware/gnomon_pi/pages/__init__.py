"""The daemon's pages: the live board behind them, and their server."""
