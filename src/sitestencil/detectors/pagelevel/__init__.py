"""PageLevel: templateness of a page's elements, from the page alone (Chakrabarti, Kumar, Punera 2007; methods, 4).

The data's way: document -> features -> logistic regression by area -> isotonic smoothing -> segments.
"""
