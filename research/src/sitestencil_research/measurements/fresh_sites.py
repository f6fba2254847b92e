"""Make labelled sites: their labels are in labels/, their pages come from elsewhere.

    mkdir -p out && tar -xJf ../shared/benchmark/unlabelled.tar.xz -C out
    python -m sitestencil_research.measurements.fresh_sites unlabelled out/sites out/fresh
    python -m sitestencil_research.measurements.fresh_sites pages ../shared/benchmark out/pages
    python -m sitestencil_research.measurements.fresh_sites packages out/packages
    sitestencil benchmark out/fresh --markdown

"unlabelled" labels sites of the benchmark that have no labels. "pages" labels home pages and other pages of its
labelled sites. "packages" makes sites out of packages of npm, PyPI and Debian.

Each key page was labelled twice, independently. labels/ has the selectors of both, and the letters that follow from
them.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, cast

from sitestencil_research.measurements.package_sites import NoSite, Package, make_package_site

LABELS = Path(__file__).with_name("labels")


def main() -> int:
    """Write a folder for each labelled site, and return 1 if one cannot be made."""
    options = parse_options()
    sites: dict[str, Any] = json.loads((LABELS / f"{options.labels}.json").read_text("utf-8"))
    failed = []
    for name, labels in sites.items():
        try:
            make_site(name, labels, options)
        except NoSite as error:
            print(f"error: {name}: {error}", file=sys.stderr)
            failed.append(name)
    print(f"{options.out} has {len(sites) - len(failed)} of {len(sites)} sites.", file=sys.stderr)
    if failed:
        print(f"Not made, for the errors above: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


def parse_options() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="labels", metavar="COMMAND", required=True)
    unlabelled = commands.add_parser("unlabelled", help="label sites of unlabelled.tar.xz")
    unlabelled.add_argument("source", type=Path, metavar="SITES", help="the folder that is unpacked from it")
    pages = commands.add_parser("pages", help="label home pages and other pages of the benchmark's sites")
    pages.add_argument("source", type=Path, metavar="BENCHMARK", help="the folder that has sites/ and opened/")
    packages = commands.add_parser("packages", help="make sites out of packages of npm, PyPI and Debian")
    archives = Path("out/archives")
    packages.add_argument("--archives", type=Path, default=archives, help=f"keeps the packages ({archives})")
    for command in (unlabelled, pages, packages):
        command.add_argument("out", type=Path, metavar="OUT", help="the folder for the labelled sites")
    options = parser.parse_args()
    if options.labels != "packages":
        needed = options.source / "sites" if options.labels == "pages" else options.source
        if not needed.is_dir():
            parser.error(f"{needed} is no folder; the examples in {parser.prog} --help show which one is meant.")
    return options


def make_site(name: str, labels: dict[str, Any], options: argparse.Namespace) -> None:
    """Write a site's folder.

    Raises:
        NoSite: its pages are not to be had.
    """
    folder = options.out / name
    if options.labels == "packages":
        make_package_site(name, cast("Package", labels), folder, options.archives)
    elif options.labels == "unlabelled":
        link_site(folder, find([options.source / name]), labels)
    else:
        site = find([options.source / part / labels["of"] for part in ("sites", "opened")])
        kind = "home page" if name.endswith("-home") else "another page"
        link_site(folder, site, {"id": name, "kind": kind, **labels})


def find(places: list[Path]) -> Path:
    """Return the place that has a site.

    Raises:
        NoSite: none has one.
    """
    for place in places:
        if (place / "site.json").is_file():
            return place.resolve()
    raise NoSite(f"no site.json in {' or '.join(map(str, places))}; another copy of the benchmark may have it.")


def link_site(folder: Path, site: Path, labels: dict[str, Any]) -> None:
    """Write a folder with a site's facts and other labels; its pages are a link to the site's."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = json.loads((site / "site.json").read_text("utf-8"))
    (folder / "site.json").write_text(json.dumps({**facts, **labels}, indent=1, ensure_ascii=False), "utf-8")
    pages = folder / "pages"
    if pages.is_symlink():
        pages.unlink()
    if not pages.exists():
        pages.symlink_to(site / "pages", target_is_directory=True)


if __name__ == "__main__":
    sys.exit(main())
