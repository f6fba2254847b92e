"""A person at a fresh browser, in which a package has put the extension: open a page, click the button, look.

``python3 -m tests.packaging.person BROWSER EXTENSION PICTURE`` needs nothing but Python. It prints what is shown.
"""

import sys
from pathlib import Path

from tests.browsers.pages import PATH, site
from tests.support.browsers import BROWSERS
from tests.support.browsers.programs import browser_program
from tests.support.server import SiteServer

VISIBLE = """selector => [...document.querySelectorAll(selector)]
    .filter(element => element.checkVisibility({visibilityProperty: true, opacityProperty: true}))
    .map(element => element.localName)"""


def main(name: str, extension: str, picture: str) -> None:
    """Click once, and say which parts of the page can be seen."""
    with (
        SiteServer(
            site('<h1>Ships</h1><p id="story">The schooner came home in May with a cargo of tea.</p>')
        ) as server,
        BROWSERS[name](Path(extension), browser_program(name), installed=True) as browser,
    ):
        browser.wait_for_tab("/pages/welcome.html")
        browser.new_tab(server.base + PATH)
        browser.click_button()
        state = browser.wait_for_state("template", "error", "impossible", "doubtful")
        browser.screenshot(Path(picture))
        shown = browser.run(VISIBLE, "header, footer, #story")
        sys.stdout.write(f"{state.state} {state.problem or ''}: {' '.join(shown)}\n")
        sys.stdout.write("".join(f"tab {tab.url}\n" for tab in browser.tabs()))


if __name__ == "__main__":
    main(*sys.argv[1:])
