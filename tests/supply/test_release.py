"""A release: all that can fail is checked before the tag, and the tag stays on this machine."""

import json
import subprocess
from pathlib import Path

import pytest
from supply import release
from supply.release import ROOT, disagreements, newest_change, obstacles, record, tag, versions


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for folder, kind in ((tmp_path / "server", ["--bare"]), (root, [])):
        subprocess.run(["git", "init", "--quiet", *kind, "--initial-branch=main", folder], check=True)
    release.git("config", "user.email", "anna@example.org", root=root)
    release.git("config", "user.name", "Anna", root=root)
    release.git("remote", "add", "origin", str(tmp_path / "server"), root=root)
    (root / ".gitignore").write_text("out/\n")
    commit(root, "# Changes\n\n## 0.2.0 (2026-11-25)\n\n* New: all.\n")
    release.git("push", "--quiet", "origin", "main", root=root)
    assert "records for a release" in record(root)
    return root


def commit(root: Path, changes: str) -> None:
    (root / "CHANGELOG.md").write_text(changes)
    release.git("add", "--all", root=root)
    release.git("commit", "--quiet", "--message", "Change", root=root)


def test_the_readme_proves_the_name_in_the_registry_of_mcp_servers() -> None:
    name = json.loads((ROOT / "server.json").read_text("utf-8"))["name"]
    assert f"<!-- mcp-name: {name} -->" in (ROOT / "README.md").read_text("utf-8")


def test_all_places_name_one_version() -> None:
    assert len(set(versions().values())) == 1, versions()
    assert disagreements("") == []


def test_another_version_is_named_with_each_place_to_change() -> None:
    found = disagreements("v9.8.7")
    assert [line.partition(" names")[0] for line in found] == list(versions())
    assert all("not 9.8.7" in line for line in found)
    assert newest_change()[0] in found[1]


@pytest.mark.parametrize("wanted", ["1", "1.0", "1.0.0rc1", "01.0.0", "1.0.0.0", "-1.0.0", "latest", "1.0.99999"])
def test_a_version_that_browsers_refuse_is_refused(wanted: str) -> None:
    (found,) = disagreements(wanted)
    assert "no version that browsers take" in found


def test_a_tested_and_committed_version_has_no_obstacle_and_its_tag_is_not_pushed(repository: Path) -> None:
    assert list(obstacles("0.2.0", repository)) == []
    said = tag("0.2.0", repository)
    assert "git push --atomic origin main v0.2.0" in said
    assert release.git("tag", root=repository) == "v0.2.0"
    assert release.git("ls-remote", "--tags", "origin", root=repository) == ""
    assert list(obstacles("0.2.0", repository)) == ["The tag v0.2.0 exists: choose another version."]


def test_a_tag_on_the_server_alone_is_found(repository: Path) -> None:
    tag("0.2.0", repository)
    release.git("push", "--quiet", "origin", "v0.2.0", root=repository)
    release.git("tag", "--delete", "v0.2.0", root=repository)
    assert list(obstacles("0.2.0", repository)) == ["The tag v0.2.0 exists on the server: choose another version."]


def test_a_change_since_the_tests_is_found_whether_it_is_committed_or_not(repository: Path) -> None:
    (repository / "new.txt").write_text("new")
    assert list(obstacles("0.2.0", repository)) == ["Some files are not committed: see git status."]
    assert "does not count for a release" in record(repository)
    commit(repository, "# Changes\n\n## 0.2.0 (unreleased)\n")
    no_date, untested = obstacles("0.2.0", repository)
    assert "no date for 0.2.0" in no_date
    assert untested == "The tests have not passed with these files: run make test."


def test_changes_that_stand_below_no_version_are_found(repository: Path) -> None:
    commit(repository, "# Changes\n\n## Unreleased\n\n* New: more.\n\n## 0.2.0 (2026-11-25)\n\n* New: all.\n")
    record(repository)
    assert list(obstacles("0.2.0", repository)) == [
        "CHANGELOG.md has changes below “Unreleased”: move them to 0.2.0."
    ]


def test_a_server_that_is_ahead_or_cannot_be_reached_is_named(repository: Path, tmp_path: Path) -> None:
    commit(repository, "# Changes\n\n## 0.2.0 (2026-11-26)\n")
    release.git("push", "--quiet", "origin", "main", root=repository)
    release.git("reset", "--quiet", "--hard", "HEAD~1", root=repository)
    assert list(obstacles("0.2.0", repository)) == [
        "The server's main has commits that are missing here: git pull."
    ]
    (tmp_path / "server").rename(tmp_path / "moved")
    (unreachable,) = obstacles("0.2.0", repository)
    assert unreachable.startswith("The server cannot be asked for its tags.")


def test_another_branch_and_no_server_are_named(repository: Path) -> None:
    release.git("switch", "--quiet", "--create", "new-look", root=repository)
    release.git("remote", "remove", "origin", root=repository)
    branch, server = obstacles("0.2.0", repository)
    assert branch == "Releases are made on main, and this is new-look: git switch main."
    assert "no remote named origin" in server
