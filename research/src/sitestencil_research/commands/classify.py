"""``sitestencil classify``: classify pages by naive Bayes, with and without their templates."""

import argparse
from statistics import fmean

from sitestencil.cli.command import Command, say
from sitestencil.cli.files import write_json
from sitestencil_research.commands.corpus import add_corpus_options, cleaned, corpus_facts


def _configure(parser: argparse.ArgumentParser) -> None:
    add_corpus_options(parser)
    parser.add_argument("--topics", type=int, default=5, metavar="K", help="the number of classes (5)")
    parser.add_argument(
        "--hosts", type=int, default=4, metavar="K", help="the number of sites that give the templates (4)"
    )
    parser.add_argument("--pages", type=int, default=6, metavar="K", help="pages per class and site (6)")


def _run(options: argparse.Namespace) -> int:
    from sitestencil_research.commands.tables import Table, table_console
    from sitestencil_research.labels import labelled_sites
    from sitestencil_research.uses.bayes import accuracies, problems
    from sitestencil_research.uses.synthetic_corpus import synthetic_topics

    pages = synthetic_topics(
        labelled_sites(options.folder),
        topics=options.topics,
        hosts=options.hosts,
        pages=options.pages,
        seed=options.seed,
    )
    corpora = cleaned(pages, options)
    by_detector = {corpus.detector: accuracies(corpus, pages) for corpus in corpora}
    means = {name: fmean(values.values()) for name, values in by_detector.items()}
    hosts = sorted({page.site.name for page in pages})
    table = Table(
        title=f"Accuracy in %, {sum(1 for _ in problems(pages))} two-class problems on {len(pages)} pages",
        show_footer=True,
    )
    table.add_column("classes", footer="average", no_wrap=True)
    for name, mean in means.items():
        table.add_column(name, justify="right", footer=f"{100 * mean:.2f}")
    for pair in next(iter(by_detector.values())):
        table.add_row(" / ".join(pair), *(f"{100 * values[pair]:.2f}" for values in by_detector.values()))
    table_console(160).print(table)
    say(f"templates: {', '.join(hosts)}")
    if unanswered := [f"{corpus.detector} {corpus.unanswered}" for corpus in corpora if corpus.unanswered]:
        say(f"pages without an answer: {', '.join(unanswered)}")
    rows = [
        {
            **corpus_facts(corpus),
            "accuracy": means[corpus.detector],
            "pairs": {" / ".join(pair): value for pair, value in by_detector[corpus.detector].items()},
        }
        for corpus in corpora
    ]
    if options.json is not None:
        write_json(options.json, {"pages": len(pages), "templates": hosts, "rows": rows})
    return 0


CLASSIFY = Command(
    name="classify",
    group="research",
    help="classify pages by naive Bayes, with and without their templates",
    description="""\
Learn two classes, each from one site's pages, and classify the other sites' pages by naive Bayes. Try all pairs of
classes and of sites. The pages are generated: passages of labelled key pages, one class per key page, in the
templates of other labelled key pages; no passage occurs twice. Measure with the full text, then without each
detector's template.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil classify ../shared/benchmark/sites
  sitestencil classify ../shared/benchmark/sites --detector temex --detector sitelevel --seed 1""",
)
