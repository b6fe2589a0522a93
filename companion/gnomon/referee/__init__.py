"""The referee of games in progress: pure functions from raw edges and other events to moves and rulings."""
