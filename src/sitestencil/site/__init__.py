"""Find, load and crawl the other pages of a page's site, from several sources.

Example:
    >>> import sitestencil
    >>> sitestencil.site("https://docs.example.org/")
    <SitePages of https://docs.example.org/>
"""
