"""Gnomon: rules, time, refereeing, records and views of board games; knows no hardware."""
