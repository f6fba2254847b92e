"""Measuring and learning: labels, scores, benchmark, tuning, training, uses.

Nothing here is needed to find a template.
"""
