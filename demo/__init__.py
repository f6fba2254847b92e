"""The demonstration: a small site, the browsers that look at it, and the tour that shows the tool."""
