"""An update removes nothing on suspicion: a saved page goes when it is gone, not when its address answers oddly."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.library.whole_site.test_saving import Waits, files, save
from tests.support.crawls import response, write_warc
from tests.support.manual_site import KNOTS, ManualSite, in_order_of_paths, knot, manual_page
from tests.support.server import Answer

from sitestencil.cli import main
from sitestencil.crawl import content as crawl_content
from sitestencil.crawl.input.crawled import Skipped
from sitestencil.errors import UnusableOutput
from sitestencil.site.frontier import Extent
from sitestencil.site.sources import network
from sitestencil.whole_site import saving, writing
from sitestencil.whole_site.saving import Saved, save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

CHECK = "<!doctype html><title>One moment</title><div class=check><h1>Are you human?</h1><p>Press the button.</div>"
LOGIN = "<!doctype html><title>Log in</title><form><input name=n><input type=password name=p></form><p>Next: "
_ALL = [f"/manual/knots/{name}.html" for name in KNOTS]


@pytest.fixture
def manual(monkeypatch: pytest.MonkeyPatch) -> Iterator[ManualSite]:
    """The manual, on a server that counts as one of the public internet."""
    monkeypatch.setattr(network, "is_public", lambda _: True)
    monkeypatch.setattr(saving, "in_learning_order", in_order_of_paths)
    with ManualSite() as site:
        yield site


def pages(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(folder).items() if name.startswith("pages/")}


def answer_all(site: ManualSite, paths: list[str], answer: Callable[[str], str | Answer]) -> None:
    for path in paths:
        given = answer(path)
        site.answers[path] = given if isinstance(given, Answer) else Answer(given.encode())
        del site.texts[path]


ODD: dict[str, Callable[[str], str | Answer]] = {
    "one check of robots": lambda _: CHECK,
    "a check of its own for each": lambda path: CHECK.replace("button", f"button {abs(hash(path))}"),
    "nothing": lambda _: "",
    "an empty body": lambda path: f"<title>{path}</title><body><script>let x</script></body>",
    "a login": lambda path: LOGIN + path,
    "the first page": lambda _: manual_page("Start", "<p>Ropes are old, and this book is about them."),
    "an error in the site's frame": lambda _: manual_page("Sorry", "<p>Something went wrong here."),
}


@pytest.mark.parametrize("name", list(ODD))
@pytest.mark.parametrize("count", [1, len(_ALL)])
def test_a_page_that_turns_into_something_else_stays_as_it_was(
    manual: ManualSite, tmp_path: Path, name: str, count: int
) -> None:
    start = manual_page("Start", "<p>Ropes are old, and this book is about them.")
    manual.texts["/manual/"] = ("Start", "<p>Ropes are old, and this book is about them.")
    assert ODD["the first page"]("") == start
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    answer_all(manual, _ALL[:count], ODD[name])
    manual.answers["/sitemap.xml"] = Answer(b"<!doctype html><title>One moment</title>")
    saved = save(manual, tmp_path / "out")
    assert pages(tmp_path / "out") == before
    changes = saved.changes or {}
    assert (changes["removed"], changes["content"], changes["added"]) == ([], [], [])
    assert sorted(changes["not reached"]) == sorted(manual.base + path for path in _ALL[:count])
    report = (tmp_path / "out/report.html").read_text()
    assert "its address" in report.partition("Not reached")[2]


_FORM = "<form>Sign in to go on: <input type=email name=e><button>Next</button></form>"
IN_THE_FRAME: dict[str, Callable[[int], str]] = {
    "an error": lambda n: manual_page("Sorry", f"<p>Something went wrong. Try again in a moment. Request {n}f{n}e"),
    "a login by mail": lambda n: manual_page("Sign in", f"{_FORM}<p>{n * 77}"),
    "another language": lambda n: manual_page(_title(n), "<p>Diesen Artikel gibt es bei Ihnen nur auf Deutsch."),
    "a heading": lambda n: manual_page(_title(n), ""),
}


def _title(number: int) -> str:
    return [*KNOTS][number].title()


@pytest.mark.parametrize("name", list(IN_THE_FRAME))
@pytest.mark.parametrize("count", [3, 6, len(_ALL)])
def test_pages_that_lose_their_words_at_once_in_the_sites_own_frame_stay(
    manual: ManualSite, tmp_path: Path, name: str, count: int
) -> None:
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    for number, path in enumerate(_ALL[:count]):
        answer_all(manual, [path], lambda _, n=number: IN_THE_FRAME[name](n))  # type: ignore[misc]
    manual.texts["/manual/"] = ("Start", manual.texts["/manual/"][1] + "<a href=new.html>New</a>")
    manual.answers["/manual/new.html"] = Answer(IN_THE_FRAME[name](8).encode())
    for _ in range(2):
        changes = save(manual, tmp_path / "out").changes or {}
        after = pages(tmp_path / "out")
        kept = [f"pages{path.removesuffix('.html')}.md" for path in _ALL]
        assert [file for file in kept if after.get(file) != before[file]] == []
        assert sorted(changes["not reached"]) == sorted(manual.base + path for path in _ALL[:count])


def test_near_copies_that_were_so_before_may_change(manual: ManualSite, tmp_path: Path) -> None:
    text = "<p>A shirt of heavy linen with long sleeves and a button at each wrist, in the colour"
    shirts = {f"/manual/{colour}.html": (colour, f"{text} {colour}") for colour in ("red", "blue", "green")}
    manual.texts |= shirts
    manual.texts["/manual/"] = ("Start", "".join(f"<a href={path}>{path}</a>" for path in shirts))
    save(manual, tmp_path / "out")
    for path, (title, old) in shirts.items():
        manual.texts[path] = (title, f"{old}, sold out")
    changes = save(manual, tmp_path / "out").changes or {}
    assert (len(changes["content"]), changes["not reached"]) == (3, [])


def test_a_redirect_to_the_same_page_is_no_move(manual: ManualSite, tmp_path: Path) -> None:
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    path = "/manual/knots/reef.html"
    manual.answers[path] = Answer(b"", status=301, headers={"Location": path})
    del manual.texts[path]
    changes = save(manual, tmp_path / "out").changes or {}
    assert (changes["removed"], changes["not reached"]) == ([], [manual.base + path])
    assert pages(tmp_path / "out") == before


MOVED: dict[str, tuple[Answer, bool]] = {
    "fails": (Answer(b"Oh", status=500), True),
    "asks for a password": (Answer(f"{LOGIN}more".encode()), True),
    "is an error": (Answer(manual_page("Oh", "<p>Something went wrong here.").encode()), True),
    "is gone": (Answer(b"", status=404), False),
    "is the page": (Answer(manual_page("Reef and anchor", knot("reef") + knot("anchor")).encode()), False),
}


@pytest.mark.parametrize("name", list(MOVED))
def test_a_page_that_moves_goes_once_its_new_address_answers(manual: ManualSite, tmp_path: Path, name: str) -> None:
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    moved = [f"/manual/knots/{knot}.html" for knot in ("anchor", "reef")]
    for path in moved:
        manual.answers[path] = Answer(b"", status=301, headers={"Location": "/manual/other/"})
        del manual.texts[path]
    manual.answers["/manual/other/"], stays = MOVED[name]
    changes = save(manual, tmp_path / "out").changes or {}
    urls = [manual.base + path for path in moved]
    assert (sorted(changes["not reached"]), sorted(changes["removed"])) == ((urls, []) if stays else ([], urls))
    assert changes["added"] == ([f"{manual.base}/manual/other/"] if name == "is the page" else [])
    if stays:
        assert pages(tmp_path / "out") == before


def _sitemap(site: ManualSite) -> bytes:
    answer = site.answers["/sitemap.xml"]
    assert isinstance(answer, Answer)
    return answer.body


def _cut_sitemaps(whole: bytes) -> dict[str, bytes]:
    packed, many = gzip.compress(whole), b"".join(b"<loc>http://x.example/%d</loc>" % n for n in range(50_001))
    return {
        "no end": whole.partition(b"<url><loc>")[0] + b"<url><loc>" + whole.split(b"<url><loc>")[1],
        "no end of gzip": gzip.compress(whole, 0)[:400],
        "no second member": gzip.compress(whole[:200]) + packed[:20],
        "too many": b"<urlset>" + many + b"</urlset>",
    }


@pytest.mark.parametrize("name", list(_cut_sitemaps(b"<url><loc>")))
def test_a_cut_sitemap_removes_nothing(manual: ManualSite, tmp_path: Path, name: str) -> None:
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    manual.answers["/sitemap.xml"] = Answer(_cut_sitemaps(_sitemap(manual))[name])
    saved = save(manual, tmp_path / "out")
    assert ((saved.changes or {})["removed"], pages(tmp_path / "out")) == ([], before)
    assert f"{manual.base}/sitemap.xml" in saved.site.left


def test_all_members_of_a_sitemap_are_read(manual: ManualSite, tmp_path: Path) -> None:
    whole = _sitemap(manual)
    manual.answers["/sitemap.xml"] = Answer(gzip.compress(whole[:200]) + gzip.compress(whole[200:]))
    saved = save(manual, tmp_path / "out")
    assert len(saved.entries) == len(manual.texts)
    assert f"{manual.base}/sitemap.xml" not in saved.site.left


def test_a_crawl_file_that_is_cut_or_damaged_removes_nothing_and_says_so(tmp_path: Path) -> None:
    def saved(content: bytes) -> Saved:
        (tmp_path / "a.warc").write_bytes(content)
        return save_site(str(tmp_path / "a.warc"), tmp_path / "out", Loading(), Choice(), lambda _: None)

    urls = [f"https://site.example/{name}" for name in KNOTS]
    parts = [response(url, manual_page(name, knot(name)).encode()) for url, name in zip(urls, KNOTS, strict=True)]
    write_warc(tmp_path / "a.warc", parts)
    whole = (tmp_path / "a.warc").read_bytes()
    saved(whole)
    before = pages(tmp_path / "out")
    last = whole.rindex(b"WARC/1.")
    for content in (whole[: last + 60], whole[:last] + b"x" * 500, whole[:last].replace(b"WARC/1.", b"WARX/1.", 2)):
        changes = saved(content).changes or {}
        assert (changes["removed"], pages(tmp_path / "out")) == ([], before)
        assert urls[-1] in changes["not reached"]
    assert (saved(whole[:last]).changes or {})["removed"] == [urls[-1]]


def test_what_only_a_page_that_stays_links_to_is_found(manual: ManualSite, tmp_path: Path) -> None:
    manual.answers["/sitemap.xml"] = Answer(b"", status=404)
    manual.texts["/manual/unlinked.html"] = ("Index", "<p>Bight, bitter end and standing part.")
    title, text = manual.texts["/manual/knots/reef.html"]
    manual.texts["/manual/knots/reef.html"] = (title, f"{text}<a href=../unlinked.html>Index of words</a>")
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    assert "pages/manual/unlinked.md" in before
    answer_all(manual, ["/manual/knots/reef.html"], lambda _: CHECK)
    assert (save(manual, tmp_path / "out").changes or {})["removed"] == []
    assert pages(tmp_path / "out") == before
    assert manual.paths.count("/manual/unlinked.html") == 2


def test_a_redesign_and_new_texts_are_no_reason_to_doubt(manual: ManualSite, tmp_path: Path) -> None:
    save(manual, tmp_path / "out")
    manual.texts["/manual/knots/reef.html"] = (
        "Reef",
        "<p class=new>All words are others, and few were here before.",
    )
    assert (save(manual, tmp_path / "out").changes or {})["not reached"] == []
    for path in _ALL[1:]:
        title, text = manual.texts.pop(path)
        new = f"<title>{title}</title><div id=page><section class=a><h2>{title}</h2>{text}</section></div>"
        manual.answers[path] = Answer(new.encode())
    assert (save(manual, tmp_path / "out").changes or {})["not reached"] == []


def remove_half(site: ManualSite) -> list[str]:
    for path in _ALL[:5]:
        del site.texts[path]
    return sorted(site.base + path for path in _ALL[:5])


def test_many_pages_go_only_if_a_person_says_so(
    manual: ManualSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    gone = remove_half(manual)
    command = ["site", f"{manual.base}/manual/", "-o", str(tmp_path / "out"), "--quiet", "--delay", "0.001"]
    for _ in range(2):
        assert main(command) == 0
        assert pages(tmp_path / "out") == before
        assert "5 of 11 saved pages would go at once, so all stay." in capsys.readouterr().out
    report = (tmp_path / "out/report.html").read_text()
    assert "5 of 11 saved pages would go" in report
    assert "--remove" in report
    assert [url for url in gone if f"<li>{url}" not in report] == []
    assert main([*command, "--remove"]) == 0
    assert len(pages(tmp_path / "out")) == len(before) - 5
    assert "removed 5" in capsys.readouterr().out


def test_a_limit_that_shrank_removes_nothing(manual: ManualSite, tmp_path: Path) -> None:
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    for extent in (Extent(most_pages=3), Extent(depth=0), Extent(exclude=("*/knots/*",)), Extent(most_pages=1)):
        changes = save(manual, tmp_path / "out", extent).changes or {}
        assert (pages(tmp_path / "out"), changes["removed"]) == (before, []), extent
        assert len(changes["not reached"]) >= 8
    assert (save(manual, tmp_path / "out").changes or {})["not reached"] == []


def test_a_file_with_fewer_pages_removes_nothing_at_once(tmp_path: Path) -> None:
    def saved(names: list[str], page: Callable[[str], str], **extent: int) -> Saved:
        rows = [{"url": f"https://site.example/{name}", "html": page(name)} for name in ["", *names]]
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
        loading = Loading(Extent(most_pages=extent.get("most", 100)))
        return save_site(str(tmp_path / "a.jsonl"), tmp_path / "out", loading, Choice(), lambda _: None)

    def whole(name: str) -> str:
        return manual_page(name or "Start", knot(name or "reef", "" if name else " And more of it."))

    saved([*KNOTS], whole)
    before = pages(tmp_path / "out")
    assert len(before) == len(KNOTS) + 1
    for names, page, most in (([*KNOTS], whole, 3), ([*KNOTS][:3], whole, 100), ([*KNOTS], lambda _: CHECK, 100)):
        assert (saved(names, page, most=most).changes or {})["removed"] == []
        assert pages(tmp_path / "out") == before
    assert (saved([*KNOTS][:8], whole).changes or {})["removed"] == ["https://site.example/square"]


def test_a_page_that_a_crawl_lacks_stays_while_its_pages_link_to_it(tmp_path: Path) -> None:
    def saved(names: str, linked: str, also: str = "") -> Saved:
        links = "".join(f"<a href={name}>{name}</a>" for name in linked)
        pages = {"": f"<p>The start. {links}", **{name: knot([*KNOTS]["abcde".index(name)]) for name in names}}
        pages |= {"b": pages["b"] + also}
        rows = [{"url": f"https://site.example/{name}", "html": manual_page(name, pages[name])} for name in pages]
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
        return save_site(str(tmp_path / "a.jsonl"), tmp_path / "out", Loading(), Choice(), lambda _: None)

    saved("abcde", "abcd", "<p><a href=e>There is one more</a>")
    before = pages(tmp_path / "out")
    changes = saved("ab", "abcd", "<p><a href=e>There is one more</a>").changes or {}
    assert (changes["removed"], pages(tmp_path / "out").keys()) == ([], before.keys())
    assert sorted(changes["not reached"]) == [f"https://site.example/{name}" for name in "cde"]
    changes = saved("ab", "abc").changes or {}
    assert changes["removed"] == [f"https://site.example/{name}" for name in "de"]
    assert changes["not reached"] == ["https://site.example/c"]


def test_a_page_that_can_no_longer_be_read_stays(
    manual: ManualSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(manual, tmp_path / "out")
    before, content = pages(tmp_path / "out"), crawl_content.content_or_skipped
    url = f"{manual.base}/manual/knots/reef.html"

    def slow(extractor: object, page: object, seconds: float) -> object:
        if getattr(page, "url", "") == url:
            return Skipped("", 0, "too slow", "it took 30 seconds", url)
        return content(extractor, page, seconds)  # type: ignore[arg-type]

    monkeypatch.setattr(writing, "content_or_skipped", slow)
    for _ in range(2):
        changes = save(manual, tmp_path / "out").changes or {}
        assert (changes["removed"], changes["not reached"]) == ([], [url])
        assert pages(tmp_path / "out") == before
    assert re.search(rf"<li>{url}", (tmp_path / "out/report.html").read_text())


def test_a_page_that_stays_has_no_link_to_a_file_that_went(manual: ManualSite, tmp_path: Path) -> None:
    title, text = manual.texts["/manual/knots/reef.html"]
    more = "<p>It is often taken for the square knot, <a href=square.html>of which there is more here</a>."
    manual.texts["/manual/knots/reef.html"] = (title, text + more)
    save(manual, tmp_path / "out")
    assert "(square.md)" in (tmp_path / "out/pages/manual/knots/reef.md").read_text()
    answer_all(manual, ["/manual/knots/reef.html"], lambda _: CHECK)
    del manual.texts["/manual/knots/square.html"]
    assert (save(manual, tmp_path / "out").changes or {})["removed"] == [f"{manual.base}/manual/knots/square.html"]
    assert "knots/square.html)" in (tmp_path / "out/pages/manual/knots/reef.md").read_text()


def test_an_address_that_never_answers_costs_itself(manual: ManualSite, tmp_path: Path) -> None:
    busy = ["/manual/knots/reef.html", *(f"/manual/busy/{number}.html" for number in "abcdefgh")]
    manual.texts["/manual/"] = ("Start", "".join(f"<a href={path}>{path}</a> " for path in busy))
    manual.busy |= dict.fromkeys(busy, 10**6)
    manual.answers["/robots.txt"] = Answer(b"Sitemap: map.xml\nSitemap: http://[\nSitemap: /busy.xml", "text/plain")
    manual.answers["/map.xml"] = manual.answers["/sitemap.xml"]
    manual.busy["/busy.xml"] = 10**6
    waits = Waits()
    for _ in range(2):
        loading = Loading(pause=waits)
        saved = save_site(f"{manual.base}/manual/", tmp_path / "out", loading, Choice(), lambda _: None)
        assert len(saved.entries) == len(manual.texts) - 1
        left = saved.site.left
        assert [path for path in (*busy, "/busy.xml") if "429" not in left.get(manual.base + path, "")] == []
        assert any(url.endswith(", http://[") for url in left)
    assert "/manual/unlinked.html" in manual.paths


def test_a_folder_that_somebody_else_made_reaches_nothing_outside(manual: ManualSite, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "letter.txt").write_text("Dear")
    save(manual, tmp_path / "out")
    state = tmp_path / "out/.work/visits"
    whole = state.read_bytes()
    *lines, last = whole.splitlines()
    for path in (
        "../outside/letter.txt",
        "/etc/x",
        "pages/../../outside/letter.txt",
        "..",
        "a//b",
        "C:x",
        "a\\..\\b",
        "a\n",
    ):
        for change in ({"digests": {path: "0"}}, {"names": {"127.0.0.1/x": path}}):
            state.write_bytes(b"\n".join([*lines, json.dumps(json.loads(last) | change).encode(), b""]))
            with pytest.raises(UnusableOutput) as raised:
                save(manual, tmp_path / "out")
            assert "is damaged" in str(raised.value)
    state.write_bytes(whole)
    remove_half(manual)
    for linked in (
        "pages",
        "pages/manual/knots",
        ".work/visits.new",
        "report.html",
        "pages/manual/knots/reef.md",
        ".work",
    ):
        file, aside = tmp_path / "out" / linked, tmp_path / "aside"
        there = file.exists()
        if there:
            file.rename(aside)
        target = outside if aside.is_dir() else outside / "letter.txt"
        file.symlink_to(target)
        with pytest.raises(UnusableOutput) as raised:
            save(manual, tmp_path / "out")
        assert f"{file} is a link" in str(raised.value)
        file.unlink()
        if there:
            aside.rename(file)
    assert {file.name: file.read_text() for file in outside.iterdir()} == {"letter.txt": "Dear"}
    link = tmp_path / "link"  # a person's own way to the folder is none of these
    link.symlink_to(tmp_path / "out")
    save(manual, link)


def test_pages_keep_their_files_when_others_come(manual: ManualSite, tmp_path: Path) -> None:
    manual.texts |= {"/manual/a": ("A", knot("reef", " a")), "/manual/a.md./b": ("B", knot("reef", " b"))}
    manual.texts["/manual/GUIDE"] = ("Guide", knot("anchor", " guide"))
    links = "<a href=a>A</a> <a href=a.md./b>B</a> <a href=GUIDE>Guide</a>"
    manual.texts["/manual/"] = ("Start", f"<p>{links}")
    save(manual, tmp_path / "out")
    before = pages(tmp_path / "out")
    manual.texts["/manual/guide"] = ("Other guide", knot("prusik", " guide"))
    manual.texts["/manual/"] = ("Start", f"<p><a href=guide>Other</a> {links}")
    save(manual, tmp_path / "out")
    after = pages(tmp_path / "out")
    assert len(after) == len(before) + 1
    assert {name for name in before if before[name] != after.get(name)} == {"pages/manual/index.md"}
