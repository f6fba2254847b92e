"""Write `report.html`: what a run found, in one page that needs no network and runs no script."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from sitestencil.page.serialization import escape_text, escape_value
from sitestencil.whole_site.gathering import Site
from sitestencil.whole_site.outline import Entry

_LEAST_SURE = 10
_MOST_LEFT = 200  # of a reason
_LOW, _HIGH = 0.8, 0.95  # as cli/found.py has them for main content
_HEAD = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8885; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
td {{ overflow-wrap: anywhere; }}
summary {{ cursor: pointer; }}
ul {{ padding-left: 1.25rem; }}
</style>
<body>
"""


def report_page(name: str, site: Site, entries: Sequence[Entry], kinds: Mapping[str, str]) -> str:
    """Return the page."""
    words = sum(entry.words for entry in entries)
    parts = [
        _HEAD.format(title=escape_text(f"{name}: {len(entries)} pages")),
        f"<h1>{escape_text(name)}</h1>\n<p>{len(entries):,} pages of {_link(site.start, site.start)}, "
        f"{words:,} words, {len(kinds)} kinds of pages. <a href='index.md'>index.md</a> lists the pages as the "
        "site's menus do.</p>\n",
        "<h2>Least sure pages</h2>\n<p>Look at these first. Confidence is the expected F1 of a page's text.</p>\n",
        _table(sorted(entries, key=_confidence)[:_LEAST_SURE]),
        "<h2>Kinds</h2>\n<p>Pages of a kind share a frame.</p>\n",
    ]
    for kind in (*kinds.values(), ""):
        own = [entry for entry in entries if entry.kind == kind]
        if own:
            frame = f" <a href='templates/{kind}.html'>its frame</a>" if kind else ""
            title = f"{kind or 'Pages of no kind'}: {len(own):,} pages"
            parts.append(f"<details><summary>{title}</summary>\n{frame}\n{_table(own)}</details>\n")
    parts.append("<h2>Left out</h2>\n")
    reasons: dict[str, list[str]] = {}
    for url, detail in site.left.items():
        reasons.setdefault(_reason(detail, url), []).append(url)
    for reason, urls in sorted(reasons.items(), key=lambda one: -len(one[1])):
        items = "".join(f"<li>{_link(url, url)}\n" for url in urls[:_MOST_LEFT])
        parts.append(
            f"<details><summary>{escape_text(reason)}: {len(urls):,}</summary>\n<ul>\n{items}</ul></details>\n"
        )
    if not reasons:
        parts.append("<p>Nothing.</p>\n")
    return "".join([*parts, "</body>\n</html>\n"])


def _confidence(entry: Entry) -> float:
    return 0.0 if entry.confidence is None else entry.confidence


def _table(entries: Sequence[Entry]) -> str:
    rows = (
        f"<tr><td>{_link(quote(entry.file), entry.title)}<td>{_link(entry.url, 'source')}<td>{entry.kind}"
        f"<td class=number>{entry.words:,}<td class=number>{_sure(entry)}\n"
        for entry in entries
    )
    head = "<tr><th>page<th>source<th>kind<th>words<th>confidence\n"
    return f"<table>\n{head}{''.join(rows)}</table>\n"


def _sure(entry: Entry) -> str:
    if entry.confidence is None:
        return "unknown"
    level = "low" if entry.confidence < _LOW else "high" if entry.confidence >= _HIGH else "medium"
    return f"{entry.confidence:.2f} {level}"


def _link(url: str, words: str) -> str:
    return f'<a href="{escape_value(url)}" rel="noreferrer">{escape_text(words)}</a>'


def _reason(detail: str, url: str) -> str:
    """Return a reason without the address that it is about."""
    return detail.replace(url, "").lstrip(": ").rstrip(".")
