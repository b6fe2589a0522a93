"""The first-boot walk over a freshly wired board: learn the wiring place by place, and correct the description."""
