"""A hall of many boards: what carries their messages, what keeps them, and the tournament that is played there."""
