"""The small site in a folder, with labels."""

from pathlib import Path

import msgspec
from tests.support.small_site import HOME, PAGES


def store_small_site(folder: Path) -> Path:
    """Write the small site's pages and its ``site.json`` into a new folder, and return the folder."""
    (folder / "pages").mkdir(parents=True)
    for url, html in PAGES.items():
        (folder / "pages" / f"{url.removeprefix(HOME) or 'index'}.html").write_text(html)
    elements = PAGES[HOME].count("<") - PAGES[HOME].count("</")  # the doctype's < stands for <html>
    facts = {"id": folder.name, "base_url": HOME, "key_page": "index.html"}
    labels = {"elements": elements + 1, "labels": f"E3T{elements - 2}"}
    (folder / "site.json").write_bytes(msgspec.json.encode({**facts, **labels}))
    return folder
