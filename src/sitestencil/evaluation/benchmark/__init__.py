"""Measuring detectors on labelled sites (format: the benchmark's own README)."""
