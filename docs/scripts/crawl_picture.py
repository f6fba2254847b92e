"""Draw what a page loses in a crawl, from the demo site: ``python -m docs.scripts.crawl_picture``."""

import sys
from html import escape
from pathlib import Path

from demo.site import DEMO_PAGE, load_site

from sitestencil.crawl import PageContent, contents
from sitestencil.detectors.detection import Detection
from sitestencil.page.parsing import parse
from sitestencil.template import Template

FILE = Path(__file__).parents[1] / "images" / "crawl-page.svg"
_HOST = "https://museum.example"
_WIDTH, _LINE, _MOST_LETTERS = 820, 14, 62
_KEPT, _LOST, _RULE = "#1a1a1a", "#8a5a2b", "#c9c2b4"


def lines_of_page() -> list[tuple[str, bool]]:
    """Return the lines of the demo page, each with whether the crawl's text has it."""
    pages = {path: answer.body for path, answer in load_site().items() if path.endswith(".html")}
    rows = [(f"{_HOST}{path}", body) for path, body in pages.items()]
    found = {page.url: page for page in contents(rows) if isinstance(page, PageContent)}
    kept = found[f"{_HOST}{DEMO_PAGE}"].text.splitlines()
    document = parse(pages[DEMO_PAGE], _HOST)
    everything = Detection([False] * len(document), [False] * len(document.texts), ())
    lines = []
    for line in Template(document, everything).content_text(around=True).splitlines():
        is_kept = bool(kept) and line == kept[0]
        if is_kept:
            kept.pop(0)
        lines.append((line, is_kept))
    return lines


def picture() -> str:
    """Return the picture: all lines of the page, and beside them those of its text."""
    lines = lines_of_page()
    height = 58 + _LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'font-family="sans-serif" font-size="11"><title>A page of a museum, and its text in the crawl</title>',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="20" y="26" font-weight="bold" fill="{_KEPT}">The page</text>',
        f'<text x="450" y="26" font-weight="bold" fill="{_KEPT}">The column text</text>',
        f'<path d="M430 12V{height - 12}" stroke="{_RULE}"/>',
    ]
    for number, (line, is_kept) in enumerate(lines):
        y, text = 52 + _LINE * number, escape(_short(line))
        fate = f'fill="{_KEPT}"' if is_kept else f'fill="{_LOST}" text-decoration="line-through"'
        parts.append(f'<text x="20" y="{y}" {fate}>{text}</text>')
        if is_kept:
            parts.append(f'<text x="450" y="{y}" fill="{_KEPT}">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _short(line: str) -> str:
    return line if len(line) <= _MOST_LETTERS else f"{line[:_MOST_LETTERS].rstrip()}…"


def main() -> int:
    """Write the picture."""
    FILE.write_text(picture(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
