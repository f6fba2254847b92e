"""Options, progress and JSON of the commands that measure a use of templates."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitestencil.cli.options import add_jobs_option, add_json_option
from sitestencil.cli.progress import progress_bar
from sitestencil.detectors import DETECTORS
from sitestencil.errors import SitestencilError

if TYPE_CHECKING:
    from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that all these commands have."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of stored sites")
    parser.add_argument(
        "--detector",
        action="append",
        metavar="NAME",
        help=f"remove this detector's templates; repeatable: {', '.join(DETECTORS)} (default: all)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (0)")
    add_jobs_option(parser)
    add_json_option(parser)


def add_generated_option(parser: argparse.ArgumentParser) -> None:
    """Add the choice between stored pages and generated ones, and the bound on stored pages."""
    parser.add_argument(
        "--generated",
        action="store_true",
        help="generate pages: known content of labelled key pages in the templates of other key pages",
    )
    parser.add_argument(
        "--pages-per-site",
        type=int,
        default=20,
        metavar="K",
        help="largest number of stored pages per site, sampled at random (20)",
    )


def stored_corpus(options: argparse.Namespace) -> "list[CorpusPage]":
    """Return the stored pages of all sites in the folder."""
    from sitestencil_research.labels import labelled_sites
    from sitestencil_research.uses.corpus import stored_pages

    return [
        page
        for folder in labelled_sites(options.folder)
        for page in stored_pages(folder, options.pages_per_site, options.seed)
    ]


def cleaned(pages: "Sequence[CorpusPage]", options: argparse.Namespace) -> "list[CleanCorpus]":
    """Return the corpus with its full text, without each detector's templates, and with its content alone if known.

    Raises:
        SitestencilError: there are no pages.
    """
    from sitestencil_research.uses.corpus import clean_corpora, known_content

    if not pages:
        raise SitestencilError(f"{options.folder} holds no usable pages.")
    names = [name for name in options.detector or ["all"] if name != "all"]
    if "all" in (options.detector or ["all"]):
        names = list(DETECTORS)
    with progress_bar("Removing templates") as bar:
        corpora = clean_corpora(pages, names, processes=options.jobs, done=bar)
    return [*corpora, known_content(pages)] if all(page.content for page in pages) else corpora


def corpus_facts(corpus: "CleanCorpus") -> dict[str, Any]:
    """Return the figures of a cleaned corpus for every table."""
    return {
        "detector": corpus.detector,
        "bytes": corpus.size,
        "unanswered": corpus.unanswered,
        "ms_per_page": corpus.milliseconds,
    }
