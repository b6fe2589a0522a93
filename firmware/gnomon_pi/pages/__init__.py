"""The daemon's pages: the live board behind them, their server, and the bench."""
