"""HybEx and ConEx: remove the page's main content before TemEx runs (Alarte and Silva, 2022)."""
