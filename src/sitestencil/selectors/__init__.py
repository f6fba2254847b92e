"""CSS selectors: matching them on a document, and writing them for its elements."""
