"""Save a site: visit it or read its files, learn its kinds, write its folder, and say what changed."""

import zlib
from collections.abc import Mapping, Sequence, Set
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from sitestencil.crawl.folder_lock import folder_lock
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.learning import SiteTemplates, in_learning_order, learn_site
from sitestencil.crawl.limits import MOST_SECONDS, TimeIsUp, page_limits
from sitestencil.crawl.pages import PageContent
from sitestencil.crawl.plan import Report
from sitestencil.crawl.regions import Change, PageKind, template_changes
from sitestencil.crawl.rows import valid_text
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import OutOfMemory, PageUnavailable, UnusableLearnedTemplate, UnusableOutput
from sitestencil.rules.fields import field_selectors, surer
from sitestencil.rules.learning import halves
from sitestencil.rules.site_pages import LEARNING_SECONDS, LEAST_OF_KIND, Kind, of_document
from sitestencil.site.event_loop import run
from sitestencil.site.links import linked_pages, page_in_site
from sitestencil.urls import site_host
from sitestencil.version import VERSION
from sitestencil.whole_site.changes import bodies_of, content_changes, frame_changes, write_changes
from sitestencil.whole_site.folder import STATE, Folder
from sitestencil.whole_site.gathering import Site, file_of, of_files, of_visits
from sitestencil.whole_site.loaded_files import draw_frames, linked_files, save_files, with_pictures, write_list
from sitestencil.whole_site.report import Entry
from sitestencil.whole_site.staying import Staying
from sitestencil.whole_site.visiting import Loading, visit_site
from sitestencil.whole_site.visits import Finished, Kept, Visit, Visits, refuse_links
from sitestencil.whole_site.writing import Choice, page_contents, write_site

_WEB = ("http://", "https://")
_OF_KIND = 12  # pages that show where a kind has its title, author and date
_DAMAGED = "this crawl is cut or damaged"
_LINKED = "this crawl lacks it, and pages link to it"


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved site: its pages, the lists' entries, what `changes.json` says, and the number of files written.

    There are no changes in a first run.
    """

    site: Site
    entries: list[Entry]
    changes: dict[str, Any] | None
    written: int


def save_site(name: str, path: Path, loading: Loading, choice: Choice, report: Report) -> Saved:
    """Save a site in a folder; go on if an earlier run was killed, and update what a finished one wrote.

    Args:
        name: the address of a site, or a file or folder that holds a crawl of it.
        path: the folder.
        loading: how it is loaded.
        choice: what is written.
        report: receives the progress.

    Raises:
        PageUnavailable: the first page is unavailable, or the server answers no more.
        UnusableInput: the file or folder holds no crawl.
        UnusableOutput: the folder has other files or another site, or another run is at work in it.
    """
    refuse_links(path, STATE)
    _check_is_ours(path)
    with folder_lock(path), closing(Visits(path / STATE)) as visits:
        before = visits.before or Finished()
        Folder(path, before.digests).refuse_lists()
        site, answers = _gathered(name, path, loading, visits, report, remove=choice.remove)
        pages = {page.url for page in site.pages}
        templates, frame = learn_kinds(site, before.kinds, visits)
        folder = Folder(path, before.digests)
        site.foreign, site.foreign_files, site.edited = folder.foreign, folder.foreign_files, folder.edited
        draw = partial(draw_frames, site=site, loading=loading)
        site.pictures = {} if loading.pictures else None
        site.linked = linked_files(site)
        run(save_files(site, folder, loading))
        contents = with_fields(site, templates, page_contents(site, templates, choice, report))
        if site.pictures:
            contents = run(with_pictures(site, contents, folder, loading))
        texts = {one.url: zlib.compress(valid_text(one.text).encode()) for one in contents.values()}
        names = {key: file.removeprefix("pages/").removesuffix(site.ending) for key, file in site.files.items()}
        for url in before.texts.keys() & pages - texts.keys():  # saved, and now too slow, for example
            site.unreached[url], texts[url] = site.left.pop(url, ""), before.texts[url]
            names[site.key(url)] = before.names.get(site.key(url), file_of(url))
        stay = {f"pages/{names[site.key(url)]}{site.ending}" for url in site.unreached}
        gone = ({url: why for url, why in one.items() if url not in texts} for one in (site.gone, before.gone))
        site.gone = next(filter(None, gone), {})
        stay &= before.digests.keys()
        going = {name for name in before.digests if name.startswith("pages/")} - stay - contents.keys()
        folder.keep(stay, going, stay & contents.keys())
        bodies, old = bodies_of(site, contents, choice.form), visits.before
        bodies |= {url: before.bodies[url] for url in before.bodies if url in texts and url not in bodies}
        changes: dict[str, Any] = {
            "frame": [asdict(change) for change in frame],
            "content": content_changes(site, visits, frame, bodies),
            "added": [url for url in texts if url not in before.texts],
            "removed": [url for url in before.texts if url not in texts],
            "not reached": [url for url in site.unreached if url in texts],
        }
        wanted = f"{VERSION} {choice} {loading.pictures} {loading.files}"
        if before.wanted == wanted and not folder.changed:  # no picture or file came
            folder.stay_unless(changes, {content.url: file for file, content in contents.items()})
        write_list(site, folder)
        entries = write_site(folder, site, templates, contents, choice, draw)
        folder.keep_loaded((*(["pictures/"] * (not loading.pictures)), *(["files/"] * (not loading.files))))
        if old is not None:
            write_changes(folder, changes)
        kinds, digests = tuple(map(_kept, templates.groups)), folder.remove_others()
        visits.finish(answers, Finished(texts, kinds, names, digests, site.gone, bodies, wanted))
        folder.finish()
        return Saved(site, entries, None if old is None else changes, len(folder.changed))


def _check_is_ours(path: Path) -> None:
    """Refuse a folder with files in it unless a run's state is there."""
    state = path / STATE
    is_site = any((state / name).is_file() for name in ("visits", "visits.new"))
    others = () if is_site or not path.is_dir() else {*path.iterdir(), *state.glob("*")} - {state, state / "lock"}
    if path.is_file() or others or (state / "job.json").exists():  # a crawl's
        what = "is a file" if path.is_file() else "has other files in it"
        raise UnusableOutput(f"{path} {what}. Give a new folder, or that of an earlier run.")


def _gathered(
    name: str, path: Path, loading: Loading, visits: Visits, report: Report, *, remove: bool
) -> tuple[Site, list[Visit]]:
    """Return the pages of a site, and the answers that they are from; `remove` lets many saved ones go at once."""
    records, staying = dict[str, CrawlPage](), Staying(visits, remove=remove)
    if name.startswith(_WEB):
        _check_is_same(path, visits, name, visits.first)
        visited = run(visit_site(name, loading, staying, report))
    else:
        visited, records, is_whole = of_files(name, loading.extent)
        _check_is_same(path, visits, visited.start)
        visits.add(*visited.visits)
        left = {page_in_site(url, visited.start): why for url, why in visited.left.items() if url.startswith(_WEB)}
        missing = visits.saved.keys() - records.keys()
        unasked = {page: left.get(page, _DAMAGED) for page in missing if page in left or not is_whole}
        for page, reason in (staying.not_believed(records) | unasked).items():
            records.pop(page, None)
            visited.visits.append(visits.stay(page, reason))
        missing -= unasked.keys()
        for one in visited.visits if missing else ():  # grows
            linked = missing & _linked(one, visits, visited.start)
            visited.visits.extend(visits.stay(page, _LINKED) for page in linked)
            missing -= linked
    pages = dict.fromkeys(visit.page for visit in visited.visits)
    going = staying.going(pages)
    many = {} if remove or not staying.are_many(going) else going
    pages |= dict.fromkeys(visits.stay(page, reason).page for page, reason in many.items())
    answers = [visit for page in pages if (visit := visits.of(page)) is not None]
    saved = {page_in_site(visit.url, visited.start) for visit in visits.saved.values()}
    site = of_visits(visited._replace(visits=answers), saved, records)
    most = {page.url for page in site.pages[loading.extent.most_pages :] if site.key(page.url) not in saved}
    site.left |= dict.fromkeys(most, f"more than {loading.extent.most_pages} pages")
    site.pages = [page for page in site.pages if page.url not in most]
    site.going, site.unreached = len(many), visits.unreached
    site.gone = {} if many else {visits.saved[page].url: why for page, why in going.items()}
    if visits.before is not None:
        site.names = visits.before.names
    return site, answers


def _linked(visit: Visit, visits: Visits, start: str) -> Set[str]:
    """Return the pages that a visited page links to, also by an address that redirected to them."""
    with suppress(PageUnavailable):
        if visit.outcome != "page":
            return frozenset()
        linked = linked_pages(visit.sample().document, start)
        known = (one for page in linked if (one := visits.earlier.get(page)) is not None)
        return linked.union(page_in_site(one.detail, start) for one in known if one.outcome == "moved")
    return frozenset()


def _check_is_same(path: Path, visits: Visits, start: str, first: str | None = None) -> None:
    """Refuse a folder of another site: with another `first` page or, if that is unknown, another host."""
    if first is None and visits.before is not None:
        first = next(iter(visits.before.texts), start)
        is_same = site_host(first) == site_host(start)
    else:
        is_same = first in {None, page_in_site(start, start)}
    if not is_same:
        raise UnusableOutput(f"{path} holds another site: {first}. Give another folder, or delete this one first.")


def learn_kinds(
    site: Site, kept: Sequence[Kept] = (), visits: Visits | None = None
) -> tuple[SiteTemplates, list[Change]]:
    """Return the kinds of a site's pages, and the changes of their frames since the last run, if `visits` know it.

    Without a change the kinds of the last run stay: then a text differs only where its page does.
    """
    ordered = in_learning_order(site.pages)

    def learned(known: Sequence[PageKind] = ()) -> SiteTemplates:
        return learn_site(ordered[0].site, map(site.full, ordered), most_seconds=MOST_SECONDS, known=known)

    templates = learned()
    try:
        earlier = [_group(one, len(ordered)) for one in kept]
    except UnusableLearnedTemplate:  # of another version
        earlier = []
    if not earlier or visits is None:
        return templates, []
    changes = frame_changes(site, visits, templates.groups, template_changes(earlier, templates.groups))
    return (templates if changes else replace(learned(earlier), companions=templates.companions)), changes


def with_fields(site: Site, templates: SiteTemplates, contents: dict[str, PageContent]) -> dict[str, PageContent]:
    """Return contents with the authors and dates that stand where most pages of their kind have them."""
    pages = {page.url: page for page in in_learning_order(site.pages)}
    kinds = {content.url: content.kind for content in contents.values()}
    fields = dict[str, Mapping[str, str]]()
    for group in templates.groups:
        of_kind = [page for url, page in pages.items() if kinds.get(url) == group.id]
        known = Kind(templates.site, group, [*map(site.full, of_kind[:_OF_KIND])]).read()
        with suppress(TimeIsUp, OutOfMemory), page_limits(LEARNING_SECONDS):
            fields[group.id] = field_selectors(*halves(known)) if len(known) >= LEAST_OF_KIND else {}

    def surely(content: PageContent) -> PageContent:
        known, stated = fields.get(content.kind), content.metadata
        if not known or stated is None:
            return content
        found = of_document(site.full(pages[content.url]), lambda document: surer(stated, document, known))
        return replace(content, metadata=found or stated)

    return {file: surely(content) for file, content in contents.items()}


def _kept(one: PageKind) -> Kept:
    # Empty: earlier versions kept lines here.
    return one.id, one.learned.to_bytes(), one.pages, one.of_kind, one.stands_on, (), one.confidence


def _group(one: Kept, site_pages: int) -> PageKind:
    name, learned, pages, of_kind, stands_on, _, confidence = one
    facts = pages, of_kind, stands_on, confidence, None, {"site_pages": site_pages}
    return PageKind(name, LearnedTemplate.from_bytes(learned), *facts)
