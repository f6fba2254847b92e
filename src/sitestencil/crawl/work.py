"""Do a part of a crawl's job: the sites of a partition, or some pages of a large site."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from zlib import crc32

import msgspec
import pyarrow as pa
from xxhash import xxh3_64_intdigest

from sitestencil.crawl.content import Formats, SiteExtractor, content_or_skipped
from sitestencil.crawl.input.crawled import KILLED, CrawlPage, MayBegin, Skipped, always
from sitestencil.crawl.input.places import Place, write_place, written
from sitestencil.crawl.known_templates import KnownTemplates
from sitestencil.crawl.learning import ReadPages, SiteTemplates, learn_site
from sitestencil.crawl.limits import MOST_SECONDS, FreeMemory
from sitestencil.crawl.notes import Notes, Stage, TaskNotes
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.regions import PageKind, template_changes
from sitestencil.crawl.rows import page_table, row_of, template_row, template_table
from sitestencil.crawl.spill import Entry, Located, SpilledPages
from sitestencil.page.gc_pause import collector_paused

_FEW_PAGES = 8  # a site that an earlier crawl knew by this many pages is learned anew if there are more now
_KILLS = "Reading its content killed its process twice."
_SITE_KILLS = "Its site killed its process again and again, at three pages or before its first one."
_SAMPLED = 2000  # pages of a large site to learn from, on average; mostly some dozens are enough


@dataclass(frozen=True, slots=True)
class Work:
    """A part of a job.

    Attributes:
        partition: the partition of its sites.
        pages: the number of its pages.
        site: one large site; None: all other sites of the partition.
        first: the first of the large site's pages, in the order of the input.
        last: one past the last.
        large: the sites of the partition that have works of their own.
        site_pages: the number of all pages of the large site.
    """

    partition: int
    pages: int = 0
    site: str | None = None
    first: int = 0
    last: int = 0
    large: tuple[str, ...] = ()
    site_pages: int = 0

    @property
    def name(self) -> str:
        """The name of its files."""
        if self.site is None:
            return f"{self.partition:05}"
        return f"{self.partition:05}-{crc32(self.site.encode('utf-8', 'surrogatepass')):08x}-{self.first:09}"


# Sizes of packed input, and a number of pages.
PARTITION_BYTES = 1024**2  # some 100 pages: a kill loses little
UNIT_BYTES = 16 * 1024**2
LARGE_SITE = 500


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a job.

    Attributes:
        wanted: the formats to write beside the text.
        lines: also write JSON lines.
        templates: the folders of earlier crawls, whose templates are used again.
        templates_out: also write the templates, for a later crawl.
        against: the folder of an earlier crawl, which this one is compared with.
        large_site: a site with more pages is split into several works, and each learns it.
        partition_bytes: the least amount of input for each partition.
        unit_bytes: the least amount of a packed WARC for each unit.
    """

    wanted: Formats = field(default_factory=Formats)
    lines: bool = False
    templates: tuple[Place, ...] = ()
    templates_out: bool = False
    against: Place | None = None
    large_site: int = LARGE_SITE
    partition_bytes: int = PARTITION_BYTES
    unit_bytes: int = UNIT_BYTES

    @property
    def tables(self) -> tuple[str, ...]:
        """The folders of the tables. Who uses an earlier crawl will also use this one."""
        has_templates = self.templates_out or self.templates or self.against or self.wanted.template_html
        return ("pages", "templates") if has_templates else ("pages",)


@dataclass(frozen=True, slots=True)
class OutputSettings:
    """The output of all works.

    Attributes:
        folder: the output's folder.
        options: the job's options.
        templates: the templates of earlier crawls; of a site's, the last that know it count.
        against: those of the crawl that this one is compared with.
    """

    folder: Place
    options: Options
    templates: tuple[KnownTemplates, ...] = ()
    against: KnownTemplates | None = None

    def known(self, site: str, pages: int) -> tuple[PageKind, ...]:
        """Return a site's templates of an earlier crawl; none if that crawl had too few of its pages."""
        groups = next(filter(None, (earlier.of_site(site) for earlier in reversed(self.templates))), ())
        return () if any(group.site_pages <= _FEW_PAGES < pages for group in groups) else groups


class WorkReport(msgspec.Struct, frozen=True):
    """The result of a work. It is written last, so it marks that all files are complete."""

    pages: int
    ways: dict[str, int]
    templates: int
    sites: int
    text_bytes: int
    skipped: list[Skipped]


def report_file(folder: Place, work: Work) -> Place:
    """Return the file of a work's report."""
    return folder / ".work" / "done" / f"{work.name}.json"


def do_work(work: Work, spilled: SpilledPages, made: OutputSettings, notes: Notes) -> WorkReport:
    """Write the content of a work's pages and its sites' templates; return the report."""
    ways: dict[str, int] = {}
    skipped: list[Skipped] = []
    sites = templates = pages = text_bytes = 0
    free_memory = FreeMemory()
    wanted, has_templates = made.options.wanted, "templates" in made.options.tables and not work.first
    with notes.of(work.name) as at_work, ExitStack() as files:
        page_file = files.enter_context(page_table(made.folder / "pages" / f"{work.name}.parquet"))
        if "templates" in made.options.tables:
            template_file = files.enter_context(template_table(made.folder / "templates" / f"{work.name}.parquet"))
        if made.options.lines:
            add_line = files.enter_context(json_lines(made.folder / "lines" / f"{work.name}.jsonl.zst"))
        for site, entries, sample in _parts_of(work, spilled):
            sites += not work.first
            if not at_work.may_begin_site(site):
                skipped += [_killed(entry, _SITE_KILLS) for _, entry in entries]
                continue
            read: ReadPages = {}
            site_pages = work.site_pages or len(entries)
            learned = _learned(site, site_pages, sample, spilled, made, read, at_work)
            templates += 0 if work.first else len(learned.groups)
            for group in learned.groups if has_templates else ():
                key = group.key_page
                outputs = key is None or at_work.may_begin(Stage.TEMPLATE, site, key.source, key.offset)
                template_file.add(template_row(group, site_pages, read, wanted, outputs=outputs))
            may_begin = partial(at_work.may_begin, Stage.EXTRACTING, site)
            for content in contents_of(SiteExtractor(learned, wanted, read=read), entries, spilled, may_begin):
                if isinstance(content, Skipped):
                    skipped.append(content)
                    continue
                pages += 1
                ways[content.way] = ways.get(content.way, 0) + 1
                text_bytes += len(content.text.encode("utf-8", "replace"))
                page_file.add(content)
                if made.options.lines:
                    add_line(content)
            del read, learned
            free_memory.after(len(entries))
    report = WorkReport(pages, ways, templates, sites, text_bytes, skipped)
    write_place(report_file(made.folder, work), msgspec.json.encode(report))
    return report


def _learned(
    site: str,
    site_pages: int,
    sample: Sequence[Located],
    spilled: SpilledPages,
    made: OutputSettings,
    read: ReadPages,
    at_work: TaskNotes,
) -> SiteTemplates:
    """Return a site's templates: the known ones with those of new kinds, or new ones.

    Against an earlier crawl all are learned anew. If none changed, the earlier ones are taken after all: then a
    text differs only where the page does.
    """

    def learn(known: Sequence[PageKind]) -> SiteTemplates:
        may_begin = partial(at_work.may_begin, Stage.LEARNING, site)
        few = site_sample(sample, spilled, may_begin)
        return learn_site(site, few, read, MOST_SECONDS, known, may_begin)

    if made.against is None:
        return learn(made.known(site, site_pages))
    anew, earlier = learn(()), made.against.of_site(site)
    return learn(earlier) if earlier and not template_changes(earlier, anew.groups) else anew


def sites_of(work: Work, spilled: SpilledPages) -> Iterator[tuple[str, list[Located]]]:
    """Yield the small sites of a work with all their pages, in the order of the input."""
    entries = [located for located in spilled.entries(work.partition) if located[1].site not in work.large]
    entries.sort(key=lambda located: located[1].site)
    for site, located in groupby(entries, key=lambda located: located[1].site):
        yield site, list(located)


def _parts_of(work: Work, spilled: SpilledPages) -> Iterator[tuple[str, list[Located], Sequence[Located]]]:
    """Yield each site of a work with its pages to extract and its pages to learn from."""
    if work.site is None:
        for site, entries in sites_of(work, spilled):
            # A small site's trees are gone before the collector would scan them again and again.
            with collector_paused():
                yield site, entries, entries
        return
    located_entries: list[Located] = []
    sample: list[Located] = []
    for number, located in spilled.of_site(work.partition, work.site):
        if work.first <= number < work.last:
            located_entries.append(located)
        if is_sampled(located[1], work.site_pages):
            sample.append(located)
    yield work.site, located_entries, sample


def is_sampled(page: Entry | CrawlPage, site_pages: int) -> bool:
    """Tell whether a large site is learned from this page: not even all its addresses fit in memory."""
    record = f"{page.source} {page.offset}".encode("utf-8", "surrogatepass")
    return xxh3_64_intdigest(record) * site_pages < _SAMPLED << 64


def _rank(one: Located) -> tuple[int, str, str, int]:
    entry = one[1]
    return crc32(entry.url.encode("utf-8", "surrogatepass")), entry.url, entry.source, entry.offset


def site_sample(
    located: Sequence[Located], spilled: SpilledPages, may_begin: MayBegin = always
) -> Iterator[CrawlPage]:
    """Yield those of a site's pages that may be learned from, in a random order that is the same everywhere."""
    for number, entry in sorted(located, key=_rank):
        if may_begin(entry.source, entry.offset):
            yield spilled.page(number, entry)


def contents_of(
    extractor: SiteExtractor, located: Sequence[Located], spilled: SpilledPages, may_begin: MayBegin = always
) -> Iterator[PageContent | Skipped]:
    """Yield the content of a site's pages, or why there is none; pages that learning read are not read again."""
    for number, entry in located:
        if not may_begin(entry.source, entry.offset):
            yield _killed(entry, _KILLS)
            continue
        sample = extractor.read.get((entry.source, entry.offset))
        page = spilled.page(number, entry) if sample is None else sample.page
        yield content_or_skipped(extractor, page, MOST_SECONDS)


def _killed(entry: Entry, detail: str) -> Skipped:
    return Skipped(entry.source, entry.offset, KILLED, detail, entry.url)


@contextmanager
def json_lines(file: Place) -> Iterator[Callable[[PageContent], object]]:
    """Give what adds a page to a file, which is packed with Zstandard as it is written."""
    encoder = msgspec.json.Encoder()
    with written(file) as stream, pa.CompressedOutputStream(stream, "zstd") as packed:
        yield lambda content: packed.write(encoder.encode(row_of(content)) + b"\n")
