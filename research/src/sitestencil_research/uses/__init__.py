"""Measure the uses of a template: find duplicates, cluster pages and classify them without it.

These are the measurements of Chakrabarti et al. (sections 6.2 and 6.3) and of Geraci and Maggini (section 3.2).
"""
