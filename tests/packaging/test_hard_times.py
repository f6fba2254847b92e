"""The Debian package on a full disk, and with a home that cannot be written: sentences instead of traces."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.packaging.clean_root import CleanRoot
from tests.packaging.conftest import apt, clean_root

pytestmark = pytest.mark.deb
PAGE = "<!doctype html><title>Ships</title><header>Harbour</header><main><p>The schooner came home.</p></main>"


@pytest.fixture(scope="module")
def root(package: Path) -> Iterator[CleanRoot]:
    with clean_root(package) as made:
        apt(made, f"/srv/{package.name}")
        made.done("sh", "-c", f"echo '{PAGE}' > /srv/page.html")
        yield made


def test_no_room_for_the_package_says_so_and_leaves_no_half_of_it(package: Path) -> None:
    with clean_root(package, size="55m") as root:
        done = root.run("apt-get", "install", "--yes", f"/srv/{package.name}")
        assert done.returncode != 0
        assert "No space left on device" in done.stdout or "enough free space" in done.stdout, done.stdout
        assert "Traceback" not in done.stdout
        assert root.run("test", "-e", "/usr/bin/sitestencil").returncode != 0


def test_no_room_for_an_upgrade_leaves_the_old_version_working(package: Path, older: Path) -> None:
    with clean_root(package, older, size="125m") as root:
        apt(root, f"/srv/{older.name}")
        done = root.run("apt-get", "install", "--yes", f"/srv/{package.name}")
        assert done.returncode != 0
        assert "No space left on device" in done.stdout or "enough free space" in done.stdout, done.stdout
        assert "All is well." in root.done("sitestencil", "doctor", user="anna")


def mount_home(root: CleanRoot, *options: str) -> None:
    root.done("mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", "/home/bert")


@pytest.mark.parametrize(
    ("kind", "reason"), [("read-only", "Read-only file system"), ("full", "No space left on device")]
)
def test_a_home_that_cannot_be_written(root: CleanRoot, kind: str, reason: str) -> None:
    options = {"read-only": ("mode=0777", "ro"), "full": ("mode=0777", "size=4k", "nr_inodes=2")}[kind]
    mount_home(root, *options)
    try:
        assert "All is well." in root.done("sitestencil", "doctor", user="bert")
        assert "The package connects" in root.done("sitestencil", "install", user="bert")
        assert "<header" in root.done("sitestencil", "extract", "/srv/page.html", user="bert")
        for command in (
            ("extension", "--browser", "edge"),
            ("install", "--browser", "chrome", "--user-data-dir", "/home/bert/chrome"),
            ("extract", "/srv/page.html", "-o", "/home/bert/template.html"),
        ):
            done = root.run("sitestencil", *command, user="bert")
            assert "Traceback" not in done.stdout, done.stdout
            assert done.returncode == 0 or reason in done.stdout, done.stdout
    finally:
        root.done("umount", "/home/bert")
