"""The project's own detector: pages chosen as they come in, a tolerant mapping, trained trees over its evidence."""
