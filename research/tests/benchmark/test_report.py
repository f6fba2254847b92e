"""The report: one page that needs nothing else, with pictures from a real browser."""

import os
import re
import shutil
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sitestencil.errors import BrowserMissing
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.benchmark.comparison import Comparison, compare, entrants
from sitestencil_research.benchmark.report import pictures
from sitestencil_research.benchmark.report.charts import ChartPoint, scatter
from sitestencil_research.benchmark.report.page import forest_chart, report_html
from sitestencil_research.benchmark.report.pictures import Picture, take_pictures
from sitestencil_research.benchmark.report.serving import STORED_HOST, StoredSiteProxy, serving

SITES = ("040code", "danisancas")


@pytest.fixture(scope="module")
def folders(benchmark_sites: Path) -> list[Path]:
    return [benchmark_sites / site for site in SITES]


@pytest.fixture(scope="module")
def comparison(folders: list[Path]) -> Comparison:
    return compare(folders, entrants("temex,conex"), processes=1)


@pytest.fixture(scope="module")
def taken(folders: list[Path], comparison: Comparison) -> list[Picture]:
    if shutil.which("chromedriver") is None:
        reason = "no chromedriver: install Chromium and its driver"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    answers = {
        site: [row.result.sites[number].answer for row in comparison.rows]
        for number, site in enumerate(comparison.sites)
    }
    return list(take_pictures(folders, answers))


class ReportPage(HTMLParser):
    """Collects the tags of a page and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"src", "href", "srcset", "data"}]


def read(page: str) -> ReportPage:
    parser = ReportPage()
    parser.feed(page)
    return parser


def test_the_report_loads_nothing_from_elsewhere(
    comparison: Comparison, folders: list[Path], taken: list[Picture]
) -> None:
    page = report_html(comparison, folders, taken, "sitestencil benchmark")
    assert all(address.startswith(("data:image/webp;base64,", "#")) for address in read(page).addresses)
    assert "@import" not in page and "url(" not in page


def test_the_report_shows_each_site_with_a_layer_for_each_detector(
    comparison: Comparison, folders: list[Path], taken: list[Picture]
) -> None:
    page = report_html(comparison, folders, taken)
    assert read(page).tags.count("figure") == len(SITES)
    assert page.count('class="layer') == len(SITES) * 2
    assert page.count('class="layer shown') == len(SITES)


def test_without_pictures_the_report_has_the_figures_only(comparison: Comparison, folders: list[Path]) -> None:
    parsed = read(report_html(comparison, folders))
    assert "img" not in parsed.tags
    assert parsed.tags.count("svg") == 3


def test_what_a_site_or_error_says_cannot_break_the_report(comparison: Comparison, folders: list[Path]) -> None:
    page = report_html(comparison, folders, command="<script>alert(1)</script>")
    assert "<script>alert" not in page


def test_layers_differ_where_the_answers_do(taken: list[Picture]) -> None:
    for picture in taken:
        assert picture.page.startswith("data:image/webp;base64,")
        assert len(picture.layers) == 2
        assert picture.layers[0] != picture.layers[1]


def test_a_chart_is_an_image_of_its_own(comparison: Comparison) -> None:
    root = ElementTree.fromstring(forest_chart(comparison))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "temex" in texts
    assert f"{comparison.rows[0].mean_of('elements', 'f1').mean:.3f}" in texts


def test_names_of_points_that_lie_together_do_not_cover_each_other() -> None:
    points = [ChartPoint(f"name {number}", 10 + number, 0.8 + number / 1000, own=True) for number in range(5)]
    root = ElementTree.fromstring(scatter(points, title="t", x_title="x", ticks=[1, 10, 100]))
    places = [
        (float(text.get("x", 0)) // 60, float(text.get("y", 0)))
        for text in root.iter("{http://www.w3.org/2000/svg}text")
        if (text.text or "").startswith("name")
    ]
    for number, (column, y) in enumerate(places):
        assert all(column != other or abs(y - line) >= 11 for other, line in places[:number])


def test_the_proxy_has_the_stored_pages_and_nothing_else(benchmark_sites: Path) -> None:
    site = StoredSite(benchmark_sites / "040code")
    proxy = StoredSiteProxy()
    address = proxy.show(site)
    assert address.startswith(f"http://{STORED_HOST}/")
    assert proxy.answer(address)[:2] == (200, "text/html")
    assert proxy.answer("http://example.org/")[0] == 404
    assert proxy.answer(f"http://{STORED_HOST}/../site.json")[0] == 404


def test_the_proxy_refuses_encrypted_connections() -> None:
    with serving() as proxy:
        request = urllib.request.Request("https://example.org/")
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({"https": f"http://127.0.0.1:{proxy.port}"})
        )
        with pytest.raises(OSError, match="403"):
            opener.open(request, timeout=10)


def test_a_missing_browser_is_an_error_that_names_the_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("SE_OFFLINE", "true")
    with pytest.raises(BrowserMissing, match=re.escape("--no-pictures")):
        pictures.check_browser()
