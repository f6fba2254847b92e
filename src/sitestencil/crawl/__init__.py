"""Extract the content of whole crawls: all pages of many sites, by a template for each kind of page."""
