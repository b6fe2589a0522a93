"""The only place of the first-boot walk: a freshly wired board is learnt place by place, its description put right."""
