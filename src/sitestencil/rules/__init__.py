"""Rules of a site: CSS selectors that remove its template or keep its content, proved on its own pages."""
