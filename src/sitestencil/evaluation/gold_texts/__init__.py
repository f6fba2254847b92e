"""Compare the text of pages with gold texts that others wrote (docs/benchmark.md)."""
