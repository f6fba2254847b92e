"""Check what a release needs, and make its tag: ``make release VERSION=0.2.0``. It needs Python and git alone.

``make test`` records which files it has passed with. It pushes no tag: packaging/README.md says what comes next.
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from manifest.build import BROWSERS, manifest, version

ROOT = Path(__file__).resolve().parent.parent
RECORD = Path("out/tested")
# Browsers take three numbers up to 65535 as a version, and nothing else that Python takes, too.
_VERSION = re.compile(r"(?:0|[1-9]\d{0,3})(?:\.(?:0|[1-9]\d{0,3})){2}")
_HEADING = re.compile(r"^## (\S+) \((.+)\)$", re.MULTILINE)


class NotReleasedError(Exception):
    """The release cannot be made; the message says why."""


def git(*arguments: str, root: Path = ROOT) -> str:
    """Run git, and return its output.

    Raises:
        NotReleasedError: it failed.
    """
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReleasedError(f"git {' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def newest_change(root: Path = ROOT) -> tuple[str, str]:
    """Return the version of the changelog's first section, and its date or ``unreleased``."""
    found = _HEADING.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    return (found[1], found[2]) if found else ("", "")


def versions() -> dict[str, str]:
    """Return the project's version in each place that names it."""
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    extensions = {f"the manifest for {browser}": manifest(browser)["version"] for browser in BROWSERS}
    research = tomllib.loads((ROOT / "research" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    server = json.loads((ROOT / "server.json").read_text("utf-8"))
    listed = {
        "pyproject.toml": version(),
        "research/pyproject.toml": research["version"],
        "server.json": server["version"],
        "the package in server.json": server["packages"][0]["version"],
        "what research/pyproject.toml needs": research["dependencies"][0].partition("==")[2],
        "CHANGELOG.md": newest_change()[0],
    } | extensions
    return listed | ({"package-lock.json": lock["version"]} if "version" in lock else {})


def disagreements(wanted: str) -> list[str]:
    """Return what is wrong with a version, and the places that name another; an empty one is pyproject.toml's."""
    expected = wanted.removeprefix("v") or version()
    if not _VERSION.fullmatch(expected):
        return [f"“{expected}” is no version that browsers take: give three numbers, as in VERSION=0.2.0."]
    return [
        f"{place} names version {found or '(none)'}, not {expected}: change it."
        for place, found in versions().items()
        if found != expected
    ]


def obstacles(wanted: str, root: Path = ROOT) -> Iterator[str]:
    """Yield all that stands in the way of the tag, but for the versions."""
    tag = f"v{wanted}"
    if git("status", "--porcelain", root=root):
        yield "Some files are not committed: see git status."
    if (branch := git("branch", "--show-current", root=root)) != "main":
        yield f"Releases are made on main, and this is {branch or 'no branch'}: git switch main."
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", newest_change(root)[1]):
        yield f"CHANGELOG.md has no date for {wanted}: its heading must be “## {wanted} (2026-01-31)”."
    if "\n## Unreleased\n" in (root / "CHANGELOG.md").read_text(encoding="utf-8"):
        yield f"CHANGELOG.md has changes below “Unreleased”: move them to {wanted}."
    if git("tag", "--list", tag, root=root):
        yield f"The tag {tag} exists: choose another version."
    yield from _on_the_server(tag, root)
    if not (root / RECORD).is_file() or (root / RECORD).read_text(encoding="utf-8") != tested(root):
        yield "The tests have not passed with these files: run make test."


def _on_the_server(tag: str, root: Path) -> Iterator[str]:
    if "origin" not in git("remote", root=root).split():
        yield "There is no remote named origin to push to: git remote add origin ADDRESS."
        return
    try:
        listed = git("ls-remote", "origin", "refs/heads/main", f"refs/tags/{tag}", root=root)
    except NotReleasedError as error:
        yield f"The server cannot be asked for its tags. {error}"
        return
    theirs = {name: commit for commit, name in (line.split() for line in listed.splitlines())}
    if f"refs/tags/{tag}" in theirs:
        yield f"The tag {tag} exists on the server: choose another version."
    main = theirs.get("refs/heads/main")
    if main and not _behind(main, root):
        yield "The server's main has commits that are missing here: git pull."


def _behind(commit: str, root: Path) -> bool:
    asked = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
    return subprocess.run(asked, cwd=root, capture_output=True, check=False).returncode == 0


def tested(root: Path = ROOT) -> str:
    """Return the name that git gives to all committed files."""
    return git("rev-parse", "HEAD^{tree}", root=root)


def record(root: Path = ROOT) -> str:
    """Write down that the tests have passed with the committed files, and return what to say of it."""
    try:
        if git("status", "--porcelain", root=root):
            return "The tests have passed. Some files are not committed, so that this does not count for a release."
        text = tested(root)
    except NotReleasedError as error:
        return f"The tests have passed. This does not count for a release: {error}"
    (root / RECORD).parent.mkdir(exist_ok=True)
    (root / RECORD).write_text(text, encoding="utf-8")
    return f"The tests have passed, which {RECORD} records for a release."


def tag(wanted: str, root: Path = ROOT) -> str:
    """Make the tag, and return what to do next."""
    git("tag", "--annotate", f"v{wanted}", "--message", f"Sitestencil {wanted}", root=root)
    return (
        f"The tag v{wanted} is made, and nothing has left this machine. To publish it, run:\n"
        f"    git push --atomic origin main v{wanted}\nTo take it back, run:\n    git tag --delete v{wanted}"
    )


def step(name: str, wanted: str) -> str:
    """Do one step, and return how it went.

    Raises:
        NotReleasedError: something stands in the way.
    """
    if name == "record":
        return record()
    if not wanted and name != "version":
        raise NotReleasedError("Say which version: make release VERSION=0.2.0")
    found = disagreements(wanted) + ([] if name == "version" else list(obstacles(wanted)))
    if found:
        raise NotReleasedError("\n".join(found))
    return tag(wanted) if name == "tag" else f"Version {wanted or version()} can be released."


def main() -> int:
    """Do one step, and say how it went."""
    parser = argparse.ArgumentParser(prog="python -m supply.release", description="Check or tag a release.")
    parser.add_argument("step", choices=("version", "check", "tag", "record"))
    parser.add_argument("version", nargs="?", default="")
    options = parser.parse_args()
    try:
        said = step(options.step, options.version.removeprefix("v"))
    except NotReleasedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{said}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
