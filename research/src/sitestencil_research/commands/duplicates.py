"""``sitestencil duplicates``: find duplicate pages, with and without their templates."""

import argparse
from typing import TYPE_CHECKING

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
        "--articles", type=int, default=60, metavar="A", help="with --generated: different articles (60)"
    )
    parser.add_argument(
        "--copies", type=int, default=3, metavar="C", help="with --generated: sites per article (3)"
    )
    parser.add_argument(
        "--words", type=int, default=150, metavar="W", help="with --generated: least words of an article (150)"
    )
    parser.add_argument("--list", action="store_true", help="list the duplicate pairs found by the last detector")


def _run(options: argparse.Namespace) -> int:
    from sitestencil_research.commands.tables import table_console
    from sitestencil_research.labels import labelled_sites
    from sitestencil_research.uses.synthetic_corpus import synthetic_articles

    console = table_console()
    if options.generated:
        pages = synthetic_articles(
            labelled_sites(options.folder),
            articles=options.articles,
            copies=options.copies,
            least_words=options.words,
            seed=options.seed,
        )
    else:
        pages = stored_corpus(options)
    corpora = cleaned(pages, options)
    data = (_print_known if options.generated else _print_found)(corpora, pages, console)
    if options.list:
        _list(corpora[-1], pages)
    if options.json is not None:
        sites = len({page.site for page in pages})
        write_json(options.json, {"pages": len(pages), "sites": sites, "rows": data})
    return 0


def _print_known(
    corpora: "list[CleanCorpus]", pages: "list[CorpusPage]", console: "Console"
) -> list[dict[str, object]]:
    from sitestencil_research.commands.tables import Table
    from sitestencil_research.uses.duplicates import judge, known_pairs

    pairs = known_pairs(pages)
    duplicates, others = len(pairs.duplicates), len(pairs.others)
    articles, sites = len({page.article for page in pages}), len({page.site for page in pages})
    title = f"Pairs told right: {articles} articles in the templates of {sites} sites, {len(pages)} pages"
    table = Table(title=title)
    table.add_column("template removed")
    for name in (f"{duplicates} duplicates", f"{others} others", "no answer", "ms per page"):
        table.add_column(name, justify="right")
    rows: list[dict[str, object]] = []
    for corpus in corpora:
        result = judge(corpus, pairs)
        table.add_row(
            corpus.detector,
            f"{result.duplicates_right} ({100 * result.duplicates_right / duplicates:.1f}%)",
            f"{result.others_right} ({100 * result.others_right / others:.1f}%)" if others else "",
            f"{corpus.unanswered}",
            f"{corpus.milliseconds:.0f}",
        )
        known = {"duplicates": duplicates, "others": others}
        right = {"duplicates_right": result.duplicates_right, "others_right": result.others_right}
        rows.append({**corpus_facts(corpus), **known, **right})
    console.print(table)
    return rows


def _print_found(
    corpora: "list[CleanCorpus]", pages: "list[CorpusPage]", console: "Console"
) -> list[dict[str, object]]:
    from sitestencil_research.commands.tables import Table
    from sitestencil_research.uses.duplicates import find_duplicates

    table = Table(title=f"Pairs that count as duplicates among {len(pages)} stored pages")
    table.add_column("template removed")
    for name in ("within a site", "between sites", "kB of HTML", "no answer", "ms per page"):
        table.add_column(name, justify="right")
    rows: list[dict[str, object]] = []
    for corpus in corpora:
        pairs = find_duplicates(corpus)
        within = sum(pages[i].site == pages[j].site for i, j in pairs)
        table.add_row(
            corpus.detector,
            f"{within}",
            f"{len(pairs) - within}",
            f"{corpus.size / 1000:.0f}",
            f"{corpus.unanswered}",
            f"{corpus.milliseconds:.0f}",
        )
        rows.append({**corpus_facts(corpus), "within_a_site": within, "between_sites": len(pairs) - within})
    console.print(table)
    return rows


def _list(corpus: "CleanCorpus", pages: "list[CorpusPage]") -> None:
    from sitestencil_research.uses.duplicates import find_duplicates

    say(f"duplicates by {corpus.detector}:")
    for i, j in find_duplicates(corpus):
        say(f"{pages[i].name}\t{pages[j].name}")


DUPLICATES = Command(
    name="duplicates",
    group="research",
    help="find duplicate pages, with and without their templates",
    description="""\
Find near-duplicates among stored sites' pages by shingles: windows of 6 words, the 8 smallest hashes of a page, 4
of them equal. Measure with the full text, then without each detector's template.
With --generated the truth is known: content of labelled key pages stands in the templates of other sites.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil duplicates ../shared/benchmark/sites --generated
  sitestencil duplicates ../shared/benchmark/sites --detector temex --list""",
)
