"""Where the package's files go, and which browser reads each place."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

NAME = "sitestencil"
ENVIRONMENT = f"usr/lib/{NAME}"
SITE = f"{ENVIRONMENT}/lib/python3.{sys.version_info.minor}/site-packages"
EXECUTABLES = {
    f"{ENVIRONMENT}/bin/sitestencil": "sitestencil.cli",
    f"{ENVIRONMENT}/bin/sitestencil-host": "sitestencil_host.main",
}
MANIFESTS = f"{ENVIRONMENT}/manifests"
_FILE = "org.sitestencil.host.json"
_FIREFOX_EXTENSIONS = "usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
_CHROMIUM_EXTENSIONS = "usr/share/chromium/extensions"

# Links, since dpkg leaves a configuration file behind when it removes the package, and the browsers would go on
# looking for a program that is gone. docs/packaging.md says where each place is known from.
LINKS = {
    "usr/bin/sitestencil": "../lib/sitestencil/bin/sitestencil",
    f"etc/chromium/native-messaging-hosts/{_FILE}": f"/{MANIFESTS}/chromium.json",
    f"etc/opt/chrome/native-messaging-hosts/{_FILE}": f"/{MANIFESTS}/chromium.json",
    f"etc/opt/edge/native-messaging-hosts/{_FILE}": f"/{MANIFESTS}/chromium.json",
    f"etc/vivaldi/native-messaging-hosts/{_FILE}": f"/{MANIFESTS}/chromium.json",
    f"usr/lib/mozilla/native-messaging-hosts/{_FILE}": "../../sitestencil/manifests/firefox.json",
}

LINTIAN = """\
# The bytecode is in the package, so that the first start is fast, and that removing leaves none behind.
package-installs-python-pycache-dir *
# Google Chrome and Microsoft Edge read the host manifests of all users nowhere else.
dir-or-file-in-etc-opt *
# The versions of requirements/run.txt, of which the tests hold.
embedded-library *
# An environment of its own, whose interpreter is a link to /usr/bin/python3.X, on which the package depends.
wrong-path-for-interpreter *
python3-script-but-no-python3-dep *
"""


def add_extensions(tree: Path, root: Path, scratch: Path) -> None:
    """Add the extension where Debian's Chromium and Firefox ESR look for those of all users."""
    command: list[str | Path] = [sys.executable, root / "manifest/build.py", "--output", scratch / "extension"]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own script
    shutil.copytree(scratch / "extension/chromium", tree / _CHROMIUM_EXTENSIONS / NAME)
    firefox = scratch / "extension/firefox"
    manifest = json.loads((firefox / "manifest.json").read_text(encoding="utf-8"))
    shutil.copytree(firefox, tree / _FIREFOX_EXTENSIONS / manifest["browser_specific_settings"]["gecko"]["id"])


def add_manifests(tree: Path, root: Path) -> None:
    """Add the host manifests, which name the package's helper program."""
    (tree / MANIFESTS).mkdir()
    for family in ("chromium", "firefox"):
        manifest = json.loads((root / f"manifest/host/{family}.json").read_text(encoding="utf-8"))
        manifest["path"] = f"/{ENVIRONMENT}/bin/sitestencil-host"
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        (tree / MANIFESTS / f"{family}.json").write_text(text, encoding="utf-8")
