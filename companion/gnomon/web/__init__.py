"""The pages: adapters over views, records and tournament."""
