"""Save the template of a page as HTML to build on.

Install first, in the folder of the source: pip install .

python examples/save_template.py https://example.org/
"""

from pathlib import Path

from small_site import addresses

import sitestencil


def main(url: str, file: str = "template.html") -> None:
    template = sitestencil.extract(url, progress=lambda step: print(f"{step.pages_loaded} pages loaded"))
    Path(file).write_text(template.to_html(), encoding="utf-8")
    share = sum(template.elements) / len(template.elements)
    print(f"{share:.0%} of the page's elements are template; compared with {', '.join(template.candidates)}")


if __name__ == "__main__":
    main(*addresses("/"))
