"""Content in open shadow trees: hidden where pages differ there, shown where nobody can tell, restored exactly."""

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import box_of, colours, picture, show_page, show_template, visible, whole_state
from tests.browsers.pages import NEIGHBOURS, PATH, TEMPLATE, page, site
from tests.support.browsers import Browser
from tests.support.server import Answer

from sitestencil.page.parsing import parse

NEWS = {
    PATH: "A gale from the north blew all night and took the roof of the school",
    "/news.html": "The price of apples has not changed since the days of our fathers",
    "/events.html": "Whoever opens the bridge in the morning has to close it in the evening",
    "/contact.html": "A plate of herrings was found behind the stove of the town hall",
}
CARD = """<news-card><template shadowrootmode="open">
<style>:host {{ display: block; height: 80px; background: #fff }} p, h3 {{ margin: 0; color: #111 }}</style>
<div class="card"><h3 class="kicker">News of the day</h3><p class="news">{news}</p></div></template></news-card>"""
BARE = """<news-card><template shadowrootmode="open"><style>:host {{ display: block; background: #fff }}</style>
<div class="card"><b class="kicker">The very latest news</b><hr>{news}</div></template></news-card>"""
SHOWN = """() => [...document.querySelector("news-card").shadowRoot.querySelectorAll("div *")]
    .filter(element => getComputedStyle(element).visibility === "visible").map(element => element.className)"""
BY_SCRIPT = """<news-card></news-card><script>
const root = document.querySelector("news-card").attachShadow({mode: "open"});
root.innerHTML = "<div class=card><p class=news>Made by a script</p></div>";
</script>"""


# The tree as a snapshot has it: a shadow root is a template, the first child of its host.
TREE = """() => {
    const tags = [];
    const walk = (element, level) => {
        tags.push(`${level} ${element.localName}`);
        if (element.shadowRoot) {
            tags.push(`${level + 1} template`);
            for (const child of element.shadowRoot.children) walk(child, level + 2);
        }
        for (const child of element.children) walk(child, level + 1);
    };
    walk(document.documentElement, 0);
    return tags;
}"""
OPEN = '<template shadowrootmode="open">'
MARKUP = (
    f"<p><x-a>{OPEN}<div>In a block</div></template></x-a> text<div>after</div>",
    f"<b><x-a>{OPEN}<i>In <u>it</template> and <s>out</x-a></b>",
    f"<div><!-- first -->{OPEN}<p>one<p>two</template><p>light</div>",
    f"<x-a>{OPEN}<y-b>{OPEN}<ul><li>a<li>b</ul></template></y-b></template></x-a>",
    f"<x-a>{OPEN}<template><p>inert</p></template><p>shown</p></template></x-a>",
    f"<table><tr><td><span>{OPEN}<table><tr><td>in</table></template></span></table>",
    f"<section class=a>{OPEN}<form><input></form></template></section><form><input></form>",
    f"<article>{OPEN}<style>p {{}}</style><slot></slot></template><h1>Title</h1></article>",
    f"<h2>{OPEN}<a href=/>link</template></h2><a href=/>another</a>",
    f"<x-a>{OPEN}<p>not ended",
    f"<svg><g>{OPEN}<p>no host</p></template></g></svg><p>after",
    f"<ul><li>{OPEN}<p>no host</p></template></ul>",
)


def paper(card: str) -> dict[str, Answer]:
    """A site each page of which has a card with other news."""
    bodies = {path: card.format(news=news) + NEIGHBOURS.get(path, "") for path, news in NEWS.items()}
    answers = {path: page(body, title=path) for path, body in bodies.items()}
    return site("") | answers


def test_in_a_shadow_tree_what_pages_share_stays_and_what_differs_is_hidden(
    guessing: Browser, serve: Serve
) -> None:
    guessing.open(serve(paper(CARD)).base + PATH)
    before = whole_state(guessing)
    assert guessing.run(SHOWN) == ["kicker", "news"]

    show_template(guessing)

    assert guessing.run(SHOWN) == ["kicker"]
    assert len(visible(guessing, TEMPLATE)) > 5
    guessing.click_panel("content")
    guessing.wait_for_state("content")
    assert guessing.run(SHOWN) == ["news"]
    guessing.click_panel("original")
    guessing.wait_for_state("original")
    assert whole_state(guessing) == before


def test_bare_text_in_a_shadow_tree_is_hidden(guessing: Browser, serve: Serve) -> None:
    guessing.open(serve(paper(BARE)).base + PATH)
    left, _, right, bottom = box_of(guessing, "news-card")
    words = (left, bottom - 20, right, bottom)
    assert len(colours(picture(guessing), words)) > 5

    show_template(guessing)
    guessing.click_panel("close")

    assert guessing.run(SHOWN)[0] == "kicker"
    assert colours(picture(guessing), words) == {(255, 255, 255)}


def test_a_shadow_tree_that_a_script_made_goes_with_its_host(guessing: Browser, serve: Serve) -> None:
    """No page has it as it is served: it is not known to be content."""
    cards = {path: page(f"{BY_SCRIPT}{body}", title=path) for path, body in NEIGHBOURS.items()}
    guessing.open(serve(site(f"{BY_SCRIPT}<dl><dt>Word</dt></dl>") | cards).base + PATH)

    show_template(guessing)

    assert guessing.run(SHOWN) == ["news"]
    assert visible(guessing, "main dl, main dt") == []
    show_page(guessing)


@pytest.mark.parametrize("markup", MARKUP)
def test_shadow_trees_are_parsed_as_the_browser_parses_them(browser: Browser, serve: Serve, markup: str) -> None:
    html = f"<!doctype html><title>Shadow</title><body>{markup}"
    browser.open(serve({PATH: Answer(html.encode())}).base + PATH)
    document = parse(html, "http://a.test/", scripting=True)
    levels: list[int] = []
    for parent in document.parents:
        levels.append(levels[parent] + 1 if parent >= 0 else 0)
    ours = [f"{level} {tag}" for level, tag in zip(levels, document.tags, strict=True)]
    assert ours == browser.run(TREE)
