"""What is wrong where an answer is a guess, on small sites made for one doubt each."""

import asyncio
from collections.abc import Mapping

import pytest
from tests.support.memory_source import MemorySource

from sitestencil import Doubt
from sitestencil.detectors import load_detector
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.doubt import GUESS_BELOW
from sitestencil.page.parsing import parse
from sitestencil.site.loading import PageLoader

HOME = "http://site.test/talks/"
NAMES = "abcdefgh"
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


def everywhere(answer: str) -> dict[str, str]:
    """A site that gives one page at all addresses, but for a name in it."""
    return {url: answer.replace("<body", f"<body data-next='{url}'") for url in whole_site()}


def test_an_answer_from_pages_of_the_kind_is_in_no_doubt() -> None:
    detection, loader = detect(page("boats"), whole_site())
    assert detection.doubt is None
    assert loader.pages_received == len(detection.candidates) < loader.loads


def test_a_page_that_links_to_no_other_is_alone() -> None:
    detection, loader = detect(page("boats", links=""), {})
    assert detection.doubt is Doubt.ALONE
    assert loader.pages_received == 0


def test_where_all_links_are_dead_nothing_was_loaded_and_no_page_is_counted() -> None:
    detection, loader = detect(page("boats"), {})
    assert detection.doubt is Doubt.NOTHING_LOADED
    assert (loader.pages_received, loader.loads > 0) == (0, True)


@pytest.mark.parametrize("answer", [LOGIN, SHELL, LOGIN.replace("<form", "<body><form")])
def test_where_every_address_gives_the_same_other_page_the_page_is_not_the_served_one(answer: str) -> None:
    detection, loader = detect(page("boats"), everywhere(answer))
    assert detection.candidates != ()
    assert detection.doubt is Doubt.NOT_THE_SERVED_PAGE
    assert loader.pages_received > len(detection.candidates)


def test_login_forms_that_name_the_address_are_the_same_page() -> None:
    fields = "".join(f"<label>Field {name}</label>" for name in "qrstuvwxyz")
    forms = {url: LOGIN.replace("<button", f"<i>{url}</i>{fields}<button") for url in whole_site()}
    detection, _ = detect(page("boats"), forms)
    assert len(detection.candidates) > 1
    assert detection.doubt is Doubt.NOT_THE_SERVED_PAGE


def test_other_pages_that_differ_are_not_taken_for_one_page() -> None:
    others = {
        url: f"<!doctype html><table class='plain'><tr><td>{title} one<td>{title} two</table>"
        for url, title in zip(whole_site(), TITLES.values(), strict=True)
    }
    detection, _ = detect(page("boats"), others)
    assert detection.doubt in {None, Doubt.NO_SIMILAR_PAGE}
    assert (detection.doubt is None) == ((detection.sureness or 0) >= GUESS_BELOW)


def test_every_doubt_has_a_sentence_that_says_what_to_do() -> None:
    sentences = {doubt.sentence for doubt in Doubt}
    assert len(sentences) == len(Doubt)
    assert all(sentence.endswith(".") and sentence.count(". ") >= 1 for sentence in sentences)
