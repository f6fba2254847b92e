"""A site of four pages that share a header, a menu and a footer."""

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
