"""Measure and train detectors: labels, scores, benchmark, tuning, training, uses.

Finding a template needs none of this.
"""
