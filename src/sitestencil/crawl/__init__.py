"""Whole crawls: the content of all pages of many sites, by the templates of their kinds of pages."""
