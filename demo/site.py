"""The demo site: pages of a small museum, made from one layout and one file per page.

`site/layout.html` is the site's template, which Sitestencil has to find from the pages alone.
"""

from pathlib import Path
from string import Template

from tests.support.server import Answer

FOLDER = Path(__file__).with_name("site")
KINDS = {".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
DEMO_PAGE = "/the-long-room-where-rope-was-walked.html"


def load_site(folder: Path = FOLDER) -> dict[str, Answer]:
    """Return every path of the site with its answer: pages, styles and pictures."""
    layout = Template((folder / "layout.html").read_text("utf-8"))
    answers = {
        f"/{file.relative_to(folder).as_posix()}": Answer(file.read_bytes(), KINDS[file.suffix])
        for file in folder.rglob("*")
        if file.suffix in KINDS
    }
    for file in sorted((folder / "pages").glob("*.html")):
        answers[f"/{file.name}"] = Answer(assemble(layout, file.read_text("utf-8")).encode())
    answers["/tides.html"] = Answer((folder / "tides.html").read_bytes())  # a frame's page has no layout
    answers["/"] = answers["/index.html"]
    return answers


def assemble(layout: Template, page: str) -> str:
    """Return a whole page: the layout with the file's head (`name: value` lines) and body.

    Raises:
        ValueError: the file has no head, or lacks a value of the layout.
    """
    head, separator, body = page.partition("\n\n")
    if not separator:
        raise ValueError("a page begins with `name: value` lines and an empty line")
    values = dict(line.split(": ", 1) for line in head.splitlines())
    try:
        return layout.substitute(values, body=body.strip())
    except KeyError as missing:
        raise ValueError(f"the page's head gives no {missing}") from None
