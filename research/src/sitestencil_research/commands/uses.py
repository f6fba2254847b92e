"""The options of ``sitestencil duplicates``, ``cluster`` and ``classify``, which measure uses of templates."""

import argparse
from pathlib import Path

from sitestencil.cli.command import Command
from sitestencil.detectors import DETECTORS
from sitestencil_research.commands.options import add_jobs_option, add_json_option


def _duplicates(parser: argparse.ArgumentParser) -> None:
    _add_corpus_options(parser)
    _add_generated_option(parser)
    _add_number(parser, "articles", 60, "with --generated: different articles")


def _cluster(parser: argparse.ArgumentParser) -> None:
    _add_corpus_options(parser)
    _add_generated_option(parser)
    _add_number(parser, "topics", 5, "with --generated: the number of classes")
    _add_number(parser, "hosts", 12, "with --generated: sites that give the templates")
    _add_number(parser, "pages", 8, "with --generated: pages per class and site")


def _classify(parser: argparse.ArgumentParser) -> None:
    _add_corpus_options(parser)
    _add_number(parser, "topics", 5, "the number of classes")
    _add_number(parser, "hosts", 4, "the number of sites that give the templates")
    _add_number(parser, "pages", 6, "pages per class and site")


def _add_corpus_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder of stored sites")
    names = f"remove this detector's templates; repeatable: {', '.join(DETECTORS)} (default: all)"
    parser.add_argument("--detector", action="append", metavar="NAME", help=names)
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (0)")
    add_jobs_option(parser)
    add_json_option(parser)


def _add_generated_option(parser: argparse.ArgumentParser) -> None:
    generated = "generate pages: known content of labelled key pages in the templates of other key pages"
    parser.add_argument("--generated", action="store_true", help=generated)
    _add_number(parser, "pages-per-site", 20, "largest number of stored pages per site, sampled at random")


def _add_number(parser: argparse.ArgumentParser, name: str, default: int, said: str) -> None:
    parser.add_argument(f"--{name}", type=int, default=default, metavar="K", help=f"{said} ({default})")


def _run(options: argparse.Namespace) -> int:
    from sitestencil_research.commands import uses_run

    status: int = getattr(uses_run, f"run_{options.command.name}")(options)
    return status


DUPLICATES = Command(
    name="duplicates",
    group="research",
    help="find duplicate pages, with and without their templates",
    description="""\
Find near-duplicates among stored sites' pages by shingles: windows of 6 words, the 8 smallest hashes of a page, 4
of them equal. Measure with the full text, then without each detector's template.
With --generated the truth is known: content of labelled key pages stands in the templates of other sites.""",
    configure=_duplicates,
    run=_run,
    epilog="""\
examples:
  sitestencil duplicates ../shared/benchmark/sites --generated
  sitestencil duplicates ../shared/benchmark/sites --detector temex""",
)
CLUSTER = Command(
    name="cluster",
    group="research",
    help="cluster pages, with and without their templates",
    description="""\
Cluster each stored site's pages furthest-point-first, into as many clusters as it has sections. A section is the
first directory of an address; sections whose name is a number are left out. Measure how clusters and sections
agree: F-measure and normalised complementary entropy. The figures are means over the sites and ten first centres,
with words weighted by tf-idf, and by frequency alone. Measure with the full text, then without each detector's
template.
With --generated the classes are topics: content of labelled key pages in the templates of other sites.""",
    configure=_cluster,
    run=_run,
    epilog="""\
examples:
  sitestencil cluster ../shared/benchmark/sites --pages-per-site 60
  sitestencil cluster ../shared/benchmark/sites --generated --detector temex""",
)
CLASSIFY = Command(
    name="classify",
    group="research",
    help="classify pages by naive Bayes, with and without their templates",
    description="""\
Learn two classes, each from one site's pages, and classify the other sites' pages by naive Bayes. Try all pairs of
classes and of sites. The pages are generated: passages of labelled key pages, one class per key page, in the
templates of other labelled key pages; no passage occurs twice. Measure with the full text, then without each
detector's template.""",
    configure=_classify,
    run=_run,
    epilog="""\
examples:
  sitestencil classify ../shared/benchmark/sites
  sitestencil classify ../shared/benchmark/sites --detector temex --detector sitelevel --seed 1""",
)
