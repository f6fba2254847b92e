"""``sitestencil memory``: list the sites that this user's browsers remember, or forget them."""

import argparse

from sitestencil.cli.command import Command, counted, say


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--clear", nargs="?", const="", metavar="SITE", help="forget this site, such as example.org, or all sites"
    )


def _run(options: argparse.Namespace) -> int:
    from sitestencil.memory.store import PageStore, memory_file

    store = PageStore(memory_file(), say)
    if options.clear is not None:
        say(f"{counted(store.forget(options.clear or None), 'page')} forgotten.")
        return 0
    for site in store.sites():
        say(f"{site.site}\t{counted(site.pages, 'page')}\t{site.bytes:,} bytes")
    for file in store.set_aside():
        say(f"Set aside, as it could not be used: {file}")
    say(f"It is kept in {store.file}")
    return 0


MEMORY = Command(
    name="memory",
    group="use",
    help="list the sites that your browsers remember, or forget them",
    description="""\
List the sites that your browsers remember, one per line, with the number of their pages and bytes.
With --clear, forget one site or all.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil memory
  sitestencil memory --clear example.org
  sitestencil memory --clear""",
)
