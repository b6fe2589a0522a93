"""The hub of a hall: take what boards tell, keep it, and know how each board stands."""
