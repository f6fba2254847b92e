"""What ``sitestencil duplicates``, ``cluster`` and ``classify`` do: pages with and without templates."""

import argparse
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from sitestencil.cli.command import say
from sitestencil.cli.progress import progress_bar
from sitestencil.detectors import DETECTORS
from sitestencil.errors import SitestencilError
from sitestencil_research.commands.options import write_json
from sitestencil_research.commands.tables import print_table
from sitestencil_research.labels import labelled_sites
from sitestencil_research.uses.bayes import accuracies, problems
from sitestencil_research.uses.clustering import CLUSTER_MEASURES, classified, cluster_sites
from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage, clean_corpora, known_content, stored_pages
from sitestencil_research.uses.duplicates import find_duplicates, judge, known_pairs
from sitestencil_research.uses.synthetic_corpus import synthetic_articles, synthetic_topics

# Of a cleaned corpus: its own cells in a table, and its own figures for JSON.
_Row = tuple[list[str], dict[str, Any]]


def run_duplicates(options: argparse.Namespace) -> int:
    """Count the known pairs that are told right, or all pairs that count as duplicates."""
    if options.generated:
        folders = labelled_sites(options.folder)
        pages = synthetic_articles(folders, articles=options.articles, seed=options.seed)
    else:
        pages = _stored(options)
    corpora = _cleaned(pages, options)
    rows = (_known if options.generated else _found)(corpora, pages)
    write_json(options.json, {"pages": len(pages), "sites": len({page.site for page in pages}), "rows": rows})
    return 0


def _known(corpora: Sequence[CleanCorpus], pages: Sequence[CorpusPage]) -> list[dict[str, Any]]:
    pairs = known_pairs(pages)
    duplicates, others = len(pairs.duplicates), len(pairs.others)
    articles, sites = len({page.article for page in pages}), len({page.site for page in pages})

    def row(corpus: CleanCorpus) -> _Row:
        right, apart = judge(corpus, pairs)
        cells = [
            f"{right} ({100 * right / duplicates:.1f}%)",
            f"{apart} ({100 * apart / others:.1f}%)" if others else "",
        ]
        known = {"duplicates": duplicates, "others": others}
        return cells, {**known, "duplicates_right": right, "others_right": apart}

    title = f"Pairs told right: {articles} articles in the templates of {sites} sites, {len(pages)} pages"
    return _rows(title, corpora, [f"{duplicates} duplicates", f"{others} others"], row)


def _found(corpora: Sequence[CleanCorpus], pages: Sequence[CorpusPage]) -> list[dict[str, Any]]:
    def row(corpus: CleanCorpus) -> _Row:
        pairs = find_duplicates(corpus)
        within = sum(pages[i].site == pages[j].site for i, j in pairs)
        between = len(pairs) - within
        cells = [f"{within}", f"{between}", f"{corpus.size / 1000:.0f}"]
        return cells, {"within_a_site": within, "between_sites": between}

    title = f"Pairs that count as duplicates among {len(pages)} stored pages"
    return _rows(title, corpora, ["within a site", "between sites", "kB of HTML"], row)


def run_cluster(options: argparse.Namespace) -> int:
    """Cluster the pages by both weights of words, and measure how clusters and classes agree."""
    pages = _topics(options, repeat=True) if options.generated else classified(_stored(options))
    corpora = _cleaned(pages, options)
    sites = sorted({page.site.name for page in pages})
    kinds = "topics" if options.generated else "sections"
    heads = [*CLUSTER_MEASURES, "kB of HTML", "clustering s"]
    rows: list[dict[str, Any]] = []
    for weights, idf in (("tf-idf", True), ("frequency alone", False)):

        def row(corpus: CleanCorpus, idf: bool = idf) -> _Row:
            measures, seconds = cluster_sites(corpus, pages, idf=idf)
            cells = [
                *(f"{value:.3f}" for value in measures.values()),
                f"{corpus.size / 1000:.0f}",
                f"{seconds:.2f}",
            ]
            return cells, {"idf": idf, **measures, "clustering_seconds": seconds}

        title = f"{len(pages)} pages of {len(sites)} sites, each clustered by its {kinds}; words by {weights}"
        rows += _rows(title, corpora, heads, row)
    say(f"sites: {', '.join(sites)}")
    write_json(options.json, {"pages": len(pages), "sites": sites, "classes": kinds, "rows": rows})
    return 0


def run_classify(options: argparse.Namespace) -> int:
    """Classify generated pages, and measure the accuracy for each pair of classes."""
    pages = _topics(options, repeat=False)
    corpora = _cleaned(pages, options)
    columns = [accuracies(corpus, pages) for corpus in corpora]
    means = [fmean(column.values()) for column in columns]
    hosts = sorted({page.site.name for page in pages})
    print_table(
        f"Accuracy in %, {sum(1 for _ in problems(pages))} two-class problems on {len(pages)} pages",
        ["classes", *(corpus.detector for corpus in corpora)],
        [[" / ".join(pair), *(f"{100 * column[pair]:.2f}" for column in columns)] for pair in columns[0]],
        footer=["average", *(f"{100 * mean:.2f}" for mean in means)],
    )
    say(f"templates: {', '.join(hosts)}")
    if unanswered := [f"{corpus.detector} {corpus.unanswered}" for corpus in corpora if corpus.unanswered]:
        say(f"pages without an answer: {', '.join(unanswered)}")
    rows = [
        {**corpus.facts(), "accuracy": mean, "pairs": {" / ".join(pair): value for pair, value in column.items()}}
        for corpus, mean, column in zip(corpora, means, columns, strict=True)
    ]
    write_json(options.json, {"pages": len(pages), "templates": hosts, "rows": rows})
    return 0


def _rows(
    title: str, corpora: Sequence[CleanCorpus], heads: Sequence[str], row: Callable[[CleanCorpus], _Row]
) -> list[dict[str, Any]]:
    """Print a row for each corpus, and return the rows' figures."""
    made = [row(corpus) for corpus in corpora]
    print_table(
        title,
        ["template removed", *heads, "no answer", "ms per page"],
        [
            [corpus.detector, *cells, f"{corpus.unanswered}", f"{corpus.milliseconds:.0f}"]
            for corpus, (cells, _) in zip(corpora, made, strict=True)
        ],
    )
    return [{**corpus.facts(), **own} for corpus, (_, own) in zip(corpora, made, strict=True)]


def _stored(options: argparse.Namespace) -> list[CorpusPage]:
    folders = labelled_sites(options.folder)
    return [page for folder in folders for page in stored_pages(folder, options.pages_per_site, options.seed)]


def _topics(options: argparse.Namespace, *, repeat: bool) -> list[CorpusPage]:
    counts = {"topics": options.topics, "hosts": options.hosts, "pages": options.pages}
    return synthetic_topics(labelled_sites(options.folder), **counts, repeat=repeat, seed=options.seed)


def _cleaned(pages: Sequence[CorpusPage], options: argparse.Namespace) -> list[CleanCorpus]:
    """Return the corpus with its full text, without each detector's templates, and with its content alone if known.

    Raises:
        SitestencilError: there are no pages.
    """
    if not pages:
        raise SitestencilError(f"{options.folder} holds no usable pages.")
    given = options.detector or ["all"]
    with progress_bar("Removing templates") as bar:
        corpora = clean_corpora(pages, DETECTORS if "all" in given else given, processes=options.jobs, done=bar)
    return [*corpora, known_content(pages)] if all(page.content for page in pages) else corpora
