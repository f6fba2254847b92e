"""The accessibility checker axe-core, run in the page in front."""

from pathlib import Path
from typing import Any

from tests.support.browsers import Browser

AXE = (Path(__file__).resolve().parents[2] / "node_modules/axe-core/axe.min.js").read_text("utf-8")


def findings(browser: Browser) -> list[Any]:
    """Return axe-core's complaints about the page in front: the rule and the place."""
    found: list[Any] = browser.run(
        f"""async () => {{
            {AXE}
            const {{violations}} = await window.axe.run(document);
            return violations.map(({{id, nodes}}) => [id, nodes.map(({{target, failureSummary}}) =>
                `${{target}}: ${{failureSummary}}`)]);
        }}"""
    )
    return found
