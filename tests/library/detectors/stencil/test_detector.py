"""The detector stencil, on small sites made for one question each."""

import asyncio
from collections.abc import Mapping

import pytest
from tests.support.memory_source import MemorySource
from tests.support.tables import table

from sitestencil.detectors import load_detector
from sitestencil.detectors.detection import Detection
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.stencil import detector
from sitestencil.detectors.stencil.comparison import ENOUGH_SIMILAR, compare_pages
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.detectors.stencil.evidence import Evidence, Reasons, collect_evidence
from sitestencil.detectors.stencil.similarity import ComparedPages, KeyPage
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.loading import PageLoader

HOME = "http://site.test/news/0.html"
TALES = (
    "The lighthouse keeper counts ships at dawn and writes them into a green book.",
    "Rain fell for nine days, and the bridge over the mill race was closed to carts.",
    "A choir of forty sang in the market hall before the mayor opened the new school.",
    "Bakers from three villages met to settle how much rye belongs into a loaf.",
    "The old railway was sold to a company that wants to run trains to the lakes.",
    "Nobody had seen the comet for a century when two pupils found it by chance.",
    "Divers brought up an anchor that the museum dates to the time of the second king.",
    "Wolves are back in the northern woods, and the shepherds have bought dogs.",
)

FRONT = {
    "http://site.test/": "<!doctype html><h1>The Harbour Paper</h1><table><tr><td><a href='/'>Our parts</a></table>"
}


def page(number: int, *, body: str = "", pages: int = len(TALES)) -> str:
    menu = "".join(f'<li><a href="/news/{other}.html">Part {other} of our paper</a></li>' for other in range(pages))
    tale = TALES[number % len(TALES)]
    story = "".join(f'<p id="p{line}">{tale} {word} {number}.</p>' for line, word in enumerate(("First", "Then")))
    return (
        f'<!doctype html><title>Tale {number}</title><body class="{body}"><div id="page" class="{body}">'
        f'<header id="head"><h2 id="name">The Harbour Paper</h2><ul id="menu">{menu}</ul></header>'
        f'<main id="main"><article id="story">{story}</article></main>'
        '<footer id="foot"><p id="rights">All rights reserved by the Harbour Paper.</p></footer></div>'
    )


def site(*, body: str = "", count: int = len(TALES)) -> dict[str, str]:
    return {
        f"http://site.test/news/{number}.html": page(number, body=f"{body}{chr(97 + number)}" if body else "")
        for number in range(count)
    }


def little_like_others(html: str) -> str:
    boxes = "".join(f'<p class="{letter}">' for letter in "abcdef")
    return html.replace("<main", f"{boxes}<main")


def detect(pages: Mapping[str, str]) -> tuple[Document, Detection, list[str]]:
    source = MemorySource(pages)
    key = parse(pages[HOME], HOME)
    detection = asyncio.run(load_detector("stencil").detect(key, PageLoader(key, source)))
    return key, detection, source.asked


@pytest.fixture
def judgements(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    pages: list[int] = []

    def counted(prepared: KeyPage, compared: ComparedPages) -> Evidence:
        pages.append(len(compared.pages))
        return collect_evidence(prepared, compared)

    monkeypatch.setattr(detector, "collect_evidence", counted)
    return pages


def ids(key: Document, detection: Detection) -> set[str]:
    return {key.id(element) for element, template in enumerate(detection.template) if template and key.id(element)}


def scores_by_id(key: Document, detection: Detection) -> dict[str, float]:
    assert detection.scores is not None
    return {name: score for element, score in enumerate(detection.scores) if (name := key.id(element))}


# The second wrapper has another class on every page.
@table("pages", [site(), site(body="issue-")])
def test_what_all_pages_share_is_template_and_the_article_s_paragraphs_are_content(
    pages: Mapping[str, str],
) -> None:
    key, detection, _ = detect(pages)
    found = ids(key, detection)
    assert {"page", "head", "name", "menu", "foot", "rights"} <= found
    assert not {"p0", "p1"} & found


def test_a_text_where_most_pages_have_none_is_no_template_though_its_element_is() -> None:
    pages = site()
    pages[HOME] = pages[HOME].replace('<header id="head">', '<header id="head">Today only')
    key, detection, _ = detect(pages)
    assert "head" in ids(key, detection)
    assert detection.text_scores is not None
    scores = {run.text: score for run, score in zip(key.texts, detection.text_scores, strict=True)}
    texts = {run.text: template for run, template in zip(key.texts, detection.template_texts, strict=True)}
    assert scores["Today only"] == 0
    assert not texts["Today only"]
    assert scores["The Harbour Paper"] > 0.5


def test_a_twin_of_the_key_page_is_passed_over() -> None:
    pages = site()
    twin = "http://site.test/news/1.html"
    pages[twin] = f"{pages[HOME]}<!-- printed -->"
    key, detection, _ = detect(pages)
    assert twin not in detection.candidates
    assert not {"p0", "p1"} & ids(key, detection)


def test_loading_ends_when_a_further_page_changes_nothing() -> None:
    _, detection, asked = detect(site() | FRONT)
    assert 3 <= len(asked) <= 4 == ENOUGH_SIMILAR + 1
    front_page = "http://site.test/"  # which is not there
    assert {*detection.candidates, front_page} == {*asked, front_page}
    assert detection.more_pages == 0


def test_a_settled_answer_was_judged_with_its_last_page_and_without(judgements: list[int]) -> None:
    _, detection, _ = detect(site() | FRONT)
    assert detection.more_pages == 0
    assert judgements == [len(detection.candidates) - 1, len(detection.candidates)]


def test_an_early_answer_is_not_judged_again(judgements: list[int]) -> None:
    key = parse(page(0), HOME)
    early: list[Detection] = []
    asyncio.run(Stencil().detect_in_rounds(key, PageLoader(key, MemorySource(site())), early.append))
    assert early
    assert len(judgements) == len(set(judgements))


def test_where_too_few_pages_are_there_it_says_how_many_more_would_help() -> None:
    pages = site()
    _, detection, _ = detect({url: pages[url] for url in (HOME, "http://site.test/news/1.html")})
    assert len(detection.candidates) == 1
    assert detection.more_pages == ENOUGH_SIMILAR - 1


def test_each_element_has_a_reason() -> None:
    key, detection, _ = detect(site())
    assert detection.reasons is not None
    by_id = {key.id(element): reason for element, reason in enumerate(detection.reasons) if key.id(element)}
    assert by_id["rights"].mapped == by_id["rights"].same_text == pytest.approx(1)
    assert by_id["p0"].mapped == pytest.approx(1)
    assert by_id["p0"].same_text == by_id["p0"].found_elsewhere == 0
    assert detection.reasons[key.body or 0].rule
    assert str(by_id["p0"]).startswith(f"{by_id['p0'].score:.2f}: in place 100%, same text 0%")
    scores = detection.scores
    assert scores is not None
    assert [reason.score for reason in detection.reasons] == list(scores)
    assert 0 <= (detection.confidence or -1) <= 1


def test_an_element_below_an_equal_one_takes_its_judgement() -> None:
    key, detection, _ = detect(site())
    assert detection.reasons is not None
    head, name = (next(e for e in range(len(key)) if key.id(e) == wanted) for wanted in ("head", "name"))
    assert detection.reasons[name].element == head
    assert [reason.element for reason in detection.reasons[head : name + 1]] == [head, head]


def test_several_elements_share_a_reason() -> None:
    _, detection, _ = detect(site())
    reasons = detection.reasons
    assert isinstance(reasons, Reasons)
    together = [reasons.judged_with(element) for element in range(len(reasons))]
    assert len(set(together)) < len(together)
    for element, shared in enumerate(together):
        assert shared < 0 or (reasons[element].rule, reasons[element].pages) == (
            reasons[shared].rule,
            reasons[shared].pages,
        )


def test_a_reason_names_the_pages_that_have_the_element_in_its_place() -> None:
    key, detection, _ = detect(site())
    assert detection.reasons is not None
    by_id = {key.id(element): reason for element, reason in enumerate(detection.reasons) if key.id(element)}
    assert by_id["rights"].pages == tuple(range(len(detection.candidates)))


def test_a_page_alone_has_scores_and_no_reasons() -> None:
    _, detection, _ = detect({HOME: page(0, pages=0)})
    assert detection.reasons is None
    assert detection.more_pages == ENOUGH_SIMILAR


def test_each_element_has_a_score_and_the_template_is_what_scores_half_or_more() -> None:
    key, detection, _ = detect(site())
    scores = detection.scores
    assert scores is not None
    assert all(0 <= score <= 1 for score in scores)
    assert key.body is not None
    below = range(key.body, len(key))
    assert [scores[element] >= 0.5 for element in below] == [detection.template[element] for element in below]


def in_shadow_trees(html: str) -> str:
    """A page whose header and article stand in the open shadow trees of two components."""
    for tag in ("header", "article"):
        html = html.replace(f"<{tag} ", f'<paper-{tag}><template shadowrootmode="open"><{tag} ')
        html = html.replace(f"</{tag}>", f"</{tag}></template></paper-{tag}>")
    return html


def test_what_differs_in_open_shadow_trees_is_content_and_what_is_the_same_there_is_template() -> None:
    key, detection, _ = detect({url: in_shadow_trees(html) for url, html in site().items()})
    found = ids(key, detection)
    assert {"page", "head", "name", "menu", "main", "foot", "rights"} <= found
    assert not {"p0", "p1"} & found
    reasons = detection.reasons
    assert reasons is not None
    story, name = (next(e for e in range(len(key)) if key.id(e) == wanted) for wanted in ("p0", "name"))
    assert reasons[name].mapped == reasons[name].equal == pytest.approx(1)
    assert reasons[story].equal == 0.0


class RenderedSource(MemorySource):
    """Pages as a browser has rendered them: scripts have made their shadow trees."""

    async def load(self, link: Link) -> LoadedPage:
        page = await super().load(link)
        return LoadedPage(page.url, parse(in_shadow_trees(self.pages[page.url]), page.url), "rendered")


def test_shadow_trees_that_scripts_made_are_compared_with_pages_that_a_browser_rendered() -> None:
    key = parse(in_shadow_trees(page(0)), HOME)
    detection = asyncio.run(load_detector("stencil").detect(key, PageLoader(key, RenderedSource(site()))))
    found = ids(key, detection)
    assert {"page", "head", "name", "menu", "main", "foot", "rights"} <= found
    assert not {"p0", "p1"} & found


def test_shadow_trees_that_no_other_page_has_as_it_is_served_go_with_their_hosts() -> None:
    """Scripts made them: all would look like content, as no page has them."""
    source = MemorySource(site())
    key = parse(in_shadow_trees(page(0)), HOME)
    detection = asyncio.run(load_detector("stencil").detect(key, PageLoader(key, source)))
    assert key.embedded
    for root in key.embedded:
        answers = set(detection.template[root : key.ends[root]])
        assert answers == {detection.template[key.parents[root]]}


def test_of_two_components_only_the_one_that_other_pages_have_is_compared() -> None:
    dated = {
        url: in_shadow_trees(html).replace("<footer", f"<p>Of {number} May</p><footer")
        for number, (url, html) in enumerate(site().items())
    }
    pages = {url: html.replace("paper-article", "made-by-script") for url, html in dated.items()}
    key = parse(dated[HOME], HOME)
    detection = asyncio.run(load_detector("stencil").detect(key, PageLoader(key, MemorySource(pages))))
    header, article = key.embedded
    assert (key.tags[key.parents[header]], key.tags[key.parents[article]]) == ("paper-header", "paper-article")
    assert all(detection.template[header : key.ends[header]])
    assert set(detection.template[article : key.ends[article]]) == {detection.template[key.parents[article]]}


def test_what_was_learned_in_shadow_trees_is_applied_to_those_of_other_pages() -> None:
    pages = {url: in_shadow_trees(html) for url, html in site().items()}
    key = parse(pages[HOME], HOME)
    detection = asyncio.run(Stencil().detect(key, PageLoader(key, MemorySource(pages))))
    learned = LearnedTemplate.from_bytes(LearnedTemplate.of_answer("stencil", key, detection).to_bytes())
    url = "http://site.test/news/5.html"
    for further in (parse(pages[url], url), LoadedPage(url, pages[url].encode())):
        applied = learned.apply(further)
        document = further if isinstance(further, Document) else further.document()
        found = ids(document, applied)
        assert {"page", "head", "menu", "foot"} <= found
        assert not {"p0", "p1"} & found
        texts = dict(zip((run.text for run in document.texts), applied.template_texts, strict=True))
        assert texts["The Harbour Paper"]
        assert not texts[f"{TALES[5]} First 5."]


def test_an_open_shadow_root_goes_with_its_host() -> None:
    key, plain, _ = detect(site())
    menu = next(element for element in range(len(key)) if key.id(element) == "menu")
    end = key.ends[menu]
    tags = [*key.tags[:end], "template", "b", *key.tags[end:]]
    parents = [parent if parent < end else parent + 2 for parent in key.parents]
    shadowed = Document(
        url=key.url,
        base=key.base,
        tags=tags,
        parents=[*parents[:end], menu, end, *parents[end:]],
        attributes=[*key.attributes[:end], {"shadowrootmode": "open"}, {}, *key.attributes[end:]],
        texts=[
            run._replace(parent=run.parent + 2 * (run.parent >= end), after=run.after + 2 * (run.after >= end))
            for run in key.texts
        ],
    )
    source = MemorySource(site())
    detection = asyncio.run(load_detector("stencil").detect(shadowed, PageLoader(shadowed, source)))
    assert plain.template[menu]
    assert list(detection.template[end : end + 2]) == [True, True]


def test_while_the_answer_is_not_settled_one_page_in_three_is_of_another_kind() -> None:
    source = MemorySource(site() | FRONT)
    key = parse(page(0), HOME)
    asyncio.run(compare_pages(key, PageLoader(key, source), lambda *_: False))
    assert source.asked.index("http://site.test/") == ENOUGH_SIMILAR


def test_pages_of_one_kind_are_too_few_until_one_of_another_kind_was_looked_for() -> None:
    key, counts = parse(page(0), HOME), []

    def is_settled(_key_page: KeyPage, _compared: ComparedPages, similar: int) -> bool:
        counts.append(similar)
        return False

    asyncio.run(compare_pages(key, PageLoader(key, MemorySource(site())), is_settled))
    assert counts == [1, ENOUGH_SIMILAR - 1, ENOUGH_SIMILAR - 1, 4, 5, 6, 7]


def test_pages_that_are_not_much_like_the_key_page_are_too_few() -> None:
    key, counts = parse(little_like_others(page(0)), HOME), []

    def is_settled(_key_page: KeyPage, compared: ComparedPages, similar: int) -> bool:
        counts.append((compared.similar_count, similar))
        return False

    asyncio.run(compare_pages(key, PageLoader(key, MemorySource(site() | FRONT)), is_settled))
    assert counts[-1] == (6, ENOUGH_SIMILAR - 1)


def test_a_wrapper_around_the_whole_page_changes_the_answer_about_nothing_else() -> None:
    pages = site()
    key, plain, _ = detect(pages)
    pages[HOME] = pages[HOME].replace('<div id="page"', '<div class="experiment"><div id="page"')
    wrapped_key, wrapped, _ = detect(pages)
    assert ids(wrapped_key, wrapped) == ids(key, plain)


@table(("before", "after"), [("<div></div>", ""), ("", "<div></div>")])
def test_an_empty_element_that_a_script_leaves_beside_the_page_changes_no_answer(before: str, after: str) -> None:
    pages = {url: html.replace(' class=""', "") for url, html in (site() | FRONT).items()}
    key, plain, _ = detect(pages)
    pages[HOME] = pages[HOME].replace('<div id="page"', f'{before}<div id="page"') + after
    other_key, other, _ = detect(pages)
    assert ids(other_key, other) == ids(key, plain)
    assert scores_by_id(other_key, other) == pytest.approx(scores_by_id(key, plain), abs=0.05)


def test_an_answer_from_the_page_alone_is_expected_to_be_worse() -> None:
    _, compared, _ = detect(site())
    _, alone, _ = detect({HOME: page(0)})
    assert alone.candidates == ()
    assert (alone.confidence or 1) < (compared.confidence or 0)
