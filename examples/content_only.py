"""Print the text of a page without what every page of its site repeats, as an indexer wants it.

python examples/content_only.py https://example.org/
"""

import sys

import sitestencil

NO_TEXT = {"script", "style", "noscript", "title"}


def content(url: str) -> list[str]:
    template = sitestencil.extract(url)
    page = template.document
    return [
        " ".join(run.text.split())
        for run in page.texts
        if not template.elements[run.parent] and page.tags[run.parent] not in NO_TEXT and not run.text.isspace()
    ]


if __name__ == "__main__":
    print("\n".join(content(sys.argv[1])))
