"""Error pages and almost empty pages, by real frames: said in words, never remembered, and never taught from."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.host.test_remembering import MENU, answers, article, kept

from sitestencil.memory.store import FILE_NAME, PageStore

if TYPE_CHECKING:
    from tests.host.conftest import Host, Website


@pytest.fixture
def store(tmp_path: Path) -> PageStore:
    """Return the pages that the host remembers."""
    return PageStore(tmp_path / "data" / FILE_NAME)


@pytest.mark.parametrize("status", [404, 410, 503])
def test_an_error_page_in_the_site_s_own_design_is_told_by_its_status(
    host: "Host", website: "Website", store: PageStore, status: int
) -> None:
    website.pages = {path: article(path) for path in MENU}
    page = {**website.snapshot("/news/lost.html", article("/news/lost.html")), "status": status}
    assert answers(host, page)[-1]["summary"]["doubt"] == "error_page"
    assert kept(website, store) == []
    assert answers(host, {**page, "status": 200})[-1]["summary"]["doubt"] is None
