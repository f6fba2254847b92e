"""What measurements share: their arguments, and a figure with its bound."""

import argparse
import sys
from collections.abc import Sequence
from math import inf
from pathlib import Path

from sitestencil_research.labels import labelled_sites


def arguments(document: str | None, folders: str | None = "folders of labelled sites") -> argparse.ArgumentParser:
    """Return a parser with a measurement's text, for one or more folders if they have a description."""
    parser = argparse.ArgumentParser(description=document, formatter_class=argparse.RawDescriptionHelpFormatter)
    if folders is not None:
        parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help=folders)
    return parser


def sites_in(folders: Sequence[Path]) -> list[Path]:
    """Return the labelled sites in some folders; a folder without any ends the program."""
    return [site for folder in folders for site in labelled_sites(folder)]


def print_figure(what: str, value: float, form: str, *, most: float = inf, least: float = -inf) -> bool:
    """Print a figure in a format, with its bound if it has one, and return whether it holds."""
    holds = least <= value <= most
    limit = f"at most {most:g}" if most < inf else f"at least {least:g}" if least > -inf else ""
    print(f"{what:<58} {value:>12{form}}   {limit}{'' if holds else '  NOT HELD'}", flush=True)
    return holds


def peak_megabytes() -> float:
    """Return the peak resident memory of this process so far."""
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
