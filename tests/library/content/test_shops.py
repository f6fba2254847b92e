"""Shops: a product's facts and choices are its content, and so are a list's items; a fragment is doubted."""

from functools import cache

import pytest

from sitestencil import Template, extract
from sitestencil.content.items import choose_items
from sitestencil.content.page_kind import KINDS, STATEMENTS, surest_kind
from sitestencil.content.page_measures import PageMeasures
from sitestencil.page.parsing import parse
from sitestencil.reading.blocks import text_blocks

SHOP = "https://shop.example/"
GOODS = ("Blue Mug", "Oak Board", "Linen Towel", "Iron Pan", "Glass Jar", "Wool Rug")
MENU = "".join(f"<li><a href=/{name}/>{name}</a>" for name in ("kitchen", "bath", "garden", "sale", "about"))
FOOT = "<footer><p>Hill Store, 12 Long Lane. All prices include VAT.<ul><li><a href=/terms/>Terms</a></ul></footer>"


def page(title: str, body: str) -> str:
    head = f"<!doctype html><title>{title} - Hill Store</title>"
    return f"{head}<header><a href=/>Hill Store</a><nav><ul>{MENU}</ul></nav></header><main>{body}</main>{FOOT}"


def card(number: int) -> str:
    name, path = GOODS[number], f"/{number}.html"
    picture = f"<a href={path}><img src=/{number}.jpg></a>"
    return f"<div class=item>{picture}<div><a href={path}>{name}</a></div><div>{12 + number}.50 EUR</div></div>"


def goods(number: int) -> str:
    name = GOODS[number]
    stated = '<script type="application/ld+json">{"@type": "Product"}</script>'
    picture = f"<div class=media><img src=/{number}.jpg alt='{name}'></div>"
    choices = "<label for=size>Size</label><select id=size><option>Small<option>Large</select>"
    others = "".join(card((number + step) % 6) for step in (1, 2, 3))
    return page(
        name,
        f"{stated}{picture}<h1>{name}</h1><p class=price>{12 + number}.50 EUR<div class=choice>{choices}</div>"
        f"<button>Add to cart</button><p>The {name} is made by hand in a workshop by the harbour, and lasts."
        f" It weighs {200 + number} g.<section><h2>Others</h2>{others}</section>",
    )


def listing(title: str, numbers: tuple[int, ...]) -> str:
    items = "".join(map(card, numbers))
    return page(title, f"<h1>{title}</h1><p>Showing all {len(numbers)} results</p><div class=row>{items}</div>")


LISTS = {"kitchen": (0, 3), "bath": (2, 5), "garden": (1, 4, 0, 2), "sale": (0, 1, 2, 3, 4, 5)}
PAGES = {f"{SHOP}{number}.html": goods(number) for number in range(6)} | {
    f"{SHOP}{name}/": listing(name.title(), numbers) for name, numbers in LISTS.items()
}


@cache
def template(path: str) -> Template:
    return extract(f"{SHOP}{path}", pages=PAGES)


def main_elements(found: Template, tag: str) -> list[str]:
    attributes = found.document.attributes
    tags = zip(found.document.tags, found.main.elements, strict=True)
    return [
        attributes[number].get("src", "") for number, (one, is_main) in enumerate(tags) if is_main and one == tag
    ]


def test_a_product_keeps_its_picture_its_price_and_its_choices_and_says_its_kind() -> None:
    found = template("3.html")
    assert "15.50 EUR" in found.content_text()
    assert "/3.jpg" in main_elements(found, "img")
    assert (len(main_elements(found, "select")), len(main_elements(found, "option"))) == (1, 2)
    assert found.main.page_kind == "product"


@pytest.mark.parametrize("name", LISTS)
def test_a_list_keeps_title_link_price_and_picture_of_each_item(name: str) -> None:
    found = template(f"{name}/")
    markdown, pictures = found.content_markdown(), main_elements(found, "img")
    for number in LISTS[name]:
        assert f"[{GOODS[number]}]({SHOP}{number}.html)" in markdown
        assert f"{12 + number}.50 EUR" in found.content_text()
        assert f"/{number}.jpg" in pictures


def test_a_lists_items_go_together_and_a_menu_is_none() -> None:
    items = "".join(f"<div class=a><a href=/{name}>{name} is here</a></div>" for name in ("One", "Two", "Three"))
    document = parse(f"<nav>{items}</nav><main>{items}</main>", SHOP)
    measures = PageMeasures(document, text_blocks(document))
    chosen = [True, False, False, False, True, False]
    assert len(choose_items(chosen, measures, [False] * 5 + [True])) == 3
    assert chosen == [True, False, False, True, True, False]


@pytest.mark.parametrize(
    ("stated", "likely", "kind"),
    [
        ({"states_product"}, "article", "product"),
        ({"states_product"}, "list", "list"),
        ({"states_product", "states_article"}, "article", "article"),
    ],
)
def test_a_page_that_states_a_product_is_no_article(stated: set[str], likely: str, kind: str) -> None:
    probabilities = [0.7 if name == likely else 0.06 for name in KINDS]
    assert surest_kind(probabilities, [float(name in stated) for name in STATEMENTS]) == kind


def test_a_few_words_beside_many_of_the_pages_own_are_a_fragment_in_doubt() -> None:
    links = "".join(f"<li><a href=/{word}>Word {word}</a>" for word in range(9))
    asides = f"<aside class=sidebar><h3>Part</h3><ul>{links}</ul></aside>" * 5
    found = extract(
        page("Rope", f"<h1>Rope</h1><p>Ropes are sold by the yard.</p></main>{asides}"), url=SHOP, pages={}
    )
    assert (found.main.doubt, found.main.confidence <= 0.5) == ("fragment", True)
    assert template("3.html").main.doubt is None
