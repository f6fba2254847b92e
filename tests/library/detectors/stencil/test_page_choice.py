"""Which pages the detector stencil loads first."""

from collections.abc import Iterator
from itertools import islice

from sitestencil.detectors.stencil.comparison import Budget
from sitestencil.detectors.stencil.page_choice import PageChoice
from sitestencil.detectors.stencil.similarity import UrlSimilarity
from sitestencil.page.candidate_sketch import CandidateSketch
from sitestencil.site.links import Link, link_to

KEY = "http://site.test/2020/05/a-tale/"


def candidate(body: str, url: str) -> CandidateSketch:
    return CandidateSketch(f"<!doctype html><body>{body}".encode(), url, scripting=False)


def choice(*references: str, url: str = KEY) -> PageChoice:
    links = "".join(f'<a href="{reference}">x</a>' for reference in references)
    return PageChoice(candidate(links, url))


def offered(choice: PageChoice) -> Iterator[Link]:
    """Yield the links that are offered where nothing is learned of any."""
    while (link := choice.next()) is not None:
        yield link


def next_url(choice: PageChoice) -> str:
    link = choice.next()
    assert link is not None
    return link.url


def test_an_address_is_most_like_one_of_the_same_shape_in_the_same_directory() -> None:
    similarity = UrlSimilarity()
    key, same, year, about = (
        similarity.shape(f"http://site.test{path}")
        for path in ("/2020/05/a-tale/", "/2020/05/b-tale/", "/2019/05/x/", "/about")
    )
    assert 1 >= similarity(key, key) > similarity(key, same) > similarity(key, year) > similarity(key, about) >= 0


def test_the_name_of_a_directory_s_own_page_does_not_count() -> None:
    similarity = UrlSimilarity()
    assert similarity.shape("http://site.test/a/index.html?x#y") == similarity.shape("http://site.test/a/")


def test_a_sibling_of_the_key_page_comes_first() -> None:
    assert next_url(choice("/about/", "/2020/05/b-tale/", "/tags/sea/")) == "http://site.test/2020/05/b-tale/"


def test_each_page_is_offered_once_and_the_key_page_never() -> None:
    pages = [link.page for link in offered(choice("/2020/05/b/", "/2020/05/b/index.html", "/2020/05/a-tale/", "/"))]
    assert sorted(pages) == ["site.test/", "site.test/2020/05/b/"]


def test_the_front_page_is_loaded_for_its_links_where_no_page_promises_much() -> None:
    links = choice("/privacy", "/terms", url="http://site.test/2020/05/a-tale/")
    assert next_url(links) == "http://site.test/"


def test_links_of_loaded_pages_are_followed_when_their_turn_comes() -> None:
    links = choice("/2020/05/b/", "/2020/05/c/")
    first = links.next()
    assert first is not None
    links.learn(candidate("<a href='/2021/07/far-tale/'>y</a>", first.url), 1.0)
    assert "http://site.test/2021/07/far-tale/" in {link.url for link in islice(offered(links), 5)}


def test_what_a_page_was_worth_is_expected_of_those_with_like_addresses() -> None:
    months = {"/2020/06/x/": "/2020/06/y/", "/2020/07/x/": "/2020/07/y/"}
    links = choice(*months, *months.values())
    first = links.next()
    assert first is not None
    links.learn(candidate("", first.url), 0.1)
    month = first.url[: -len("x/")]
    later = [link.url for link in offered(links) if link.url != "http://site.test/"]
    assert not any(url.startswith(month) for url in later[:2])


def test_pages_like_one_that_cannot_be_had_promise_less() -> None:
    links = choice("/2020/06/x/", "/2020/06/y/", "/2020/07/x/", "/2020/07/y/")
    first = links.next()
    assert first is not None
    links.miss(first)
    later = [link.url for link in offered(links) if link.url != "http://site.test/"]
    assert not any(url.startswith(first.url[: -len("x/")]) for url in later[:2])


def test_pages_in_one_list_with_the_key_page_promise_more() -> None:
    links = choice("/2020/04/forum/", "/2020/06/x/")
    threads = "".join(f'<li class="thread"><a href="{url}">x</a>' for url in ("/t/9/", "/t/8/", "/2020/05/a-tale/"))
    links.learn(candidate(f"<ol>{threads}</ol><p><a href='/t/7/'>z</a>", "http://site.test/2020/04/forum/"), 0.2)
    links.learn(candidate("", "http://site.test/2020/06/x/"), 0.2)
    later = [link.url for link in offered(links)]
    assert later.index("http://site.test/t/9/") < later.index("http://site.test/t/7/")


def test_another_draw_takes_pages_that_promise_as_much_in_another_order() -> None:
    pages = candidate("".join(f'<a href="/2020/05/{name}/">x</a>' for name in "abcdefgh"), KEY)
    orders = {tuple(link.url for link in offered(PageChoice(pages, draw))) for draw in range(4)}
    assert len(orders) > 1
    assert len({tuple(sorted(order)) for order in orders}) == 1


def test_loads_in_vain_lower_the_demand() -> None:
    budget = Budget(pages=5)
    assert budget.round_size(4, 4) == 1
    assert budget.round_size(5, 5) == 0
    assert budget.round_size(4, 6) == 0


def test_a_page_of_another_kind_is_the_front_page_then_one_at_an_address_least_like_the_key_page_s() -> None:
    links = choice("/2020/05/b-tale/", "/2020/05/c-tale/", "/about")
    others = [links.next(other=True) for _ in range(2)]
    assert [link.url for link in others if link] == ["http://site.test/", "http://site.test/about"]


def test_the_order_of_the_pages_does_not_depend_on_where_they_are_served() -> None:
    names = [f"/2020/05/{name}/" for name in "abcdefgh"]
    here = [link.page.partition("/")[2] for link in offered(choice(*names))]
    elsewhere = choice(*names, url=KEY.replace("site.test", "127.0.0.1:8123"))
    assert [link.page.partition("/")[2] for link in offered(elsewhere)] == here


def test_pages_of_which_little_is_known_come_before_those_known_to_be_far() -> None:
    links = choice(*(f"/post/{number}" for number in range(5)), "/tags/sea/", "/archive", url="http://site.test/")
    for number in (8, 9):
        links.learn(candidate("", f"http://site.test/post/{number}"), 0.2)
    assert not next_url(links).startswith("http://site.test/post/")


def test_pages_in_hand_are_chosen_by_address_though_nothing_links_to_them() -> None:
    given_links = [link_to(f"https://site.test/{name}") for name in ("help", "news/2", "news/3")]
    elsewhere = link_to("https://other.test/news/4")
    pages = PageChoice(candidate("", "https://site.test/news/1"), given_links=[*given_links, elsewhere])
    addresses = [link.url for link in offered(pages)]
    assert addresses[0].startswith("https://site.test/news/")
    assert sorted(addresses) == sorted([link.url for link in given_links] + ["https://site.test/"])
