"""Build the extension: `dist/chromium/`, `dist/firefox/` and a package of each for its store.

There is one source, one shared manifest (`extension.json`), and a file per browser with the differences. The
unpacked folders and the packages differ in one thing. Chromium's store gives an extension its own `key`, so the
package has none.
"""

import argparse
import json
import posixpath
import re
import shutil
import sys
import tomllib
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "firefox")
_PACKED = frozenset({".js", ".html", ".css", ".png", ".json"})
# Browsers return the value of a script's last statement.
_ARRIVAL = b"sitestencil.main.arrive();\n"
# What a browser without a window needs of them to capture a page (`sitestencil.site.sources.rendered`).
_CAPTURE = ("page/dom.js", "page/tree.js", "page/answer.js", "page/snapshot.js")
CAPTURE_SCRIPT = Path("sitestencil/site/sources/capture.js")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_BACKGROUND = "background/main.js"
_IMPORT = re.compile(r'^import (?:\{ ([^}]*) \} from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)


def merged(shared: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the shared manifest merged with a browser's own fields, object by object."""
    result = dict(shared)
    for key, value in own.items():
        below = result.get(key)
        result[key] = merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def manifest(browser: str, *, store: bool = False) -> dict[str, Any]:
    """Return the manifest for a browser, or for its store."""
    folder = ROOT / "manifest"
    shared = json.loads((folder / "extension.json").read_text(encoding="utf-8"))
    own = json.loads((folder / f"{browser}.json").read_text(encoding="utf-8"))
    result = merged({"version": version(), **shared}, own)
    if store:
        result.pop("key", None)
    return result


def version() -> str:
    """Return the project's version, which is the extension's too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def files(source: Path) -> list[Path]:
    """Return the extension's files as sorted paths relative to its folder."""
    return sorted(
        path.relative_to(source) for path in source.rglob("*") if path.is_file() and path.suffix in _PACKED
    )


def contents(source: Path) -> dict[str, bytes]:
    """Return the extension's files by name; the page's scripts become one file, and so do the background's.

    Browsers need some milliseconds per file, while the user waits after a click.
    """
    by_name = {path.as_posix(): (source / path).read_bytes() for path in files(source)}
    names = [name for name in by_name if name.startswith("page/") and name.endswith(".js")]
    # These scripts use each other only inside functions, except for the object that the first makes and the last
    # uses.
    names.sort(key=lambda name: (name != "page/dom.js", name == "page/main.js", name))
    by_name["page.js"] = b"\n".join([*(by_name.pop(name) for name in names), _ARRIVAL])
    return with_one_background(by_name)


def capture_script(source: Path) -> bytes:
    """Return the scripts by which the extension captures a page, as one, for the library."""
    return b"\n".join((source / name).read_bytes() for name in _CAPTURE)


def with_one_background(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files with the background's modules joined, and without those that nothing else needs."""
    others = [name for name in files if name.startswith("pages/") and name.endswith(".js")]
    kept = {name for other in others for name in _modules_of(other, files)}
    own = [name for name in _modules_of(_BACKGROUND, files) if name not in kept]
    joined = {_BACKGROUND: "\n".join(_as_functions(files).values()).encode()}
    return {name: content for name, content in files.items() if name not in own} | joined


def _as_functions(files: dict[str, bytes]) -> dict[str, str]:
    """Return the background's modules in running order, each as a function, so that names stay apart.

    Raises:
        ValueError: a module has an import or export that this function does not support.
    """
    parts: dict[str, str] = {}
    for name in _modules_of(_BACKGROUND, files):
        text = files[name].decode()
        names = [exported for _, exported in _EXPORT.findall(text)]
        body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(partial(_taken, name), text))
        if left := re.search(r"^(?:import|export)\b.*", body, re.MULTILINE):
            raise ValueError(f"{name}: {left[0]}")
        parts[name] = f"const {_variable(name)} = (() => {{\n{body}return {{ {', '.join(names)} }};\n}})();\n"
    return parts


def _modules_of(entry: str, files: dict[str, bytes], above: tuple[str, ...] = ()) -> list[str]:
    """Return a module and all its imports, in running order.

    Raises:
        ValueError: the imports form a circle.
    """
    if entry in above:
        raise ValueError(f"{' imports '.join((*above, entry))}: a circle")
    modules: dict[str, None] = {}
    for _, reference in _IMPORT.findall(files[entry].decode()):
        modules |= dict.fromkeys(_modules_of(_target(entry, reference), files, (*above, entry)))
    return [*modules, entry]


def _taken(name: str, statement: "re.Match[str]") -> str:
    names, reference = statement.groups()
    return f"const {{ {names.replace(' as ', ': ')} }} = {_variable(_target(name, reference))};\n" if names else ""


def _target(name: str, reference: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), reference))


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)


def write_unpacked(browser: str, source: Path, target: Path) -> None:
    """Write the folder that a browser can load; an older one of ours is replaced, and anything else is an error."""
    data = manifest(browser)
    if target.exists():
        if not _is_ours(target / "manifest.json", data):
            raise SystemExit(f"{target} holds something else than this extension. Name another folder.")
        shutil.rmtree(target)
    target.mkdir(parents=True)
    (target / "manifest.json").write_bytes(_json(data))
    for path, content in contents(source).items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(content)


def _is_ours(file: Path, ours: dict[str, Any]) -> bool:
    try:
        found = json.loads(file.read_bytes())
        return all(found[name] == ours[name] for name in ("name", "key") if name in ours)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write_package(browser: str, source: Path, target: Path, *, store: bool = False) -> None:
    """Write the extension as one file; the same source gives the same bytes at any time and place.

    Args:
        browser: the browser.
        source: the extension's folder.
        target: the file to write.
        store: build for the browser's store, which gives an extension its own key.
    """
    packed = contents(source)
    packed["manifest.json"] = _json(manifest(browser, store=store))
    write_zip(target, packed)


def write_zip(target: Path, files: dict[str, bytes]) -> None:
    """Write files as an archive whose bytes depend on nothing else."""
    with zipfile.ZipFile(target, "w") as package:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED  # zlib's output differs between versions
            package.writestr(entry, content)


def main() -> int:
    """Build for all browsers, or for the given ones; needs only Python 3.11 or newer."""
    parser = argparse.ArgumentParser(description="Build the browser extension.")
    parser.add_argument("browsers", nargs="*", metavar="BROWSER", help="chromium, firefox (default: both)")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder to write to (default: dist)")
    options = parser.parse_args()
    if unknown := set(options.browsers) - set(BROWSERS):
        parser.error(f"unknown browser {', '.join(sorted(unknown))}: one of {', '.join(BROWSERS)}")
    options.output.mkdir(parents=True, exist_ok=True)
    (ROOT / "src" / CAPTURE_SCRIPT).write_bytes(capture_script(ROOT / "extension"))
    for browser in options.browsers or BROWSERS:
        unpacked = options.output / browser
        package = options.output / f"sitestencil-{browser}-{version()}.zip"
        write_unpacked(browser, ROOT / "extension", unpacked)
        write_package(browser, ROOT / "extension", package, store=True)
        sys.stdout.write(f"{unpacked}\n{package}\n")
    return 0


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    sys.exit(main())
