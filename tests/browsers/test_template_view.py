"""A click on the toolbar button leaves the template of the page, and nothing of its content."""

from demo.site import DEMO_PAGE, load_site
from tests.browsers.conftest import Serve
from tests.browsers.looking import all_of, box_of, colours, picture, show_page, show_template, visible
from tests.browsers.pages import PATH, site
from tests.support.browsers import Browser
from tests.support.server import Answer

LAYOUT = "body > :not(.frame), body > :not(.frame) *, .frame, .sidebar, .sidebar *"


def test_a_click_leaves_the_layout_of_the_demo_site_and_hides_the_story(browser: Browser, serve: Serve) -> None:
    browser.open(serve(load_site()).base + DEMO_PAGE)
    assert all_of(browser, "#content *") == visible(browser, "#content *")

    show_template(browser)

    assert visible(browser, "#content *") == []
    assert visible(browser, LAYOUT) == all_of(browser, LAYOUT)


def test_the_picture_of_the_template_is_the_page_with_its_content_painted_over(
    browser: Browser, serve: Serve
) -> None:
    browser.open(serve(load_site()).base + DEMO_PAGE)
    before = picture(browser)
    story, header, sidebar = (box_of(browser, name) for name in ("#content", ".site-header", ".box.hours"))

    show_template(browser)
    browser.click_panel("close")
    after = picture(browser)

    assert len(colours(before, story)) > 20
    assert colours(after, story) == {(245, 239, 228)}, "only the sand of the background is left"
    for kept in (header, sidebar):
        assert after.crop(kept).tobytes() == before.crop(kept).tobytes()


def test_what_the_page_itself_hides_stays_hidden(browser: Browser, serve: Serve) -> None:
    style = "<style>.imprint { visibility: hidden } .top a:first-child { display: none }</style>"
    browser.open(serve(site("<dl><dt>Word</dt><dd>Sense</dd></dl>", head=style)).base + PATH)

    show_template(browser)

    assert visible(browser, "footer .imprint, footer .imprint *, .top a:first-child") == []
    assert len(visible(browser, ".top a")) == 3


def test_content_that_insists_on_being_visible_is_hidden(browser: Browser, serve: Serve) -> None:
    stubborn = '<aside class="loud" style="visibility: visible !important"><b>Sale</b></aside>'
    browser.open(serve(site(stubborn)).base + PATH)

    show_template(browser)

    assert visible(browser, "main *") == []


def test_bare_text_of_the_content_is_hidden(browser: Browser, serve: Serve) -> None:
    browser.open(serve(site("Words that no element of their own holds. <hr>")).base + PATH)
    words = box_of(browser, "main")
    assert len(colours(picture(browser), words)) > 5
    markup = browser.run("() => document.querySelector('main').innerHTML")

    show_template(browser)
    browser.click_panel("close")

    assert colours(picture(browser), words) == {(255, 255, 255)}
    assert browser.run("() => document.querySelector('main').textContent").startswith("Words that")
    assert markup.startswith("Words that")


def test_content_in_a_frame_of_the_same_origin_is_hidden(browser: Browser, serve: Serve) -> None:
    inner = Answer(b"<!doctype html><p style='visibility: visible'>Inside the frame, in red.<i>And this</i>")
    server = serve(site('<iframe src="/inner.html" width="400" height="120"></iframe>', inner_html=inner))
    browser.open(server.base + PATH)
    frame = box_of(browser, "iframe")
    assert len(colours(picture(browser), frame)) > 5

    show_template(browser)
    browser.click_panel("close")

    shown = "() => [...frames[0].document.querySelectorAll('p, i')].map(e => getComputedStyle(e).visibility)"
    assert browser.run(shown) == ["hidden", "hidden"]
    assert len(colours(picture(browser), frame)) == 1


def test_nothing_fades_on_the_way_to_the_template_and_back(browser: Browser, serve: Serve) -> None:
    slow = "<style>*, ::before, ::after { transition: all 5s } main p::before { content: '.' }</style>"
    fading = "() => document.getAnimations().length"
    browser.open(serve(site('<p class="word">Word</p><dl><dt>Sense</dt></dl>', head=slow)).base + PATH)

    show_template(browser)
    assert (browser.run(fading), visible(browser, "main *")) == (0, [])

    show_page(browser)
    assert (browser.run(fading), visible(browser, "main *")) == (0, ["p", "dl", "dt"])
