"""Read the element boxes of stored pages from a real browser."""

from collections.abc import Iterator, Sequence

from sitestencil.page.document import Box
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.benchmark.report.pictures import rendering_browser
from sitestencil_research.benchmark.report.serving import serving

# The extension's snapshot has the same format (host/PROTOCOL.md, `boxes`).
_BOXES = """
const root = document.documentElement, corner = root.getBoundingClientRect();
return Array.from(document.querySelectorAll("*"), (element) => {
  const box = element.getBoundingClientRect();
  return element === root
    ? [0, 0, root.scrollWidth, root.scrollHeight]
    : [box.left - corner.left, box.top - corner.top, box.width, box.height].map(Math.round);
});
"""


def rendered_boxes(site: StoredSite, addresses: Sequence[str]) -> Iterator[list[Box]]:
    """Yield the boxes of each page's elements in Chromium, scripts off, in a window 1,280 pixels wide.

    Resources that the stored site lacks, such as other hosts' style sheets, are missing in the browser too.

    Raises:
        BrowserMissing: Chromium, its driver or selenium is not installed.
    """
    with serving() as proxy, rendering_browser(proxy.port) as browser:
        proxy.show(site)
        for address in addresses:
            browser.get(proxy.address(site, address))
            yield [Box(*box) for box in browser.execute_script(_BOXES)]
