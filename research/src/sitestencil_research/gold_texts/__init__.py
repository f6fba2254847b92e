"""Compare the text of pages with gold texts that others wrote (research/docs/benchmark.md)."""
