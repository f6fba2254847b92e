"""Compare programs that write Markdown.

``python -m sitestencil_research.measurements.markdown_writers [--defuddle FOLDER]``.

All get the pages of tests/library/outputs/markdown_corpus. The Markdown is read back by a CommonMark parser, and
compared with the page. A mark counts as kept if it has the same words, and the same level, address or language.
Formulas count as kept if the page's TeX stands between dollar signs, and footnotes if they have the form ``[^1]``.

trafilatura is a development dependency. ``pip install markdownify`` and, in FOLDER, ``npm install defuddle jsdom``
add the others. Those that are missing are left out.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import trafilatura
from lxml import html as lxml_html

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT))

from tests.support.judged_pages import all_content  # noqa: E402 - the tests are no package that is installed
from tests.support.markdown_structure import BASE, FOOTNOTE, READERS, read_back, source  # noqa: E402

from sitestencil.outputs.content import content_markdown  # noqa: E402
from sitestencil.page.parsing import parse  # noqa: E402

CORPUS = ROOT / "tests/library/outputs/markdown_corpus"
KINDS = (*READERS, "languages", "formulas", "footnotes")
_DEFUDDLE = """
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
import { Defuddle } from "defuddle/node";
const dom = new JSDOM(readFileSync(process.argv[1] ?? 0, "utf8"), { url: process.env.PAGE_URL });
const { content } = await Defuddle(dom, process.env.PAGE_URL, { markdown: true });
process.stdout.write(content);
"""


def own(html: str) -> str:
    """Write the page by this program."""
    return content_markdown(all_content(parse(html, BASE)))


def by_trafilatura(html: str) -> str:
    """Write the page by trafilatura, with all that it offers."""
    text = trafilatura.extract(
        html,
        url=BASE,
        output_format="markdown",
        include_formatting=True,
        include_links=True,
        include_images=True,
        include_tables=True,
        favor_recall=True,
    )
    return text or ""


def by_markdownify(html: str) -> str:
    """Write the page's article by markdownify; its callers make addresses absolute, and leave scripts out."""
    from markdownify import markdownify

    tree: Any = lxml_html.fromstring(html)
    tree.make_links_absolute(BASE, handle_failures="ignore")
    article = tree.xpath("//article")[0]
    text: str = markdownify(
        lxml_html.tostring(article, encoding="unicode"),
        heading_style="ATX",
        strip=["script"],
        code_language_callback=lambda pre: next(
            (name[9:] for name in (pre.code or pre).get("class", []) if name.startswith("language-")), ""
        ),
    )
    return text


def by_defuddle(folder: Path) -> Callable[[str], str]:
    """Return a writer that runs Defuddle from a folder where npm has installed it."""

    def write(html: str) -> str:
        command = ["node", "--input-type=module", "-e", _DEFUDDLE]
        done = subprocess.run(
            command,
            cwd=folder,
            input=html,
            capture_output=True,
            text=True,
            check=True,
            env={"PAGE_URL": BASE, "PATH": "/usr/bin:/usr/local/bin:/bin"},
        )
        return done.stdout

    return write


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--defuddle", type=Path, metavar="FOLDER", help="where npm has installed defuddle and jsdom"
    )
    options = parser.parse_args()
    writers: dict[str, Callable[[str], str]] = {"sitestencil": own, "trafilatura": by_trafilatura}
    try:
        import markdownify  # noqa: F401

        writers["markdownify"] = by_markdownify
    except ImportError:
        sys.stderr.write("markdownify is not installed.\n")
    if options.defuddle is not None:
        writers["Defuddle"] = by_defuddle(options.defuddle)
    pages = sorted(CORPUS.glob("*.html"))
    shares = {name: kept(write, pages) for name, write in writers.items()}
    print(f"| | {' | '.join(KINDS)} |\n|---|{'---:|' * len(KINDS)}")
    for name, found in shares.items():
        print(f"| {name} | {' | '.join(found[kind] for kind in KINDS)} |")
    return 0


def kept(write: Callable[[str], str], pages: list[Path]) -> Mapping[str, str]:
    """Return, for each kind of mark, how many of all a writer keeps."""
    right: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for page in pages:
        html = page.read_text("utf-8")
        text = write(html)
        wanted, found = marks(page, html), marks_of(text)
        for kind in KINDS:
            whole[kind] += wanted[kind].total()
            right[kind] += (wanted[kind] & found[kind]).total()
    return {kind: f"{right[kind]} of {whole[kind]}" for kind in KINDS}


def marks(page: Path, html: str) -> dict[str, Counter[object]]:
    """Return the marks of a page."""
    tree = source(page)
    found: dict[str, Counter[object]] = {kind: Counter(map(str, read(tree))) for kind, read in READERS.items()}
    expected = marks_of(page.with_suffix(".md").read_text("utf-8"))
    if page.stem == "definitions":  # its lists are the writer's own choice
        found["lists"], found["emphasis"] = Counter(), Counter()
    parsed: Any = lxml_html.fromstring(html)
    tex = parsed.xpath("//annotation/text() | //script[starts-with(@type, 'math/tex')]/text()")
    found["formulas"] = Counter(map(_dense, tex))
    found["languages"], found["footnotes"] = expected["languages"], expected["footnotes"]
    return found


def marks_of(text: str) -> dict[str, Counter[object]]:
    """Return the marks of Markdown."""
    tree = read_back(text)
    found: dict[str, Counter[object]] = {kind: Counter(map(str, read(tree))) for kind, read in READERS.items()}
    found["languages"] = Counter(re.findall(r"^`{3,}([\w+#]+)$", text, flags=re.MULTILINE))
    blocks = re.findall(r"\$\$(.+?)\$\$", text, flags=re.DOTALL)
    inline = re.findall(r"(?<![\\$])\$(?![\s\d$])([^$\n]+)\$(?![\d$])", text)
    found["formulas"] = Counter(map(_dense, [*blocks, *inline]))
    found["footnotes"] = Counter(FOOTNOTE.findall(text))
    return found


def _dense(tex: str) -> str:
    plain = re.sub(r"(?<!\\)%[^\n]*", "", tex).replace(r"\lt", "<").replace(r"{\displaystyle", "")
    return "".join(plain.rstrip("} ").split())


if __name__ == "__main__":
    sys.exit(main())
