"""Print a site's menu: the links in the template, found by a CSS selector on the lxml tree.

Install first, in the folder of the source: pip install ".[lxml]"

python examples/menu_links.py https://example.org/
"""

from small_site import addresses

import sitestencil


def menu(url: str) -> list[str]:
    template = sitestencil.extract(url)
    tree = template.tree()
    number = {element: index for index, element in enumerate(tree.elements)}
    links = tree.root.cssselect("a[href]")
    return [link.get("href", "") for link in links if template.elements[number[link]]]


if __name__ == "__main__":
    (url,) = addresses("/")
    print("\n".join(menu(url)))
