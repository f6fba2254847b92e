"""Hostile pages: time and memory stay bounded, and no text of a page is code of a generator."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sitestencil.rebuild.jinja_build import built
from sitestencil.rebuild.rebuilding import Content, Rebuilt, rebuilt

SITE = "https://ropes.example"
HEAD = "<!doctype html><title>Knot {0}</title><header>Ropes and knots, a site of the harbour</header>"
CODE = "{{ 7 * 7 }}{% raw %}{# a #}{{< x >}}{{% x %}}<%= 7 %>${7}{{{x}}}---\n---\n@root/"
_SECONDS = 20.0  # of processor time; each takes a few


def rebuilt_of(folder: Path, pages: dict[str, str], content: Content = "html") -> Rebuilt:
    """Return the project of a stored site with these pages."""
    (folder / "site.json").write_text(json.dumps({"base_url": f"{SITE}/", "key_page": next(iter(pages))}))
    for path, html in pages.items():
        (folder / "pages" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "pages" / path).write_text(html)
    return rebuilt(str(folder), content=content)


def _large(number: int) -> str:
    return f"<main><p>Words of page {number}</p>{f'<div id=x{number}></div><b>{number}</b>' * 5_000}</main>"


def _deep(number: int) -> str:
    return f"<main>{'<div>' * 400}Words of page {number}, which nest{'</div>' * 400}</main>"


def _bold(number: int) -> str:
    bold = f"{'<b>' * 300}Words of page {number}{'</b>' * 300}"
    return f"<main><h1>Page {number}</h1><p>{bold}</p>{'<p>[*_`a' * 500}</main>"


def _random(number: int) -> str:
    choice = random.Random(number)
    words = " ".join(f"w{choice.randrange(10**6)}" for _ in range(40))
    return f"<nav>{words}</nav><main><h1>{words}</h1><p class=c{number}>{words}</p></main><aside>{words}</aside>"


def _menus(number: int) -> str:
    items = [f"<li class={'on' if at == number else 'off'}><a href=/{at}.html>{at}</a>" for at in range(400)]
    related = [f"<li><a href=/{at}/{number}.html>{at * number}</a>" for at in range(100)]
    lists = "".join(f"<ul>{''.join(of)}</ul>" for of in (items, related, items[::-1]))
    return f"<nav>{'<ul><li>' * 50}{lists}</nav><main><p>Words of page {number}</p></main>"


@pytest.mark.parametrize(("body", "count"), [(_large, 3), (_deep, 5), (_bold, 5), (_random, 120), (_menus, 8)])
def test_the_time_for_hostile_pages_is_bounded(body: Callable[[int], str], count: int, tmp_path: Path) -> None:
    began = time.process_time()
    pages = {f"{number}.html": HEAD.format(number) + body(number) for number in range(count)}
    project = rebuilt_of(tmp_path, pages, "markdown")
    assert time.process_time() - began < _SECONDS
    assert all(one.is_equal for one in project.proofs if not one.is_new)


@pytest.mark.parametrize("content", ["html", "markdown"])
def test_code_of_generators_in_texts_attributes_fields_and_names_is_text(content: Content, tmp_path: Path) -> None:
    text = CODE.replace("<", "&lt;")
    pages = {
        f"a{{{{7*7}}}} {number}.html": (
            f"<!doctype html><title>{text} {number}</title><meta name=description content='{text}{number}'>"
            f"<meta name=author content='{text}'><header class='{text}'>{text} the same on all pages</header>"
            f"<main id='{text}'><h1>{text} {number}</h1><p title='{text}'>Words of page {number}. {text}</p></main>"
        )
        for number in range(8)
    }
    project = rebuilt_of(tmp_path, pages, content)
    assert project.proofs
    assert all(one.is_equal and one.has_title for one in project.proofs if not one.is_new)
    files = {path: content.decode() for path, content in project.files.items() if not path.startswith("static/")}
    for html in dict(built(files)).values():
        assert html.count("7 * 7") >= 8
        assert "49" not in html
