"""The worker processes, and their handling of extractions."""
