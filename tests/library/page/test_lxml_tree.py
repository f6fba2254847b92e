"""The lxml tree that equals the document."""

from pathlib import Path

from cssselect import HTMLTranslator

from sitestencil.page.lxml_tree import lxml_tree
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.labels import labelled_sites

URL = "http://example.org/"


def test_every_key_pages_tree_has_the_documents_elements_in_order(benchmark_sites: Path) -> None:
    for folder in labelled_sites(benchmark_sites):
        page = StoredSite(folder).load_key_page().document()
        tree = lxml_tree(page)
        assert list(tree.root.iter()) == tree.elements
        number = {element: index for index, element in enumerate(tree.elements)}
        parents = [number.get(element.getparent(), -1) for element in tree.elements]
        assert parents == list(page.parents), folder.name
        assert "".join(tree.root.itertext()).split() == "".join(run.text for run in page.texts).split()


def test_xpath_and_css_selectors_find_elements_by_their_number() -> None:
    page = parse("<ul class=menu><li><a href=/x>X</a> and <a>Y</a></ul>", URL)
    tree = lxml_tree(page)
    (item,) = tree.root.xpath(HTMLTranslator().css_to_xpath("ul.menu a[href]"))
    assert page.tags[tree.elements.index(item)] == "a"
    assert item.text == "X"
    assert item.tail == " and "


def test_names_that_xml_does_not_allow_and_control_characters_are_no_error() -> None:
    page = parse('<p a"b=1 @click=2 :x=3 1=4><x:y@z>\x01\x0cq', URL)
    tree = lxml_tree(page)
    assert len(tree.elements) == len(page)
