"""Limits in seconds."""

# What ends now ends by then on a busy machine, too. What is waited for otherwise takes longer: a load 10, work 60.
AT_ONCE = 8.0
