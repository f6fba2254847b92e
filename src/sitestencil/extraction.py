"""Extract a page's template: open its site, load pages, and detect."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypedDict, Unpack, overload

from sitestencil.detectors import Detector, DetectsInRounds, detector_name, load_detector, load_learner
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import WrongArgument, shown
from sitestencil.page.document import Document
from sitestencil.progress import Progress, Report, Stopwatch, silent
from sitestencil.site.event_loop import run
from sitestencil.site.loading import MOST_PAGES, SECONDS_IN_ALL, KnownPages, PageLoader
from sitestencil.site.open_site import Page, open_site
from sitestencil.site.sources import ChosenPages, HasPages, LoadsAsShown, MayAct, Source
from sitestencil.site.sources.stored import PagesByAddress
from sitestencil.template import Template
from sitestencil.urls import UNKNOWN_ADDRESS

ReportEarly = Callable[[Template], None]


class DetectionOptions(TypedDict, total=False):
    """Options of `extract` for one page or several; see there."""

    detector: str | Detector | None
    progress: Report | None
    timeout: float
    most_pages: int
    all_links: bool


class SiteOptions(DetectionOptions, total=False):
    """Options of `extract` and `learn` that say where a page's site is; see `extract`."""

    url: str | None
    pages: PagesByAddress | None
    source: Source | None


@overload
def extract(page: list[str], **options: Unpack[DetectionOptions]) -> list[Template]: ...


@overload
def extract(page: Page, *, early: ReportEarly | None = None, **options: Unpack[SiteOptions]) -> Template: ...


def extract(
    page: Page | list[str], *, early: ReportEarly | None = None, **options: Unpack[SiteOptions]
) -> Template | list[Template]:
    """Load some pages of a page's site, compare them, and return the page's template.

    If an event loop is running, as in a notebook, a thread with its own loop does the work, and the caller waits. A
    coroutine calls `extract_async`.

    Args:
        page: an address; HTML (``str`` or ``bytes``) or a tree of lxml or BeautifulSoup, both with ``url``; a
            `Document`, such as a browser's snapshot; or a `LoadedPage`. A `StoredSite`, or the ``Path`` of its
            folder, stands for its key page. A tree is read as a browser would read it as HTML. A list of addresses
            gives a list of templates; a page that several of them need is loaded once.
        url: the address of HTML. Empty if it is unknown: the page is judged alone, and its links stay as they are.
        pages: the other pages of the site by address, each as HTML or a tree. Nothing is loaded then, and an
            address as ``page`` must be among them. The default detector compares the nearest of them, linked or
            not; `Template.candidates` names them. The papers' detectors follow links.
        source: the source of the other pages, which is opened and closed. By default a stored site serves its own
            pages, and HTTP all others, from the page's own host only.
        detector: a name in `DETECTORS`, or an object with the method ``detect``; by default the best one.
        progress: called with a `Progress` while pages load.
        early: called with the answer of the first pages, while more load: with the default detector, and if it is
            more than a guess. Most answers need no second round of pages.
        timeout: the seconds for all other pages together, by default 30.
        most_pages: the maximum number of other pages, by default and at most 200.
        all_links: where a request may act (on private networks, with cookies), also follow links that do not look
            like pages, but none that say that they act.

    Raises:
        WrongArgument: an argument has a wrong type, or two exclude each other.
        InvalidAddress: an address is not an http or https URL.
        UnusableSite: the folder holds no stored site.
        PageUnavailable: the page itself could not be loaded.
        NothingToCompare: `NoCandidates`, `NothingLoaded` or `TimeOut`; never with the default detector.
        UnknownDetector: no detector has this name.

    Example:
        >>> menu = "<nav><a href='/'>Home</a><a href='/a'>A</a><a href='/b'>B</a></nav>"
        >>> site = {f"https://site.example/{name}": f"{menu}<p>All about {name}" for name in ("", "a", "b")}
        >>> template = extract("https://site.example/a", pages=site)
        >>> [tag for tag, is_template in zip(template.document.tags, template.elements) if is_template]
        ['html', 'head', 'body', 'nav', 'a', 'a', 'a']
        >>> template.candidates
        ('https://site.example/', 'https://site.example/b')
    """
    if isinstance(page, list):
        from sitestencil.site.sources.polite import Answers, LoadedOnce

        if early is not None or any(options.get(name) is not None for name in ("url", "pages", "source")):
            raise WrongArgument("Several pages take no url=, pages=, source= or early=.")
        for one in page:
            if not (isinstance(one, str) and one.lstrip().lower().startswith(("http://", "https://"))):
                raise WrongArgument(f"Several pages are given by their addresses, and not by {shown(one)}.")
        answers = Answers()
        jobs = [replace(_job(one, options), source=LoadedOnce(answers)) for one in page]
        return [run(job.extract(None)) for job in jobs]
    return run(_job(page, options).extract(early))


async def extract_async(
    page: Page,
    *,
    early: ReportEarly | None = None,
    known: KnownPages | None = None,
    **options: Unpack[SiteOptions],
) -> Template:
    """Return a page's template, in a coroutine; arguments and errors are those of `extract`.

    `known` has the pages of the site known from earlier visits. The default detector compares with them first.

    Example:
        >>> import asyncio
        >>> site = {"https://site.example/": "<h1>S</h1><a href='/a'>A</a>", "https://site.example/a": "<h1>S</h1>"}
        >>> asyncio.run(extract_async("https://site.example/", pages=site, detector="temex")).pages_loaded
        1
    """
    return await replace(_job(page, options), known=known).extract(early)


def learn(page: Page, **options: Unpack[SiteOptions]) -> LearnedTemplate:
    """Learn a template from a page and its site, to apply to pages of its kind without loading anything.

    Arguments and errors are those of `extract`.

    Raises:
        CannotLearn: the detector does not learn; the message names those that do.

    Example:
        >>> from sitestencil import parse
        >>> menu = "<nav><a href='/'>Home</a><a href='/a'>A</a><a href='/b'>B</a></nav>"
        >>> site = {f"https://site.example/{name}": f"{menu}<p>All about {name}" for name in ("", "a", "b")}
        >>> learned = learn("https://site.example/a", pages=site)
        >>> learned
        <LearnedTemplate https://site.example/a by stencil, 7 elements>
        >>> further_page = parse(f"{menu}<p>Never seen", "https://site.example/c")
        >>> detection = learned.apply(further_page)
        >>> [tag for tag, is_template in zip(further_page.tags, detection.template) if not is_template]
        ['p']
    """
    return run(_job(page, options).learn())


async def learn_async(page: Page, **options: Unpack[SiteOptions]) -> LearnedTemplate:
    """Learn a template in a coroutine; see `learn`.

    Example:
        >>> import asyncio
        >>> site = {"https://site.example/": "<h1>S</h1><a href='/a'>A</a>", "https://site.example/a": "<h1>S</h1>"}
        >>> asyncio.run(learn_async("https://site.example/", pages=site, detector="temex"))
        <LearnedTemplate https://site.example/ by temex, 4 elements>
    """
    return await _job(page, options).learn()


@dataclass(frozen=True, slots=True)
class _Job:
    """The checked arguments of `extract` and `learn`, and their work."""

    page: Page
    url: str | None = None
    pages: PagesByAddress | None = None
    source: Source | None = None
    detector: str | Detector | None = None
    progress: Report | None = None
    timeout: float = SECONDS_IN_ALL
    most_pages: int = MOST_PAGES
    all_links: bool = False
    known: KnownPages | None = None

    def __post_init__(self) -> None:
        if self.progress is not None and not callable(self.progress):
            raise WrongArgument(
                f"progress= takes a function, which is called with a Progress, not {shown(self.progress)}."
            )
        if not isinstance(self.timeout, int | float) or not self.timeout >= 0:
            raise WrongArgument(f"timeout= takes a number of seconds, at least 0, not {shown(self.timeout)}.")
        if not isinstance(self.most_pages, int) or self.most_pages < 0:
            raise WrongArgument(f"most_pages= takes a whole number, at least 0, not {shown(self.most_pages)}.")

    async def extract(self, early: ReportEarly | None) -> Template:
        if early is not None and not callable(early):
            raise WrongArgument(f"early= takes a function, which is called with a Template, not {shown(early)}.")
        detector = load_detector(self.detector)
        async with self._page_loader() as loader:
            template = partial(_template, loader, detector_name(self.detector))
            with loader.stopwatch.phase("total"):
                if early is not None and isinstance(detector, DetectsInRounds):
                    detection = await detector.detect_in_rounds(
                        loader.key_page, loader, lambda found: early(template(found))
                    )
                else:
                    detection = await detector.detect(loader.key_page, loader)
        return template(detection)

    async def learn(self) -> LearnedTemplate:
        learner = load_learner(self.detector)
        if self.url == "":
            raise WrongArgument("A template is learned for pages of one site: give the address of the HTML, url=.")
        async with self._page_loader() as loader:
            return await learner.learn(loader.key_page, loader)

    @asynccontextmanager
    async def _page_loader(self) -> AsyncIterator[PageLoader]:
        """Give the key page's loader; its stopwatch includes the time of the key page."""
        report, stopwatch = self.progress or silent, Stopwatch()
        async with AsyncExitStack() as stack:
            if isinstance(self.page, str) and self.url is None:
                report(Progress("loading", 0))
            with stopwatch.phase("total"):
                with stopwatch.phase("fetch"):
                    site = open_site(self.page, url=self.url, pages=self.pages, source=self.source)
                    loaded_page, opened_source = await stack.enter_async_context(site)
                with stopwatch.phase("parse"):
                    key_page = loaded_page.document()
            as_shown = isinstance(opened_source, LoadsAsShown) and opened_source.loads_as_shown
            given_links = opened_source.links() if isinstance(opened_source, HasPages) else None
            chosen = opened_source.chosen if isinstance(opened_source, ChosenPages) else None
            asks = chosen is None and not self.all_links and await _may_act(key_page, opened_source)
            yield PageLoader(
                key_page,
                opened_source,
                report=report,
                seconds=self.timeout,
                most_pages=0 if given_links == [] else self.most_pages,
                stopwatch=stopwatch,
                may_differ=loaded_page.way == "given" and given_links is None and not as_shown,
                by_browser=as_shown,
                allowed=_pages_like(key_page) if asks else chosen,
                asks=asks,
                given_links=given_links or (),
                known=self.known or KnownPages(),
                key_status=loaded_page.status,
            )


def _job(page: Page, options: DetectionOptions) -> _Job:
    names = SiteOptions.__annotations__
    if unknown := sorted(options.keys() - names.keys()):
        raise WrongArgument(f"There is no argument {unknown[0]}=. There are: {', '.join(names)}.")
    return _Job(page, **options)


async def _may_act(key_page: Document, source: Source) -> bool:
    return isinstance(source, MayAct) and await source.may_act(key_page.url)


def _pages_like(key_page: Document) -> frozenset[str]:
    """Return the only pages that may be loaded where a request may act for a person."""
    from sitestencil.site.menu_links import menu_links

    return frozenset(link.page for link in menu_links(key_page))


def _template(loader: PageLoader, detector: str, detection: Detection) -> Template:
    page, times = loader.key_page, dict(loader.stopwatch.milliseconds)
    if page.url == UNKNOWN_ADDRESS:
        page = replace(page, url="", base="" if page.base.startswith(UNKNOWN_ADDRESS) else page.base)
    return Template(page, detection, detector, loader.pages_received, loader.loads, times, tuple(loader.titles))
