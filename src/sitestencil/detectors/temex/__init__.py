"""TemEx: the pages of a complete subdigraph vote by exact top-down mappings (Alarte and Silva)."""
