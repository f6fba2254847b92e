"""The main content: what a reader came for, and not what stands around it."""

from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest
from tests.support.judged_pages import all_content
from tests.support.tables import table

from sitestencil import extract, parse
from sitestencil.cli import main
from sitestencil.content.choice import choose_blocks, chosen_blocks, confidence_of
from sitestencil.content.context import layout_of
from sitestencil.content.features import FEATURES, feature_columns
from sitestencil.content.frame import sure_template
from sitestencil.content.main_content import MOST_BLOCKS, find_main_content
from sitestencil.content.model import shipped_content_model
from sitestencil.content.page_measures import PageMeasures
from sitestencil.content.parts import units_of
from sitestencil.crawl.in_memory import contents
from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.pages import PageContent
from sitestencil.detectors.detection import Detection, Doubt
from sitestencil.outputs.plain_text import document_text
from sitestencil.page.document import Document, TextRun
from sitestencil.reading.blocks import text_blocks
from sitestencil.template import Template

HOME = "https://harbour.example/"
MENU = "<nav><ul><li><a href=/>Home</a><li><a href=/ropes>Ropes</a><li><a href=/visit>Visit us</a></ul></nav>"
FOOTER = "<footer><p>Harbour street 1, open from nine to five. All rights reserved.</footer>"
STORY = (
    "The bridge over the old harbour was closed for a week, because two of its ropes had worn thin in the winter "
    "storms. The council says that new ropes will be hung before the summer, and that boats may pass again today."
)


def picture(number: int) -> str:
    return f"<img src=bridge{number}.jpg alt='The bridge on day {number}'>"


def page(number: int) -> str:
    words = STORY.split()
    told = [" ".join(words[number * part % 30 :] + words[: number * part % 30]) for part in range(2, 4 + number)]
    paragraphs = "".join(f"<p>{number}.{part}. {text}" for part, text in enumerate(told))
    teasers = "".join(
        f"<li><a href=/story/{number}{other}>Another story, {number} and {other}</a>" for other in range(6)
    )
    return (
        f"<title>Bridge closed {number}</title>{MENU}<main><article><h1>Bridge closed {number}</h1>{paragraphs}"
        f"{picture(number)}</article><aside class='related teaser'>"
        f"<h3>Most read today</h3><ul>{teasers}</ul><img src=advert.jpg></aside></main>{FOOTER}"
    )


PAGES = {f"{HOME}story/{number}": page(number) for number in range(2, 7)}


def names_of(seed: int, count: int = 75) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    numbers = range(seed * count, (seed + 1) * count)
    return " ".join("".join(letters[n // 26**place % 26] for place in range(4)) for n in numbers)


@pytest.fixture(scope="module")
def story() -> Template:
    return extract(page(1), url=f"{HOME}story/1", pages=PAGES)


@pytest.fixture(scope="module")
def alone() -> Template:
    return extract(page(1), url=f"{HOME}story/1", pages={})


@pytest.mark.parametrize("name", ["story", "alone"])
def test_the_text_is_the_story_without_menu_footer_and_teasers(name: str, request: pytest.FixtureRequest) -> None:
    text = request.getfixturevalue(name).content_text()
    assert [line[:3] for line in text.splitlines()] == ["Bri", "1.0", "1.1", "1.2"]


def test_what_is_around_is_content_and_comes_when_it_is_asked_for(story: Template) -> None:
    text = story.content_text(around=True)
    assert "Another story, 1 and 5" in text
    assert "Harbour street" not in text
    assert "Another story" not in story.content_markdown() + story.content_html()
    assert "Another story" in story.content_markdown(around=True)
    assert "Another story" in story.content_html(around=True)


def test_each_element_is_template_main_or_around(story: Template) -> None:
    tags = story.document.tags
    verdicts = {tag: story.verdict(tags.index(tag)) for tag in ("nav", "footer", "h1", "article", "a")}
    assert verdicts == {
        "nav": "template",
        "footer": "template",
        "h1": "main",
        "article": "template",
        "a": "template",
    }
    teaser = [element for element, tag in enumerate(tags) if tag == "a"][-1]
    assert story.verdict(teaser) == "around"
    assert {line[0] for line in story.to_reasons().splitlines()} == {"T", "M", "A"}


def test_the_template_does_not_depend_on_the_main_content(story: Template) -> None:
    assert story.elements == story.detection.template
    assert "Another story" not in story.to_html()


def test_a_picture_goes_with_the_text_around_it(story: Template) -> None:
    images = [element for element, tag in enumerate(story.document.tags) if tag == "img"]
    assert [story.verdict(image) == "main" for image in images] == [True, False]


def test_main_content_is_no_template_where_pages_were_compared(story: Template) -> None:
    main, detection = story.main, story.detection
    assert not any(is_main and detection.template[e] for e, is_main in enumerate(main.elements))
    texts = zip(main.texts, story.document.texts, detection.template_texts, strict=True)
    assert not any(is_main and detection.template[run.parent] and template for is_main, run, template in texts)


def test_the_answer_says_how_sure_it_is_and_where_the_main_content_stands(story: Template) -> None:
    answer = story.to_dict()
    article = story.document.tags.index("article")
    assert 0.9 < answer["main_confidence"] <= 1
    assert answer["main"] == [[article + 1, story.document.ends[article]]]
    assert story.main_text_ranges() == []


def test_selectors_name_the_main_content_or_all_content(story: Template) -> None:
    assert story.selectors().content == ("h1", "article > p")
    assert set(story.selectors().content) < set(story.selectors(around=True).content)


@pytest.fixture(scope="module")
def told() -> Template:
    """A story with all parts that have names."""
    html = page(1).replace(
        picture(1),
        f"<p class=byline>By Ann Sailor, reporter<p><time>on Monday</time><figure>{picture(1)}"
        "<figcaption>The bridge over the old harbour, before the winter storms</figcaption></figure>",
    )
    comment = "<div class=comment><img src=face.jpg><p>I crossed that bridge with my father each summer.</div>"
    html = html.replace("</article>", f"<section id=comments>{comment * 2}</section></article>")
    document = parse(html.replace("<main>", "<main class=comments-open>"), f"{HOME}story/1")
    return Template(document, Detection([False] * len(document), [False] * len(document.texts), ()))


def test_parts_have_names(told: Template) -> None:
    by_tag = dict(zip(told.document.tags, told.main.parts, strict=True))
    wanted = {"h1": "title", "time": "date", "figcaption": "captions", "section": "comments", "main": None}
    assert {tag: by_tag[tag] for tag in wanted} == wanted
    assert "byline" in told.main.parts
    assert "title" in told.to_dict()["parts"]


def test_parts_can_be_left_out(told: Template) -> None:
    assert not told.content_text(without=["title"]).startswith("Bridge closed 1")
    left = told.content_text(around=True, without=["title", "captions"])
    assert "Bridge closed 1" not in left
    assert "before the winter" not in left
    assert "my father" in left
    assert "my father" not in told.content_markdown(without=["comments"], around=True)
    assert "face.jpg" in told.content_html(around=True)
    assert "face.jpg" not in told.content_html(without=["comments"], around=True)


def test_the_command_leaves_parts_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text(page(1), encoding="utf-8")
    main(["extract", str(tmp_path / "page.html"), "--format", "text", "--without", "title, date"])
    assert "Bridge closed" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["extract", str(tmp_path / "page.html"), "--without", "nothing"])
    assert "'nothing' is none of title, byline" in capsys.readouterr().err


def test_of_few_words_nothing_is_around() -> None:
    document = parse("<ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul>bare words", HOME)
    main = find_main_content(document, Detection([False] * len(document), [False] * len(document.texts), ()))
    assert all(main.texts)


@table("html", ["", "<main><img src=a.jpg></main>", "<p hidden>Nothing is seen"])
def test_a_page_without_text_has_its_content_as_main_content(html: str) -> None:
    document = parse(html, HOME)
    content = [False] * len(document)
    main = find_main_content(document, Detection(content, [False] * len(document.texts), ()))
    assert list(main.elements) == [True] * len(document)
    assert main.confidence == 0


def chapters(count: int) -> str:
    items = "".join(f"<li><a href=/{number}>Chapter {number}</a><p>Its {number} words" for number in range(count))
    return f"<title>A book</title>{MENU}<main><ul>{items}</ul></main>{FOOTER}"


def test_a_list_of_many_chapters_is_judged_like_a_shorter_one() -> None:
    answer = extract(chapters(2_600), url=HOME, pages={f"{HOME}a": MENU, f"{HOME}b": MENU})
    assert len(text_blocks(answer.document)) > 5_000
    assert answer.content_text().count("Chapter") == 2_600
    assert answer.main.doubt is None


def test_beyond_the_bound_all_is_given_but_what_is_surely_template_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sitestencil.content.main_content.MOST_BLOCKS", 20)
    html = chapters(40)
    document = parse(html, HOME)
    texts = [float("Harbour street" in run.text) for run in document.texts]
    alone = Detection(
        [True] * len(document), [True] * len(texts), (), scores=[1.0] * len(document), text_scores=texts
    )
    template = Template(document, alone, "stencil")
    compared = Template(document, replace(alone, candidates=(f"{HOME}a",)), "stencil")
    for given in (template, compared):
        assert given.content_text().count("Chapter") == given.content_markdown().count("Chapter") == 40
        assert ("Harbour street" in given.content_text()) == (given is template)
        assert given.to_dict()["main_confidence"] == 0
        assert given.main.doubt is Doubt.TOO_MANY_BLOCKS
    assert "too many to judge" in template.to_reasons()
    file = tmp_path / "book.html"
    file.write_text(html)
    for form in ("text", "json"):
        assert main(["extract", str(file), "--format", form]) == 0
        said = capsys.readouterr()
        assert "Chapter 39" in said.out or form == "json"
        assert "too many to judge" in said.err
    (row,) = contents([CrawlPage(HOME, html.encode())])
    assert isinstance(row, PageContent)
    assert (row.text.count("Chapter"), row.fit) == (40, 0)


@table(
    "html",
    [
        "".join(f"<div class='{names_of(level)}'>" for level in range(400)) + "<p>word" * MOST_BLOCKS,
        f"<title>{names_of(0, 400_000)}</title>" + "<p>word other" * MOST_BLOCKS,
        f"<style>white-space{'a' * 199_000}</style><p>word",
        f"<style>{''.join(f'.c{one}{{white-space:pre}}' for one in range(8000))}</style>"
        + "<p class=x>word" * 20_000,
    ],
)
def test_a_hostile_page_takes_seconds_at_most(html: str) -> None:
    document = parse(html, HOME)
    content = Detection([False] * len(document), [False] * len(document.texts), ())
    start = process_time()
    find_main_content(document, content)
    assert process_time() - start < 30


def test_a_film_in_the_story_is_main_content_whatever_it_says_to_old_browsers() -> None:
    film = "<video src=/gale.mp4><p>Your browser plays no <a href=/gale.mp4>film</a></video>"
    story = page(1).replace("<img src=bridge1.jpg", f"{film}<img src=bridge1.jpg")
    assert "[gale.mp4](" in extract(story, url=f"{HOME}story/1", pages={}).content_markdown()


def test_hidden_text_in_the_midst_of_the_story_is_not_main_content() -> None:
    hidden = page(1).replace("<img src=bridge1.jpg>", "<div hidden>Secret words of nobody</div>")
    assert "Secret words" not in extract(hidden, url=f"{HOME}story/1", pages={}).content_text()


def test_the_choice_has_the_highest_expected_f1_of_all_choices() -> None:
    probabilities, sizes = [0.9, 0.1, 0.6, 0.45, 0.3], [30, 200, 10, 60, 5]
    chosen, confidence = choose_blocks(probabilities, sizes)

    def expected_f1(picked: list[bool]) -> float:
        common = sum(p * size for p, size, one in zip(probabilities, sizes, picked, strict=True) if one)
        size = sum(size for size, one in zip(sizes, picked, strict=True) if one)
        return 2 * common / (size + sum(map(float.__mul__, probabilities, map(float, sizes)))) if size else 0.0

    every = [[bool(number >> bit & 1) for bit in range(5)] for number in range(32)]
    assert chosen == max(every, key=expected_f1)
    assert confidence == pytest.approx(expected_f1(chosen))


def test_the_confidence_sees_gaps_lost_text_links_and_a_heading_alone() -> None:
    def sure(chosen: str, html: str = f"<h1>Bridge</h1>{f'<p>{STORY}' * 5}") -> float:
        document = parse(html, HOME)
        layout = layout_of(PageMeasures(document, text_blocks(document)))
        return confidence_of(0.9, [one == "x" for one in chosen], layout)

    whole = sure("xxxxxx")
    linked = f"<h1>Bridge</h1>{f'<p><a href=/>{STORY}</a>' * 5}"
    worse = {
        "gap": sure("xx-xxx"),
        "gaps": sure("x-x-xx"),
        "heading": sure("x-----"),
        "links": sure("xxxxxx", linked),
    }
    assert max(worse.values()) < whole < 1
    assert worse["gaps"] < worse["gap"]
    assert sure("------") == 0.9


def test_whole_structures_are_units_and_tables_for_layout_are_not() -> None:
    row = "<tr><td><div>insert</div><td><div>adds an element</div>"
    long = f"<tr><td><p>{'word ' * 61}<td><p>Menu"
    document = parse(f"<dl><dt>Built<dd>1764</dl><table>{row}{long}</table>", HOME)
    tags = document.tags
    units = units_of(PageMeasures(document, text_blocks(document)))
    assert [tags[unit] if unit >= 0 else None for unit in units] == ["dl", "dl", "tr", "tr", None, None]
    html = f"<table>{row}{row}</table><ul><li>Hemp<li>Nylon<ul><li>Braided</ul></ul>"
    html += "<pre><div>a</div><div>b</div></pre>"
    document = parse(f"{html}<figure><img><figcaption>A knot</figure><p>Text", HOME)
    units = units_of(PageMeasures(document, text_blocks(document)))
    found = [document.tags[unit] if unit >= 0 else None for unit in units]
    assert found == ["table"] * 4 + ["ul"] * 3 + ["pre"] * 2 + ["figure", None]
    row = "<div class=name>{}</div><div class=use>{}</div>"
    html = f"<section>{row.format('bend', 'ropes')}{row.format('hitch', 'posts')}</section>"
    html += "<fieldset><legend>Which?</legend><label>Hemp</label></fieldset>"
    document = parse(f"{html}<main>{row.format('a', 'b').replace('use', 'name') * 2}</main>", HOME)
    units = units_of(PageMeasures(document, text_blocks(document)))
    found = [document.tags[unit] if unit >= 0 else None for unit in units]
    assert found == ["section"] * 4 + ["fieldset"] * 2 + [None] * 4


def test_the_number_of_an_article_stays_between_what_it_parts() -> None:
    document = parse("<p>The keeper lights the lamp.<p>Article 24<p>Comments<p>The keeper answers.", HOME)
    layout = layout_of(PageMeasures(document, text_blocks(document)))
    assert layout.fillers == [False, True, False, False]


def test_blocks_are_lines_that_a_reader_sees() -> None:
    html = "<div>one <b>two</b><p>three</p>four<hr>five <a href=/>six</a></div><script>no</script><p>&mdash;<td>"
    blocks = text_blocks(parse(html, HOME))
    assert [(block.text, block.linked) for block in blocks] == [
        ("one two", 0),
        ("three", 0),
        ("four", 0),
        ("five six", 1),
    ]


def test_text_in_shadow_trees_and_frames_is_shown_where_their_elements_are() -> None:
    tags = ["html", "body", "x-y", "template", "p", "template", "p", "iframe", "html", "body", "p"]
    parents = [-1, 0, 1, 2, 3, 4, 5, 1, 7, 8, 9]
    attributes = [{"shadowrootmode": "open"} if tag == "template" else {} for tag in tags]
    texts = [TextRun(4, -1, "shadow"), TextRun(6, -1, "deeper"), TextRun(10, -1, "frame")]
    page = Document(HOME, HOME, tags, parents, attributes, texts)
    assert [block.text for block in text_blocks(page)] == ["shadow", "deeper", "frame"]
    assert document_text(page, all_content(page)) == "shadow\ndeeper\nframe\n"
    hidden = [{**each, "hidden": ""} if tags[e] in {"x-y", "iframe"} else each for e, each in enumerate(attributes)]
    assert text_blocks(replace(page, attributes=hidden)) == []


def test_each_feature_has_a_value_for_each_block(story: Template) -> None:
    blocks = text_blocks(story.document)
    measures = PageMeasures(story.document, blocks)
    columns = feature_columns(measures, shipped_content_model().names)
    assert len(columns) == len(FEATURES)
    assert {len(column) for column in columns} == {len(blocks)}


def test_blocks_have_what_a_control_opens_and_the_parentheses_of_readings() -> None:
    page = parse(
        "<button aria-expanded=false aria-controls=a>?</button><p id=a hidden>Opened</p><p hidden>No</p>"
        "<p style=visibility:hidden>No</p><p><ruby>綱<rp>(</rp><rt>つな</rt><rp>)</rp></ruby>",
        HOME,
    )
    assert [block.text for block in text_blocks(page)] == ["Opened", "綱(つな)"]


def test_code_stays_whole_where_other_pages_have_its_lines_and_a_heading_with_what_it_heads() -> None:
    lines = ["func Greet() {", "  if x {", "    return", "  }", "}"]
    code = "".join(f"<div class=line><span>{line}</span></div>" for line in lines)

    def manual(name: str, own: str) -> str:
        text = f"<p>How {name} is used, what {name} expects, and why the harbour needs {name} every day."
        menu = "<ul><li><a href=/a>Ropes</a><li><a href=/b>Knots</a><li><a href=/c>Tides</a></ul>"
        pre = f"<pre><code>{own}{code}</code></pre>"
        return f"<title>{name}</title>{menu}<main><h1>{name}</h1>{text * 3}{pre}{text * 2}</main>"

    names = ["ropes", "knots", "tides", "buoys"]
    own = {name: f"<div class=line><span>use {name}</span></div>" for name in names}
    pages = {f"https://manual.example/{name}": manual(name, own[name]) for name in names}
    template = extract("https://manual.example/ropes", pages=pages)
    assert "```\nuse ropes\n" + "\n".join(lines) + "\n```" in template.content_markdown()
    text = template.content_text()
    assert "use ropes\n" + "\n".join(lines) + "\n" in text
    assert "Knots" not in text


def lines_of(body: str, pages: dict[str, str] | None = None) -> list[str]:
    html = f"<title>Bridge closed</title>{MENU}{body}{FOOTER}"
    return extract(html, url=f"{HOME}story/1", pages=pages or {}).content_text().splitlines()


def test_a_list_of_written_addresses_belongs_to_the_story_and_a_list_of_labels_does_not() -> None:
    story = "".join(f"<p>{number}. {STORY}" for number in range(3))
    sources = [f"https://archive.example/{name}" for name in ("ropes", "storms", "council")]
    items = "".join(f"<li><a href={source}>{source}</a>" for source in sources)
    found = lines_of(f"<main><h1>Bridge closed</h1>{story}<h3>Sources</h3><ul>{items}</ul></main>")
    assert ["Sources", *sources] == [line.removeprefix("- ") for line in found[-4:]]
    items = "".join(f"<li><a href={source}>{source[-6:]} of today</a>" for source in sources)
    found = lines_of(
        f"<main><h1>Bridge closed</h1>{story}</main><div class=more><h3>More</h3><ul>{items}</ul></div>"
    )
    assert not any("of today" in line for line in found)


@pytest.mark.parametrize("price", ["€ 12.50", "1.299 kr", "£5", "450 CHF"])
def test_a_price_between_the_title_and_the_goods_is_not_left_out(price: str) -> None:
    goods = f"<ul><li>Hemp, three strands<li>Spliced by hand<li>Ten metres</ul><h2>Description</h2><p>{STORY}"
    found = lines_of(f"<main><div><h1>Bridge rope</h1><div><div>{price}</div></div>{goods}</div></main>")
    assert found[:2] == ["Bridge rope", price]


def test_a_table_of_values_between_the_paragraphs_is_not_left_out() -> None:
    """It stands in boxes of its own, under a button that opens it."""
    boxes = "<div class=container-fluid><div class=container><div class=row>"
    rows = "".join(f"<tr><th>{name}<td>{value}" for name, value in (("Density", "0.67 kg/l"), ("Boiling", "-24 C")))
    table = f"{boxes}<div><button>Table</button><div><div><table>{rows}</table></div></div></div></div></div></div>"
    part = f"{boxes}<div><h2>Ropes</h2><p>{STORY}<p>{STORY}</div></div></div></div>"
    found = lines_of(f"<div><h1>Bridge closed</h1>{part}{table}{part}{part}</div>")
    assert found[4:6] == ["Density\t0.67 kg/l", "Boiling\t-24 C"]


def test_an_open_dialog_shows_its_text_and_a_closed_one_does_not() -> None:
    page = parse("<p>a<dialog open><p>b</dialog><dialog><p>no</dialog>", "https://site.example/")
    assert [block.text for block in text_blocks(page)] == ["a", "b"]


@pytest.mark.parametrize("overlay", ["div class=gdpr-notice", "section id=modal", "div role=alertdialog"])
def test_what_lies_over_the_page_is_left_out_unless_it_is_all_there_is(overlay: str) -> None:
    notice = (
        "<h2>Before you go on</h2><p>We and our partners store what you read here, and sell it on to others who"
    )
    notice = f"<{overlay}>{notice} may show you more of the same later, unless you say now that you disagree.</p>"
    notice += f"</{overlay.split(maxsplit=1)[0]}>"
    story = f"<main><article><h1>Bridge closed</h1><p>{STORY}<p>{STORY[::-1]}</article></main>"
    assert not any("partners" in line for line in lines_of(notice + story))
    titled = f"<{overlay}><h1>Bridge closed</h1><p>{STORY}</p></{overlay.split(maxsplit=1)[0]}>"
    assert any("worn thin" in line for line in lines_of(titled))


def test_a_shadow_tree_that_no_other_page_has_is_judged_by_its_own_text() -> None:
    inside = f"<template shadowrootmode=open><h2>Ropes</h2><p>{STORY}</p><slot></slot></template>"

    def story(name: str, tree: str = "") -> str:
        own = f"<p>{names_of(len(name), 30)}</p>"
        host = "the-story" if tree else "div"
        return f"<main><h1>{name}</h1><{host}>{tree}{own}</{host}></main>"

    pages = {f"{HOME}{name}": f"{MENU}{story(name)}{FOOTER}" for name in ("tide", "storm", "harbour")}
    found = lines_of(story("Bridge closed", inside), pages)
    assert found[:2] == ["Bridge closed", "Ropes"]
    assert STORY in found[2]
    assert not any("Harbour street" in line for line in found)


def test_the_line_ends_between_the_elements_of_code_stay_in_text_and_crawls() -> None:
    lines = ["moor(boat)", "for rope in ropes:", "    splice(rope)", "cast_off()"]
    code = "\n".join(f"<b hidden>{number}</b><span>{line}</span>" for number, line in enumerate(lines))
    html = f"<title>Mooring</title>{MENU}<main><h1>Mooring</h1><p>{STORY}<pre>{code}</pre><p>{STORY}</main>{FOOTER}"
    (crawled,) = contents([(HOME, html)])
    assert isinstance(crawled, PageContent)
    for text in (extract(html, url=HOME, pages={}).content_text(), crawled.text):
        found = [line.strip() for line in text.splitlines()]
        assert found[2:-1] == [line.strip() for line in lines]


def test_texts_of_a_learned_template_are_as_sure_as_their_elements() -> None:
    document = parse("<nav>Menu</nav><p>A story<p>A third one", HOME)
    template = [tag != "p" for tag in document.tags]
    scores = [0.9 if tag != "p" else 0.7 for tag in document.tags]
    detection = Detection(template, [True, False, False], ("https://harbour.example/a",), scores)
    blocks = text_blocks(document)
    assert sure_template(document, blocks, detection) == [True, False, False]
    assert sure_template(document, blocks, replace(detection, scores=[0.8] * len(scores))) == [False] * 3
    assert sure_template(document, blocks, replace(detection, candidates=())) == [False] * 3


def dish(number: int) -> str:
    """A page whose headings and labels recur on all pages of its kind, within words of its own."""
    own = " ".join(names_of(number, 40).split())
    rows = "".join(f"<li>{word}</li>" for word in own.split()[:6])
    steps = "".join(f"<li>{part}</li>" for part in (own[:90], own[60:150], own[30:120]))
    return (
        f"<main><h1>{own[:24]}</h1><p>{own}</p><h2>Ingredients</h2><ul>{rows}</ul><h2>Method</h2><ol>{steps}</ol>"
        f"<h2>Notes</h2><p>{own[::-1]}</p></main>"
    )


def test_other_pages_take_away_nothing_within_the_words_that_the_page_alone_keeps() -> None:
    pages = {f"{HOME}{number}": f"{MENU}{dish(number)}{FOOTER}" for number in range(1, 8)}
    alone, compared = (lines_of(dish(9), known) for known in ({}, pages))
    assert {"Ingredients", "Method", "Notes"} <= set(alone)
    assert compared == alone


def test_labels_with_values_are_a_unit_whatever_their_elements() -> None:
    facts = "".join(f"<span><b>{label}</b><br><i>x</i></span>" for label in ("Where", "Price"))
    pairs = "".join(
        f"<div><div>{label}</div><div>{label} of it</div></div>" for label in ("Where", "Price", "Level")
    )
    page = parse(f"<title>Buoys</title><h1>Buoys</h1><div>{pairs}</div><p>{STORY}</p><p>{facts}", HOME)
    units = units_of(PageMeasures(page, text_blocks(page)))
    assert [unit >= 0 for unit in units] == [False] + 6 * [True] + (len(units) - 7) * [False]
    text = extract(
        f"<title>Buoys</title>{MENU}<h1>Buoys</h1><div>{pairs}</div><p>{STORY}</p>{FOOTER}", url=HOME, pages={}
    )
    assert "Where\nWhere of it\nPrice\n" in text.content_text()


@pytest.mark.parametrize("end", [0, 4])
@pytest.mark.parametrize(
    "facts",
    [
        "<dl><dt>When</dt><dd>Friday</dd><dt>Where</dt><dd>Old mole</dd></dl>",
        "<aside><p><b>When:</b> Friday</p><p><b>Where:</b> Old mole</p></aside>",
        "<aside><h2>When</h2><p>Friday</p><h2>Where</h2><p>Old mole</p></aside>",
        "<ul>" + "".join(f"<li><i>{one}</i> <i>coins</i>" for one in ("Friday", "Old mole")) + "</ul>",
    ],
)
def test_facts_beside_the_text_stay_in_any_markup(facts: str, end: int) -> None:
    text = [f"<p>{number}. {STORY}" for number in range(4)]
    body = "".join([*text[:end], facts, *text[end:]])
    html = f"<title>Lamps</title>{MENU}<main><h1>Lamps</h1>{body}</main>{FOOTER}"
    written = extract(html, url=HOME, pages={}).content_text()
    assert "Friday" in written
    assert "Old mole" in written


def chosen_of(html: str, probabilities: list[float]) -> str:
    document = parse(html, HOME)
    blocks = text_blocks(document)
    layout = layout_of(PageMeasures(document, blocks))
    chosen = chosen_blocks(probabilities, layout, 0, [False] * len(blocks))
    return " ".join(block.text for block, is_chosen in zip(blocks, chosen, strict=True) if is_chosen)


def test_inserts_in_a_text_go_and_so_does_a_heading_of_nothing() -> None:
    text, more = f"{STORY} {STORY}", "Read more: <a href=/b>the other bridge of the town</a>"
    html = f"<h1>Lamps</h1><p>{text}<p>{more}<p>{text}<p>Like us<h2>See also</h2><ul><li><a href=/c>C</a></ul>"
    assert chosen_of(html, [0.9, 0.95, 0.9, 0.95, 0.5, 0.7, 0.01]) == f"Lamps {text} {text}"


def test_a_price_and_the_line_beside_it_stay_below_the_title() -> None:
    html = f"<h1>Lamp</h1><p>48.00 €<p>In stock<p><a href=/>Back</a><p>{STORY}"
    assert chosen_of(html, [0.9, 0.2, 0.2, 0.2, 0.95]) == f"Lamp 48.00 € In stock {STORY}"


@pytest.mark.parametrize("count", [1, 3])
def test_versions_of_a_page_take_away_nothing(count: int) -> None:
    text = "".join(f"<p>{part}. {STORY}" for part in range(5))

    def version(number: int) -> str:
        own = f"<h1>Bridge</h1>{text}<p>Since release {number} it swings."
        return f"<title>Bridge</title>{MENU}<main>{own}</main>{FOOTER}"

    pages = {f"{HOME}v/{number}": version(number) for number in range(count)}
    alone = lines_of(version(9))
    assert alone[1].startswith("0. The bridge")
    assert lines_of(version(9), pages) == alone
    crawled = next(contents([(f"{HOME}v/9", version(9)), *pages.items()]))
    assert isinstance(crawled, PageContent)
    assert "0. The bridge" in crawled.text


def test_the_name_of_the_site_is_not_the_title_of_its_page() -> None:
    brand = "<header><a href=/>Harbour Almanac</a></header>"
    html = (
        f"<title>Scene 2 - Harbour Almanac</title>{brand}{MENU}<main><h1>Scene 2</h1><p>{STORY}</p></main>{FOOTER}"
    )
    assert extract(html, url=HOME, pages={}).content_text().startswith("Scene 2\n")


def test_the_label_of_a_box_stays_with_what_stands_in_it() -> None:
    box = "<div><div><div>Warning</div></div><div><p>Never open it.</p></div></div>"
    page = parse(f"<main><h1>Locks</h1><p>Lead</p>{box}<p>{STORY}</p><p>Aside</p><p>{STORY}</p></main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    chosen = chosen_blocks([0.9, 0.9, 0.35, 0.9, 0.99, 0.35, 0.99], layout, 0, [False] * 7)
    assert chosen == [True, True, True, True, True, False, True]


@table(("between", "stays"), [(1, True), (2, False)])
def test_a_heading_of_nothing_goes_and_one_above_the_words_of_a_picture_stays(between: int, stays: bool) -> None:
    lines = "<p>Photo by A" * between
    page = parse(f"<main><h1>Locks</h1><p>{STORY}<h2>Step one</h2>{lines}<p>{STORY}</main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    chosen = chosen_blocks([0.9, 0.99, 0.7, *[0.1] * between, 0.99], layout, 0, [False] * (4 + between))
    assert chosen[2] == stays


@table(("link", "stays"), [("<sup><a href=#n1>[1]</a></sup>", True), ("", False)])
def test_the_notes_that_a_kept_text_refers_to_stay(link: str, stays: bool) -> None:
    notes = "<h2>References</h2><ol><li id=n1>^ Port books, 1788<li id=n2>^ A letter, 1790</ol>"
    second = link.replace("1", "2")
    page = parse(f"<main><h1>Locks</h1><p>{STORY}{link}<p>{STORY}{second}</main><div>{notes}</div>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    chosen = chosen_blocks([0.9, 0.99, 0.99, 0.3, 0.2, 0.2], layout, 0, [False] * 6)
    assert set(chosen[3:]) == {stays}


def test_a_note_is_told_where_an_element_goes_on_behind_another_one() -> None:
    links = "".join(f"<sup><a href=#n{number}>[{number}]</a></sup>" for number in (1, 2))
    notes = "<ol><li id=n1>^ Port books<li id=n2>^ A letter</ol>"
    page = parse(f"<main>Before<p>{STORY}{links}</p>{notes}<h2>More</h2>Behind</main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    assert list(layout.notes) == [-1, -1, 1, 1, -1, -1]


@table(("link", "stays"), [("", True), ("<a href=/x>x y z</a>", False)])
def test_a_table_of_facts_above_the_text_stays_unless_most_of_it_are_links(link: str, stays: bool) -> None:
    rows = f"<tr><th>Opened<td>{link or '1788'}<tr><th>Length<td>{link or '40 m'}"
    page = parse(f"<main><h1>Locks</h1><p>A lock<table>{rows}</table><p>{STORY}<p>{STORY}</main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    chosen = chosen_blocks([0.9, 0.05, 0.3, 0.3, 0.99, 0.99], layout, 0, [False] * 6)
    assert chosen == [True, False, stays, stays, True, True]


@table(("probability", "stays"), [(0.06, True), (0.04, False)])
def test_a_heading_between_kept_blocks_stays_unless_it_is_hardly_content(probability: float, stays: bool) -> None:
    page = parse(f"<main><h1>Locks</h1><p>{STORY}</p><h2>Name</h2><p>{STORY}</p></main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    assert chosen_blocks([0.9, 0.99, probability, 0.99], layout, 0, [False] * 4)[2] == stays


@table(("end", "probability", "stays"), [(".", 0.85, True), ("", 0.85, False), (".", 0.7, False)])
def test_a_line_of_links_in_a_text_stays_as_a_likely_sentence(end: str, probability: float, stays: bool) -> None:
    line = f"First <a href=/lock>close the lower gates of the lock</a>{end}"
    page = parse(f"<main><h1>Locks</h1><p>{STORY}</p><p>{line}</p><p>{STORY}</p></main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    assert chosen_blocks([0.9, 0.99, probability, 0.99], layout, 0, [False] * 4)[2] == stays


@table(
    ("items", "probability", "stays"),
    [
        ("<li><a href=/c>Ice</a>", 0.55, False),
        ("<li><a href=/c>Ice</a>", 0.65, True),
        ("", 0.55, True),
        ("<li>Ropes", 0.55, True),
    ],
)
def test_a_list_of_links_in_a_text_is_left_with_its_heading_unless_it_is_likely(
    items: str, probability: float, stays: bool
) -> None:
    links = f"<h3>More</h3><ul><li><a href=/a>Fog at the mole</a><li><a href=/b>A bell</a>{items}</ul>"
    page = parse(f"<main><h1>Locks</h1><p>{STORY}</p>{links}<p>{STORY}</p></main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    inside = [probability] * (len(layout.sizes) - 3)
    chosen = chosen_blocks([0.9, 0.99, *inside, 0.99], layout, 0, [False] * len(layout.sizes))
    assert set(chosen[2:-1]) == {stays}


@table(
    ("lines", "probability", "stays"),
    [("<p>a<p>b<p>c<p>d", 0.35, True), ("<p>a<p>b", 0.35, False), ("<p>a<p>b<p>c<p>d", 0.25, False)],
)
def test_the_line_that_ends_a_box_stays_with_all_else_of_it(lines: str, probability: float, stays: bool) -> None:
    page = parse(f"<main><h1>Locks</h1><p>{STORY}</p><div>{lines}<p>Exeunt.</div><p>Aside</p></main>", HOME)
    layout = layout_of(PageMeasures(page, text_blocks(page)))
    inside = [0.9] * (len(layout.sizes) - 4)
    chosen = chosen_blocks([0.9, 0.99, *inside, probability, 0.1], layout, 0, [False] * len(layout.sizes))
    assert chosen[-2:] == [stays, False]
