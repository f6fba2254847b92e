"""A person's corrections: CSS selectors that say what is template and what is content on a site."""
