"""Print the links that the template holds, a site's menu, found by a CSS selector on the lxml tree.

python examples/menu_links.py https://example.org/
"""

import sys

import sitestencil


def menu(url: str) -> list[str]:
    template = sitestencil.extract(url)
    tree = template.tree()
    number = {element: index for index, element in enumerate(tree.elements)}
    links = tree.root.cssselect("a[href]")
    return [link.get("href", "") for link in links if template.elements[number[link]]]


if __name__ == "__main__":
    print("\n".join(menu(sys.argv[1])))
