"""Save a page's template: as HTML, as a folder, or as a Jinja2 layout."""
