"""The referee: events in, rulings and orders out, from raw edges to moves; pure."""
