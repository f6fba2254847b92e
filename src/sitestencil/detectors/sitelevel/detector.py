"""SiteLevel(theta): parts that recur on many pages are template (PageLevel, section 3; definitions.md, 4.1)."""

from dataclasses import dataclass

from sitestencil.detectors.detection import Detection, with_frame
from sitestencil.detectors.sitelevel.counting import PageCounts, SiteLevelParameters, label_page, node_contents
from sitestencil.page.document import Document
from sitestencil.progress import Progress
from sitestencil.site.frontier import crawl
from sitestencil.site.loading import PageLoader, nothing_to_compare, passing_over

MOST_PAGES = 200


@dataclass(frozen=True, slots=True)
class SiteLevel:
    """The detector that labelled PageLevel's training data.

    Attributes:
        parameters: theta and the rule for inner nodes.
        most_pages: the largest number of pages to compare, with the key page; as many loads end the crawl.
        seed: the seed for the crawl's order of pages.
    """

    parameters: SiteLevelParameters = SiteLevelParameters()
    most_pages: int = MOST_PAGES
    seed: int = 0

    async def detect(self, key_page: Document, loader: PageLoader) -> Detection:
        """Return the nodes of the key page that recur on the pages of its site.

        Raises:
            NoCandidates: the key page links to no other page of its site.
            NothingLoaded: none of the linked pages could be loaded.
            TimeOut: the time ran out before the first page arrived.
        """
        with loader.stopwatch.phase("mapping"):
            contents = node_contents(key_page)
            counts = PageCounts(only=frozenset({*contents.elements, *contents.texts}))
            counts.add(contents)
        compared: list[str] = []
        async for page in crawl(loader, self.most_pages - 1, self.most_pages - 1, self.seed):
            with passing_over(page.url), loader.stopwatch.phase("mapping"):
                counts.add(node_contents(loader.read(page)))
                compared.append(page.url)
        if not compared:
            raise nothing_to_compare(loader)
        loader.report(Progress("mapping", loader.pages_received))
        with loader.stopwatch.phase("mapping"):
            labels = label_page(key_page, contents, counts, self.parameters)
        return Detection(with_frame(key_page, labels.elements), labels.texts, tuple(compared))


def published() -> SiteLevel:
    """Return SiteLevel with the paper's parameters: theta 10 %, up to 200 pages."""
    return SiteLevel()
