"""Rebuild a site: read its pages, learn its layouts, write the project, and prove it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Literal
from urllib.parse import quote

from sitestencil.crawl.input.places import place
from sitestencil.crawl.input.units import is_page
from sitestencil.crawl.limits import TimeIsUp, page_limits
from sitestencil.crawl.plan import CrawlProgress
from sitestencil.errors import CannotBeSaved, OutOfMemory, UnusableOutput
from sitestencil.kept_files import restore_folder, write_file, written_folder
from sitestencil.rebuild.eleventy import ENDING, eleventy_files
from sitestencil.rebuild.hugo import hugo_files
from sitestencil.rebuild.inventory import inventory_files, new_page_text, proof_page
from sitestencil.rebuild.jinja import jinja_files
from sitestencil.rebuild.jinja_build import built
from sitestencil.rebuild.markdown_content import markdown_of
from sitestencil.rebuild.model import Model, learned_model
from sitestencil.rebuild.pages import OTHER, Page, Report, read_pages
from sitestencil.rebuild.programs import built_by
from sitestencil.rebuild.project import shared_files, with_layout
from sitestencil.rebuild.proof import PageProof, held_out, proved
from sitestencil.rebuild.static_files import LocalFiles, ReadFile, StaticFiles, WebFiles
from sitestencil.site.frontier import Extent
from sitestencil.urls import page_address
from sitestencil.whole_site.gathering import Site, of_files, of_visits
from sitestencil.whole_site.pages import load_site, saved_site
from sitestencil.whole_site.visiting import Loading

Generator = Literal["jinja", "hugo", "eleventy"]
Content = Literal["html", "markdown"]
_WRITERS: Mapping[Generator, Callable[[Model, Mapping[str, str]], dict[str, str]]] = {
    "jinja": jinja_files,
    "hugo": hugo_files,
    "eleventy": eleventy_files,
}
_AS_WRITTEN: Mapping[Generator, Callable[[str], str]] = {
    "jinja": str,
    "hugo": with_layout,
    "eleventy": partial(with_layout, end=ENDING),
}
_BUILDS: Mapping[Generator, Sequence[str]] = {"hugo": ["hugo", "--quiet"], "eleventy": ["eleventy", "--quiet"]}
_LEARNING_SECONDS = 900.0  # of processor time for all layouts; hostile pages would take days


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A site's project.

    Attributes:
        files: its files by path.
        pages: its pages.
        model: its layouts and rules.
        proofs: how each page compares with its original.
        left: the reason why an address is no page of the project.
        missing: the addresses of files that pages load and the project lacks, with the reason.
        built_by: the program that built the pages for the proof.
    """

    files: Mapping[str, bytes]
    pages: Sequence[Page]
    model: Model
    proofs: Sequence[PageProof]
    left: Mapping[str, str]
    missing: Mapping[str, str]
    built_by: str

    def summary(self) -> dict[str, object]:
        """Return the figures of the proof."""
        stored, new = ([one for one in self.proofs if one.is_new is is_new] for is_new in (False, True))
        rules = [rules for kind, rules in self.model.rules.items() if kind != OTHER] or [*self.model.rules.values()]
        meant = [
            self.model.names[kind][name].is_meant for kind, of in self.model.rules.items() for name in of.stored
        ]
        held = (page.purity for page in self.pages if page.kind != OTHER)
        purity = [one for one in held if one is not None]
        return {
            "built by": self.built_by,
            "pages": len(stored),
            "pages in Markdown": sum(one.is_markdown for one in stored),
            "equal trees": sum(one.is_equal for one in stored),
            "equal titles": sum(one.has_title for one in stored),
            "links in the project": sum(one.links for one in stored),
            "broken links": sum(len(one.broken) for one in stored),
            "least F1 of a page's words": min((one.words for one in stored), default=None),
            "new pages": len(new),
            "median F1 of new pages": round(median(one.words for one in new), 4) if new else None,
            "least F1 of new pages": min((one.words for one in new), default=None),
            "kinds": len(rules),
            "stored slots of a kind, median": median(len(one.stored) for one in rules),
            "facets of a kind, median": median(len(one.facets) for one in rules),
            "share of stored slots named by meaning": round(mean(meant), 3) if meant else 1.0,
            "purity of the main container": round(mean(purity), 3) if purity else None,
            "pages of no kind": sum(page.kind == OTHER for page in self.pages),
        }


_EXTENT = Extent()


def rebuilt(
    name: str,
    generator: Generator = "jinja",
    extent: Extent = _EXTENT,
    report: Report | None = None,
    *,
    content: Content = "html",
) -> Rebuilt:
    """Return the project of a site.

    Args:
        name: the site's address, a folder of ``sitestencil site``, or a file or folder that a crawl reads.
        generator: the program that builds the project.
        extent: which pages to take.
        report: receives what is done, with the numbers of finished and of all steps.
        content: what content files hold; Markdown only where the build gives the same tree.

    Raises:
        UnusableInput: nothing is there to read.
        PageUnavailable: the site does not answer.
        CannotBeSaved: its layouts take too long to learn.
    """
    say = report or (lambda _what, _done, _all: None)
    site, read = _site(name, extent, say)
    most_pages = extent.most_pages
    site.left |= {page.url: f"more than {most_pages:,} pages" for page in site.pages[most_pages:]}
    site.pages = site.pages[:most_pages]
    static = StaticFiles(read)
    pages = read_pages(site, static, say)
    moved = dict(_moved(site, pages))
    queries = {old: new for old, new in moved.items() if "?" in old}
    plain = {_path(old): new for old, new in moved.items() if "?" not in old and " " not in old}
    try:
        with page_limits(_LEARNING_SECONDS):
            say("Learning layouts", 0, 2)
            model = learned_model(pages)
            for page in pages if content == "markdown" else ():
                page.markdown = markdown_of(page.main or ())
            say("Proving", 1, 2)
            html, by = _built(generator, model, shared_files(model, pages, moved=plain))
            if unread := [
                page for page in pages if page.markdown and not proved(page, html[page.path], {}).is_equal
            ]:
                for page in unread:
                    page.markdown = None
                html, by = _built(generator, model, shared_files(model, pages, moved=plain))
            files = _WRITERS[generator](model, shared_files(model, pages, moved=plain))
            proofs = [*_proofs(pages, html, static.contents, generator)]
    except (TimeIsUp, OutOfMemory, RecursionError):
        raise CannotBeSaved(
            f"{name}: its layouts take too much time or memory. Take fewer pages: --most-pages"
        ) from None
    result = Rebuilt({}, pages, model, proofs, site.left, static.missing, by)
    proof = {"summary": result.summary(), "pages": [asdict(one) for one in proofs]}
    files["proof.json"] = json.dumps(proof, indent=1, ensure_ascii=False) + "\n"
    files["proof.html"] = proof_page(proofs, result.summary())
    counts = {page.number: len(model.stored(page)) for page in pages}
    files |= inventory_files(model, pages, counts, site.left, static.missing, queries)
    files["new-page.md"] = new_page_text(model, pages, _AS_WRITTEN[generator])
    files["data/slots.json"] = _slots_text(model)
    served = "static/" if generator == "hugo" else ""  # the folder whose files stand at the root of the built site
    files[f"{served}_redirects"] = "".join(f"{old} {new} 301\n" for old, new in plain.items())
    contents = {path: text.encode("utf-8", "replace") for path, text in files.items()}
    contents |= {f"{served}{path}": content for path, content in static.contents.items()}
    return replace(result, files=contents)


def write_project(project: Rebuilt, folder: Path) -> None:
    """Write a project's files; the folder is whole, or as it was before.

    Raises:
        UnusableOutput: a file cannot be written.
    """
    try:
        restore_folder(folder)
        with written_folder(folder) as fresh:
            for path, content in project.files.items():
                write_file(fresh / path, content)
    except OSError as error:
        raise UnusableOutput(f"{folder} cannot be written: {error.strerror or error}.") from None


def _site(name: str, extent: Extent, report: Report) -> tuple[Site, ReadFile]:
    """Return a site's pages, and what reads its files."""
    folder = Path(name)
    given = None if (saved := saved_site(folder)) is not None else place(name)
    if saved is not None:
        return saved, WebFiles(saved.start).read
    if given is not None and is_page(given):
        url = page_address(name)

        def show(progress: CrawlProgress) -> None:
            report("Loading pages", progress.done, progress.total)

        return load_site(url, Loading(extent), show), WebFiles(url).read
    visited, records, _ = of_files(name, extent)
    return of_visits(visited, records=records), LocalFiles(folder if folder.is_dir() else folder.parent).read


def _built(generator: Generator, model: Model, shared: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return the built pages by path, and what built them: Jinja2 where the generator is not installed."""
    if generator in _BUILDS:
        html = built_by(_BUILDS[generator], _WRITERS[generator](model, shared))
        if html is not None:
            return html, generator
    html = dict(built(jinja_files(model, shared)))
    return html, "jinja" if generator == "jinja" else f"jinja, as {generator} is not installed"


def _proofs(
    pages: Sequence[Page], html: Mapping[str, str], static: Mapping[str, bytes], generator: Generator
) -> Iterator[PageProof]:
    """Yield how each built page compares with its original, and those held out as new pages."""
    there = {**html, **static}
    for page in pages:
        yield proved(page, html.get(page.path, ""), there)
    kept = held_out(pages)
    if kept:
        new = [page for page in pages if page.number in kept]
        model = learned_model([page for page in pages if page.number not in kept])
        made, _ = _built(generator, model, shared_files(model, [], new))
        for page in new:
            yield proved(page, made.get(page.path, ""), there, is_new=True)


def _slots_text(model: Model) -> str:
    data = {
        kind: {
            name: {
                "means": found.is_meant,
                "from": "the page" if name in rules.stored else "a pattern" if name in rules.patterns else "a rule",
            }
            for name, found in model.names[kind].items()
        }
        for kind, rules in model.rules.items()
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _moved(site: Site, pages: Sequence[Page]) -> Iterator[tuple[str, str]]:
    """Yield each old address that is not served as it is, with its new path."""
    for page in pages:
        new = f"/{quote(page.path)}"
        same = {new, new.removesuffix("index.html"), new.removesuffix(".html"), new.removesuffix("/index.html")}
        if _path(page.url) not in same:
            yield page.url, new
    for key in site.same:
        old = f"{site.start.partition('://')[0]}://{key}"
        if (target := site.file(old)) is not None:
            yield old, f"/{quote(target.removeprefix('pages/'))}"


def _path(url: str) -> str:
    return f"/{url.partition('://')[2].partition('/')[2]}"
