"""Stencil, the project's own detector: it chooses pages, maps them tolerantly and judges them by trained trees."""
