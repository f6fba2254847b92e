"""The template as a Jinja2 layout: filled with the page's own content it is the page again."""

from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, meta, nodes
from tests.support.judged_pages import all_content, judged
from tests.support.payloads import static_payloads
from tests.support.random_pages import BODIES
from tests.support.random_pages import document as random_page
from tests.support.saved_pages import faults
from tests.support.small_site import HOME, PAGES
from tests.support.tables import table
from tests.support.trees import live_documents

from sitestencil import extract
from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import Choices, JudgedPage
from sitestencil.outputs.safe_writing import page_text
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.saving.folder import jinja_folder_of
from sitestencil.saving.jinja_layout import jinja_layout, jinja_text, slot_contents, whole_page

SITES = ("040code", "pandas", "twisted-api", "meat-shed", "pycon-2015")
PAYLOADS = dict(static_payloads())
PAGE = """<!doctype html><html><head><title>Today - The Times</title><meta name=description content="{{ x }}">
<style>@media print{#menu{color:red}}</style></head><body><nav class="{% raw %}"><a href="/?a={{b}}">{# Home #}</a>
</nav><main><h1>{{ today }}</h1><p>Story {% endraw %}</p></main><pre>
{{ kept }}{</pre></body></html>"""


def rendered(layout: str, blocks: dict[str, str] | None = None) -> str:
    """The layout, extended by a page that fills these blocks."""
    filled = "".join(f"{{% block {name} %}}{{{{ own.{name} }}}}{{% endblock %}}" for name in blocks or {})
    loader = DictLoader({"layout.html": layout, "page.html": f"{{% extends 'layout.html' %}}{filled}"})
    environment = Environment(loader=loader, keep_trailing_newline=True)
    return environment.get_template("page.html").render(own=blocks)


def block_names(layout: str) -> set[str]:
    tree = Environment().parse(layout)
    assert meta.find_undeclared_variables(tree) == set()
    return {block.name for block in tree.find_all(nodes.Block)}


def assert_it_gives_the_page_again(page: JudgedPage) -> None:
    layout, contents = jinja_layout(page), slot_contents(page)
    assert block_names(layout) == set(contents)
    whole = page_text(whole_page(page, Choices()).html, page.document.rendering_mode)
    assert parts(rendered(layout, dict(contents))) == parts(whole)


def parts(html: str) -> object:
    """Return what a browser reads: a long line may break at another place in a tag."""
    page = parse(html, "https://read.example/", scripting=True, checked=False)
    return page.tags, page.parents, page.attributes, page.texts


@table("name", SITES)
def test_a_real_page_is_given_again_by_its_own_content_in_the_layout(benchmark_sites: Path, name: str) -> None:
    answer = extract(benchmark_sites / name, detector="temex")
    assert_it_gives_the_page_again(JudgedPage(answer.document, answer.elements, answer.detection.template_texts))


@settings(deadline=None)
@given(BODIES, st.randoms(use_true_random=False))
def test_any_page_is_given_again_whatever_of_it_is_template(body: str, chance: Random) -> None:
    page = random_page(body)
    choice = [chance.random() < 0.6 for _ in range(len(page))], [chance.random() < 0.6 for _ in page.texts]
    assert_it_gives_the_page_again(judged(page, *choice))


@settings(deadline=None, max_examples=200)
@given(live_documents(), st.randoms(use_true_random=False))
def test_any_tree_that_scripts_build_is_given_again(page: Document, chance: Random) -> None:
    choice = [chance.random() < 0.6 for _ in range(len(page))], [chance.random() < 0.6 for _ in page.texts]
    assert_it_gives_the_page_again(judged(page, *choice))


def page_with_signs_of_jinja() -> JudgedPage:
    page = parse(PAGE, "https://example.org/")
    template = [tag not in {"h1", "p"} for tag in page.tags]
    return JudgedPage(page, template, [template[run.parent] for run in page.texts], "The Times")


def test_signs_of_jinja_in_the_page_are_text() -> None:
    page = page_with_signs_of_jinja()
    assert_it_gives_the_page_again(page)
    assert block_names(jinja_layout(page)) == {"title", "head", "main"}
    empty = rendered(jinja_layout(page, Choices(all_styles=True)))
    assert "<style>@media print{#menu{color:red}}</style>" in empty
    assert '<nav class="{% raw %}"><a href="https://example.org/?a={{b}}">{# Home #}</a>' in empty


@given(st.text(st.sampled_from("{}%#-+ab \n'\"")))
def test_any_text_is_written_by_jinja_as_it_was(text: str) -> None:
    whole = jinja_text(text) + "{% block x %}" + jinja_text(text) + "{% endblock %}"
    assert Environment(keep_trailing_newline=True).from_string(whole).render() == text + text


def test_the_block_of_the_title_holds_the_sites_own() -> None:
    assert "<title>{% block title %}The Times{% endblock %}</title>" in jinja_layout(page_with_signs_of_jinja())


def test_the_block_of_the_head_is_one_and_stands_behind_the_sites_style_sheets() -> None:
    head = "<meta name=author content=Jo><style>a {}</style><meta name=date content=2024>"
    head += "<link rel=stylesheet href=/s.css>"
    page = judged(parse(f"<title>T</title>{head}<p>Story", "https://example.org/"))
    assert_it_gives_the_page_again(page)
    written = jinja_layout(page).partition("</head>")[0]
    assert written.rstrip().endswith("{% block head %}{% endblock %}")
    assert written.index("/s.css") < written.rindex("{% block head %}")
    assert block_names(jinja_layout(judged(parse("<p>Story", "https://example.org/")))) >= {"head"}


def test_without_content_the_layout_is_the_template() -> None:
    html = rendered(extract(HOME, pages=PAGES).to_jinja())
    assert "Imprint" in html
    assert "Key story" not in html


@table("number", PAYLOADS)
def test_a_page_that_runs_script_gives_a_layout_that_runs_none(number: int) -> None:
    page = parse(PAYLOADS[number], "https://example.org/", scripting=True, checked=False)
    for answer in (judged(page), all_content(page)):
        layout, contents = jinja_layout(answer), dict(slot_contents(answer))
        assert faults(rendered(layout)) == []
        assert faults(rendered(layout, contents)) == []


def styled() -> tuple[JudgedPage, dict[str, File]]:
    page = parse(
        "<!doctype html><link rel=stylesheet href=/a.css><style>b { background: url(/b.gif) }</style><body>"
        "<nav style='background: url(/b.gif)'><img src=/b.gif>Menu</nav><p>Story <img src=/c.gif>",
        "https://example.org/",
    )
    template = [tag != "p" and number != len(page) - 1 for number, tag in enumerate(page.tags)]
    css = b"@media print{#menu{color:red}} nav { background: url(b.gif) }"
    files = {"a.css": css, "b.gif": b"GIF89a-b"}
    texts = [template[run.parent] for run in page.texts]
    return judged(page, template, texts), {
        f"https://example.org/{name}": File(f"https://example.org/{name}", content)
        for name, content in files.items()
    }


def test_with_its_files_a_layout_is_drawn_from_itself_alone() -> None:
    page, files = styled()
    html = rendered(jinja_layout(page, Choices(all_styles=True), files))
    assert '<style>@media print{#menu{color:red}} nav { background: url("data:image/gif;base64,' in html
    assert html.count("data:image/gif;base64,") == 4
    assert "https://example.org" not in html
    assert faults(html) == []


def test_a_folder_has_the_layout_and_its_files_beside_it() -> None:
    page, files = styled()
    folder = jinja_folder_of(page, Choices(all_styles=True), files)
    assert sorted(folder) == ["css/a.css", "css/style.css", "files/b.gif", "layout.html"]
    layout = folder["layout.html"].decode()
    html = rendered(layout)
    for path in ('href="css/a.css"', 'href="css/style.css"', 'src="files/b.gif"', "url(&quot;files/b.gif&quot;)"):
        assert path in html
    assert b'url("../files/b.gif")' in folder["css/a.css"]
    environment = Environment(loader=DictLoader({"layout.html": layout}))
    elsewhere = environment.from_string("{% set assets = '/static/' %}{% extends 'layout.html' %}").render()
    assert elsewhere == html.replace('="css/', '="/static/css/').replace("files/b", "/static/files/b")


def test_no_text_of_a_page_stands_for_the_folder_of_its_files() -> None:
    texts = ["{assets-of-this-layout/", "{{ assets }}", "{{ assets | default('') }}"]
    body = "".join(f'<p title="{text}">{text}</p>' for text in texts)
    page = parse(f"<!doctype html><link rel=stylesheet href=/a.css><body>{body}", "https://example.org/")
    files = {"https://example.org/a.css": File("https://example.org/a.css", b"p { color: red }")}
    layout = jinja_folder_of(judged(page), Choices(), files)["layout.html"].decode()
    loader = DictLoader({"layout.html": layout})
    written = Environment(loader=loader).from_string("{% set assets = '/static/' %}{% extends 'layout.html' %}")
    html = written.render()
    assert 'href="/static/css/a.css"' in html
    assert [html.count(text) for text in texts] == [2, 2, 2]
    assert jinja_folder_of(judged(page), Choices(), files)["layout.html"].decode() == layout


def test_a_newline_that_parsers_eat_is_there_twice() -> None:
    page = parse("<pre>\n\nx</pre>", "https://example.org/")
    assert_it_gives_the_page_again(judged(page, texts=[False] * len(page.texts)))
