"""Tune TemEx's parameters on labelled sites, as in the thesis' section 5.2."""
