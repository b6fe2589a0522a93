"""The running daemon: one loop that joins the board, the referee, the journal and the outputs."""
