"""Write outputs from a detection: HTML, Markdown, text, selectors and layouts."""
