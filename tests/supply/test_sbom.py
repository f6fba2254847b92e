"""The SBOM: all that is needed to run, with versions and licences, the same bytes each time."""

import json

from supply.distributions import needed, requirements
from supply.sbom import sbom


def test_the_sbom_names_what_is_needed_to_run_and_what_each_needs() -> None:
    bom = json.loads(sbom())
    needed_here = {name: found.version for name, found in needed(requirements("run")).items()}
    assert {part["name"]: part["version"] for part in bom["components"]} == needed_here
    assert all(part["licenses"] for part in bom["components"])
    assert bom["metadata"]["component"]["name"] == "sitestencil"
    by_part = {entry["ref"].partition("@")[0]: entry.get("dependsOn", []) for entry in bom["dependencies"]}
    assert len(by_part["pkg:pypi/sitestencil"]) == len(requirements("run"))
    assert any(other.startswith("pkg:pypi/mdurl@") for other in by_part["pkg:pypi/markdown-it-py"])


def test_the_same_installation_gives_the_same_bytes() -> None:
    assert sbom() == sbom()
