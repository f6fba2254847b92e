"""A whole site as a folder: visit its pages, learn their kinds, and write what people and programs read."""
