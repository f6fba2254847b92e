"""The lock: all that pyproject.toml asks for, each of one version with its hashes, and nothing of this machine."""

import re
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.utils import canonicalize_name
from supply.distributions import needed, project, purposes, requirements
from tests.conftest import ROOT

LOCKS = [ROOT / "requirements" / name for name in ("build.txt", "dev.txt", "run.txt", "crawl.txt")]
CONTAINERFILE = ROOT / "packaging" / "container" / "Containerfile"
_ENTRY = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^ ;]+)(?: ; (?P<marker>[^\\]+?))?"
    r"(?P<hashes>(?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n",
    re.MULTILINE,
)


def entries(lock: Path) -> list[re.Match[str]]:
    return list(_ENTRY.finditer(lock.read_text()))


def versions_here(lock: Path) -> dict[str, str]:
    """Return what the lock holds for this Python and system."""
    return {
        canonicalize_name(entry["name"]): entry["version"]
        for entry in entries(lock)
        if entry["marker"] is None or Marker(entry["marker"]).evaluate()
    }


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_is_entries_with_hashes_and_nothing_else(lock: Path) -> None:
    """So there are no addresses of registries, no paths and no options in it."""
    assert _ENTRY.sub("", lock.read_text()) == ""
    assert len(entries(lock)) > 5


@pytest.mark.parametrize("purpose", purposes())
def test_the_lock_agrees_with_what_the_project_asks_for(purpose: str) -> None:
    locked = versions_here(LOCKS[1])
    for asked in requirements(purpose):
        if asked.marker is None or asked.marker.evaluate():
            assert asked.specifier.contains(locked[canonicalize_name(asked.name)]), f"run make lock: {asked}"


@pytest.mark.parametrize("purpose", purposes())
def test_the_lock_has_what_these_need_in_turn(purpose: str) -> None:
    assert set(needed(requirements(purpose))) - set(versions_here(LOCKS[1])) == set()


def test_what_builds_is_locked_alike_in_both_files_and_is_what_the_project_builds_with() -> None:
    building, all_of_it = map(versions_here, LOCKS[:2])
    assert building.items() <= all_of_it.items()
    builders = {canonicalize_name(asked.name) for asked in requirements("build")}
    asked_for = {re.split(r"[<>=]", text)[0] for text in project()["build-system"]["requires"]}
    assert asked_for <= builders <= set(building)


def test_what_the_debian_package_brings_along_is_what_runs_and_nothing_else() -> None:
    running = versions_here(LOCKS[2])
    assert running.items() <= versions_here(LOCKS[1]).items()
    assert set(running) == set(needed(requirements("run")))


def test_the_container_brings_along_what_crawls_need_and_nothing_else() -> None:
    crawling = versions_here(LOCKS[3])
    assert crawling.items() <= versions_here(LOCKS[1]).items()
    assert set(crawling) == set(needed(requirements("run") + requirements("crawl") + requirements("ray")))


def test_the_container_takes_locked_packages_alone_and_runs_as_a_user_without_rights() -> None:
    stages = CONTAINERFILE.read_text().split("\nFROM ")
    installs = re.findall(r"pip (?:--python \S+ )?install (.*)", CONTAINERFILE.read_text())
    assert len(installs) == 3
    assert all("${LOCKED} --requirement requirements/" in line or "--no-index" in line for line in installs)
    assert "--require-hashes --only-binary :all:" in stages[1]
    assert re.findall(r"^USER (.*)", stages[-1], re.MULTILINE) == ["10001:10001"]
    assert not re.search(r"^ADD |curl|wget|https?://", CONTAINERFILE.read_text(), re.MULTILINE)


def test_extras_are_among_what_developers_install() -> None:
    """The group dev repeats the extras' packages that the tests need."""
    developing = set(map(str, requirements("dev")))
    for extra in project()["project"]["optional-dependencies"]:
        assert set(map(str, requirements(extra))) <= developing
