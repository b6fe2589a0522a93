"""TAU (Néstor Romeral Andrés, 2011)."""
