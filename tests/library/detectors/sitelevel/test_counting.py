"""SiteLevel on a site whose frequencies are counted by hand."""

from collections.abc import Sequence

from tests.support.tables import table

from sitestencil.detectors.sitelevel.detector import PageCounts, SiteLevelParameters, label_page, node_contents
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse

URL = "http://site.test/"


def labels(key: Document, others: Sequence[str], parameters: SiteLevelParameters | None = None) -> dict[str, bool]:
    """Return for each element of the key page, by its id, and for each text whether it is template."""
    contents = node_contents(key)
    counts = PageCounts(only=frozenset({*contents.elements, *contents.texts}))
    counts.add(contents)
    for other in others:
        counts.add(node_contents(parse(f"<!doctype html><body>{other}", URL)))
    labelled = label_page(key, contents, counts, parameters or SiteLevelParameters())
    by_id = {key.id(element): value for element, value in enumerate(labelled.elements) if key.id(element)}
    return by_id | {run.text: value for run, value in zip(key.texts, labelled.texts, strict=True)}


def page(body: str) -> Document:
    return parse(f"<!doctype html><body>{body}", URL)


# 20 pages: the key page and 19 others. On how many of them is each node?
#   #menu       all 20
#   #section    3: the key page, and two others
#   #twice      2: the key page, and one other, which has it twice
#   #changed    1: the others' has another class
#   #alone      1
KEY = page(
    '<ul id="menu"><li id="home">Home</li></ul><p id="section">Sport</p><p id="twice">Advert</p>'
    '<p id="changed" class="now">Here</p><p id="alone">Story</p>'
)
MENU = '<ul id="menu"><li id="home">Home</li></ul>'
CHANGED = '<p id="changed">Here</p>'
OTHERS = [
    f'{MENU}{CHANGED}<p id="section">Sport</p>',
    f'{MENU}{CHANGED}<p id="section">Sport</p>',
    f'{MENU}{CHANGED}<p id="twice">Advert</p><p id="twice">Advert</p>',
    *(f"{MENU}{CHANGED}<p>Story {number}</p>" for number in range(16)),
]


@table(
    ("theta", "template"),
    [
        (0.1, {"menu", "home", "section", "twice"}),  # 2 of 20
        (0.11, {"menu", "home", "section"}),  # 3 of 20 is .15
        (0.15, {"menu", "home", "section"}),
        (0.16, {"menu", "home"}),
        (1.0, {"menu", "home"}),
    ],
)
def test_a_node_on_at_least_theta_of_the_pages_is_template(theta: float, template: set[str]) -> None:
    labelled = labels(KEY, OTHERS, SiteLevelParameters(theta=theta))
    assert {name for name in ("menu", "home", "section", "twice", "changed", "alone") if labelled[name]} == template


def test_a_text_that_recurs_in_an_element_that_does_not_is_not_template() -> None:
    labelled = labels(KEY, OTHERS)
    assert labelled["Sport"]
    assert not labelled["Here"]
    assert not labelled["changed"]


def test_the_key_page_alone_makes_nothing_template() -> None:
    others = ["<p>one</p>", "<p>two</p>"]
    assert not labels(KEY, others)["alone"]
    assert labels(KEY, others, SiteLevelParameters(least_pages=1))["alone"]


def test_an_inner_node_with_more_than_85_percent_of_its_html_in_frequent_nodes_is_template() -> None:
    """Lengths in characters, the frequent ``b`` inside a ``div`` with another text.

    ``<b id="b">`` 10 + 83 letters + ``</b>`` 4 = 97; ``<div id="d">`` 12 + ``</div>`` 6 = 18.
    97 / (97 + 18) = 0.843: not. With 100 letters: 114 / 132 = 0.864: template. With a text of its own of 3
    letters: 114 / 135 = 0.844: not.
    """

    def container(letters: int, own: str) -> bool:
        shared = f'<b id="b">{"x" * letters}</b>'
        labelled = labels(page(f'<div id="d">{shared}{own}</div>'), [f"<p>{shared}</p>"] * 3)
        assert labelled["b"]
        return labelled["d"]

    assert not container(83, "")
    assert container(100, "")
    assert not container(100, "own")


def test_nodes_that_are_template_only_by_the_85_percent_do_not_count_as_covered() -> None:
    """The frequent ``b`` has 114 characters, ``#d`` around it 132, ``#e`` around that 150: 114 / 150 = 0.76."""
    shared = f'<b id="b">{"x" * 100}</b>'
    labelled = labels(page(f'<div id="e"><div id="d">{shared}</div></div>'), [f"<p>{shared}</p>"] * 3)
    assert (labelled["b"], labelled["d"], labelled["e"]) == (True, True, False)
