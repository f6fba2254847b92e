"""Recipes and bundles name this version and files that are here; updates are offered where Firefox asks."""

import json
import re
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest
from manifest.build import manifest, version, write_zip
from supply.recipes import bundle, formula, updates, write_self_hosted
from tests.conftest import ROOT


def test_the_formula_takes_the_source_and_its_lists_by_their_hashes(tmp_path: Path) -> None:
    source = tmp_path / f"sitestencil-{version()}.tar.gz"
    source.write_bytes(b"the source")
    text = formula(source)
    assert f'/{source.name}"\n  sha256 "{sha256(b"the source").hexdigest()}"' in text
    lists = re.findall(r'"(requirements/\S+)"', text)
    assert [(ROOT / name).is_file() for name in lists] == [True, True]


def test_the_bundle_names_its_own_files_and_loads_this_version() -> None:
    files = bundle()
    described = json.loads(files["manifest.json"])
    needs = tomllib.loads(files["pyproject.toml"].decode())["project"]
    assert {described["icon"], described["server"]["entry_point"]} <= set(files)
    assert needs["dependencies"] == [f"sitestencil[crawl,mcp]=={version()}"]
    assert described["version"] == needs["version"] == version()


def test_a_signed_package_is_offered_beside_the_file_that_it_asks_for(tmp_path: Path) -> None:
    write_self_hosted(tmp_path / "self-hosted", "https://example.org/here/updates.json")
    package = tmp_path / "signed.xpi"
    write_zip(package, {"manifest.json": (tmp_path / "self-hosted" / "manifest.json").read_bytes()})
    (entry,) = updates(package)["addons"]["sitestencil@sitestencil.org"]["updates"]
    digest = f"sha256:{sha256(package.read_bytes()).hexdigest()}"
    assert (entry["update_link"], entry["update_hash"]) == ("https://example.org/here/signed.xpi", digest)


def test_an_address_or_a_package_without_updates_is_refused(tmp_path: Path) -> None:
    for address in ("", "http://example.org/updates.json", "https://example.org/"):
        with pytest.raises(SystemExit, match="no such address"):
            write_self_hosted(tmp_path, address)
    write_zip(tmp_path / "a.xpi", {"manifest.json": json.dumps(manifest("firefox")).encode()})
    with pytest.raises(SystemExit, match="asks nobody"):
        updates(tmp_path / "a.xpi")
