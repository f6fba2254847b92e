"""The measurement of records finds what is written down, and only that."""

import json
from pathlib import Path
from typing import Any

import pytest

from sitestencil_research.measurements.records import by_hand, matched, of_records

_TITLES = ["Harbour", "Quarry", "Orchard", "Viaduct", "Lantern", "Meadow", "Foundry", "Glacier", "Tunnel", "Beacon"]
_WORDS = "water stone apple bridge light grass metal frost train tower".split()


def _page(at: int) -> str:
    body = " ".join(f"{_WORDS[(at * step) % 10]} {step} of the {_WORDS[(at + step) % 10]}" for step in range(1, 25))
    notes = "".join(
        f'<li class="note"><b class="who">{_TITLES[(at + one) % 10]}</b>'
        f'<i class="said">{_WORDS[(at * 3 + one) % 10]} {at}</i></li>'
        for one in range(1, 4)
    )
    return f"""<html><head><title>{_TITLES[at]} - Site</title></head><body><nav><a href="/">Home</a></nav>
<main><h1>{_TITLES[at]}</h1><time class="day" datetime="2024-05-{at + 10}">{at + 10} May 2024</time>
<p class="price">$ {at + 3}.50</p><p class="body">{body}</p><ul>{notes}</ul></main>
<footer>All pages have this footer of the site</footer></body></html>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "pages").mkdir()
    (folder / "site.json").write_text(json.dumps({"base_url": "https://made.example/", "key_page": "0.html"}))
    for at in range(10):
        (folder / "pages" / f"{at}.html").write_text(_page(at))
    return folder


def _wanted() -> dict[str, Any]:
    names = [[_TITLES[(at + one) % 10] for one in range(1, 4)] for at in (2, 5)]
    return {
        "pages": ["2.html", "5.html"],
        "fields": {
            "title": ["h1", "Orchard", "Meadow"],
            "date": ["time@datetime", "2024-05-12", "2024-05-15"],
            "price": [".price", "5.5", "8.5"],
            "never": [".never", "seen", "said"],
            "half": ["h1", "Orchard", "other"],
        },
        "lists": {"notes": [".note b", *names], "fewer": [".note b", names[0][:2], names[1]]},
    }


def test_columns_with_the_values_of_both_pages_are_found(folder: Path) -> None:
    columns, lists = of_records(folder, _wanted())
    found = matched(_wanted(), columns, lists)
    assert found.fields == {"title", "date", "price"}
    assert found.lists == {"notes"}
    assert len(found.others) == len(columns) - 3


def test_hand_written_selectors_take_texts_and_attributes(folder: Path) -> None:
    columns = by_hand(folder, _wanted())
    found = matched(_wanted(), columns, columns)
    assert found.fields == {"title", "date", "price"}
    assert found.lists == {"notes"}
