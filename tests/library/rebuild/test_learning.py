"""What is learned from a kind's pages: rules for values, the container of the main content, and files at hand."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from sitestencil.cli import main
from sitestencil.crawl.limits import TimeIsUp
from sitestencil.outputs.page_tree import page_tree
from sitestencil.outputs.tree import elements
from sitestencil.page.parsing import parse
from sitestencil.rebuild import rebuilding
from sitestencil.rebuild.alignment import Alignment
from sitestencil.rebuild.facets import MENU, Rules, learned_rules
from sitestencil.rebuild.hugo import _content as hugo_content
from sitestencil.rebuild.main_container import Container, container_key, mark
from sitestencil.rebuild.nodes import ROOT, Node, Pool
from sitestencil.rebuild.pages import Page, _set_kinds, _whole
from sitestencil.rebuild.patterns import Option, Slot, Tag, slots_in
from sitestencil.rebuild.project import content_file, root_mark
from sitestencil.rebuild.static_files import LocalFiles, StaticFiles

SITE = "https://ropes.example"
KNOTS = ("bowline", "prusik", "becket", "reef")
PIXEL = b"\x89PNG\r\n\x1a\n" + bytes(20)


def pages_of(count: int) -> dict[int, dict[str, str]]:
    return {
        number: {
            "path": f"{'knots' if number % 2 else 'news'}/{number}.html",
            "title": f"Knot no. {number}",
            "address": f"{SITE}/{number}",
        }
        for number in range(count)
    }


def rules_of(values: Mapping[int, str | bool | None], *links: str) -> Rules:
    return learned_rules(pages_of(len(values)), {"slot": values}, {"slot"}, {"slot": links})


def test_a_slot_takes_the_rule_that_leaves_least_to_store() -> None:
    by_title = rules_of({number: f"Knot no. {number} | Ropes" for number in range(8)})
    assert by_title.patterns == {"slot": ("", "title", " | Ropes")}
    by_section = rules_of({number: "Tools" if number % 2 else "Older stories" for number in range(8)})
    assert by_section.facets.keys() == {"section"}
    by_link = rules_of({n: "active" if n == 3 else "" for n in range(8)}, f"{ROOT}knots/3.html")
    assert by_link.links == {"slot": {f"{ROOT}knots/3.html": "active"}}
    free = rules_of({number: "abcdefgh"[number] * 5 for number in range(8)})
    assert [rules.stored for rules in (by_title, by_section, by_link, free)] == [[], [], [], ["slot"]]


def test_a_new_page_of_no_known_section_has_no_active_item() -> None:
    pages = {
        number: {"path": f"{'knots' if number < 9 else 'news'}/{number}.html", "address": f"{SITE}/{number}"}
        for number in range(12)
    }
    active = {number: "@root/knots/" if number < 9 else "@root/news/" for number in pages}
    rules = learned_rules(pages, {"menu": active}, {"menu"}, {}, {"menu": MENU})
    told = {path: rules.values({"path": path})["menu"] for path in ("new.html", "knots/new.html", "news/new.html")}
    assert told == {"new.html": "", "knots/new.html": "@root/knots/", "news/new.html": "@root/news/"}
    assert rules.stored == []


def test_a_new_page_has_its_own_heading_and_no_other_pages_price() -> None:
    titles = {number: f"<b>Knot</b> no. {number}" for number in range(12)}
    prices = {number: "$479" if number in {1, 3} else f"${number * 7919}" for number in range(12)}
    tags = {number: f"<a>{'rope' if number > 3 else KNOTS[number]}</a>" for number in range(12)}
    rules = learned_rules(pages_of(12), {"heading": titles, "price": prices, "tags": tags}, set(), {})
    new = rules.values({"path": "knots/new.html", "title": "Splice & whip", "address": f"{SITE}/new"})
    assert (new["heading"], new["price"], new["tags"]) == ("Splice &amp; whip", "", "")
    assert rules.stored == ["heading", "price", "tags"]


def test_a_new_page_has_the_classes_that_most_pages_have_and_no_empty_attribute() -> None:
    slots: dict[str, dict[int, str | bool | None]] = {
        "class": {number: f"page page-{number * 7919} {'wide' if number % 3 else 'slim'}" for number in range(9)},
        "image": {number: f"{number * 7919}.png" for number in range(9)},
    }
    rules = learned_rules(pages_of(9), slots, {"class", "image"}, {}, {"class": "class", "image": "src"})
    assert rules.defaults == {"class": "page wide", "image": None}


@pytest.mark.parametrize(
    ("form", "new"),
    [
        ("{day:02}/{month:02}/{year}", "07/11/2026"),
        ("On {month}/{day}/{year}.", "On 11/7/2026."),
        ("{day}. {german} {year} um 9 Uhr", "7. Nov. 2026 um 9 Uhr"),
        ("{year}-{month:02}-{day:02} ({english} {day}, {year})", "2026-11-07 (November 7, 2026)"),
    ],
)
def test_a_date_shows_in_the_form_of_its_kind(form: str, new: str) -> None:
    pages, values = pages_of(12), dict[int, str | bool | None]()
    german, english = "Jan. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.".split(), ["January", "November"]
    for number, page in pages.items():
        day, month = number + 2, number % 2 * 10 + 1
        page["date"] = f"2024-{month:02}-{day:02}T10:00:00Z"
        names = {"german": german[month - 1], "english": english[number % 2]}
        values[number] = form.format(year=2024, month=month, day=day, **names)
    rules = learned_rules(pages, {"slot": values}, {"slot"}, {})
    assert rules.stored == []
    assert rules.values({**pages[0], "date": "2026-11-07"})["slot"] == new


def test_a_value_that_others_hold_is_stored_once() -> None:
    ids = {number: f"x{number * 7919}" for number in range(8)}
    slots = {"id": ids, "link": {number: f"/?p={one}#top" for number, one in ids.items()}}
    rules = learned_rules(pages_of(8), slots, {"id", "link"}, {})
    assert rules.stored == ["id"]
    assert rules.copies == {"link": ("/?p=", "id", "#top")}
    assert rules.values(pages_of(8)[2], {"id": "x1"})["link"] == "/?p=x1#top"


def test_a_value_is_no_copy_where_another_rule_leaves_less_to_store() -> None:
    pages = {n: {**page, "author": "Jo" if n < 8 else "Mia"} for n, page in pages_of(10).items()}
    first = {n: "rope" if n < 9 else "twine" for n in pages}
    second = {n: "rope" if n < 8 else "a rather long text" for n in pages}
    rules = learned_rules(pages, {"first": first, "second": second}, {"first", "second"}, {})
    assert rules.copies == {}
    assert rules.facets["author"]["Mia"]["second"] == "a rather long text"


def node_of(pool: Pool, html: str) -> Node:
    tree = page_tree(parse(html, SITE), _whole(parse(html, SITE)), None)
    return pool.of(next(one for one in elements(tree.body) if one is not tree.body))


def test_what_pages_share_stays_and_what_differs_is_a_slot() -> None:
    pool = Pool()
    texts = [
        f"<div class=box><ul><li>Home<li>Shop</ul>{'<hr>' * (number % 3 > 0)}<p id=p>{number} knots</p></div>"
        for number in range(6)
    ]
    parts = Alignment(holds_hole=False).of({n: (node_of(pool, text),) for n, text in enumerate(texts)})
    (box,) = parts
    assert isinstance(box, Tag)
    assert isinstance(box.children[0], Node)  # the list is the same everywhere
    assert isinstance(box.children[1], Option)
    assert [slot.form for slot in slots_in(parts)] == ["present", "html"]
    assert [slot.values[0] for slot in slots_in(parts)] == [False, ("0 knots",)]
    assert all(isinstance(slot, Slot) for slot in slots_in(parts))


def test_an_item_stands_for_the_one_with_its_link_where_neighbours_are_active() -> None:
    pool, words = Pool(), "Home Knots News Shop Maps Clubs".split()
    menus = [
        "".join(
            f"<li class={'on' if at == active else 'off'}><a href=/{word}>{word}</a>"
            for at, word in enumerate(words)
        )
        for active in (2, 3)
    ]
    parts = Alignment(holds_hole=False).of(
        {n: (node_of(pool, f"<ul>{menu}</ul>"),) for n, menu in enumerate(menus)}
    )
    assert [(slot.attribute, slot.values) for slot in slots_in(parts)] == [
        ("class", {0: "on", 1: "off"}),
        ("class", {0: "off", 1: "on"}),
    ]


def test_the_container_is_the_deepest_that_most_pages_have() -> None:
    def chain(*names: str) -> list[Container]:
        keys = [("html", "body", *names[: end + 1]) for end in range(len(names))]
        return [Container(key, (0,)) for key in keys]

    pages = [chain("main", "article", "div")] + [chain("main", "article")] * 4 + [[]]
    assert container_key(pages) == ("html", "body", "main", "article")
    assert container_key([[], []]) is None


def test_the_number_and_the_topics_of_a_page_are_no_part_of_a_containers_mark() -> None:
    articles = ("id=post-82 class='post post-82 rope'", "id=post-7 class='post-7 post knot wide'", "class=post")
    pool = Pool()
    assert {mark(node_of(pool, f"<article {said}>A</article>")) for said in articles} == {"article.post"}
    assert mark(node_of(pool, "<div id=main-2 class='col h2'>A</div>")) == "div.col"


def test_a_header_that_pages_share_is_no_main_content_of_those_without_a_container() -> None:
    pool, key = Pool(), ("html", "body", "div")
    pages = list[Page]()
    for number in range(6):
        is_bare = number > 3
        text = f"Text {number} about knots and ropes"
        html = f"<div>Ropes</div>{text}" if is_bare else f"<div>{text}</div>"
        body = pool.node("body", "html", (), node_of(pool, f"<section>{html}</section>").children)
        root = pool.node("#page", "other", (), (pool.node("html", "html", (), (body,)),))
        pages.append(Page(number, SITE, f"{number}.html", root, {}, []))
        pages[-1].chain = [] if is_bare else [Container(key, (0, 0, 0, 0))]
    _set_kinds(pages, ["a"] * 6, pool)
    assert [page.kind for page in pages] == ["kind-1"] * 4 + ["other"] * 2
    assert [page.main is None for page in pages] == [False] * 4 + [True] * 2


def test_files_are_found_as_wget_names_them_and_only_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "ropes.example"
    folder.mkdir()
    (folder / "style.css@v=1.css").write_text(
        "a { background: url('../secret.png') } b { background: url(rope.png#knot) }"
    )
    (folder / "rope.png").write_bytes(PIXEL)
    (folder / "page.png").write_text("<script>no picture</script>")
    (tmp_path / "secret.png").write_bytes(PIXEL)
    files = StaticFiles(LocalFiles(folder).read)
    assert files.path(f"{SITE}/style.css?v=1") == "static/style.css"
    assert files.path(f"{SITE}/page.png") is None
    assert files.path(f"{SITE}/..%2fsecret.png") is None
    assert set(files.contents) == {"static/style.css", "static/rope.png"}
    assert b'url("rope.png#knot")' in files.contents["static/style.css"]


def test_no_text_of_a_page_is_the_mark_of_the_root_or_ends_its_fields() -> None:
    assert root_mark(["a @root/b"]) == "@root1/"
    fields = {"title": 'A "b"\n---\nkind: x\u2028', "description": "", "date": "", "author": "", "language": ""}
    root = Pool().node("#page", "other", (), ())
    page = Page(0, SITE, "a.html", root, fields, [], main=("{{< x >}}",))
    text = content_file(page, {"slot": "\u0085"})
    _, head, content = text.split("---\n", 2)
    assert [line.partition(":")[0] for line in head.splitlines()] == ["title", "kind", "slots"]
    assert content == "&#123;{&lt; x &gt;}}"


@pytest.mark.parametrize("main_content", ["", "<p>One</p>\n"])
def test_hugo_keeps_content_that_is_empty_or_ends_with_space(main_content: str) -> None:
    text = f'---\ntitle: "A"\ndate: "2024-05-03"\nkind: "other"\n---\n{main_content}'
    ((path, made),) = hugo_content("content/knots/index.html", text).items()
    assert path == "content/knots/page-index.html"
    head = 'stated_date: "2024-05-03"\nkind: "other"\nlayout: "other"\nurl: "/knots/index.html"\n'
    assert made.endswith(f"{head}---\n{main_content}<!-- end -->")


def test_learning_that_takes_too_long_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def endless(_pages: object) -> None:
        raise TimeIsUp

    (tmp_path / "site.json").write_text(f'{{"base_url": "{SITE}/", "key_page": "a.html"}}')
    (tmp_path / "pages").mkdir()
    for name in "ab":
        (tmp_path / "pages" / f"{name}.html").write_text(f"<title>{name}</title><main><p>A text of {name}</main>")
    monkeypatch.setattr(rebuilding, "learned_model", endless)
    assert main(["rebuild", str(tmp_path), "-o", str(tmp_path / "out"), "--quiet"]) == 1
    assert "--most-pages" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
