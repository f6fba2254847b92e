"""A rebuilt site: the built pages are the originals, new pages are right, and no text of a page runs anywhere."""

import csv
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from sitestencil.cli import main
from sitestencil.outputs.page_tree import page_tree
from sitestencil.page.parsing import parse
from sitestencil.rebuild.jinja_build import built
from sitestencil.rebuild.markdown_content import markdown_of
from sitestencil.rebuild.nodes import Pool
from sitestencil.rebuild.pages import _whole
from sitestencil.rebuild.proof import shape

SITE = "https://ropes.example"
KNOTS = "Bowline Sheet-bend Clove-hitch Reef Prusik Splice Lashing Becket Anchor Stopper Noose Whipping".split()
HOSTILE = "{{ 7 * 7 }} {% raw %} {{< x >}} {# a #}"
PIXEL = b"\x89PNG\r\n\x1a\n" + bytes(20)
MONTHS = ("January", "February", "March", "April")
AUTHORS = ("Jo Ahlers", "Mia Brook")


def page(section: str, number: int) -> str:
    """Return a page: its menu has an active item, its section a sidebar, its author a box, and its day a line."""
    knot, author = KNOTS[number % 12], AUTHORS[number % 2]
    items = "".join(
        f"<li class='{'item active' if name == section else 'item'}'><a href='/{name}/'>{name.title()}</a></li>"
        for name in ("knots", "news", "shop")
    )
    words = " ".join(KNOTS[(number * one + len(section)) % 12] for one in range(1, 60))
    side = {
        "knots": "<h3>Tools</h3><ul><li><b>Fid</b> and <i>marlinspike</i><li><b>Palm</b> and <i>needle</i></ul>",
        "news": "<h3>Archive</h3><ul><li><b>2023</b> and <i>older stories</i></ul>",
    }
    month, day = number % 4 + 1, f"2024-{number % 4 + 1:02}-{number + 1:02}"
    return (
        f"<!doctype html><html lang=en><head><title>{knot} {number} | Ropes</title>"
        f"<meta name=description content='All of {knot} {number}'><meta name=author content='{author}'>"
        f"<meta property=article:published_time content='{day}T10:00:00Z'>"
        f"<link rel=canonical href='{SITE}/{section}/{number}.html'><link rel=stylesheet href='/style.css'>"
        f"<script>alert({number})</script></head><body onload='start()'>"
        f"<header><a href='/'>Ropes and knots</a><ul class=menu>{items}</ul></header>"
        f"<p class=date><time datetime='{day}'>{MONTHS[month - 1]} {number + 1}, 2024</time></p>"
        f"<div class=columns><article id=story><h1>{knot} {number}</h1><p>{words}.</p><p>{HOSTILE} ---\n---\n</p>"
        f"<p><a href='/{section}/{(number + 1) % 9}.html' onclick='track()'>Next</a>"
        " <img src=/rope.png> <img src=/lost.png></p>"
        f"</article><aside class=sidebar>{side[section]}<p class=about>About {author}</p></aside></div>"
        "<footer>Harbour street 1, open daily</footer></body></html>"
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project of a stored site with two sections of nine pages."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "pages").mkdir()
    (folder / "site.json").write_text(json.dumps({"base_url": f"{SITE}/", "key_page": "knots/0.html"}))
    for section in ("knots", "news"):
        (folder / "pages" / section).mkdir()
        for number in range(9):
            (folder / "pages" / section / f"{number}.html").write_text(page(section, number))
    (folder / "pages" / "news" / "old.html").write_text(page("knots", 3))
    sheet = "@import 'https://elsewhere.example/x.css'; .menu { background: url(rope.png); behavior: url(x.htc) }"
    (folder / "pages" / "style.css").write_text(sheet)
    (folder / "pages" / "rope.png").write_bytes(PIXEL)
    output = folder / "project"
    assert main(["rebuild", str(folder), "-o", str(output), "--quiet"]) == 0
    return output


def files_of(project: Path) -> dict[str, str]:
    places = [
        one for name in ("layouts", "content", "data") for one in (project / name).rglob("*") if one.is_file()
    ]
    return {one.relative_to(project).as_posix(): one.read_bytes().decode() for one in places}


def proof_of(project: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((project / "proof.json").read_text())["summary"]
    return found


def test_each_built_page_is_its_original(project: Path) -> None:
    proof = proof_of(project)
    assert proof["pages"] == proof["equal trees"] == proof["equal titles"] == 18
    assert proof["links in the project"] > 18
    assert proof["broken links"] == 0


def test_pages_kept_from_learning_are_right_with_their_fields_alone(project: Path) -> None:
    proof = proof_of(project)
    assert proof["new pages"] >= 1
    assert proof["least F1 of new pages"] == 1.0


def test_the_build_writes_the_pages_that_were_proved(project: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(project / "build.py"), str(tmp_path)], check=True)
    html = (tmp_path / "knots" / "3.html").read_text()
    original = parse(page("knots", 3), f"{SITE}/knots/3.html")
    made = parse(html, f"{SITE}/knots/3.html")
    assert [tag for tag in original.tags if tag != "script"] == [*made.tags[:2], *made.tags[3:]]  # and a charset
    assert (tmp_path / "static" / "style.css").is_file()
    assert "../static/rope.png" in html


def test_the_build_without_jinja2_says_what_to_install(project: Path) -> None:
    done = subprocess.run([sys.executable, "-S", project / "build.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "jinja2 is missing. Run: pip install jinja2\n")


def test_a_page_stores_its_fields_and_its_main_content_alone(project: Path) -> None:
    _, head, main_content = (project / "content" / "news" / "4.html").read_text().split("---\n", 2)
    fields = {name: json.loads(value) for name, value in (line.split(": ", 1) for line in head.splitlines())}
    assert fields["title"] == "Prusik 4"
    assert fields["author"] == "Jo Ahlers"
    assert "slots" not in fields
    assert main_content.startswith("<p>Anchor Bowline")
    assert "Harbour street" not in main_content


def test_a_new_page_takes_what_its_section_and_author_tell(project: Path) -> None:
    files = files_of(project)
    kind = json.loads((project / "content/news/4.html").read_text().split("kind: ")[1].splitlines()[0])
    head = f'title: "A < B"\nauthor: "Mia Brook"\ndate: "2026-11-27"\nkind: "{kind}"\n'
    files["content/news/new.html"] = f"---\n{head}---\n<p>Mine.</p>"
    html = dict(built(files))["news/new.html"]
    assert "<title>A &lt; B | Ropes</title>" in html
    assert (
        '<li class="item active"><a href="../news/index.html">' in html
        or 'class="item active"><a href="https' in html
    )
    assert '<time datetime="2026-11-27">November 27, 2026</time>' in html
    assert "<b>2023</b> and <i>older stories</i>" in html
    assert "About Mia Brook" in html
    assert "<p>Mine.</p>" in html
    assert "marlinspike" not in html


def test_menus_and_lists_are_data(project: Path) -> None:
    files = files_of(project)
    menus = json.loads(files["data/menus.json"])
    assert menus == {
        "menu": {
            "each": {"class": "item"},
            "active": {"class": "item active"},
            "items": [{"link": f"{SITE}/{name}/", "text": name.title()} for name in ("knots", "news", "shop")],
        }
    }
    sections = json.loads(files["data/facets.json"])["kind-1"]["facets"]["section"]
    assert [{"text": "2023", "text_2": "older stories"}] in sections["news"].values()
    menus["menu"]["items"].append({"link": "@root/news/new.html", "text": "<b>New</b>"})
    files["data/menus.json"] = json.dumps(menus)
    files["content/news/new.html"] = (
        '---\ntitle: "New"\nkind: "kind-1"\nslots: {"menu": "@root/news/new.html"}\n---\n'
    )
    pages = dict(built(files))
    assert '<li class="item active"><a href="../news/new.html"><b>New</b></a></li></ul>' in pages["news/new.html"]
    assert '<li class="item"><a href="../news/new.html"><b>New</b></a></li></ul>' in pages["knots/3.html"]


def test_the_header_is_a_file_of_its_own(project: Path) -> None:
    assert "Ropes and knots" in (project / "layouts/partials/header.html").read_text()
    assert "Ropes and knots" not in (project / "layouts/base.html").read_text()


def test_a_page_of_an_unknown_kind_is_built(project: Path) -> None:
    files = files_of(project)
    files["content/odd.html"] = '---\ntitle: "Odd"\nkind: "no-such"\n---\n<p>Mine.</p>'
    assert "Harbour street 1" in dict(built(files))["odd.html"]


def test_no_script_and_no_code_of_a_page_is_left(project: Path) -> None:
    pages = dict(built(files_of(project)))
    for html in pages.values():
        assert "<script" not in html and "onload" not in html and "onclick" not in html
        assert "{{ 7 * 7 }} {% raw %}" in "".join(text.text for text in parse(html, SITE).texts)
    sheet = (project / "static" / "style.css").read_text()
    assert "behavior: " not in sheet.replace("x-behavior", "")
    assert 'url("rope.png")' in sheet
    for layout in (project / "layouts").rglob("*.html"):
        assert "7 * 7" not in layout.read_text()


def test_the_inventory_names_pages_that_nothing_links_to(project: Path) -> None:
    rows = list(csv.DictReader((project / "inventory.csv").read_text().splitlines()))
    assert len(rows) == 18
    assert all(row["scripts_left_out"] == "1" for row in rows)
    assert all(row["linked_from"] == "1" for row in rows)
    assert "kind-1" in (project / "new-page.md").read_text()


def test_files_that_are_missing_are_named_and_a_copy_leads_to_its_page(project: Path) -> None:
    inventory = (project / "inventory.html").read_text()
    assert f"<td>{SITE}/lost.png<td>not at hand" in inventory
    assert (project / "_redirects").read_text() == "/news/old.html /knots/3.html 301\n"
    assert 'aliases: ["/news/old.html"]\n' in (project / "content/knots/3.html").read_text()


def test_a_folder_with_files_and_a_site_without_pages_are_refused(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rebuild", str(project.parent), "-o", str(project)]) == 1
    assert "not empty" in capsys.readouterr().err
    assert main(["rebuild", str(tmp_path / "none"), "-o", str(tmp_path / "out")]) == 1
    assert "no such file" in capsys.readouterr().err


def test_trees_differ_by_an_attribute_or_a_word_and_not_by_white_space() -> None:
    def tree(html: str) -> list[object]:
        return shape(parse(html, SITE))

    assert tree("<p class='a  b'>One\n two") == tree("<p class='a b'>One two")
    assert tree("<p class=a>One") != tree("<p class=b>One") != tree("<p class=b>Two")


@pytest.mark.parametrize(
    ("generator", "install"),
    [
        ("hugo", "apt-get install hugo"),
        pytest.param("eleventy", "npm install -g @11ty/eleventy", marks=pytest.mark.nightly),
    ],
)
def test_a_generator_builds_the_same_pages(project: Path, tmp_path: Path, generator: str, install: str) -> None:
    if which(generator) is None:
        pytest.skip(f"{generator} is not installed: {install}")
    output = tmp_path / generator
    assert main(["rebuild", str(project.parent), "-o", str(output), "--for", generator, "--quiet"]) == 0
    proof = proof_of(output)
    assert proof["built by"] == generator
    assert proof["pages"] == proof["equal trees"] == 18
    assert proof["broken links"] == 0
    assert proof["least F1 of new pages"] == 1.0
    page = (output / "new-page.md").read_text().split("```\n")[1].replace('date: ""', 'date: "2099-05-01"')
    (output / "content/knots/new.html").write_text(page.replace('title: ""', 'title: "A new knot"'))
    subprocess.run([generator, "--quiet"], cwd=output, check=True)
    new = (output / "public/knots/new.html").read_text()
    assert "<p>The main content.</p>" in new and "A new knot" in new
    assert (output / "public" / "static" / "style.css").is_file()
    if generator == "hugo":
        assert "Ropes and knots" in (output / "layouts/partials/header.html").read_text()
        assert "/knots/3.html" in (output / "public/news/old.html").read_text()


def test_content_is_markdown_where_the_same_page_comes_back(project: Path, tmp_path: Path) -> None:
    generators = ["jinja", *filter(which, ("hugo",))]
    for generator in generators:
        output = tmp_path / generator
        options = ["--for", generator, "--content", "markdown", "--quiet"]
        assert main(["rebuild", str(project.parent), "-o", str(output), *options]) == 0
        proof = proof_of(output)
        assert proof["pages"] == proof["pages in Markdown"] == proof["equal trees"] == 18
        text = (output / "content" / "knots" / "3.md").read_text().split("---\n", 2)[2]
        assert '\n\n[Next](@root/knots/4.html) <img src="@root/static/rope.png">' in text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2>A *b* <em>c</em></h2><p>1. <code>x`y</code> [d]</p>", "## A \\*b\\* *c*\n\n1\\. ``x`y`` \\[d\\]\n"),
        ("<ul><li>One<li><strong>Two</strong></ul><hr>", "- One\n- **Two**\n\n___\n"),
        ("<p>One <b class=x>two *</b><br>three", 'One <b class="x">two \\*</b><br>three\n'),
        (
            "<div class=a><p>One of more words</p><p id=x>2</p></div>",
            '<div class="a">\n\nOne of more words\n\n<p id="x">2</p>\n\n</div>\n',
        ),
        ("<pre><code class=language-js>a &lt; b\n\n{ }\n</code></pre>", "```js\na < b\n\n{ }\n```\n"),
        ("<p>{{ x }}</p>", "&#123;{ x }}\n"),
        ("<p><code>{{ x }}</code>", None),
        ("Bare text<p>One</p>", None),
        ("<div><table><tr><td>1</table></div>", None),
        ("<p>One<p class=a>Two of many words, which Markdown has no way to say", None),
    ],
)
def test_markdown_says_what_it_can(html: str, text: str | None) -> None:
    tree = page_tree(parse(html, SITE), _whole(parse(html, SITE)), None)
    assert markdown_of(Pool().of(tree.body).children) == text


def test_without_the_generator_the_proof_says_what_built_the_pages(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitestencil.rebuild.programs.which", lambda _name: None)
    output = tmp_path / "hugo"
    assert main(["rebuild", str(project.parent), "-o", str(output), "--for", "hugo", "--quiet"]) == 0
    assert proof_of(output)["built by"] == "jinja, as hugo is not installed"
    assert (output / "hugo.toml").is_file()


def test_a_new_page_has_its_heading_and_shows_nothing_of_other_pages(tmp_path: Path) -> None:
    folder, output = tmp_path / "site", tmp_path / "project"
    (folder / "pages").mkdir(parents=True)
    (folder / "site.json").write_text(json.dumps({"base_url": f"{SITE}/", "key_page": "0.html"}))
    topics = ("splices", "bends", "hitches")
    texts = [" ".join(KNOTS[at * number % 12] for at in range(50)) for number in range(12)]
    for number, text in enumerate(texts):
        topic, other = topics[number * 7 % 12 // 4], KNOTS[number * 5 % 12]
        (folder / "pages" / f"{number}.html").write_text(
            f"<html><head><title>Ropes</title><link rel=shortlink href='/?p={number * 7919}'></head><body>"
            f"<header>Ropes and knots</header><div class=title>{KNOTS[number]} no. {number}</div>"
            f"<article id=story><p>{text}</p><p>Ropes of all kinds, {number}.</p></article>"
            f"<div class=topics>In <a rel=tag href='/{topic}/'>{topic}</a></div><ul class=pager>"
            f"<li class=prev><a href='/?p={number * 31}'>← {other} {number * 31}</a></li></ul>"
            "<footer>Harbour street 1, open daily</footer></body></html>"
        )
    assert main(["rebuild", str(folder), "-o", str(output), "--quiet"]) == 0
    assert proof_of(output)["equal trees"] == 12
    files = files_of(output)
    assert 'title: "Prusik no. 4"' in files["content/4.html"]
    files["content/new.html"] = '---\ntitle: "Long splice"\nkind: "kind-1"\n---\n<p>Mine.</p>'
    html = dict(built(files))["new.html"]
    assert "<title>Ropes</title>" in html
    assert '<div class="title">Long splice</div>' in html
    assert '<div class="topics">In </div><ul class="pager"></ul>' in html
    assert "shortlink" not in html
