"""``sitestencil cluster``: clustering pages, with and without their templates."""

import argparse
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, say
from sitestencil.cli.corpus import (
    add_corpus_options,
    add_generated_option,
    cleaned,
    console_width,
    corpus_facts,
    stored_corpus,
    write_json,
)

if TYPE_CHECKING:
    from sitestencil.uses.corpus import CorpusPage


def _configure(parser: argparse.ArgumentParser) -> None:
    add_corpus_options(parser)
    add_generated_option(parser)
    parser.add_argument(
        "--section-pages", type=int, default=5, metavar="K", help="least pages of a section to be a class (5)"
    )


def _run(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table

    from sitestencil.uses.sections import MEASURES, cluster_sites

    pages = _pages(options)
    corpora = cleaned(pages, options)
    results = [cluster_sites(corpus, pages) for corpus in corpora]
    sites = {page.site.name for page in pages}
    kinds = "topics" if options.generated else "sections"
    table = Table(title=f"{len(pages)} pages of {len(sites)} sites, each site clustered by its {kinds}")
    table.add_column("template removed")
    for name in (*MEASURES, "kB of HTML", "clustering s", "no answer", "ms per page"):
        table.add_column(name, justify="right")
    for corpus, result in zip(corpora, results, strict=True):
        table.add_row(
            result.detector,
            *(f"{result.measures[name]:.3f}" for name in MEASURES),
            f"{result.size / 1000:.0f}",
            f"{result.seconds:.2f}",
            f"{corpus.unanswered}",
            f"{corpus.milliseconds:.0f}",
        )
    Console(width=console_width()).print(table)
    say(f"sites: {', '.join(sorted(sites))}")
    rows = [
        {**corpus_facts(corpus), **result.measures, "clustering_seconds": result.seconds}
        for corpus, result in zip(corpora, results, strict=True)
    ]
    write_json({"pages": len(pages), "sites": sorted(sites), "classes": kinds, "rows": rows}, options.json)
    return 0


def _pages(options: argparse.Namespace) -> "list[CorpusPage]":
    from sitestencil.benchmark.labels import labelled_sites
    from sitestencil.uses.planting import plant_topics
    from sitestencil.uses.sections import classified

    if options.generated:
        return plant_topics(labelled_sites(options.folder), seed=options.seed)
    return classified(stored_corpus(options), options.section_pages)


CLUSTER = Command(
    name="cluster",
    help="cluster pages, with and without their templates",
    description="""\
Cluster the pages of each stored site furthest-point-first into as many clusters as it has sections (the first
directory of an address; sections whose name is a number are left out) and measure how the two agree: F-measure,
purity, normalised mutual information, normalised complementary entropy, means over the sites and ten first
centres. Once with the full text, once for each detector without what it calls template.
With --generated the classes are topics: content of labelled key pages, put into the templates of other sites.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil cluster ../shared/benchmark/sites --pages-per-site 60
  sitestencil cluster ../shared/benchmark/sites --generated --detector temex""",
)
