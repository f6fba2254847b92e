"""The demonstration: a small site, the browsers that look at it, and the walk that shows the tool."""
