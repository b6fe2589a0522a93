"""The database of a hall: records, requests, results and event logs in SQLite or PostgreSQL."""
