"""Alignment: what sixteen pages' tags and texts have in common, in one order (Geraci and Maggini, 2011)."""
