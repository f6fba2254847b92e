"""Finding TemEx's parameters on labelled sites, as the thesis' section 5.2 does."""
