"""Early results: what the first pages say, before more of them are loaded, where the extension asks for it."""

from typing import Any

import pytest
from tests.host.conftest import Host, Website

import sitestencil

KEY_PATH = "/tale-0.html"
# More tales than one round loads; on this machine the key page's links are the only ones that are followed.
LINKS = {"a": "bcdefgh"}
NEW_YEAR = "agh"


def path(name: str) -> str:
    """Return a tale's path. By its number it looks like a page, also on this machine."""
    return f"/tale-{ord(name) - ord('a')}.html"


def tale(name: str) -> str:
    links = "".join(f'<li><a href="{path(other)}">{other}</a></li>' for other in LINKS.get(name, "abc"))
    menu = "".join(f"<li>{part}</li>" for part in ("Tales", "Poems", "Plays", "About"))
    story = "".join(f"<p>{name} {number}</p>" for number in range(1 + ord(name) - ord("a")))
    box = "<aside><h2>News</h2><p>Happy new year!</p><p>To all</p></aside>" if name in NEW_YEAR else ""
    return (
        f"<!doctype html><html><head><title>{name}</title></head><body><h1>The site</h1><ul class=menu>{menu}</ul>"
        f"<main>{story}</main><ul class=more>{links}</ul>{box}<footer>By hand</footer></body></html>"
    )


@pytest.fixture
def tales(website: Website) -> Website:
    """A site of tales, some of them with a box of news."""
    website.pages |= {path(name): tale(name) for name in "abcdefgh"}
    return website


def extract(tales: Website, **more: object) -> dict[str, Any]:
    return {"type": "extract", "id": 7, "snapshot": tales.snapshot(KEY_PATH, tale("a")), **more}


def test_an_early_result_comes_before_the_result_and_is_whole(host: Host, tales: Website) -> None:
    host.send(extract(tales))
    *before, result = host.end_of(7)
    early = [answer for answer in before if answer["type"] == "early_result"]
    assert early
    assert all(answer.keys() == result.keys() for answer in early)
    loaded = [answer["summary"]["pages_loaded"] for answer in (*early, result)]
    assert loaded[0] > 0
    assert loaded == sorted(set(loaded))
    assert {answer["summary"]["doubt"] for answer in early} == {None}
    assert result["type"] == "result"


def test_an_early_result_is_what_the_library_tells_early(host: Host, tales: Website) -> None:
    told: list[sitestencil.Template] = []
    final = sitestencil.extract(tales.url + KEY_PATH, early=told.append)
    host.send(extract(tales))
    answers = [answer for answer in host.end_of(7) if answer["type"] in ("early_result", "result")]
    expected = [[list(found) for found in template.ranges()] for template in (*told, final)]
    assert [answer["template"] for answer in answers] == expected
    assert answers[0]["scores"] != answers[-1]["scores"]


def test_none_comes_where_the_first_round_settles_the_answer(host: Host, website: Website) -> None:
    host.send({"type": "extract", "id": 7, "snapshot": website.snapshot("/news/news.html")})
    *before, result = host.end_of(7)
    assert {answer["type"] for answer in before} == {"progress", "reasons"}
    assert result["summary"]["pages_loaded"] <= 4


def test_none_comes_from_a_detector_without_rounds(host: Host, tales: Website) -> None:
    host.send(extract(tales, detector="temex"))
    assert {answer["type"] for answer in host.end_of(7)} == {"progress", "result"}
