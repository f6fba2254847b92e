"""Sketches: what is left of a page to compare it by."""

from pathlib import Path

from tests.support.tables import table

from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.page.document import Document
from sitestencil.page.key_sketch import KeySketch
from sitestencil.page.parsing import parse
from sitestencil.page.sketch import TEXT_SEPARATOR, kind_of, names_of_one_page
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites

URL = "http://site.test/a/"
COLUMNS = ("url", "base", "tags", "parents", "own_texts", "ends", "hashes", "goes_with", "document_elements")


def read(html: str, *, scripting: bool = False) -> CandidateSketch:
    return CandidateSketch(html.encode(), URL, scripting=scripting)


def names(page: CandidateSketch | KeySketch) -> list[tuple[str, object]]:
    return [(page.kinds[element], page.identity(element)) for element in range(len(page))]


@table("scripting", [False, True])
def test_a_page_has_one_sketch_as_key_page_and_as_candidate(benchmark_sites: Path, *, scripting: bool) -> None:
    for folder in labelled_sites(benchmark_sites):
        site = StoredSite(folder)
        html = site.key_page_bytes()
        key = KeySketch(parse(html, site.key_url, scripting=scripting))
        candidate = CandidateSketch(html, site.key_url, scripting=scripting)
        assert all(list(getattr(key, name)) == list(getattr(candidate, name)) for name in COLUMNS), folder.name
        assert key.body == candidate.body
        assert names(key) == names(candidate)
        assert [address for _, address in key.hyperlinks()] == [address for _, address in candidate.hyperlinks()]


def test_scripts_and_what_else_is_not_seen_are_left_out() -> None:
    page = read("<title>t</title><style>s</style><body><p>a<script>b</script></p><noscript><p>c</p></noscript><p>d")
    assert page.tags == ["html", "body", "p", "p"]
    assert page.own_texts == ["", "", "a", "d"]


def test_an_element_that_is_called_html_below_the_root_is_left_out_of_bytes_and_trees_alike() -> None:
    html = "<body><p>a<svg><html><g>b</g></html></svg><p>c"
    key, candidate = KeySketch(parse(html, URL)), read(html)
    assert all(list(getattr(key, name)) == list(getattr(candidate, name)) for name in COLUMNS)
    assert candidate.tags == ["html", "body", "p", "svg", "p"]


@table(
    ("html", "base"),
    [
        ("<base><base href=/x/><base href=/y/>", "http://site.test/x/"),
        ("<body><p>a<base href=/x/>", "http://site.test/x/"),
        ("<svg><base href=/x/></svg><base href=/y/>", "http://site.test/y/"),
        ("<template><base href=/x/></template>", URL),
        ("<base href='javascript:x'>", URL),
        ("<base href><base href=/x/>", URL),
    ],
)
def test_links_resolve_by_the_first_base_element_of_html_wherever_it_stands(html: str, base: str) -> None:
    assert parse(html, URL).base == read(html).base == base


def test_with_scripts_or_without_a_subtree_is_the_same() -> None:
    plain, scripted = read("<body><div><p>a</p></div>"), read("<body><div><script>x()</script><p>a</p></div>")
    assert plain.hashes == scripted.hashes


def test_the_order_of_children_and_what_stands_for_a_text_count() -> None:
    assert read("<p>a</p><p>b</p>").hashes[0] != read("<p>b</p><p>a</p>").hashes[0]
    assert read("<img alt=a>").hashes[0] != read("<img alt=b>").hashes[0]
    assert read("<input value=a>").hashes[0] != read("<input placeholder=b>").hashes[0]


def test_texts_of_an_element_are_told_apart_from_one_text() -> None:
    page = read("<body><p> a <br> b </p>")
    assert page.own_texts[2] == f"a{TEXT_SEPARATOR}b"


def test_a_kind_has_no_numbers_and_no_mark_of_the_place_in_a_menu() -> None:
    page = read('<body class="page-7"><p class="post-12 is-active wide">')
    assert [page.kinds[element] for element in range(3)] == ["html", "body", "p.post-0 wide"]


@table(
    "names",
    [
        ("view view-dom-id-5b1e9d0c47aa21f0e3d9c8b7a6f5e4d3", "view view-dom-id-f0e1d2c3b4a5968778695a4b3c2d1e0f"),
        ("memitem:a3b95347de25d1d93a3230287cf47a077", "memitem:aa9bb14eb4db9b1aa30acb3ef36b2aa3c"),
    ],
)
def test_a_kind_has_no_hashes(names: tuple[str, str]) -> None:
    one, other = (kind_of("div", {"class": name}) for name in names)
    assert one == other


def test_a_kind_has_short_words_of_hexadecimal_digits() -> None:
    assert kind_of("div", {"class": "facade"}) != kind_of("div", {"class": "decade"})


POST = "post-7 post type-post status-publish format-video has-post-thumbnail hentry category-home tag-sea tag-ship"


def test_the_order_of_classes_changes_no_kind() -> None:
    other = " ".join(reversed(POST.split()))
    assert kind_of("div", {"class": other}) == kind_of("div", {"class": POST})


def test_of_many_classes_the_first_parts_of_the_names_tell_the_kind() -> None:
    other = POST.replace("category-home tag-sea tag-ship", "category-travel")
    assert kind_of("div", {"class": other}) != kind_of("div", {"class": POST})
    assert kind_of("div", {"class": f"{other} tag-train"}) == kind_of("div", {"class": POST})


def test_the_sketch_of_a_key_page_knows_where_its_elements_stand_in_the_document() -> None:
    document = parse("<title>t</title><body><script>x</script><p>a", URL)
    page = KeySketch(document)
    assert [document.tags[place] for place in page.document_elements] == page.tags
    assert [page.numbers[place] for place in page.document_elements] == list(range(len(page)))


def test_megabytes_of_classes_are_not_kept() -> None:
    assert len(kind_of("p", {"class": "x" * 5_000_000})) < 5_000


def test_a_page_without_compared_elements_has_an_empty_sketch() -> None:
    page = KeySketch(Document(url=URL, base=URL, tags=["script"], parents=[-1], attributes=[{}], texts=[]))
    assert (len(page), list(page.kinds), list(page.ids)) == (0, [], [])


def test_names_of_one_page_are_those_that_no_other_has_whatever_their_numbers() -> None:
    page = '<body class=post><h1 id={0} class="title title-{1}">A</h1><p id=text class="{0} note">B</p></body>'
    first, *others = (read(page.format(name, number)) for name, number in (("cake", 7), ("soup", 8), ("pie", 9)))
    assert names_of_one_page(first, others) == ["cake"]
    assert names_of_one_page(first, []) == ["cake", "title", "title-7", "text", "note"]
