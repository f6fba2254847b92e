"""The doubts of an answer that is a guess, each on a small site made for it."""

import asyncio
from collections.abc import Mapping

from tests.support.memory_source import MemorySource
from tests.support.tables import table

from sitestencil import Doubt
from sitestencil.detectors import load_detector
from sitestencil.detectors.detection import GUESS_BELOW, Detection
from sitestencil.page.parsing import parse
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader

HOME = "http://site.test/talks/"
NAMES = "abcdefgh"
ALMOST_SURE = 0.96
LINKS = "".join(f"<li><a href='/talks/{name}'>Talk {name}</a></li>" for name in NAMES)
PAGE = (
    "<!doctype html><body><header class='head'><h2>The harbour club</h2></header><ul class='menu'>{links}</ul>"
    "<main class='talk'><h1>{title}</h1><p class='lead'>On {title}.</p><blockquote>It is {title}!</blockquote>"
    "</main><footer class='foot'><p>Ask the harbour master.</p></footer>"
)
TITLES = dict(zip(NAMES, "ropes knots tides wind charts stars rescue cooking".split(), strict=True))
LOGIN = "<!doctype html><form class='login'><p>Who are you?</p><input name='who'><button>Sign in</button></form>"
SHELL = "<!doctype html><title>App</title><div id='root'></div><p>Loading</p><script src='/a.js'></script>"


def page(title: str, links: str = LINKS) -> str:
    return PAGE.format(title=title, links=links)


def whole_site() -> dict[str, str]:
    return {f"http://site.test/talks/{name}": page(title) for name, title in TITLES.items()}


def detect(key_page: str, others: Mapping[str, str]) -> tuple[Detection, PageLoader]:
    key = parse(key_page, HOME)
    loader = PageLoader(key, MemorySource({HOME: key_page, **others}))
    return asyncio.run(load_detector("stencil").detect(key, loader)), loader


def detect_on_screen(key_page: str, served: Mapping[str, str]) -> tuple[Detection, MemorySource]:
    """Detect the template of a page as a browser shows it, where a site serves these pages."""
    key, source = parse(key_page, HOME), MemorySource(served)
    loader = PageLoader(key, source, may_differ=True)
    return asyncio.run(load_detector("stencil").detect(key, loader)), source


def everywhere(answer: str) -> dict[str, str]:
    """A site that gives one page at all addresses, but for a name in it."""
    return {url: answer.replace("<body", f"<body data-next='{url}'") for url in whole_site()}


@table(
    ("key_page", "others", "doubt", "came"),
    [
        (page("boats"), whole_site(), None, True),
        (page("boats", links=""), {}, Doubt.ALONE, False),
        (page("boats"), {}, Doubt.NOTHING_LOADED, False),
        # One page at all addresses.
        (page("boats"), dict.fromkeys(whole_site(), page("boats")), Doubt.ALONE, True),
        (SHELL, {}, Doubt.BUILT_BY_SCRIPTS, False),
    ],
)
def test_a_doubt_tells_what_the_site_gave(
    key_page: str, others: Mapping[str, str], doubt: Doubt | None, came: bool
) -> None:
    detection, loader = detect(key_page, others)
    assert detection.doubt is doubt
    assert (loader.pages_received > 0) == came
    assert len(detection.candidates) <= loader.pages_received < loader.loads
    assert doubt is not None or len(detection.candidates) == loader.pages_received


@table(
    ("answer", "doubt"),
    [
        (LOGIN, Doubt.NOT_THE_SERVED_PAGE),
        (LOGIN.replace("<form", "<body><form"), Doubt.NOT_THE_SERVED_PAGE),
        (LOGIN.replace("<input", "<input type=' Password' name=word><input"), Doubt.NEEDS_LOGIN),
    ],
)
def test_where_every_address_gives_the_same_other_page_that_page_says_what_is_wrong(
    answer: str, doubt: Doubt
) -> None:
    detection, loader = detect(page("boats"), everywhere(answer))
    assert detection.candidates != ()
    assert detection.doubt is doubt
    assert loader.pages_received > len(detection.candidates)


def test_where_every_address_gives_a_shell_scripts_build_the_page() -> None:
    detection, loader = detect(page("boats"), everywhere(SHELL))
    assert (detection.candidates, detection.doubt) == ((), Doubt.BUILT_BY_SCRIPTS)
    assert loader.known.seen == ()


@table(
    ("title", "heading"),
    [
        ("404 Not Found", "Not Found"),
        ("Page not found | The harbour club", "The harbour club"),
        ("The harbour club", "Oops! That page can\u2019t be found."),
        ("Seite nicht gefunden \u2013 Hafenverein", "Hafenverein"),
        ("Club del puerto", "No se ha encontrado la p\u00e1gina"),
        ("Club du port", "Page introuvable"),
        ("\u30da\u30fc\u30b8\u304c\u898b\u3064\u304b\u308a\u307e\u305b\u3093", ""),
    ],
)
def test_an_error_page_is_told_by_its_title_or_heading_and_teaches_nothing(title: str, heading: str) -> None:
    soft = page("boats").replace("<body>", f"<title>{title}</title><body>").replace("<h1>boats", f"<h1>{heading}")
    detection, loader = detect(soft, whole_site())
    assert detection.doubt is Doubt.ERROR_PAGE
    assert loader.known.seen == ()


@table("heading", ["Lost and found", "Error handling", "404", "Not found in any shop: rare knots"])
def test_a_page_about_errors_is_none(heading: str) -> None:
    long = page("boats").replace("<h1>boats", f"<h1>{heading}").replace("On boats.", 90 * "Ropes rot in the rain. ")
    assert detect(long, whole_site())[0].doubt is not Doubt.ERROR_PAGE


def test_the_status_of_the_page_tells_that_it_is_an_error_page() -> None:
    key, source = parse(page("boats"), HOME), MemorySource(whole_site())
    loader = PageLoader(key, source, key_status=404)
    assert asyncio.run(load_detector("stencil").detect(key, loader)).doubt is Doubt.ERROR_PAGE


def test_error_pages_and_empty_ones_are_not_compared_and_not_remembered() -> None:
    some, *others = whole_site()
    poor = "<title>Page not found</title>" + page("not here"), "<p>Soon."
    served = {**whole_site(), **dict.fromkeys(others[:2], poor[0]), others[2]: poor[1]}
    detection, loader = detect(page("boats"), served)
    assert {*others[:3]}.isdisjoint(detection.candidates)
    assert some in detection.candidates
    assert {*others[:3]}.isdisjoint(sketch.url for sketch in loader.known.seen)


@table("answer", ["", "OK", "<h1>Under construction</h1><p>Come back soon."])
def test_an_almost_empty_page_is_called_so_whatever_it_is_compared_with(answer: str) -> None:
    detection, loader = detect(answer, {"http://site.test/": page("ropes")})
    assert detection.doubt is Doubt.ALMOST_EMPTY
    assert loader.known.seen == ()


def test_a_page_wholly_in_a_shadow_tree_is_not_almost_empty() -> None:
    inside = page("boats").partition("<body>")[2]
    whole = f"<!doctype html><body><x-app><template shadowrootmode='open'>{inside}</template></x-app>"
    assert detect(whole, {})[0].doubt is not Doubt.ALMOST_EMPTY
    assert detect(whole.replace(inside, "<p>Soon."), {})[0].doubt is Doubt.ALMOST_EMPTY


def test_login_forms_that_name_the_address_are_the_same_page() -> None:
    fields = "".join(f"<label>Field {name}</label>" for name in "qrstuvwxyz")
    forms = {url: LOGIN.replace("<button", f"<i>{url}</i>{fields}<button") for url in whole_site()}
    detection, _ = detect(page("boats"), forms)
    assert len(detection.candidates) > 1
    assert detection.doubt is Doubt.NOT_THE_SERVED_PAGE


def test_other_pages_that_differ_are_not_taken_for_one_page() -> None:
    others = {
        url: f"<!doctype html><table class='plain'><tr><td>{title} one<td><a href='/'>{title} two</a></table>"
        for url, title in zip(whole_site(), TITLES.values(), strict=True)
    }
    detection, _ = detect(page("boats"), others)
    assert detection.doubt in {None, Doubt.NO_SIMILAR_PAGE}
    assert (detection.doubt is None) == ((detection.confidence or 0) >= GUESS_BELOW)


def forms_that_differ() -> dict[str, str]:
    """A site whose login form tells what one was about to see, with some of it for each address."""
    teaser = "<section class='teaser'><h3>{title} today</h3><em>All about {title}</em><p>{title}?</section>"
    return {
        url: LOGIN.replace("Who are you?", f"Sign in to read about {title}") + 3 * teaser.format(title=title)
        for url, title in zip(whole_site(), TITLES.values(), strict=True)
    }


def test_a_login_that_gives_other_pages_at_all_addresses_is_told_by_what_it_gives_at_this_one() -> None:
    forms = forms_that_differ()
    unknown, _ = detect(page("boats"), forms)
    assert unknown.doubt is not Doubt.NOT_THE_SERVED_PAGE
    refused, _ = detect_on_screen(page("boats"), forms)  # this page is refused to strangers
    assert refused.doubt is Doubt.NOT_THE_SERVED_PAGE
    detection, source = detect_on_screen(page("boats"), {HOME: LOGIN, **forms})
    assert detection.candidates != ()
    assert detection.doubt is Doubt.NOT_THE_SERVED_PAGE
    assert source.asked.count(HOME) == 1


def test_a_form_for_a_password_in_place_of_this_page_asks_for_a_login() -> None:
    form = LOGIN.replace("<button", "<input type=password><button")
    detection, _ = detect_on_screen(page("boats"), {HOME: form, **forms_that_differ()})
    assert detection.doubt is Doubt.NEEDS_LOGIN
    signing_in = page("boats").replace("<body>", "<body><input type=password>", 1)
    assert "password" in signing_in
    of_itself, _ = detect_on_screen(signing_in, {HOME: form, **forms_that_differ()})
    assert of_itself.doubt is Doubt.NOT_THE_SERVED_PAGE


def test_this_page_is_not_asked_for_where_pages_like_it_come() -> None:
    detection, source = detect_on_screen(page("boats"), {HOME: LOGIN, **whole_site()})
    assert detection.doubt is None
    assert HOME not in source.asked


def test_a_page_that_the_site_serves_as_it_is_stays_alone_of_its_kind() -> None:
    changed = page("boats").replace("It is boats!", "Seen 17 times")
    detection, source = detect_on_screen(page("boats"), {HOME: changed, **forms_that_differ()})
    assert source.asked.count(HOME) == 1
    assert detection.doubt in {None, Doubt.NO_SIMILAR_PAGE}


@table("links", [LINKS, "<a href='#/a'>A</a>", ""])
def test_scripts_that_build_the_page_are_told_by_the_shell_that_is_served(links: str) -> None:
    detection, _ = detect_on_screen(page("boats", links), dict.fromkeys([HOME, *whole_site()], SHELL))
    assert detection.doubt is Doubt.BUILT_BY_SCRIPTS


@table("address", [HOME + "?token=8f3a99c1", HOME + "delete"])
def test_an_address_that_acts_or_carries_a_secret_is_not_asked_for_again(address: str) -> None:
    key, source = parse(page("boats"), address), MemorySource(forms_that_differ())
    asyncio.run(load_detector("stencil").detect(key, PageLoader(key, source, may_differ=True)))
    assert source.asked != []
    assert address not in source.asked


def test_this_page_counts_among_those_that_may_be_asked_for() -> None:
    key, source = parse(page("boats"), HOME), MemorySource({HOME: LOGIN, **forms_that_differ()})
    asyncio.run(load_detector("stencil").detect(key, PageLoader(key, source, may_differ=True, most_pages=2)))
    assert len(source.asked) == 2


def test_a_site_that_never_gives_this_page_is_waited_for_no_longer_than_for_all_pages() -> None:
    class Stalling(MemorySource):
        async def load(self, link: Link) -> LoadedPage:
            if link.url == HOME:
                await asyncio.sleep(60)
            return await super().load(link)

    key, source = parse(page("boats"), HOME), Stalling(forms_that_differ())
    loader = PageLoader(key, source, may_differ=True, seconds=0.5)
    detection = asyncio.run(asyncio.wait_for(load_detector("stencil").detect(key, loader), 20))
    assert detection.candidates != ()
    assert detection.doubt is not Doubt.NOT_THE_SERVED_PAGE


def test_every_doubt_has_a_sentence_that_says_what_to_do() -> None:
    sentences = {doubt.sentence for doubt in Doubt}
    assert len(sentences) == len(Doubt)
    assert all(sentence.endswith(".") and sentence.count(". ") >= 1 for sentence in sentences)


def test_one_or_two_pages_of_another_kind_make_no_answer_sure() -> None:
    def other_kind(name: str) -> str:
        rooms = "".join(f"<tr class='day'><td class='when'>{hour}<td class='who'>{name}" for hour in range(9))
        frame = page(name).partition("<main")[0]
        return f"{frame}<div class='rooms'><section class='plan'><table>{rooms}</table></section></div>"

    def confidence(others: Mapping[str, str]) -> float:
        detection, _ = detect(page("boats"), others)
        assert len(detection.candidates) == len(others)
        assert detection.confidence is not None
        return detection.confidence

    names = list(TITLES)
    far = [confidence({f"http://site.test/talks/{name}": other_kind(name) for name in names[:n]}) for n in (1, 2)]
    one, two = far
    assert one < two < ALMOST_SURE <= confidence(dict(list(whole_site().items())[:1]))
    detection, _ = detect(page("boats"), {f"http://site.test/talks/{names[0]}": other_kind(names[0])})
    assert detection.doubt is Doubt.NO_SIMILAR_PAGE
