"""Alignment: the tags and texts that sixteen pages share in one order (Geraci and Maggini, 2011)."""
