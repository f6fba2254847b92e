"""The demonstration: a small site, and the tour that shows the tool in a browser."""
