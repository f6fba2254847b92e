"""Limits in seconds."""

# What ends at once ends by then on a busy machine, too. The work that sleeps in its place takes 60.
AT_ONCE = 30.0
