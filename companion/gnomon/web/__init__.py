"""Web pages and HTTP API: adapters over views, records and tournaments."""
