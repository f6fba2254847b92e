"""PageLevel: templateness of a page's elements, from the page alone (Chakrabarti et al., 2007; definitions.md, 4).

The steps: document -> features -> logistic regression by area -> isotonic smoothing -> segments.
"""
