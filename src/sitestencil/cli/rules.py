"""``sitestencil rules`` and ``sitestencil check``: a site's template as CSS selectors."""

import argparse
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING

from sitestencil.cli.command import Command, say
from sitestencil.cli.files import check_is_free_folder, read_checked, write_folder
from sitestencil.cli.options import add_all_links_option, add_force_option, folder_path, whole_number
from sitestencil.cli.pages import is_address, no_file
from sitestencil.cli.progress import crawl_progress, progress_bar
from sitestencil.errors import PackageMissing, UnusableInput

if TYPE_CHECKING:
    from sitestencil.rules.rule_set import SiteRules
    from sitestencil.rules.site_pages import SitePages
    from sitestencil.whole_site.pages import Pages

INPUT = """\
INPUT is the address of a site, a folder of "sitestencil site", or what "sitestencil crawl" reads. From an address,
pages below it are loaded, one a second, as robots.txt allows; for other options save the site first. Of each site
300 pages are read, of each kind 40; a larger input is sampled, and the report says so."""

_DESCRIPTION = f"""\
Learn a site's rules: CSS selectors that strip its template, or keep its main content.

Of each kind with at least five pages (articles, products, lists), half are learned from, and half prove the rules.
A rule that takes content from a page held out is left out. A set that does not reach .95 is in rules.json with the
reason, and in no other file; those that have comments say why, too.

{INPUT}"""

_EPILOG = """\
the output, a folder; HOST is the site's host:
  rules.json                all rules with their proof, for "sitestencil check"
  HOST.css, HOST.print.css  a style sheet that hides the template, on the screen or in print
  HOST.txt                  ftr-site-config: wallabag, Full-Text RSS
  HOST.opml                 a subscription of FreshRSS, with whole articles, also of a site without a feed
  HOST.changedetection.json a watch for each kind, for changedetection.io
  HOST.docsearch.json       the scraper of DocSearch and Typesense
  HOST.crawl4ai.json        a schema of crawl4ai for each kind
The style sheets are for all kinds of pages together, by the number of their pages.

examples:
  sitestencil rules https://example.org/ -o rules
  sitestencil rules crawl.warc.gz -o rules
  sitestencil check rules/rules.json https://example.org/"""


_PAGES = 5  # of those that show a broken rule


def add_inputs(parser: argparse.ArgumentParser, *, output: bool = True) -> None:
    """Add the addresses, files and folders, and a folder for the output."""
    inputs = "the address of a site, or files or folders with its pages"
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help=inputs)
    if output:
        parser.add_argument(
            "-o", "--output", type=folder_path, required=True, metavar="DIR", help="a folder for the files"
        )
        add_force_option(parser)
    most = "of an address: load at most N pages (default: 60)"
    parser.add_argument("--most-pages", type=whole_number(1), default=60, metavar="N", help=most)
    add_all_links_option(parser, "of an address, ")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def read_input(options: argparse.Namespace) -> "tuple[Pages, list[SitePages]]":
    """Return the pages of the input, and those to learn from by their sites; say how many are left out.

    Raises:
        SitestencilError: an input does not exist.
        UnusableInput: there are no pages.
        PageUnavailable: a site does not answer, or forbids it.
        PackageMissing: the extra for crawls is missing.
    """
    try:
        from sitestencil.rules.site_pages import read_sites
        from sitestencil.whole_site.pages import Pages
    except ModuleNotFoundError as error:
        raise PackageMissing(f"Pages are read with {error.name}.", "crawl") from None
    for name in options.inputs:
        if not (is_address(name) or has_magic(name) or Path(name).exists()):
            raise no_file(name)
    with crawl_progress(quiet=options.quiet) as show:
        pages = Pages(options.inputs, options.most_pages, show, all_links=options.all_links)
    if unlike := pages.unlike_pages:
        say(f"Links that do not look like pages, and may act here: {unlike:,}. To load these, add --all-links.")
    sites, count, skipped = read_sites(pages)
    if not sites:
        raise UnusableInput(
            f"{', '.join(options.inputs)}: no web page is in there. Give an address, a saved site or a crawl file."
        )
    if skipped:
        say(f"{skipped:,} of {count:,} files are not web pages, or more than are read.")
    for site in sites:
        if site.left_out:
            say(f"{site.site}: {len(site.pages):,} pages are taken, {site.left_out:,} others are not.")
    return pages, sites


def _run(options: argparse.Namespace) -> int:
    check_is_free_folder(options.output, force=options.force)
    _, sites = read_input(options)
    from sitestencil.rules.formats import files_of
    from sitestencil.rules.rule_set import to_json
    from sitestencil.rules.site_rules import site_rules
    from sitestencil.whole_site.gathering import free_name, plain_name

    with progress_bar("Kinds of pages", quiet=options.quiet) as show:
        rules = tuple(site_rules(site, show) for site in sites)
    files, taken = {"rules.json": to_json(rules)}, set[str]()
    for one in rules:
        written = files_of(one, free_name(plain_name(one.site), one.site, taken))
        files |= {name: text.encode("utf-8", "replace") for name, text in written.items()}
        _say_rules(one)
    write_folder(options.output, files)
    say(f"Written to {options.output}: {', '.join(files)}.")
    return 0


def _say_rules(site: "SiteRules") -> None:
    if not site.kinds:
        say(f"{site.site}: no two of its {site.pages} pages are of one kind.")
    for kind in site.kinds:
        say(", such as ".join([f"{kind.kind}: {kind.pages} pages", *kind.examples[:1]]))
        if kind.why:
            say(f"  no rules: {kind.why}")
        for name, rules in (("strip", kind.strip), ("keep", kind.keep)):
            if rules is not None and rules.why:
                say(f"  {name}: none good enough: {rules.why}")
            elif rules is not None:
                left = f"{rules.recall:.1%} of the content is left, and {rules.precision:.1%}"
                proof = f"on {rules.pages} pages held out {left} of what is left is content"
                say(f"  {name}: {len(rules.rules)} selectors; {proof}")


def _check(options: argparse.Namespace) -> int:
    from sitestencil.rules.rule_set import MOST_BYTES, from_json

    file = options.rules / "rules.json" if options.rules.is_dir() else options.rules
    known = {site.site: site for site in read_checked(file, MOST_BYTES, from_json)}
    _, sites = read_input(options)
    from sitestencil.rules.site_rules import broken_rules

    status = 0
    for site in sites:
        if site.site not in known:
            say(f"{site.site}: there are no rules of it.")
            continue
        with progress_bar("Kinds of pages", quiet=options.quiet) as show:
            broken, checked = broken_rules(known[site.site], site, show)
        for one in broken:
            say(f"{one.kind}: rules to {one.what} broke: {one.why}.")
            pages, beyond = one.pages[:_PAGES], len(one.pages) - _PAGES
            pages += (f"and {beyond:,} others",) if beyond > 0 else ()
            new = ("none that are good enough",) if one.new is None else one.new or ("none; leave the old one out",)
            for label, lines in (("rule", one.rules), ("page", pages), ("new rule", new)):
                for line in lines:
                    say(f"  {label}: {line}")
        if not checked:
            say(f"{site.site}: no rule was checked: no page is of a kind with rules.")
        elif not broken:
            say(f"{site.site}: all rules hold on {checked} pages.")
        status = status if checked and not broken else 1
    return status


def _configure_check(parser: argparse.ArgumentParser) -> None:
    what = 'the output of "sitestencil rules", or its rules.json'
    parser.add_argument("rules", type=Path, metavar="RULES", help=what)
    add_inputs(parser, output=False)


RULES = Command(
    name="rules",
    group="crawl",
    help="write a site's template as CSS selectors, proved on its pages",
    description=_DESCRIPTION,
    configure=add_inputs,
    run=_run,
    epilog=_EPILOG,
)
CHECK = Command(
    name="check",
    group="crawl",
    help="tell which of a site's rules broke",
    description=f"""\
Check a site's rules on its pages of today: tell which broke, on which pages, and the new ones.

{INPUT}""",
    configure=_configure_check,
    run=_check,
    epilog="""\
example:
  sitestencil check rules/rules.json https://example.org/

exit status 1: some rules broke, or none was checked""",
)
