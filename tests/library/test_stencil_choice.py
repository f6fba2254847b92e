"""Which pages the detector stencil loads first."""

from itertools import islice

from sitestencil.parsing import parse
from sitestencil.stencil.choice import Choice, likeness, segments
from sitestencil.stencil.comparing import Budget

KEY = "http://site.test/2020/05/a-tale/"


def choice(*references: str, url: str = KEY) -> Choice:
    links = "".join(f'<a href="{reference}">x</a>' for reference in references)
    return Choice(parse(f"<!doctype html><body>{links}", url))


def test_an_address_is_most_like_one_of_the_same_shape_in_the_same_directory() -> None:
    key = segments(KEY)
    same, year, about = (
        segments(f"http://site.test{path}") for path in ("/2020/05/b-tale/", "/2019/05/x/", "/about")
    )
    assert likeness(key, same) > likeness(key, year) > likeness(key, about)


def test_the_name_of_a_directory_s_own_page_does_not_count() -> None:
    assert segments("http://site.test/a/index.html?x#y") == segments("http://site.test/a/") == ("a",)


def test_a_sibling_of_the_key_page_comes_first() -> None:
    assert next(choice("/about/", "/2020/05/b-tale/", "/tags/sea/")).url == "http://site.test/2020/05/b-tale/"


def test_each_page_is_offered_once_and_the_key_page_never() -> None:
    offered = [link.page for link in choice("/2020/05/b/", "/2020/05/b/index.html", "/2020/05/a-tale/", "/")]
    assert sorted(offered) == ["site.test/", "site.test/2020/05/b/"]


def test_the_front_page_is_loaded_for_its_links_where_no_page_promises_much() -> None:
    links = choice("/privacy", "/terms", url="http://site.test/2020/05/a-tale/")
    assert next(links).url == "http://site.test/"


def test_links_of_loaded_pages_are_followed_and_what_they_were_worth_is_learned() -> None:
    links = choice("/2020/05/b/", "/2020/05/c/")
    first = next(links)
    inside = parse("<!doctype html><body><a href='/2021/07/far-tale/'>y</a>", first.url)
    links.learn(inside, 1.0)
    assert "http://site.test/2021/07/far-tale/" in {link.url for link in islice(links, 5)}


def test_four_near_pages_are_enough_and_loads_in_vain_lower_the_demand() -> None:
    budget = Budget(pages=5, near_pages=4)
    assert budget.is_spent([0.9, 0.8, 0.9, 0.85], 4)
    assert not budget.is_spent([0.9, 0.2, 0.3, 0.3], 4)
    assert budget.is_spent([0.9, 0.2, 0.3, 0.3, 0.2], 5)
    assert budget.is_spent([0.9, 0.2, 0.3, 0.3], 6)
