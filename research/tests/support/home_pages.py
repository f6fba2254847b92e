"""The benchmark's labelled home pages as stored sites: each has the pages of a site in ``opened/``."""

import json
from pathlib import Path


def store_home_page(benchmark: Path, name: str, folder: Path) -> Path:
    """Make the folder of a labelled home page, whose pages are those of the site that it is of."""
    facts = (benchmark / "homes" / f"{name}.json").read_bytes()
    folder.mkdir(parents=True)
    (folder / "site.json").write_bytes(facts)
    (folder / "pages").symlink_to(
        benchmark / "opened" / json.loads(facts)["of"] / "pages", target_is_directory=True
    )
    return folder
