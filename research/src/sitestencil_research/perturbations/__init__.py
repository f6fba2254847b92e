"""Measure how far harmless changes of a page or its site move a detector's answer."""
