"""Main content: the part of a page's content that its reader came for."""
