"""A site's rules: learned on half of its pages, proved on the others, and written for other programs."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

import pytest
from bs4 import BeautifulSoup
from lxml import etree, html
from msgspec.structs import replace
from tests.support.manual_site import ManualSite

from sitestencil.cli import main
from sitestencil.crawl.limits import TimeIsUp
from sitestencil.errors import UnusableRules
from sitestencil.page.parsing import parse
from sitestencil.rules import site_rules as site_rules_module
from sitestencil.rules.formats import files_of
from sitestencil.rules.learning import halves, strip_rules, worth_of
from sitestencil.rules.rule_set import SiteRules, from_json, to_json
from sitestencil.rules.site_pages import SitePages, kinds_of, read_sites
from sitestencil.rules.site_rules import broken_rules, site_rules
from sitestencil.selectors import candidates as candidates_module
from sitestencil.selectors.candidates import WEAK, is_positional, selectors_of
from sitestencil.site.sources import network
from sitestencil.whole_site import pages as whole_site_pages
from sitestencil.whole_site.pages import Pages
from sitestencil.whole_site.saving import save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

if TYPE_CHECKING:
    from sitestencil.rules.site_pages import KindPage

SITE = "ropes.example"
WORDS = "rope knot sail mast tide anchor harbour splice hitch bend lashing block tackle shroud stay keel".split()
Page = tuple[str, str]


def story(number: int, *, header: str = "top", menu: str = "menu") -> Page:
    random = Random(number)
    text = "".join(f"<p>{' '.join(random.choices(WORDS, k=30))} s{number}</p>" for _ in range(4))
    links = "".join(f"<li><a href=/story{one}>Entry number {one}</a></li>" for one in range(6))
    return (
        f"https://{SITE}/story{number}",
        f"<!doctype html><title>Knot {number} of the sailors - Ropes</title><body>"
        f"<header class='{header} css-{random.randrange(99)}a7b'>"
        f"<h2>Welcome to ropes</h2><ul class={menu}>{links}</ul></header>"
        f"<main class=css-1x2y3z><article class=story><h1>Knot {number} of the sailors</h1>{text}</article>"
        f"<div class=aside><h3>Harbour news</h3><p>Daily from the pier</p></div></main>"
        f"<footer id=foot{1000 + number} class=foot><p>All rights reserved by the rope museum</p></footer>",
    )


def stored(folder: Path, pages: Sequence[Page], name: str = "pages.jsonl") -> Path:
    file = folder / name
    file.write_text("".join(json.dumps({"url": url, "html": text}) + "\n" for url, text in pages))
    return file


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stored(tmp_path_factory.mktemp("site"), [story(number) for number in range(12)])


@pytest.fixture(scope="module")
def rules(pages: Path) -> SiteRules:
    ((site,), *_) = read_sites(Pages([str(pages)]))
    return site_rules(site)


@pytest.fixture(scope="module")
def written(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rules") / "out"
    assert main(["rules", str(pages), "-o", str(out)]) == 0
    return out


def tree_of(page: Page) -> html.HtmlElement:
    return html.document_fromstring(page[1])


def text_left(tree: html.HtmlElement) -> str:
    etree.strip_elements(tree, "title", with_tail=False)
    return " ".join(tree.text_content().split())


def without(page: Page, selectors: str) -> str:
    """Return a page's text without what selectors match, as lxml matches them."""
    tree = tree_of(page)
    for element in tree.cssselect(selectors):
        if element.getparent() is not None:
            element.drop_tree()
    return text_left(tree)


FRAME = ("Welcome to ropes", "Entry number", "All rights reserved", "Harbour news")
LATER = story(99)


def is_stripped(text: str) -> bool:
    return "Knot 99 of the sailors" in text and "s99" in text and not any(words in text for words in FRAME)


def test_rules_strip_and_keep_what_they_are_proved_to(rules: SiteRules) -> None:
    (kind,) = rules.kinds
    assert kind.pages == 12
    for what in (kind.strip, kind.keep):
        assert what is not None
        assert not what.why
        assert (what.pages, what.recall, what.lossy) == (6, 1.0, 0.0)
        assert what.precision > 0.95
    assert kind.fields["title"].endswith("h1")


def test_the_rest_of_a_menu_that_holds_content_on_one_page_is_stripped(tmp_path: Path) -> None:
    """Rules name its entries then, deep in it; and none stands on the class of a body, which differs by kind."""

    def page(number: int) -> Page:
        url, text = story(number)
        note = f"<p>{text.partition('<p>')[2].partition('</p>')[0]}</p>" if number == 4 else ""
        entries = "".join(f"<dt class=entry>{one} of all the boats</dt>" for one in WORDS)
        menu = f"<aside class=side><div class=box><div class=inner>{note}<dl>{entries}</dl></div></div></aside>"
        return url, text.replace("<body>", f"<body class=sailing>{menu}")

    ((site,), *_) = read_sites(Pages([str(stored(tmp_path, [page(number) for number in range(12)]))]))
    (kind,) = site_rules(site).kinds
    assert kind.strip is not None
    assert not kind.strip.why
    assert not any("sailing" in selector for selector in kind.strip.selectors)
    assert "of all the boats" not in without(page(99), ", ".join(kind.strip.selectors))


def test_names_that_hash_or_differ_by_page_are_in_no_rule(rules: SiteRules) -> None:
    written = to_json((rules,)).decode()
    assert "css-" not in written
    assert "foot1" not in written


def test_rules_are_read_back_and_hostile_files_are_refused(rules: SiteRules) -> None:
    text = to_json((rules,))
    assert from_json(text) == (rules,)
    bad = [b"[", b"{}", b" " * 5_000_000, text.replace(b'rules": 1', b'rules": 2')]
    bad.append(text.replace(b'"selector": "', b'"selector": ":has(*)', 1))
    for one in bad:
        with pytest.raises(UnusableRules):
            from_json(one)


def test_a_value_of_each_page_is_not_stripped(tmp_path: Path) -> None:
    """The template has a place for a name and a price; equal ones on two pages do not make these the template."""

    def page(number: int) -> Page:
        url, text = story(number)
        value = f"<h1 class=name>{WORDS[number]} {WORDS[-number]}</h1><b class=price>${number}.{number + 30}</b>"
        return url, re.sub("<h1>.*?</h1>", "", text).replace("</header>", f"{value}</header>")

    pages = [page(number) for number in (1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9)]
    pages = [(f"{url}-{number}", text) for number, (url, text) in enumerate(pages)]
    ((site,), *_) = read_sites(Pages([str(stored(tmp_path, pages))]))
    shown = [without((url, text), ", ".join(site_rules(site).everywhere) or "none") for url, text in pages[6:]]
    assert [WORDS[number] in text and f"${number}." in text for number, text in enumerate(shown, 4)] == [True] * 6


def test_a_kind_that_no_selector_tells_apart_has_a_reason_and_no_files(tmp_path: Path) -> None:
    """Content and template take turns in equal boxes."""
    pages = []
    for number in range(10):
        url, text = story(number)
        boxes = [
            f"<div>{part}</div>"
            for part in re.findall(r"<(?:header|article|footer).*?</(?:header|article|footer)>", text)
        ]
        boxes = [
            re.sub(r"(?:class|id)=(?:'[^']*'|[^ >]*)|</?(?:header|article|footer)[^>]*>", "", box) for box in boxes
        ]
        Random(number).shuffle(boxes)
        pages.append((url, f"<title>Ropes</title>{''.join(boxes)}"))
    out = tmp_path / "out"
    assert main(["rules", str(stored(tmp_path, pages)), "-o", str(out)]) == 0
    (site,) = from_json((out / "rules.json").read_bytes())
    reasons = [rules.why for kind in site.kinds for rules in (kind.strip, kind.keep) if rules and rules.why]
    assert reasons or all(kind.why for kind in site.kinds)
    assert not list(out.glob("*.txt"))


def test_the_files_say_which_kind_has_no_rules_and_why(rules: SiteRules) -> None:
    (kind,) = rules.kinds
    assert kind.strip is not None
    assert kind.keep is not None
    poor = replace(kind, kind=f"{SITE}/1", strip=replace(kind.strip, why="too poor"), keep=None, why="too few")
    files = files_of(replace(rules, kinds=(kind, poor)), SITE)
    said = {name: [line for line in text.splitlines() if f"{SITE}/1" in line] for name, text in files.items()}
    none = f"No rules for the 12 pages of kind {SITE}/1:"
    assert {name: lines for name, lines in said.items() if lines} == {
        f"{SITE}.txt": [f"# {none} too few."],
    }


def test_the_style_sheets_hide_the_template(written: Path) -> None:
    css = (written / f"{SITE}.css").read_text()
    block = re.fullmatch(r"/\*[^*]*\*/\n(?P<selectors>[^{}]+) \{\n  display: none !important;\n\}\n", css)
    assert block is not None
    assert is_stripped(without(LATER, block["selectors"]))
    printed = (written / f"{SITE}.print.css").read_text()
    assert re.fullmatch(r"@media print \{\n(?P<css>.*)\}\n", printed, re.DOTALL)["css"] == css  # type: ignore[index]


def test_the_site_configuration_of_full_text_feeds_gives_body_and_title(written: Path) -> None:
    lines = (written / f"{SITE}.txt").read_text().splitlines()
    commands = [line.partition(": ")[::2] for line in lines if not line.startswith("#")]
    assert {name for name, _ in commands} <= set("title author date body strip prune tidy test_url".split())
    tree = tree_of(LATER)
    for name, value in commands:
        if name == "strip":
            for element in tree.xpath(value):
                element.drop_tree()
    (body,) = next(found for name, value in commands if name == "body" and (found := tree.xpath(value)))
    assert is_stripped(body.text_content())
    assert [tree.xpath(value)[0].text for name, value in commands if name == "title"] == ["Knot 99 of the sailors"]


def loaded(written: Path, name: str) -> Any:
    return json.loads((written / f"{SITE}.{name}.json").read_text())


def test_watchers_and_scrapers_get_their_own_forms(written: Path) -> None:
    (watch,) = loaded(written, "changedetection")
    assert watch.keys() == {"url", "include_filters", "subtractive_selectors"}
    tree = tree_of(LATER)
    for element in [one for selector in watch["subtractive_selectors"] for one in tree.cssselect(selector)]:
        element.drop_tree()
    assert is_stripped(" ".join(one.text_content() for one in tree.cssselect(", ".join(watch["include_filters"]))))

    search = loaded(written, "docsearch")
    assert list(search["selectors"]) == ["lvl0", *(f"lvl{level}" for level in range(1, 7)), "text"]
    tree = tree_of(LATER)
    for selector in search["selectors_exclude"]:
        for element in tree.cssselect(selector):
            element.drop_tree()
    assert [one.text for one in tree.cssselect(search["selectors"]["lvl1"])] == ["Knot 99 of the sailors"]
    assert len(tree.cssselect(search["selectors"]["text"])) == 4

    (schema,) = loaded(written, "crawl4ai")
    (base,) = BeautifulSoup(LATER[1], "lxml").select(schema["baseSelector"])  # as its strategy does
    title, content = schema["fields"]
    assert (title["type"], content["type"], content["fields"]) == (
        "text",
        "list",
        [{"name": "html", "type": "html"}],
    )
    assert base.select(title["selector"])[0].get_text() == "Knot 99 of the sailors"
    assert is_stripped(" ".join(one.get_text() for one in base.select(content["selector"])))


def test_a_schema_reads_no_more_than_the_rules_keep(rules: SiteRules) -> None:
    """The program that reads it applies no exceptions of its own."""
    (kind,) = rules.kinds
    assert kind.keep is not None
    wide, narrow = (replace(kind.keep.rules[0], selector=selector) for selector in ("main", ".aside"))
    kind = replace(kind, keep=replace(kind.keep, rules=(wide,), without=(narrow,)))
    (schema,) = json.loads(files_of(replace(rules, kinds=(kind,)), SITE)[f"{SITE}.crawl4ai.json"])
    content = next(field for field in schema["fields"] if field["name"] == "content")
    (base,) = BeautifulSoup(LATER[1], "lxml").select(schema["baseSelector"])
    assert is_stripped(" ".join(one.get_text() for one in base.select(content["selector"])))


EXTRACT = """
import json, sys
from crawl4ai import JsonCssExtractionStrategy
schema, html = json.load(sys.stdin)
print(json.dumps(JsonCssExtractionStrategy(schema).extract("https://ropes.example/", html)))
"""


@pytest.mark.nightly
def test_crawl4ai_reads_a_page_with_its_schema(written: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path], check=True)
    python = tmp_path / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if subprocess.run([python, "-m", "pip", "install", "--quiet", "crawl4ai"], check=False).returncode:
        pytest.skip("crawl4ai cannot be installed here")
    (schema,) = loaded(written, "crawl4ai")
    given = json.dumps([schema, LATER[1]])
    said = subprocess.run(
        [python, "-c", EXTRACT], input=given, check=True, capture_output=True, text=True, cwd=tmp_path
    )
    (record,) = json.loads(said.stdout.splitlines()[-1])
    assert record["title"] == "Knot 99 of the sailors"
    assert is_stripped(" ".join(part["html"] for part in record["content"]))


def test_no_text_is_printed_twice_and_no_value_is_one_of_many(tmp_path: Path) -> None:
    """Sections lie in sections of the same class, and the author's name is in a paragraph like all others."""

    def page(number: int) -> Page:
        url, text = story(number)
        text = re.sub("<article class=story>(.*?<p>.*?</p>)(.*?)</article>", sections, text)
        return url, text.replace("<title>", "<meta name=author content='Jo Marsh'><title>")

    def sections(found: re.Match[str]) -> str:
        inner = f"<div class=part><p>Jo Marsh</p>{found[2]}</div>"
        return f"<div><div class=part>{found[1]}{inner}</div></div>"

    (kind,) = site_rules(of_site(tmp_path, [page(number) for number in range(12)])).kinds
    assert kind.keep is not None
    later = tree_of(page(99))
    found = {one for selector in kind.keep.selectors for one in later.cssselect(selector)}
    assert found
    assert not [one for one in found if found & {*one.iterancestors()}]
    assert len(later.cssselect(kind.fields.get("author", "none"))) <= 1


def test_a_body_of_one_kind_takes_no_page_of_another(tmp_path: Path) -> None:
    """A box holds the text of a large kind, and only a note on pages of the other."""

    def page(number: int, kind: str) -> Page:
        url, text = story(number)
        text = text.replace("<body>", f"<body class={kind}>").replace("class=story", "class=box")
        if kind == "table":
            names = [f"{WORDS[one % 16]} {number}.{one * number}" for one in range(48)]
            rows = "".join(f"<tr><td>{name}<td>{number + one} m" for one, name in enumerate(names))
            table = f"<div class=sheet><table>{rows}</table></div><article class=box><p>Note {number}</p></article>"
            text = re.sub("<article.*</article>", table, text)
        return f"{url}-{kind}", text

    pages = [*(page(number, "note") for number in range(14)), *(page(number, "table") for number in range(20, 28))]
    rules = site_rules(of_site(tmp_path, pages))
    text = files_of(rules, SITE)[f"{SITE}.txt"]
    lines = [line.partition(": ")[::2] for line in text.splitlines()]
    bodies = [value for name, value in lines if name == "body"]
    for later, word in ((page(99, "note"), "s99"), (page(98, "table"), "harbour 98.")):
        (body, *_) = next(found for value in bodies if (found := tree_of(later).xpath(value)))
        assert word in body.text_content()
    assert len([name for name, _ in lines if name == "test_url"]) > len(rules.kinds)


def test_kinds_that_only_their_addresses_tell_apart_are_told_by_them(tmp_path: Path) -> None:
    """The box of one kind's text is a note in the other, and pages state their own addresses."""

    def page(number: int, kind: str) -> Page:
        _, text = story(number)
        url = f"https://{SITE}/{kind}/{number}"
        text = re.sub("css-..?a7b", "", text).replace("<title>", f"<link rel=canonical href={url}><title>")
        if kind == "table":
            rows = "".join(f"<tr><td>{WORDS[one % 16]} {number}.{one * number}" for one in range(48))
            text = re.sub("<article.*</article>", f"<article class=story><table>{rows}</table></article>", text)
        return url, text

    pages = [page(number, kind) for kind in ("note", "table") for number in range(10)]
    marks = {kind.mark for kind in site_rules(of_site(tmp_path, pages)).kinds}
    assert marks == {f'link[rel="canonical"][href*="/{kind}/"]' for kind in ("note", "table")}


def test_freshrss_reads_the_feed_or_the_links_of_a_site(tmp_path: Path, written: Path) -> None:
    feed = "<link rel=alternate type=application/rss+xml href=/feed.xml>"
    lists = [
        (
            f"https://{SITE}/list{page}",
            f"<title>All</title><body><h1>List {page}</h1><ul class=posts>"
            + "".join(
                f"<li><a href=/story{(3 * page + one) % 12}>{WORDS[one]} {page}</a> day {one}" for one in range(8)
            )
            + "</ul>",
        )
        for page in range(6)
    ]
    for head in ("", feed):
        pages = [(url, text.replace("<title>", f"{head}<title>")) for url, text in [*map(story, range(12)), *lists]]
        (tmp_path / f"x{len(head)}").mkdir()
        rules = site_rules(of_site(tmp_path / f"x{len(head)}", pages))
        outline = etree.fromstring(files_of(rules, SITE)[f"{SITE}.opml"].encode()).find(".//outline")
        assert outline is not None
        frss = {
            str(name).partition("}")[2]: str(value) for name, value in outline.attrib.items() if "}" in str(name)
        }
        assert "s99" in " ".join(one.text_content() for one in tree_of(LATER).cssselect(frss["cssFullContent"]))
        if head:
            assert (outline.get("type"), outline.get("xmlUrl")) == ("rss", f"https://{SITE}/feed.xml")
        else:
            assert outline.get("type") == "HTML+XPath"
            page = next(page for page in lists if page[0] == outline.get("xmlUrl"))
            links = [link.get("href") for link in tree_of(page).xpath(frss["xPathItem"])]
            assert len(links) == 8


def test_check_tells_which_rule_broke_and_gives_a_new_one(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = str(written / "rules.json")
    same = stored(tmp_path, [story(number) for number in range(20, 30)])
    assert main(["check", rules, str(same)]) == 0
    assert "all rules hold" in capsys.readouterr().out
    renamed = [(url, text.replace("class=aside", "class=news")) for url, text in map(story, range(20, 30))]
    assert main(["check", rules, str(stored(tmp_path, renamed, "new.jsonl"))]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "  rule: " in line] == ["  rule: .aside"]
    assert "  new rule: .news" in lines
    assert [line for line in lines if "  new rule: " in line] == ["  new rule: .news"]
    assert len([line for line in lines if f"  page: https://{SITE}/story" in line]) <= 5


def test_a_rule_that_takes_content_today_is_told_with_its_pages(rules: SiteRules, tmp_path: Path) -> None:
    (kind,) = rules.kinds
    assert kind.strip is not None
    first = kind.strip.selectors[0]
    name = re.search(r"[.](\w+)|^(\w+)$", first)
    assert name is not None
    tag = "header" if name[2] else "div"
    pages = [
        (url, text.replace("<article class=story>", f"<article class=story><{tag} class='{name[1]}'>"))
        for url, text in map(story, range(20, 30))
    ]
    ((site,), *_) = read_sites(Pages([str(stored(tmp_path, pages))]))
    broken = [one for one in broken_rules(rules, site)[0] if one.why == "content is lost"]
    assert first in broken[0].rules
    assert set(broken[0].pages) == {url for url, _ in pages}


def test_rules_hold_on_the_pages_that_proved_them(rules: SiteRules, tmp_path: Path) -> None:
    """Rules that lost content on pages held out are no worse today, and pages of another kind prove nothing."""
    (kind,) = rules.kinds
    assert kind.keep is not None
    heading = replace(kind.keep, rules=(replace(kind.keep.rules[0], selector="h1"),), without=())
    known = [replace(rules, kinds=(replace(kind, keep=replace(heading, lossy=lossy)),)) for lossy in (0.0, 1.0)]
    table = f"<title>Prices</title><table>{'<tr><td>Rope<td>3 €' * 20}</table>"
    other = [(f"https://{SITE}/table{number}", f"{table}{number}") for number in range(3)]
    ((site,), *_) = read_sites(Pages([str(stored(tmp_path, [*map(story, range(12)), *other]))]))
    assert len(kinds_of(site)) > 1
    assert [[one.what for one in broken_rules(earlier, site)[0]] for earlier in known] == [["keep"], []]


def test_a_banner_that_no_rule_strips_is_told(rules: SiteRules, tmp_path: Path) -> None:
    banner = "<div class=cookies><p>We use cookies on all boats</p></div>"
    site = of_site(tmp_path, [changed(story(number), head=banner) for number in range(20, 30)])
    (broken,) = (one for one in broken_rules(rules, site)[0] if one.what == "strip")
    assert "We use cookies on all boats" in broken.why
    assert len(broken.pages) == 10
    assert broken.new
    assert is_stripped(without(changed(LATER, head=banner), ", ".join([*rules.everywhere, *broken.new])))


def test_a_renamed_class_breaks_the_rules_of_its_own_kind_alone(tmp_path: Path) -> None:
    """The text of one kind is now in the class that the other kind had; addresses stay."""

    def site(folder: str, *classes: str) -> SitePages:
        pages = []
        for number in range(20):
            kind, place = number % 2, ("notes", "letters")[number % 2]
            text = re.sub("<(/?)article", "<\\1div", story(number)[1])
            text = text.replace("class=story", f"class={classes[kind]}")
            text = text if kind else re.sub("<p>(.*?)</p>", "<ul class=lines><li><i>\\1</i></ul>", text)
            pages.append((f"https://{SITE}/{place}/{number}", text))
        (tmp_path / folder).mkdir()
        return of_site(tmp_path / folder, pages)

    earlier = site_rules(site("earlier", "story", "letter"))
    broken, checked = broken_rules(earlier, site("later", "letter", "note"))
    assert (len(earlier.kinds), checked) == (2, 20)
    (notes,) = (kind.kind for kind in earlier.kinds if "/notes/" in kind.examples[0])
    assert {rule: one.kind == notes for one in broken for rule in one.rules} == {".story": True, ".letter": False}


def test_check_says_no_more_than_it_checked(
    written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = stored(tmp_path, [(f"https://{SITE}/", "<title>Gone</title><p>The harbour is closed")])
    assert main(["check", str(written / "rules.json"), str(few)]) == 1
    assert "hold" not in capsys.readouterr().out


def test_what_takes_more_than_its_time_is_told(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((site,), *_) = read_sites(Pages([str(pages)]))
    rules = site_rules(site)

    def endless(*_: object) -> None:
        raise TimeIsUp

    monkeypatch.setattr(site_rules_module, "strip_rules", endless)
    assert [bool(kind.why) for kind in site_rules(site).kinds] == [True]
    monkeypatch.setattr(site_rules_module, "on_page", endless)
    with pytest.raises(UnusableRules):
        broken_rules(rules, site)


def of_site(folder: Path, pages: Sequence[Page]) -> SitePages:
    ((site,), *_) = read_sites(Pages([str(stored(folder, pages))]))
    return site


def changed(page: Page, **parts: str) -> Page:
    """Return a page with other parts, by the names of what they replace or stand before."""
    places = {"content": "</article>", "side": "</main>", "foot": "<footer ", "head": "<header "}
    url, text = page
    for name, part in parts.items():
        text = text.replace(places[name], f"{part}{places[name]}")
    return url, text


def test_rules_for_a_whole_site_take_no_content_together(tmp_path: Path) -> None:
    """Each takes less than a hundredth of a page, but there are many."""

    def page(number: int) -> Page:
        boxes = "".join(
            f"<p class=w{one}>Entry {one} of all the boats and of the quay is shown here to all</p>"
            f"<b class=w{one}>{WORDS[(number + one) % 16]}{number}</b>"
            for one in range(10, 50)
        )
        return changed(story(number), content=boxes)

    site = of_site(tmp_path, [page(number) for number in range(12)])
    everywhere = site_rules(site).everywhere
    for one in (one for kind in kinds_of(site) for one in kind.read()):
        taken = sum((one.words_of(selector) & one.content).bit_count() for selector in everywhere)
        assert 0 < taken <= 0.05 * one.content.bit_count()


def test_few_pages_of_another_kind_bar_no_rule_of_a_site(tmp_path: Path) -> None:
    """What is a box beside the text on most pages holds the content of two others."""

    def page(number: int) -> Page:
        url, text = story(number)
        text = re.sub("css-..?a7b", "", text)
        if number < 50:
            return url, text
        rows = "".join(f"<tr><td>{WORDS[one]} {number}.{one * number}" for one in range(8))
        content = f"<div class=aside><table>{rows}</table></div>"
        return url, re.sub("<main.*</main>", f"<main id=all>{content}</main>", text)

    # Those that the program reads first, or it would not meet this kind.
    others = sorted(range(50, 500), key=lambda number: crc32(story(number)[0].encode()))[:2]
    site = of_site(tmp_path, [page(number) for number in [*range(44), *others]])
    assert len(kinds_of(site)) == 2
    assert is_stripped(without(LATER, ", ".join(site_rules(site).everywhere)))


def test_a_rule_that_harms_a_large_kind_has_the_mark_of_its_own(tmp_path: Path) -> None:
    """A box beside the text of one kind holds the text of the other, and classes of the body tell them apart."""

    def page(number: int, kind: str) -> Page:
        url, text = story(number)
        text = text.replace("<body>", f"<body class={kind}>")
        if kind == "table":
            rows = "".join(f"<tr><td>{WORDS[one]} {number}.{one * number}" for one in range(16))
            text = re.sub("<main.*</main>", f"<div class=aside><table>{rows}</table></div>", text)
        return f"{url}-{kind}", text

    pages = [page(number, kind) for number in range(10) for kind in ("note", "table")]
    everywhere = ", ".join(site_rules(of_site(tmp_path, pages)).everywhere)
    assert is_stripped(without(page(99, "note"), everywhere))
    assert "harbour 98." in without(page(98, "table"), everywhere)


def test_pages_of_no_kind_have_a_vote(tmp_path: Path) -> None:
    """What is a box beside the text of a kind holds the text of a page that is alone."""
    text = "".join(f"<p>{' '.join(Random(one).choices(WORDS, k=40))}</p>" for one in range(4))
    alone = f"https://{SITE}/alone", f"<title>All</title><h1>All of it</h1><div class=aside>{text}</div>"
    site = of_site(tmp_path, [*(story(number) for number in range(9)), alone])
    assert [(len(kind.pages), len(kind.near)) for kind in kinds_of(site)] == [(9, 1)]
    everywhere = ", ".join(site_rules(site).everywhere)
    assert "Entry number" not in without(LATER, everywhere)
    assert without(alone, everywhere).count("rope") == text.count("rope")


@pytest.mark.parametrize(
    ("frame", "content"),
    [("<div class=part>", "<section class=part>"), ("<main class=page><div>", "<main class=page><section>")],
)
def test_rules_of_a_site_stand_on_names_that_its_content_has_nowhere(
    tmp_path: Path, frame: str, content: str
) -> None:
    """Frame and content have one class, or are in one element; only their tags tell them apart."""

    def page(number: int) -> Page:
        url, text = story(number)
        return url, text.replace("<main class=css-1x2y3z>", f"{frame}<p>Our long greeting</p></div>{content}")

    rules = site_rules(of_site(tmp_path, [page(number) for number in range(12)]))
    url, text = page(99)
    other = url, text.replace("<section", "<div").replace(content, content.replace("<section", "<div"))
    assert rules.everywhere
    assert is_stripped(without((url, text), ", ".join(rules.everywhere)).replace("Our long greeting", ""))
    assert "s99" in without(other, ", ".join(rules.everywhere))


def test_a_menu_is_stripped_without_the_headings_of_the_page_in_it(tmp_path: Path) -> None:
    """Both have the same classes; only the elements around tell them apart."""

    def page(number: int) -> Page:
        random = Random(number)
        words = random.choices(WORDS, k=9)
        heads = "".join(f"<li class=item><a class=link>{word} {number}{one}</a>" for one, word in enumerate(words))
        inner = f"<div class=part><ul class=list>{heads}</ul></div>"
        entries = "".join(
            f"<li class=item><a class=link>Part {one} of the manual</a>{inner * (one == number % 6)}</li>"
            for one in range(6)
        )
        return changed(story(number), head=f"<div class='part all'><ul class=list>{entries}</ul></div>")

    everywhere = site_rules(of_site(tmp_path, [page(number) for number in range(12)])).everywhere
    left = without(page(99), ", ".join(everywhere))
    assert "of the manual" not in left
    assert " 990" in left
    assert " 998" in left


def test_rules_of_a_site_may_name_a_tag_beside_content_that_is_not_main(tmp_path: Path) -> None:
    """A box of the frame holds a teaser, which no rule takes; its heading needs no position."""
    (kind,) = kinds_of(of_site(tmp_path, [story(number) for number in range(12)]))
    pages = kind.read()
    for one in pages:
        one.content |= one.words_of(".aside p")
        assert not one.main & one.words_of(".aside")
    selectors = strip_rules(*halves(pages), []).selectors
    taking = [one for one in selectors if pages[0].words_of(one) & pages[0].words_of(".aside h3")]
    assert [one for one in taking if not is_positional(one)]
    assert not [one for one in selectors if pages[0].words_of(one) & pages[0].words_of(".aside p")]


def test_a_title_in_a_place_of_the_template_is_content(tmp_path: Path) -> None:
    """The box around it says more than it does."""

    def page(number: int) -> Page:
        url, text = story(number)
        box = "<div class=box><p>All of the entries that stand in here, and on the quay of the harbour today</p>"
        return url, re.sub("<h1>.*?</h1>", "", text).replace(
            "<article", f"{box}<h1>Knot {number}</h1></div><article"
        )

    (kind,) = kinds_of(of_site(tmp_path, [page(number) for number in range(12)]))
    pages = kind.read()
    for one in pages:
        title = one.words_of("h1")
        assert title == title & one.main
        one.content, one.values = one.content & ~title, one.values | title
    selectors = strip_rules(*halves(pages)).selectors
    assert selectors
    assert not [one for each in pages for one in selectors if each.words_of(one) & each.words_of("h1")]


def test_one_picture_of_its_own_leaves_a_header_a_header(tmp_path: Path) -> None:
    """Only its place tells that it is one: it is the first of two tables."""

    def page(number: int) -> Page:
        url, text = story(number)
        pictures = "".join(f"<td><img src=/{one}.gif>" for one in ("mnopqrst"[: 8 - (number == 3)] + "u" * 9))
        own = f"<td><img src=/own{number}.gif>" if number == 3 else ""
        article = "".join(re.findall("<h1>.*?</h1>|<p>.*? s[0-9]+</p>", text))
        return url, f"<title>Ropes</title><table><tr>{pictures}{own}</table><table><tr><td>{article}</table>"

    everywhere = site_rules(of_site(tmp_path, [page(number) for number in range(12)])).everywhere
    later = tree_of(page(99))
    assert {one for each in everywhere for box in later.cssselect(each) for one in box.iter("img")} == {
        *later.iter("img")
    }
    assert "s99" in without(page(99), ", ".join(everywhere))


def test_a_look_or_a_position_is_a_weak_name(tmp_path: Path) -> None:
    """One class is in all parts of the frame, another on every second entry."""

    def page(number: int) -> Page:
        entries = "".join(f"<b class='line {'even' * (one % 2)}'>Entry {one} of all boats</b>" for one in range(8))
        notes = "".join(f"<div class={name}><p class=wide>Note {name} of the boats</p></div>" for name in "abcd")
        return changed(story(number), head=f"{entries}{notes}")

    (kind,) = kinds_of(of_site(tmp_path, [page(number) for number in range(12)]))
    pages = kind.read()
    assert {one: worth_of(one, pages) > WEAK for one in (".line", ".even", ".wide", ".a > .wide")} == {
        ".line": True,
        ".even": False,
        ".wide": False,
        ".a > .wide": True,
    }


def test_pictures_of_the_content_are_not_stripped(tmp_path: Path) -> None:
    def page(number: int) -> Page:
        picture = f"<div class=card><img src=/{number}.jpg></div>"
        return changed(story(number), content=picture, foot="<div class=card>Buy our new sails today</div>")

    later = tree_of(page(99))
    everywhere = site_rules(of_site(tmp_path, [page(number) for number in range(12)])).everywhere
    assert everywhere
    assert not [one for selector in everywhere for box in later.cssselect(selector) for one in box.iter("img")]


def test_pages_of_many_names_cost_no_more_than_their_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [f"{one}{other}{third}" for one in letters for other in letters for third in letters[:4]]
    boxes = "".join(f"<div class='{name} {name}x {name}y' role={name}><p class={name}z>x</div>" for name in names)
    boxes += "<o:p>x</o:p>" * 3
    page = cast("KindPage", SimpleNamespace(document=parse(boxes, f"https://{SITE}/")))
    written = list[str]()

    def counted(*given: Any, **options: Any) -> Iterator[str]:
        for selector in selectors_of(*given, **options):
            written.append(selector)
            yield selector

    monkeypatch.setattr(candidates_module, "selectors_of", counted)
    elements = dict.fromkeys(range(len(page.document)), 1)
    odd = len(page.document) - 1
    assert page.document.tags[odd] == "o:p"
    assert [one for one in selectors_of(page.document, odd, by="positions") if "o:p" in one] == []
    assert (
        len(candidates_module.candidates([page.document] * 2, [elements, elements]))
        == candidates_module.MOST_CANDIDATES
    )
    assert len(written) < 2 * 600 * 200


def test_a_site_is_read_at_its_address_or_in_the_folder_that_it_was_saved_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_public", lambda _: True)
    monkeypatch.setattr(whole_site_pages, "Loading", partial(Loading, delay=0.001))
    with ManualSite() as manual:
        address, folder = f"{manual.base}/manual/", tmp_path / "saved"
        save_site(address, folder, Loading(delay=0.001), Choice(), lambda _: None)
        written = list[dict[str, bytes]]()
        for command, given in (("rules", address), ("rules", str(folder)), ("records", address)):
            manual.requests.clear()
            out = tmp_path / f"{command}{len(written)}"
            assert main([command, given, "-o", str(out)]) == 0
            assert len(manual.paths) == (len(manual.texts) + 2 if given == address else 0)
            written.append({file.name: file.read_bytes() for file in out.iterdir()})
        rules, rules_of_folder, records = written
        assert rules == rules_of_folder
        assert len(rules) > 1
        assert len(records) > 1
        manual.requests.clear()
        assert main(["check", str(tmp_path / "rules0"), address, "--most-pages", "7"]) == 0
        assert len(manual.paths) == 7 + 2


def test_links_that_are_left_on_a_private_network_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(whole_site_pages, "Loading", partial(Loading, delay=0.001))
    with ManualSite() as manual:
        manual.texts["/manual/"] = ("Start", "<nav><a href='/manual/gate'>Gate</a></nav>")
        assert main(["rules", f"{manual.base}/manual/", "-o", str(tmp_path / "out")]) == 0
    assert "and may act here: 1. To load these, add --all-links." in capsys.readouterr().out


def test_a_saved_page_has_author_date_and_price_where_other_pages_of_its_kind_state_them(tmp_path: Path) -> None:
    """One page lost the statements of its head, and another's are right in their own form."""

    def page(number: int) -> Page:
        url, text = story(number)
        head = f"<meta name=author content='Jo Marsh'><meta name=date content=2024-05-{number + 10}T08:00:00Z>"
        byline = f"<p class=card><span class=who>Jo Marsh</span><time datetime=2024-05-{number + 10}>May</time></p>"
        price = f"<b class=price>{number + 10},50 €</b>"
        head += f"<meta property=product:price:amount content={number + 10}.50>"
        head = "" if number == 3 else head
        return url, text.replace("<title>", f"{head}<title>").replace("</article>", f"{byline}{price}</article>")

    pages = stored(tmp_path, [page(number) for number in range(12)])
    assert main(["site", str(pages), "-o", str(tmp_path / "out")]) == 0
    rows = {row["url"]: row for row in map(json.loads, (tmp_path / "out/pages.jsonl").read_text().splitlines())}
    said = {number: rows[f"https://{SITE}/story{number}"] for number in (3, 4)}
    assert {number: (row["author"], row["published"], row["price"]) for number, row in said.items()} == {
        3: ("Jo Marsh", "2024-05-13", "13,50 €"),
        4: ("Jo Marsh", "2024-05-14T08:00:00+00:00", "14.50"),
    }


def test_inputs_without_pages_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    assert main(["rules", str(tmp_path / "empty.jsonl"), "-o", str(tmp_path / "out")]) == 1
    assert "no web page is in there" in capsys.readouterr().err
    assert main(["rules", SITE, "-o", str(tmp_path / "out")]) == 1
    assert f"https://{SITE}" in capsys.readouterr().err
    assert main(["check", str(tmp_path / "none.json"), str(tmp_path)]) == 1
