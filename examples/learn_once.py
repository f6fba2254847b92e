"""Learn a site's template from one page, keep it, and print the content of further pages, loading no others.

python examples/learn_once.py learned.template https://example.org/articles/1 https://example.org/articles/2
"""

import sys
from pathlib import Path
from urllib.request import urlopen

import sitestencil

NO_TEXT = {"script", "style", "noscript", "title"}


def learned_template(file: Path, url: str) -> sitestencil.LearnedTemplate:
    if not file.exists():
        file.write_bytes(sitestencil.learn(url).to_bytes())
    return sitestencil.LearnedTemplate.from_bytes(file.read_bytes())


def content(page: sitestencil.Document, template: sitestencil.Detection) -> list[str]:
    return [
        " ".join(run.text.split())
        for run in page.texts
        if not template.template[run.parent] and page.tags[run.parent] not in NO_TEXT and not run.text.isspace()
    ]


def main(file: str, *urls: str) -> None:
    learned = learned_template(Path(file), urls[0])
    for url in urls:
        with urlopen(url) as answer:  # noqa: S310 - the caller's own address
            page = sitestencil.parse(answer.read(), url)
        detection = learned.apply(page)
        print(f"{url} (fit {detection.fit:.2f})", *content(page, detection), sep="\n  ")


if __name__ == "__main__":
    main(*sys.argv[1:])
