"""Small sites for the tests: one layout, neighbours that differ in structure, and the page under test."""

from collections.abc import Mapping

from tests.support.server import Answer

PATH = "/page.html"
STYLE = """
body { margin: 0; font: 16px/1.5 "Liberation Sans", Arial, sans-serif; }
header, footer { background: #124; color: #fff; padding: 12px; }
header a, footer a { color: #9cf; margin-right: 12px; }
main { display: block; padding: 24px; min-height: 300px; background: #fff; color: #111; }
"""
LAYOUT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title><link rel="stylesheet" href="/style.css">{head}</head>
<body>
<header class="top"><a href="/news.html">One</a><a href="/events.html">Two</a><a href="/contact.html">Three</a>
<a href="/page.html">The page</a></header>
<main class="content">{body}</main>
<footer class="bottom"><p class="imprint">Made by hand. <a href="/news.html">Imprint</a></p></footer>
</body>
</html>
"""
NEIGHBOURS = {
    "/news.html": '<table class="prices"><tr><td>Apples</td><td>3</td></tr></table>',
    "/events.html": '<ol class="steps"><li>Open</li><li>Look</li></ol>',
    "/contact.html": '<figure class="plate"><svg width="10" height="10"></svg></figure>',
}
TEMPLATE = "header, header *, footer, footer *"
CONTENT = "main *"


def page(body: str, *, title: str = "A page", head: str = "", headers: Mapping[str, str] | None = None) -> Answer:
    text = LAYOUT.format(title=title, head=head, body=body)
    return Answer(text.encode(), headers=headers or {})


def site(body: str, *, title: str = "A page", head: str = "", **others: Answer) -> dict[str, Answer]:
    """The answers of a site whose page under test has this content; `others` are further files by name."""
    neighbours = {path: page(content, title=path) for path, content in NEIGHBOURS.items()}
    return {
        PATH: page(body, title=title, head=head),
        "/style.css": Answer(STYLE.encode(), "text/css"),
        **neighbours,
        **{f"/{name.replace('_', '.')}": answer for name, answer in others.items()},
    }
