"""Apply a person's corrections: CSS selectors that mark template and content on a site."""
