"""Logic of the arbiter's desk: parsing of corrections, their preview, incidents, and the order of presses."""
