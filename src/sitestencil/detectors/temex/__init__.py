"""TemEx: a complete subdigraph's pages vote by exact top-down mappings (Alarte and Silva)."""
