"""A site of four pages that share a header, a menu and a footer."""

import re

HOME = "http://site.test/"
MENU = '<nav class="menu"><a href="/">Home</a><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a></nav>'


def page(title: str, content: str) -> str:
    return (
        f'<!doctype html><title>{title}</title><body class="site"><header class="top"><h1>Site</h1>{MENU}</header>'
        f'<main class="content">{content}</main><footer class="end">Imprint</footer>'
    )


PAGES = {
    HOME: page("Home", '<article class="story"><p>Key story</p></article>'),
    f"{HOME}a": page("A", "<table><tr><td>Numbers</table>"),
    f"{HOME}b": page("B", "<ul><li>List</ul>"),
    f"{HOME}c": page("C", "<form><input></form>"),
}

# On this machine, as on private networks, only links are followed whose addresses look like pages'.
SERVED_AS = {"a": "about", "b": "blog", "c": "contact"}


def served() -> dict[str, str]:
    """Return the pages by their paths on a server of this machine."""
    pages = {}
    for url, html in PAGES.items():
        served_html = re.sub(r'href="/([abc])"', lambda link: f'href="/{SERVED_AS[link[1]]}"', html)
        name = url.removeprefix(HOME)
        pages[f"/{SERVED_AS.get(name, name)}"] = served_html
    return pages
