"""Measure detectors on labelled sites (the benchmark's own README describes the format)."""
