"""The workflows: their steps are the Makefile's targets, their actions are pinned, and only some may write."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.conftest import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))
# packaging/README.md says why.
BY_VERSION = {"pypa/cibuildwheel@v3.3.0"}


def jobs(workflow: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(workflow.read_text())["jobs"]
    return loaded


def steps() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{workflow.name}: {name}", step)
        for workflow in WORKFLOWS
        for name, job in jobs(workflow).items()
        for step in job.get("steps", [])
    ]


def targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_every_command_of_a_workflow_is_a_target_of_the_makefile() -> None:
    commands = [(job, step["run"].split()) for job, step in steps() if "run" in step]
    assert len(commands) >= 5
    wrong = [(job, words) for job, words in commands if words[0] != "make" or not set(words[1:]) <= targets()]
    assert wrong == []


def test_every_action_is_pinned_by_its_commit_and_names_its_version() -> None:
    lines = [line for file in WORKFLOWS for line in file.read_text().splitlines() if "uses:" in line]
    actions = [line.partition("uses:")[2].strip() for line in lines]
    pinned = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    others = {action for action in actions if not pinned.fullmatch(action) and not action.startswith("./")}
    assert others == BY_VERSION
    assert len(actions) > 10


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_reads_and_only_the_jobs_that_publish_may_do_more(workflow: Path) -> None:
    assert yaml.safe_load(workflow.read_text())["permissions"] == {"contents": "read"}
    writing = {name for name, job in jobs(workflow).items() if "write" in job.get("permissions", {}).values()}
    assert writing == ({"collected", "pypi", "github"} if workflow.name == "release.yml" else set())
    assert all("timeout-minutes" in job for job in jobs(workflow).values() if "steps" in job)


def test_what_publishes_runs_on_a_tag_alone_and_runs_no_code_of_the_repository() -> None:
    release = jobs(FOLDER / "release.yml")
    for name in ("pypi", "github"):
        assert release[name]["if"] == "github.ref_type == 'tag'"
        assert all("run" not in step and "checkout" not in step["uses"] for step in release[name]["steps"])
