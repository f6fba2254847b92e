"""What may be loaded in a person's session: pages that a menu or a list leads to, and none that acts."""

import pytest

from sitestencil.page.parsing import parse
from sitestencil.site.menu_links import MOST, menu_links

URL = "https://site.example/"


def paths(html: str) -> list[str]:
    return [link.url.removeprefix(URL[:-1]) for link in menu_links(parse(html, URL))]


@pytest.mark.parametrize(
    "around",
    [
        "<nav>{}</nav>",
        "<ul><li>{}</ul>",
        "<header><p>{}</p></header>",
        "<footer><div><span>{}</span></div></footer>",
        "<div role=navigation>{}</div>",
        "<dl><dd>{}</dl>",
    ],
)
def test_links_of_menus_and_lists_are_taken(around: str) -> None:
    assert paths(around.format("<a href=/a>A</a>")) == ["/a"]


@pytest.mark.parametrize("around", ["<p>See {} for more.</p>", "{}", "<main><div>{}</div></main>"])
def test_links_in_the_midst_of_a_text_or_by_themselves_are_not(around: str) -> None:
    assert paths(around.format("<a href=/a>A</a>")) == []


@pytest.mark.parametrize(
    "link",
    [
        "<a href=/logout>Bye</a>",
        "<a href=/a>Abmelden</a>",
        "<a href=/a>Eliminar</a>",
        "<a href=/cart/add?id=3>Now</a>",
        "<a href=/a?token=8f14e45fceea167a>A</a>",
        "<a href=/a data-method=delete>A</a>",
        "<a href=/a role=button>A</a>",
        "<a href=https://other.example/a>A</a>",
        "<a href=javascript:alert(1)>A</a>",
        "<a href=/file.pdf>A</a>",
    ],
)
def test_links_that_act_carry_a_secret_or_lead_to_no_page_of_the_site_are_not_wherever_they_stand(
    link: str,
) -> None:
    assert paths(f"<nav><ul><li>{link}</ul></nav>") == []


def test_there_are_no_more_than_a_person_may_read() -> None:
    items = "".join(f"<li><a href=/page/{number}>{number}</a>" for number in range(500))
    assert len(paths(f"<ul>{items}</ul>")) == MOST
