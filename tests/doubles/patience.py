"""How long tests wait for what has to come; only a fault lets it pass."""

PATIENCE_S = 60.0
"""For what takes no time, on a machine that is busy with other things."""
