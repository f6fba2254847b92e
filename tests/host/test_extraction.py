"""Extractions as the extension asks for them: a snapshot in, pages over HTTP, the answers in order."""

import base64
from collections.abc import Callable

import pytest
from tests.host.conftest import HELLO, MENU, Host, Message, Website, extract, page
from tests.support.host_program import patched
from tests.support.time_limits import AT_ONCE

import sitestencil
from sitestencil import errors
from sitestencil.detectors.stencil import evidence
from sitestencil.detectors.stencil.evidence import RULES
from sitestencil_host.errors import (
    NO_CANDIDATES,
    NOT_A_TREE,
    NOT_A_WEB_PAGE,
    NOTHING_LOADED,
    TIME_OUT,
    UNKNOWN_DETECTOR,
    Kind,
)
from sitestencil_host.messaging.messages import error_answer
from sitestencil_host.worker.extractions import host_error, kind_of


def test_an_extraction_tells_progress_and_ends_with_the_librarys_answer(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/news.html")
    host.send(extract(7, snapshot, detector="temex"))
    *progress, result = host.end_of(7)
    expected = sitestencil.extract(f"{website.url}/news/news.html", detector="temex")

    loaded = [answer["pages_loaded"] for answer in progress]
    assert {answer["type"] for answer in progress} == {"progress"}
    assert {answer["stage"] for answer in progress} <= {"loading", "mapping"}
    assert loaded == sorted(loaded)
    assert result["type"] == "result"
    assert (result["part"], result["parts"]) == (1, 1)
    assert result["template"] == [list(found) for found in expected.ranges()]
    assert result["content_texts"] == [list(found) for found in expected.content_text_ranges()]
    summary = result["summary"]
    assert summary["url"] == f"{website.url}/news/news.html"
    assert summary["detector"] == "temex"
    assert summary["elements"] == len(snapshot["tags"])
    assert summary["candidates"] == list(expected.candidates)
    assert summary["pages_loaded"] == expected.pages_loaded == loaded[-1]
    timings = summary["timings_ms"]
    assert set(timings) == set("start read ready fetch parse candidates mapping total".split())
    assert timings["total"] >= sum(timings[phase] for phase in ("start", "read", "ready", "fetch"))
    assert summary["confidence"] is summary["more_pages"] is summary["doubt"] is None
    assert "scores" not in result


def test_the_default_detector_says_how_sure_it_is(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/events.html")
    host.send(extract(7, snapshot, detector=None))
    result = host.end_of(7)[-1]
    summary = result["summary"]
    assert 0 < summary["confidence"] <= 1
    assert summary["more_pages"] >= 0
    scores = base64.b64decode(result["scores"], validate=True)
    assert len(scores) == len(snapshot["tags"])
    assert max(scores) > 127 > min(scores)


def test_the_reasons_come_before_the_result(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/events.html")
    host.send(extract(7, snapshot))
    *_, told, result = host.end_of(7)
    assert (told["type"], told["part"], told["parts"], told["width"]) == ("reasons", 1, 1, 6)
    rows = base64.b64decode(told["rows"], validate=True)
    assert len(rows) == told["width"] * len(snapshot["tags"])
    template = sitestencil.extract(f"{website.url}/news/events.html")
    assert result["summary"]["candidates"] == list(template.candidates)
    assert template.reasons is not None
    for element, reason in enumerate(template.reasons):
        mapped, _, equal, _, rule, pages = rows[6 * element : 6 * element + 6]
        assert (mapped, equal) == (round(255 * min(reason.mapped, 1)), round(255 * min(reason.equal, 1)))
        assert RULES[rule] == reason.rule
        assert [page for page in range(8) if pages >> page & 1] == list(reason.pages)


def test_the_reasons_have_the_names_that_no_compared_page_has(host: Host, website: Website) -> None:
    website.pages = {path: page(path).replace("<h1", f"<h1 id=about{path[6:9]} class=head") for path in MENU}
    host.send(extract(7, website.snapshot(MENU[0], website.pages[MENU[0]])))
    (told,) = (message for message in host.end_of(7) if message["type"] == "reasons")
    assert told["own_names"] == [f"about{MENU[0][6:9]}"]


def test_every_rule_that_decides_has_its_number_that_of_forms_too(host: Host, website: Website) -> None:
    assert {rule for name, rule in vars(evidence).items() if name.isupper() and isinstance(rule, str)} <= set(RULES)
    # A header that differs: one that is the same on all pages is judged as a whole, its form with it.
    form = "<form><input></form><p>{}</p></header>"
    website.pages = {path: page(path).replace("</header>", form.format(path)) for path in MENU}
    snapshot = website.snapshot(MENU[0], website.pages[MENU[0]])
    host.send(extract(7, snapshot))
    (told,) = (message for message in host.end_of(7) if message["type"] == "reasons")
    rows = base64.b64decode(told["rows"], validate=True)
    rule_of = {
        snapshot["names"][tag]: RULES[rows[told["width"] * element + 4]]
        for element, tag in enumerate(snapshot["tags"])
    }
    assert rule_of["form"] == rule_of["input"] == evidence.IN_FORM


def test_more_pages_are_compared(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/events.html")
    host.send(extract(7, snapshot))
    usual = host.end_of(7)[-1]["summary"]
    host.send(extract(8, snapshot, more_pages=True))
    more = host.end_of(8)[-1]["summary"]
    assert set(usual["candidates"]) <= set(more["candidates"])


def test_a_page_without_links_is_answered_by_a_guess_that_says_why(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/events.html")
    snapshot["attributes"] = [[] for _ in snapshot["attributes"]]
    snapshot["url"] = "http://127.0.0.1:9/alone.html"
    host.send(extract(7, snapshot))
    result = host.end_of(7)[-1]
    assert result["type"] == "result"
    assert result["summary"]["doubt"] == "alone"
    assert result["summary"]["pages_loaded"] == 0


def test_a_cancelled_extraction_says_nothing_more(host: Host, website: Website) -> None:
    host.send(extract(7, website.snapshot("/news/news.html")))
    host.send({"type": "cancel", "id": 7})
    assert host.end_of(7)[-1]["number"] == 300
    host.send(extract(8, website.snapshot("/news/events.html")))
    assert {answer["id"] for answer in host.end_of(8)} == {8}
    assert host.rest() == []


def test_the_id_of_a_running_extraction_is_taken_and_free_after_its_end(host: Host, website: Website) -> None:
    host.send(extract(7, website.menu_of("/slow/news.html")))
    assert website.waiting.wait(10)
    host.send(extract(7, website.snapshot("/news/news.html")))
    assert host.end_of(7)[-1]["number"] == 106
    host.send({"type": "cancel", "id": 7})
    assert host.end_of(7)[-1]["number"] == 300
    host.send(extract(7, website.snapshot("/news/news.html")))
    assert host.end_of(7)[-1]["type"] == "result"


def test_the_end_of_input_ends_the_host_while_the_library_is_being_loaded(host: Host, website: Website) -> None:
    host.send(extract(7, website.snapshot("/news/news.html")))
    host.close_input()
    assert host.process.wait(AT_ONCE) == 0


def test_a_page_without_links_has_no_candidates(host: Host, website: Website) -> None:
    answer = host.ask(extract(7, website.menu_of(), detector="temex"))
    assert answer["number"] == 301
    assert answer["message"].endswith("Try the site's home page or a page with a menu.")


def test_links_that_lead_nowhere_load_nothing(host: Host, website: Website) -> None:
    host.send(extract(7, website.menu_of("/gone/news.html", "/gone/events.html"), detector="temex"))
    answer = host.end_of(7)[-1]
    assert (answer["number"], answer["name"]) == (302, "nothing-loaded")
    assert answer["message"].startswith("None of the 2 linked pages could be loaded.")
    assert website.asked


def test_a_detector_that_is_not_there_is_named_in_the_answer(host: Host, website: Website) -> None:
    answer = host.ask(extract(7, website.snapshot("/news/news.html"), detector="crystal-ball"))
    assert (answer["number"], answer["name"]) == (304, "unknown-detector")
    assert answer["message"].startswith("There is no detector 'crystal-ball'. Choose one of: temex")


def test_half_surrogate_pairs_in_a_pages_text_do_no_harm(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/news.html")
    snapshot["texts"][-1][2] = "half \ud83d, whole \U0001f600, backslash \\ud83d, end \udc00"
    host.send(extract(7, snapshot))
    assert host.end_of(7)[-1]["type"] == "result"


def test_a_tree_of_great_depth_is_answered(host: Host, website: Website, tiny: Message) -> None:
    depth = 20_000
    deep = {
        **tiny,
        "url": website.url + "/",
        "base": website.url + "/",
        "names": ["html", "body", "div", "a"],
        "tags": [0, 1, *[2] * depth, 3],
        "parents": list(range(-1, depth + 2)),
        "attributes": [*[[] for _ in range(depth + 2)], ["href", "/news/news.html"]],
        "texts": [],
    }
    host.send(extract(7, deep))
    answer = host.end_of(7, seconds=60)[-1]
    assert answer["type"] == "result" or answer["number"] in {302, 303}
    assert host.ask(HELLO)["type"] == "hello"


DEFECT = """
import sitestencil.extraction
async def extract_async(*arguments, **options):
    raise ZeroDivisionError("a defect")
sitestencil.extraction.extract_async = extract_async
"""


def test_a_defect_is_answered_as_one_and_its_traceback_is_in_the_log(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    host = start_host(command=patched(worker=DEFECT))
    answer = host.ask(extract(7, website.snapshot("/news/news.html")))
    assert (answer["number"], answer["name"]) == (500, "internal")
    assert "ZeroDivisionError: a defect" in host.log.read_text()
    assert host.ask(HELLO)["type"] == "hello"


LIBRARY_ERRORS = [
    (errors.NoCandidates, NO_CANDIDATES),
    (errors.NothingLoaded, NOTHING_LOADED),
    (errors.TimeOut, TIME_OUT),
    (errors.UnknownDetector, UNKNOWN_DETECTOR),
    (errors.MalformedSnapshot, NOT_A_TREE),
    (errors.InvalidAddress, NOT_A_WEB_PAGE),
]


@pytest.mark.parametrize(("error_type", "kind"), LIBRARY_ERRORS)
def test_the_library_s_own_sentence_goes_to_the_person_at_the_browser(
    error_type: type[Exception], kind: Kind
) -> None:
    error = error_type("Something happened. Do something.")
    answer = error_answer(host_error(error))
    assert (answer.number, answer.name) == (kind.number, kind.name)
    assert answer.message == str(error) != kind.message


@pytest.mark.parametrize(
    "error", [errors.UnusableSite("No folder."), ZeroDivisionError("division"), RecursionError()]
)
def test_an_error_without_a_number_or_not_of_the_library_is_told_by_the_table(error: Exception) -> None:
    kind = kind_of(error)
    answer = error_answer(host_error(error))
    assert answer.message == kind.message
    assert answer.detail == (str(error) or "RecursionError")


def test_a_page_that_has_grown_is_judged_by_its_earlier_answer_and_nothing_is_loaded(
    host: Host, website: "Website"
) -> None:
    snapshot = website.snapshot("/news/events.html")
    host.send(extract(7, snapshot))
    first = host.end_of(7)[-1]
    asked = len(website.asked)
    known = {name: first[name] for name in ("template", "content_texts", "scores")} | {"snapshot": snapshot}
    grown = website.snapshot("/news/news.html")

    host.send({"type": "apply", "id": 8, "change": {"known": known, "snapshot": snapshot}})
    same = host.end_of(8)[-1]
    host.send({"type": "apply", "id": 9, "change": {"known": known, "snapshot": grown}})
    other = host.end_of(9)[-1]

    assert (same["template"], same["content_texts"]) == (first["template"], first["content_texts"])
    assert same["summary"]["fits"] is True
    assert other["type"] == "result"
    assert other["summary"]["elements"] == len(grown["tags"])
    assert len(website.asked) == asked


def test_an_answer_about_another_page_is_refused(host: Host, website: Website) -> None:
    snapshot = website.snapshot("/news/events.html")
    known = {"snapshot": snapshot, "template": [[0, 100_000]], "content_texts": []}
    host.send({"type": "apply", "id": 8, "change": {"known": known, "snapshot": snapshot}})
    assert host.end_of(8)[-1]["name"] == "wrong-shape"
