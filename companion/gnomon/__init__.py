"""Rules, clocks, refereeing, records, tournaments and pages for board games, independent of any hardware.

The package imports no hardware library; `gnomon_pi` drives the devices.
"""
