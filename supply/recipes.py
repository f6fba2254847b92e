"""Write what Homebrew, MCP clients and Mozilla's reviewers take: ``python -m supply.recipes``, without network.

All that they say comes from pyproject.toml, server.json, store/ and the built extension: packaging/README.md.
"""

import argparse
import json
import re
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from manifest.build import manifest, write_unpacked, write_zip
from supply.distributions import ROOT, project

FORMULA = ROOT / "packaging" / "recipes" / "sitestencil.rb"
PROJECT = project()["project"]
LISTED: dict[str, Any] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))


def formula(source: Path) -> str:
    """Return the formula for Homebrew, for a source archive that PyPI has, too."""
    values = {"LICENSE": PROJECT["license"], "TEXT": LISTED["description"], "FILE": source.name}
    values["SHA256"] = _digest(source)
    return re.sub(r"@([A-Z0-9]+)@", lambda found: values[found[1]], FORMULA.read_text(encoding="utf-8"))


def bundle() -> dict[str, bytes]:
    """Return the files of the bundle for MCP clients, which start it with uv; uv brings Python and packages."""
    package = f"{LISTED['packages'][0]['runtimeArguments'][0]['value']}=={PROJECT['version']}"
    needs = {name: PROJECT[name] for name in ("version", "requires-python")}
    needs |= {"name": f"{PROJECT['name']}-bundle", "dependencies": [package]}
    lines = [f"{key} = {json.dumps(value)}" for key, value in needs.items()]
    command = {"command": "uv", "args": ["run", "--directory", "${__dirname}", "server.py"]}
    described = {name: PROJECT[name] for name in ("name", "version", "license")} | {
        "manifest_version": "0.4",
        "author": PROJECT["authors"][0],
        "display_name": LISTED["title"],
        "description": LISTED["description"],
        "icon": "icon.png",
        "server": {"type": "uv", "entry_point": "server.py", "mcp_config": command},
        "tools_generated": True,
    }
    return {
        "manifest.json": _json(described).encode(),
        "pyproject.toml": "\n".join(["[project]", *lines]).encode(),
        "server.py": b'import sys\n\nfrom sitestencil.cli import main\n\nsys.exit(main(["mcp"]))\n',
        "icon.png": (ROOT / "store" / "images" / "logo.png").read_bytes(),
    }


def review() -> dict[str, Any]:
    """Return what ``web-ext sign --amo-metadata`` tells Mozilla: the category, the licence, notes for reviewers."""
    answers = tomllib.loads((ROOT / "store" / "answers.toml").read_text(encoding="utf-8"))
    category = answers["category"]["firefox"].lower().replace(" ", "-")
    version = {"license": PROJECT["license"], "approval_notes": answers["review"]["notes"].strip()}
    return {"categories": [category], "version": version}


def write_self_hosted(folder: Path, address: str) -> None:
    """Write the extension for Firefox, unpacked, that asks an address of its owner for updates."""
    if not re.fullmatch(r"https://[^/\s]+/\S*\.json", address):
        raise SystemExit(f"“{address}” is no such address: https://example.org/sitestencil/updates.json")
    write_unpacked("firefox", ROOT / "extension", folder)
    described = manifest("firefox")
    described["browser_specific_settings"]["gecko"]["update_url"] = address
    (folder / "manifest.json").write_text(_json(described), encoding="utf-8")


def updates(package: Path) -> dict[str, Any]:
    """Return the content of a package's ``update_url``: the package is the newest, and stands beside it."""
    with zipfile.ZipFile(package) as archive:
        described = json.loads(archive.read("manifest.json"))
    gecko = described["browser_specific_settings"]["gecko"]
    if "update_url" not in gecko:
        raise SystemExit(f"{package} asks nobody for updates: see docs/packaging.md.")
    entry = {
        "version": described["version"],
        "update_link": urljoin(gecko["update_url"], package.name),
        "update_hash": f"sha256:{_digest(package)}",
        "applications": {"gecko": {"strict_min_version": gecko["strict_min_version"]}},
    }
    return {"addons": {gecko["id"]: {"updates": [entry]}}}


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the files into a folder that has the source archive, or what an owner of an address asks for."""
    parser = argparse.ArgumentParser(prog="python -m supply.recipes", description="Write recipes and bundles.")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder (default: dist)")
    parser.add_argument("--self-hosted", metavar="ADDRESS", help="of the updates.json that Firefox asks for")
    parser.add_argument("--updates", type=Path, metavar="XPI", help="write updates.json beside this signed package")
    options = parser.parse_args()
    output, named = options.output, f"sitestencil-{PROJECT['version']}"
    if options.self_hosted is not None:
        write_self_hosted(output / "self-hosted", options.self_hosted)
    elif options.updates:
        options.updates.with_name("updates.json").write_text(_json(updates(options.updates)), encoding="utf-8")
    else:
        (output / FORMULA.name).write_text(formula(output / f"{named}.tar.gz"), encoding="utf-8")
        (output / "amo.json").write_text(_json(review()), encoding="utf-8")
        write_zip(output / f"{named}.mcpb", bundle())


if __name__ == "__main__":
    main()
