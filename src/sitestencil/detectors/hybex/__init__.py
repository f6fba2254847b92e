"""HybEx and ConEx: the main content of the page alone is taken out before TemEx looks (Alarte and Silva, 2022)."""
