"""Learn a site's template from one page, keep it, and apply it to further pages without loading others.

Install first, in the folder of the source: pip install .

python examples/learn_once.py https://example.org/articles/1 https://example.org/articles/2
"""

from pathlib import Path
from urllib.request import urlopen

from small_site import addresses

import sitestencil

FILE = Path("learned.template")


def learned_template(file: Path, url: str) -> sitestencil.LearnedTemplate:
    if not file.exists():
        file.write_bytes(sitestencil.learn(url).to_bytes())
    return sitestencil.LearnedTemplate.from_bytes(file.read_bytes())


def main(*urls: str) -> None:
    learned = learned_template(FILE, urls[0])
    for url in urls:
        with urlopen(url) as answer:  # noqa: S310 - the caller's own address
            page = sitestencil.parse(answer.read(), url)
        template = sitestencil.Template(page, learned.apply(page))
        print(f"{url} (fit {template.fit:.2f})", *template.content_text().splitlines(), sep="\n  ")


if __name__ == "__main__":
    main(*addresses("/knots", "/ropewalk", "/visit"))
