"""Write the SBOM as CycloneDX JSON, for the packages installed here to run Sitestencil: ``supply.sbom FOLDER``.

The extension has no dependency. The SBOM has no time and no random number, so the same installation gives the same
bytes.
"""

import json
import sys
from importlib.metadata import Distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from supply.distributions import needed, project, requirements
from supply.licences import licensed


def sbom() -> str:
    """Return the SBOM as JSON."""
    table, distributions = project()["project"], needed(requirements("run"))
    own = _component(table["name"], table["version"], table["license"], ComponentType.APPLICATION)
    components = {
        name: _component(name, found.version, licensed(found).licence) for name, found in distributions.items()
    }
    bom = Bom(components=components.values())
    bom.metadata.component = own
    bom.register_dependency(own, [components[canonicalize_name(asked.name)] for asked in requirements("run")])
    for name, found in distributions.items():
        bom.register_dependency(
            components[name], [components[other] for other in _asked(found) if other in components]
        )
    written = json.loads(JsonV1Dot6(bom).output_as_string())
    del written["serialNumber"], written["metadata"]["timestamp"]
    return json.dumps(written, indent=2, sort_keys=True) + "\n"


def _component(name: str, version: str, licence: str, kind: ComponentType = ComponentType.LIBRARY) -> Component:
    address = PackageURL("pypi", name=name, version=version)
    return Component(
        name=name,
        version=version,
        type=kind,
        purl=address,
        bom_ref=address.to_string(),
        licenses=[LicenseFactory().make_from_string(licence)],
    )


def _asked(distribution: Distribution) -> list[str]:
    return [canonicalize_name(Requirement(text).name) for text in distribution.requires or ()]


def main(folder: str) -> None:
    """Write the SBOM into a folder, and print the file's path."""
    file = Path(folder) / f"sitestencil-{project()['project']['version']}.cdx.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(sbom(), encoding="utf-8")
    sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main(sys.argv[1])
