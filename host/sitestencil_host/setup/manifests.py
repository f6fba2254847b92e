"""Host manifests: JSON files by which browsers find the host, one shape for each family."""

import json
from pathlib import Path
from typing import Any

from sitestencil.errors import SitestencilError
from sitestencil_host.setup.browsers import Family

HOST_NAME = "org.sitestencil.host"
FILE_NAME = f"{HOST_NAME}.json"
ALLOWED: dict[Family, str] = {"chromium": "allowed_origins", "firefox": "allowed_extensions"}
"""The field that lists the extensions a browser may connect; Firefox rejects a manifest that has the other's."""


class InstallError(SitestencilError):
    """The host cannot be registered or unregistered."""


def host_manifest(family: Family, executable: str) -> dict[str, Any]:
    """Return the manifest that lets a browser of the family start the executable."""
    return {**_template(family), "path": executable}


def as_text(manifest: dict[str, Any]) -> str:
    """Return a manifest as the text of its file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def allowed_extensions(family: Family) -> list[str]:
    """Return the value of the field `ALLOWED`: the extension's origins (Chromium) or ids (Firefox)."""
    allowed: list[str] = _template(family)[ALLOWED[family]]
    return allowed


def _template(family: Family) -> dict[str, Any]:
    package = Path(__file__).parent.parent
    in_checkout = package.parent.parent / "manifest" / "host"
    for folder in (package / "manifests", in_checkout):
        file = folder / f"{family}.json"
        if file.is_file():
            template: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return template
    raise InstallError(f"This installation lacks its file manifests/{family}.json. Install sitestencil again.")
