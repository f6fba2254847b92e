"""A page that answers without its words stays: also where it had few of its own, or others have them, too."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.manual_site import KNOTS, knot, manual_page

from sitestencil.cli import main
from sitestencil.whole_site.folder import Folder, digest
from sitestencil.whole_site.saving import save_site
from sitestencil.whole_site.visiting import Loading
from sitestencil.whole_site.writing import Choice

LOGIN = manual_page("Sign in", "<form>Your session has ended.<input name=n><input type=password name=p></form>")
HOME = "https://site.example/"
SENTENCES = [*KNOTS.values()]


def changes(folder: Path, pages: dict[str, str], *, remove: bool = False) -> dict[str, Any]:
    """Save pages, by their names, and return what changed."""
    rows = [{"url": f"{HOME}{name}", "html": html} for name, html in pages.items()]
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    choice = Choice(remove=remove)
    saved = save_site(str(folder / "a.jsonl"), folder / "out", Loading(), choice, lambda _: None)
    return saved.changes or {}


def measured(day: int, new: int = 0) -> str:
    rows = "".join(f"<tr><td>{hour}:00<td>{(day * 7 + hour * 3 + new) % 40}.{hour % 10}" for hour in range(24))
    what = "<p>All values of this day as the station measured them, each hour, without any correction."
    return manual_page(f"Tide of 2024-01-{day:02}", f"{what}<table><tr><th>hour<th>height</tr>{rows}</table>")


@pytest.mark.parametrize("answer", [LOGIN, "<html><body></body></html>", manual_page("Sorry", "<p>Nothing here.")])
@pytest.mark.parametrize("count", [6, 12])
def test_pages_of_numbers_alone_stay(tmp_path: Path, answer: str, count: int) -> None:
    pages = {f"{day}.html": measured(day) for day in range(1, 13)} | {"": manual_page("Tides", knot("reef"))}
    changes(tmp_path, pages)
    found = changes(tmp_path, pages | {f"{day}.html": answer for day in range(1, count + 1)})
    assert (len(found["not reached"]), found["content"]) == (count, [])
    found = changes(tmp_path, pages | {f"{day}.html": pages["1.html"] for day in range(2, 5)})
    assert len(found["not reached"]) == 3
    found = changes(tmp_path, pages | {f"{day}.html": measured(day, 5) for day in range(1, 13)})
    assert (found["not reached"], len(found["content"])) == ([], 12)


def catalog() -> dict[str, str]:
    things = {f"{name}.html": manual_page(name, f"<p>{text}") for name, text in KNOTS.items()}
    sections = "".join(f"<h2><a href={name}.html>{name}</a></h2><p>{text}" for name, text in KNOTS.items())
    return things | {"": manual_page("Our things", sections)}


@pytest.mark.parametrize("count", [1, 2, len(KNOTS)])
def test_a_page_whose_words_the_first_page_has_too_does_not_become_its_copy(tmp_path: Path, count: int) -> None:
    pages = catalog()
    changes(tmp_path, pages)
    copies = [f"{name}.html" for name in KNOTS][:count]
    found = changes(tmp_path, pages | dict.fromkeys(copies, pages[""]))
    assert (len(found["not reached"]), found["content"]) == (count, [])
    edited = {name: pages[name].replace("</article>", "<p>Sold out since May.</article>") for name in copies}
    found = changes(tmp_path, pages | edited)
    assert (found["not reached"], len(found["content"])) == ([], count)


@pytest.mark.parametrize(
    "text",
    [
        "We could not find what you were looking for. Try the search.",
        "You can't find this any more, and it cannot be found elsewhere.",
        "Diese Seite wurde leider nicht gefunden.",
        "Cette page est introuvable, ou a changé d'adresse.",
        "お探しのページは見つかりませんでした",
    ],
)
def test_one_page_that_becomes_an_error_in_the_sites_frame_stays(tmp_path: Path, text: str) -> None:
    pages = {f"{name}.html": manual_page(name, knot(name)) for name in KNOTS}
    pages["help.html"] = manual_page("Help", f"<p>Some read this: {text} Then they call the harbour by telephone.")
    changes(tmp_path, pages)
    found = changes(tmp_path, pages | {"reef.html": manual_page("Oh", f"<p>{text}")})
    assert (found["not reached"], found["content"]) == ([f"{HOME}reef.html"], [])
    news = {
        "reef.html": manual_page("Reef", f"<p>{SENTENCES[0]} {text} So people said. {' '.join(SENTENCES[1:8])}")
    }
    news["square.html"] = manual_page("Square", "<p>A knot found on ships.")
    news["help.html"] = manual_page("Help", f"<p>{text} Now mail us instead!")
    assert changes(tmp_path, pages | news)["not reached"] == []


def articles(parts: range, more: str = "") -> dict[str, str]:
    """Pages of ten paragraphs of invented words, or some of them."""
    texts = {
        name: [" ".join(f"{name[-5:]}{chr(97 + part)}{chr(97 + word)}" for word in range(20)) for part in range(20)]
        for name in KNOTS
    }
    return {
        f"{name}.html": manual_page(name, "".join(f"<p>{found[part]}" for part in parts) + more)
        for name, found in texts.items()
    }


@pytest.mark.parametrize("kept", [1, 2, 4])
def test_many_pages_that_lose_most_of_their_words_at_once_stay(tmp_path: Path, kept: int) -> None:
    changes(tmp_path, articles(range(10)))
    found = changes(tmp_path, articles(range(kept), "<p>Subscribe to read on."))
    assert (len(found["not reached"]), found["content"]) == (len(KNOTS), [])
    # New words in the place of old ones are no loss.
    found = changes(tmp_path, articles(range(7, 17)))
    assert (found["not reached"], len(found["content"])) == ([], len(KNOTS))


def test_a_new_page_that_is_not_believed_ends_no_update(tmp_path: Path) -> None:
    pages = {f"{name}.html": manual_page(name, f"<p>{text}") for name, text in KNOTS.items()}
    first, second, *_ = pages
    changes(tmp_path, pages)
    later = {name: html for name, html in pages.items() if name != second} | {first: LOGIN, "new.html": LOGIN}
    found = changes(tmp_path, later)
    assert (found["not reached"], found["removed"]) == ([HOME + first], [HOME + second])


def test_a_page_that_stays_and_cannot_be_written_anew_keeps_its_file(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"pages/{name}.md").write_text("[Ropes](gone.md)")
    digests = {f"pages/{name}.md": digest(b"[Ropes](gone.md)") for name in ("a", "b")}
    folder = Folder(tmp_path, digests)
    folder.keep(sorted(digests), {"pages/gone.md"}, {"pages/a.md"})
    assert folder.files == ["pages/b.md"]


STUBS = [
    "<h1>Internal Server Error</h1><p>Our technicians know about it.",
    "<h1>Access denied</h1><p>You do not have permission to view this page.",
    "<h1>Too many requests</h1><p>Please slow down.",
    "<h1>Maintenance</h1><p>We are back in a few minutes.",
    "<h1>Are you a robot?</h1><p>Press the button to show that you are none.<form><button>Here</button></form>",
    "<h1>Checking your browser</h1><p>Please enable JavaScript and cookies, and reload this page after a moment.",
    "<h1>Log in</h1><p>This is for members. <a href=/g>Sign in with Google</a> <a href=/m>Sign in by mail</a>",
    "<p>本页面仅供会员阅读",
]


@pytest.mark.parametrize("stub", STUBS)
def test_a_page_that_loses_nearly_all_its_words_stays_until_a_person_lets_it(tmp_path: Path, stub: str) -> None:
    pages = articles(range(10))
    pages["reef.html"] = pages["reef.html"].replace("</article>", "<p><a href=deep.html>Deeper</a></article>")
    pages["deep.html"] = manual_page("Deep", "<p>Only one page leads here.")
    changes(tmp_path, pages)
    later = {name: html for name, html in pages.items() if name != "deep.html"}
    later["reef.html"] = manual_page("", stub)
    found = changes(tmp_path, later)
    assert sorted(found["not reached"]) == [f"{HOME}deep.html", f"{HOME}reef.html"]
    assert (found["content"], found["removed"]) == ([], [])
    assert "--remove" in (tmp_path / "out/report.html").read_text().partition("Not reached")[2]
    found = changes(tmp_path, later, remove=True)
    assert (found["content"], found["removed"]) == ([f"{HOME}reef.html"], [f"{HOME}deep.html"])


@pytest.mark.parametrize("kept", [3, 5, 7])
def test_a_page_that_its_author_shortens_is_taken_over(tmp_path: Path, kept: int) -> None:
    changes(tmp_path, articles(range(10)))
    later = articles(range(10)) | {"reef.html": articles(range(kept))["reef.html"]}
    found = changes(tmp_path, later)
    assert (found["not reached"], found["content"]) == ([], [f"{HOME}reef.html"])


def test_one_page_of_numbers_stays_and_the_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"{day}.html": measured(day) for day in range(1, 13)} | {"": manual_page("Tides", knot("reef"))}
    changes(tmp_path, pages)
    found = changes(tmp_path, pages | {"3.html": manual_page("Maintenance", "<p>We are back in a few minutes.")})
    assert (found["not reached"], found["content"]) == ([f"{HOME}3.html"], [])
    assert main(["site", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "out"), "--quiet"]) == 0
    said = f"Kept, as nearly all words are lost: {HOME}3.html. If that is right, add --remove."
    assert said in capsys.readouterr().out
