"""The journal: append games to an SQLite file, chain its entries, verify, rescue and read them."""
