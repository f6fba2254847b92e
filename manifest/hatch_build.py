"""Add the packed extensions, the capture script and the compiled modules to the wheel, as a hook of hatchling.

An editable installation gets the last two beside the sources.
"""

import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuiltParts(BuildHookInterface):  # type: ignore[type-arg]  # it has no configuration
    """Builds the extensions, except for an editable installation, and the compiled modules."""

    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the built files to the wheel."""
        sys.path.insert(0, self.root)
        if version != "editable":
            self._folder = Path(mkdtemp(prefix="sitestencil-")).resolve()
            self._add_extensions(self._folder, build_data)
        self._add_capture_script(build_data)
        self._add_modules(build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary files."""
        if self._folder is not None:
            shutil.rmtree(self._folder)

    def _add_extensions(self, folder: Path, build_data: dict[str, Any]) -> None:
        from manifest.build import BROWSERS, ROOT, write_package

        for browser in BROWSERS:
            package = folder / f"{browser}.zip"
            write_package(browser, ROOT / "extension", package)
            build_data["force_include"][str(package)] = f"sitestencil_host/extensions/{package.name}"

    def _add_capture_script(self, build_data: dict[str, Any]) -> None:
        from manifest.build import CAPTURE_SCRIPT, ROOT, capture_script

        script = (self._folder or ROOT / "src") / CAPTURE_SCRIPT
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_bytes(capture_script(ROOT / "extension"))
        if self._folder is not None:
            build_data["force_include"][str(script)] = CAPTURE_SCRIPT.as_posix()

    def _add_modules(self, build_data: dict[str, Any]) -> None:
        from manifest.native import NotBuiltError, build, build_beside_sources

        try:
            files = build_beside_sources() if self._folder is None else build(self._folder)
        except NotBuiltError as error:
            self.app.display_warning(
                f"The compiled modules are left out: {error}. All works without them, a little slower."
            )
            return
        if self._folder is not None:
            build_data["force_include"].update({str(self._folder / file): file for file in files})
            # The wheel is for this Python and this kind of machine.
            build_data["pure_python"], build_data["infer_tag"] = False, True
