"""Save a site: visit it or read its files, learn its kinds, write its folder, and say what changed."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitestencil.crawl.folder_lock import folder_lock
from sitestencil.crawl.plan import Report
from sitestencil.errors import UnusableOutput
from sitestencil.event_loop import run
from sitestencil.whole_site.folder import Folder
from sitestencil.whole_site.gathering import Site, of_files, of_visits
from sitestencil.whole_site.learning import kept, learn_kinds
from sitestencil.whole_site.outline import Entry
from sitestencil.whole_site.pictures import draw_frames, with_pictures
from sitestencil.whole_site.visiting import Loading, Visited, visit_site
from sitestencil.whole_site.visits import Finished, Visits
from sitestencil.whole_site.writing import Choice, changes_of, page_contents, write_changes, write_site

_STATE = ".work"


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
        UnusableOutput: the folder has other files, or another run is at work in it.
    """
    with folder_lock(path):
        if not (path / _STATE).is_dir():
            raise UnusableOutput(f"{path} has other files in it. Give a new folder, or that of an earlier run.")
        with closing(Visits(path / _STATE)) as visits:
            is_address = name.startswith(("http://", "https://"))
            visited = run(visit_site(name, loading, visits, report)) if is_address else None
            site = of_files(name) if visited is None else of_visits(visited)
            return _written(site, Folder(path), loading, choice, visits, visited, report)


def _written(
    site: Site,
    folder: Folder,
    loading: Loading,
    choice: Choice,
    visits: Visits,
    visited: Visited | None,
    report: Report,
) -> Saved:
    before, own = visits.before or Finished(), visited.visits if visited is not None else []
    same = [visit.url for visit in own if (old := visits.earlier(visit.page)) and old.packed == visit.packed]
    templates, frame = learn_kinds(site.pages, before.kinds)
    site.pictures = {} if loading.pictures else None
    contents = page_contents(site, templates, choice, report)
    if site.pictures:
        contents = run(with_pictures(site, contents, folder, loading))
    draw = draw_frames if loading.pictures else lambda _: None
    entries, digests = write_site(folder, site, templates, contents, choice, draw)
    changes = None
    if visits.before is not None:
        changes = changes_of(frame, before.texts, digests, same)
        write_changes(folder, changes)
    folder.remove_others(before.files)
    visits.finish(own, Finished(digests, tuple(sorted(folder.files)), kept(templates)))
    return Saved(site, entries, changes, len(folder.changed))
