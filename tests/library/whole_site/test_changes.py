"""What changed is told as what it is: files are written if and only if a change is named."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from tests.support.manual_site import KNOTS, ManualSite
from tests.support.server import Answer, Handler, Request

from sitestencil.site.sources import network
from sitestencil.whole_site.saving import Saved, save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

Edit = Callable[[str, int], str]


def _in(old: str, new: str) -> Edit:
    return lambda html, number: html.replace(old, new.format(number))


FRAME: Mapping[str, Edit] = {
    "a text beside a link": _in("</footer>", " Open till {0}pm {0:b}</footer>".replace("{0:b}", "in spring")),
    "a menu link's target": _in("<a href='/manual/'>Start", "<a href='/manual/?from=menu'>Start"),
    "a link": _in("<footer class=end>", "<footer class=end><a href=/imprint{0}>Imprint</a> "),
    "a wrapper": _in("<main>", "<main><div class='wide wrap{0}'>"),
    "another element": lambda html, _: html.replace("<main>", "<section>").replace("</main>", "</section>"),
}
CONTENT: Mapping[str, Edit] = {
    "a text": _in("<h2>In use</h2>", "<h2>In use</h2><p>The harbour master said so on day {0}."),
    "a number": _in("<h2>In use</h2>", "<h2>In use</h2><p>{0}"),
    "a picture": _in("compare", "<img src=/knot{0}.png alt='A knot'> compare"),
    "a target": _in("<p class=lead>", "<p class=lead><a href=/knots/{0}>Knots</a> "),
    "a title": _in("<title>", "<title>Part {0}: "),
}
NOTHING: Mapping[str, Edit] = {
    "a counter": _in("</footer>", " Visitors: {0}</footer>"),
    "a head": _in("<title>", "<meta name=build content={0}><title>"),
}


class EditedSite(ManualSite):
    """The manual with edits: of all pages, and of one."""

    def __init__(self) -> None:
        super().__init__()
        self.edits: list[tuple[str, Edit, int]] = []

    def answer(self, request: Request) -> Answer | Handler:
        """The answer to a request, edited."""
        found = super().answer(Request(request.path, {}))
        if not isinstance(found, Answer) or b"<main>" not in found.body:
            return found
        html = found.body.decode()
        for path, edit, number in self.edits:
            html = edit(html, number) if request.path in (path, path or request.path) else html
        return Answer(html.encode())


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[EditedSite]:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    with EditedSite() as served:
        yield served


async def no_pause(_: float) -> None:
    """Do not wait."""


def save(site: EditedSite, folder: Path) -> tuple[Saved, dict[str, str]]:
    """Save the site; return its files, but for those that tell about a run."""
    saved = save_site(f"{site.base}/manual/", folder, Loading(pause=no_pause), Choice(), lambda _: None)
    told = {".work", "report.html", "changes.json"}
    found = (
        file for file in folder.rglob("*") if file.is_file() and told.isdisjoint(file.relative_to(folder).parts)
    )
    return saved, {file.relative_to(folder).as_posix(): file.read_text() for file in found}


@pytest.mark.parametrize("seed", range(3))
def test_files_are_written_if_and_only_if_a_change_is_named(site: EditedSite, tmp_path: Path, seed: int) -> None:
    random, wrong = Random(seed), []
    site.edits = [("", NOTHING["a counter"], 1)]
    _, before = save(site, tmp_path / "out")
    for number in range(2, 8):
        frame = random.sample([*FRAME], random.choice((0, 0, 1, 2)))
        content = {f"/manual/knots/{random.choice([*KNOTS])}.html": random.choice([*CONTENT])} if number % 3 else {}
        edits = [("", FRAME[name], number) for name in frame]
        edits += [(path, CONTENT[name], number) for path, name in content.items()]
        known = [edit for _, edit, _ in site.edits]
        site.edits = [one for one in site.edits if one[1] not in NOTHING.values()]
        site.edits += [one for one in edits if one[0] or one[1] not in known]
        site.edits += [("", edit, number) for edit in NOTHING.values()]
        is_frame_new = any(("", FRAME[name], number) in site.edits for name in frame)
        saved, after = save(site, tmp_path / "out")
        named = saved.changes or {}
        written = {name for name in after if before.get(name) != after[name]}
        pages = {f"pages/manual/knots/{Path(path).stem}.md" for path in content}
        is_right = (
            bool(named["frame"]) == is_frame_new
            and named["content"] == [f"{site.base}{path}" for path in content]
            and not any(named[what] for what in ("added", "removed", "not reached"))
            and any(name.startswith("templates/") for name in written) == is_frame_new
            and pages <= written
            and bool(written) == (is_frame_new or bool(content))
            and (is_frame_new or {name for name in written if name.startswith("pages/")} == pages)
        )
        before = after
        if not is_right:
            wrong.append((number, frame, content, named, sorted(written)))
    assert wrong == []
