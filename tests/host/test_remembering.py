"""Pages answered from memory, by real frames: what is remembered, when it is checked, and what never is."""

from pathlib import Path

import pytest
from tests.host.conftest import Host, Message, Website, page
from tests.support.server import MISSING

from sitestencil import parse
from sitestencil.memory.store import FILE_NAME, PageStore
from sitestencil.page.key_sketch import KeySketch
from sitestencil.site.loading import KnownPages

FIRST, FURTHER = "/news/news.html", "/news/contact.html"
MENU = ("/news/news.html", "/news/events.html", "/news/contact.html", "/news/team.html", "/news/history.html")
BANNER = '<section class="campaign"><h2>Give</h2><p>Now</p></section>'


def article(path: str, before: str = "") -> str:
    """Return a page of the small site whose content is of one kind."""
    head, _, rest = page(path).partition("<main")
    return (
        f"{head}{before}<main id=main><h2>{path}</h2><p>All about {path}.</p></main>{rest.partition('</main>')[2]}"
    )


@pytest.fixture
def website(website: Website) -> Website:
    """The small site with pages of one kind."""
    website.pages = {path: article(path) for path in MENU}
    return website


def snapshot(website: Website, path: str) -> Message:
    return website.snapshot(path, website.pages[path])


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    return PageStore(tmp_path / "data" / FILE_NAME)


def kept(website: Website, store: PageStore) -> list[str]:
    return [page.url.removeprefix(website.url) for page in store.of_page(website.url + "/").pages]


def answers(host: Host, page: Message, memory: str | None = "use", **more: object) -> list[Message]:
    host.send({"type": "extract", "id": 7, "snapshot": page, "memory": memory, **more})
    messages = []
    while (message := host.receive())["type"] not in {"result", "error"}:
        messages.append(message)
    # The next request waits until what this one has taught is kept.
    host.send({"type": "extract", "id": 8, "snapshot": {}})
    assert host.end_of(8)[-1]["number"] == 102
    return [*messages, message]


def test_the_next_page_of_a_site_is_answered_from_memory_and_nothing_is_loaded(
    host: Host, website: "Website"
) -> None:
    assert answers(host, snapshot(website, FIRST))[-1]["summary"]["remembered"] is False
    asked = len(website.asked)
    expected = answers(host, snapshot(website, FURTHER), memory=None)[-1]
    assert len(website.asked) > asked
    asked = len(website.asked)
    result = answers(host, snapshot(website, FURTHER))[-1]
    assert result["summary"]["remembered"] is True
    assert result["template"] == expected["template"]
    assert len(website.asked) == asked


def test_a_page_with_a_part_that_is_not_known_is_shown_at_once_and_then_corrected(
    host: Host, website: "Website"
) -> None:
    answers(host, snapshot(website, FIRST))
    website.pages = {path: article(path, BANNER) for path in MENU}
    messages = answers(host, snapshot(website, FURTHER))
    early, last = messages[0], messages[-1]
    assert (early["type"], early["summary"]["remembered"]) == ("early_result", True)
    assert (last["type"], last["summary"]["remembered"]) == ("result", False)
    size = last["summary"]["elements"]
    assert covered(last, size) > covered(early, size)
    again = answers(host, snapshot(website, FIRST))[-1]
    assert again["summary"]["remembered"] is True


def covered(result: Message, size: int) -> int:
    ranges = [range(start, end) for start, end in result["template"]]
    assert all(0 <= one.start < one.stop <= size for one in ranges)
    return sum(map(len, ranges))


def test_where_nothing_can_be_loaded_to_check_it_what_is_remembered_stays(
    host: Host, website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(host, snapshot(website, FIRST))
    further = website.snapshot(FURTHER, article(FURTHER, BANNER))
    monkeypatch.setattr(website, "answer", lambda _: MISSING)
    (*_, result) = answers(host, further)
    assert result["summary"]["remembered"] is True


def test_a_page_that_is_to_be_looked_at_anew_is_and_replaces_what_was_remembered(
    host: Host, website: Website, store: PageStore
) -> None:
    answers(host, snapshot(website, FIRST))
    assert answers(host, snapshot(website, FURTHER), memory="renew")[-1]["summary"]["remembered"] is False
    assert set(kept(website, store)) == set(MENU)


def test_nothing_is_kept_of_a_page_of_a_private_window(host: Host, website: Website, store: PageStore) -> None:
    answers(host, snapshot(website, FIRST), memory=None)
    assert not store.file.parent.exists()


def test_a_guess_is_not_kept_and_neither_is_what_a_detector_cannot_learn(
    host: Host, website: Website, store: PageStore
) -> None:
    answers(host, website.menu_of("/gone/news.html", "/gone/events.html"))
    answers(host, snapshot(website, FIRST), detector="pagelevel")
    assert store.sites() == []


def test_the_remembered_sites_are_listed_and_forgotten_one_by_one(
    host: Host, website: Website, store: PageStore
) -> None:
    answers(host, snapshot(website, FIRST))
    other = KeySketch(parse("<p>Other</p>", "https://other.example/"))
    store.remember(other.url, KnownPages(seen=[other]))
    (site,) = (kept.site for kept in store.sites() if kept.site != "other.example")
    listed = [{"site": site, "pages": len(MENU)}, {"site": "other.example", "pages": 1}]
    assert host.ask({"type": "sites", "id": 3}) == {"type": "sites", "id": 3, "sites": listed}

    forgotten = {"type": "forgotten", "id": 3, "pages": 1}
    assert host.ask({"type": "forget", "id": 3, "site": "other.example"}) == forgotten
    assert [kept.site for kept in store.sites()] == [site]
    assert host.ask({"type": "forget", "id": 3, "site": ""})["name"] == "wrong-shape"
    assert len(store.sites()) == 1


def test_a_memory_that_cannot_be_used_costs_no_answer_and_is_said_where_it_is_to_be_forgotten(
    host: Host, website: Website, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    assert answers(host, snapshot(website, FIRST))[-1]["type"] == "result"
    assert "The memory cannot be used" in host.log.read_text()
    (tmp_path / "data").unlink()
    (tmp_path / "data" / FILE_NAME).mkdir(parents=True)
    refused = host.ask({"type": "forget", "id": 3})
    assert (refused["number"], refused["name"]) == (310, "memory-unavailable")


@pytest.mark.parametrize("status", [404, 410, 503])
def test_an_error_page_in_the_site_s_own_design_is_told_by_its_status_and_not_kept(
    host: Host, website: Website, store: PageStore, status: int
) -> None:
    page = {**website.snapshot("/news/lost.html", article("/news/lost.html")), "status": status}
    assert answers(host, page)[-1]["summary"]["doubt"] == "error_page"
    assert kept(website, store) == []
    assert answers(host, {**page, "status": 200})[-1]["summary"]["doubt"] is None
