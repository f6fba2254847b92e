"""The processes in which extractions run, and what they do there."""
