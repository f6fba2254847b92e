"""Puts the packed extensions into the wheel, so that whoever installs the program has them: a hook of hatchling."""

import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackedExtensions(BuildHookInterface):  # type: ignore[type-arg]  # of a configuration that it does not have
    """Builds the extension for each browser; a checkout that is installed to be edited builds it when asked."""

    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the packages to what the wheel holds."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from manifest.build import BROWSERS, ROOT, write_package

        self._folder = Path(mkdtemp(prefix="sitestencil-extensions-"))
        for browser in BROWSERS:
            package = self._folder / f"{browser}.zip"
            write_package(browser, ROOT / "extension", package)
            build_data["force_include"][str(package)] = f"sitestencil_host/extensions/{package.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built on the way."""
        if self._folder is not None:
            shutil.rmtree(self._folder)
