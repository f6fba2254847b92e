"""How a page reads, before anything of it is chosen: its lines, blocks of text, code and formulas."""
