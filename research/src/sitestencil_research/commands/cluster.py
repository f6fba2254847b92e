"""``sitestencil cluster``: cluster pages, with and without their templates."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sitestencil.cli.command import Command, say
from sitestencil.cli.files import write_json
from sitestencil_research.commands.corpus import (
    add_corpus_options,
    add_generated_option,
    cleaned,
    corpus_facts,
    stored_corpus,
)

if TYPE_CHECKING:
    from sitestencil_research.commands.tables import Console
    from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage


def _configure(parser: argparse.ArgumentParser) -> None:
    add_corpus_options(parser)
    add_generated_option(parser)
    parser.add_argument(
        "--section-pages", type=int, default=5, metavar="K", help="least pages of a section that makes a class (5)"
    )
    parser.add_argument(
        "--topics", type=int, default=5, metavar="K", help="with --generated: the number of classes (5)"
    )
    parser.add_argument(
        "--hosts", type=int, default=12, metavar="K", help="with --generated: sites that give the templates (12)"
    )
    parser.add_argument(
        "--pages", type=int, default=8, metavar="K", help="with --generated: pages per class and site (8)"
    )


def _run(options: argparse.Namespace) -> int:
    from sitestencil_research.commands.tables import table_console

    console = table_console()
    pages = _pages(options)
    corpora = cleaned(pages, options)
    sites = sorted({page.site.name for page in pages})
    kinds = "topics" if options.generated else "sections"
    rows = []
    for weights, idf in (("tf-idf", True), ("frequency alone", False)):
        title = f"{len(pages)} pages of {len(sites)} sites, each clustered by its {kinds}; words by {weights}"
        rows += _print(corpora, pages, title, console, idf=idf)
    say(f"sites: {', '.join(sites)}")
    if options.json is not None:
        write_json(options.json, {"pages": len(pages), "sites": sites, "classes": kinds, "rows": rows})
    return 0


def _print(
    corpora: "Sequence[CleanCorpus]", pages: "Sequence[CorpusPage]", title: str, console: "Console", *, idf: bool
) -> list[dict[str, Any]]:
    from sitestencil_research.commands.tables import Table
    from sitestencil_research.uses.sections import CLUSTER_MEASURES, cluster_sites

    table = Table(title=title)
    table.add_column("template removed")
    for name in (*CLUSTER_MEASURES, "kB of HTML", "clustering s", "no answer", "ms per page"):
        table.add_column(name, justify="right")
    rows = []
    for corpus in corpora:
        result = cluster_sites(corpus, pages, idf=idf)
        table.add_row(
            result.detector,
            *(f"{result.measures[name]:.3f}" for name in CLUSTER_MEASURES),
            f"{result.size / 1000:.0f}",
            f"{result.seconds:.2f}",
            f"{corpus.unanswered}",
            f"{corpus.milliseconds:.0f}",
        )
        rows.append({**corpus_facts(corpus), "idf": idf, **result.measures, "clustering_seconds": result.seconds})
    console.print(table)
    return rows


def _pages(options: argparse.Namespace) -> "list[CorpusPage]":
    from sitestencil_research.labels import labelled_sites
    from sitestencil_research.uses.sections import classified
    from sitestencil_research.uses.synthetic_corpus import synthetic_topics

    if options.generated:
        folders = labelled_sites(options.folder)
        return synthetic_topics(
            folders, topics=options.topics, hosts=options.hosts, pages=options.pages, repeat=True, seed=options.seed
        )
    return classified(stored_corpus(options), options.section_pages)


CLUSTER = Command(
    name="cluster",
    group="research",
    help="cluster pages, with and without their templates",
    description="""\
Cluster each stored site's pages furthest-point-first, into as many clusters as it has sections. A section is the
first directory of an address; sections whose name is a number are left out. Measure how clusters and sections
agree: F-measure, purity, normalised mutual information and normalised complementary entropy. The figures are means
over the sites and ten first centres, with words weighted by tf-idf, and by frequency alone. Measure with the full
text, then without each detector's template.
With --generated the classes are topics: content of labelled key pages in the templates of other sites.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil cluster ../shared/benchmark/sites --pages-per-site 60
  sitestencil cluster ../shared/benchmark/sites --generated --detector temex""",
)
