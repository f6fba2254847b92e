"""``sitestencil mcp``: read pages and sites for agents."""

import argparse
from pathlib import Path

from sitestencil.cli.command import Command
from sitestencil.errors import PackageMissing


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="save whole sites here (default: in this user's data folder)"
    )
    parser.add_argument("--private", action="store_true", help="also read pages on private networks")


def _run(options: argparse.Namespace) -> int:
    import platformdirs

    folder = options.folder or platformdirs.user_data_path("sitestencil", appauthor=False) / "sites"
    try:
        from sitestencil.agents import Reader, server

        made = server(Reader(folder, private=options.private))
    except ImportError:
        raise PackageMissing("The server for agents needs mcp, and pyarrow for whole sites.", "crawl,mcp") from None
    made.run()
    return 0


MCP = Command(
    name="mcp",
    group="use",
    help="read pages and whole sites for agents (Model Context Protocol)",
    description="""\
Serve the Model Context Protocol on standard input and output, for agents that read the web.

The tool read_page gives a page's main content as Markdown, with its confidence. The site's template is remembered:
a second page costs one request. The tool read_site saves a whole site, read_saved_page reads its pages, and
find_in_site finds words in it. Pages on private networks are not read, unless you allow it.""",
    configure=_configure,
    run=_run,
    epilog="""\
examples:
  sitestencil mcp
  sitestencil mcp --folder sites""",
)
