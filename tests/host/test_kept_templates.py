"""A kept template says in the extension what it says in the program, element by element and text by text."""

import asyncio
import base64
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from tests.conftest import ROOT
from tests.support.random_pages import DOCUMENTS
from tests.support.snapshots import Snapshot, snapshot_of, snapshot_of_document

from sitestencil import learn
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.evaluation.labels import LabelledPage, labelled_sites, read_labels
from sitestencil.evaluation.training.label_transfer import read_selectors, sibling_pages
from sitestencil.memory.store import Remembered
from sitestencil.page.document import Document
from sitestencil.page.snapshot import document_from_snapshot, read_snapshot
from sitestencil.site.loading import PageLoader
from sitestencil.site.sources.stored import StoredSite
from sitestencil.template import Template
from sitestencil_host.kept import MOST_BYTES, kept_template
from sitestencil_host.messages import encode
from sitestencil_host.results import score_bytes

Message = dict[str, Any]
Apply = Callable[[LearnedTemplate, Snapshot], Message]

# Every so many-th site of the benchmark; 1 for all, which takes some minutes.
EVERY = int(os.environ.get("KEPT_EVERY", "12"))
FURTHER_PAGES = 10
URL = "https://site.example/a"


@pytest.fixture(scope="module")
def in_extension() -> Iterator[Apply]:
    """Applies a kept template to a page by the extension's own code."""
    node = shutil.which("node")
    assert node, "node is needed to run the extension's code"
    command = [node, str(ROOT / "tests/extension/apply_kept.js")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def apply(learned: LearnedTemplate, snapshot: Snapshot) -> Message:
            kept = kept_template(Remembered(1, learned, time.time(), "0" * 16))
            stdin.write(encode({"kept": kept, "snapshot": snapshot}) + b"\n")
            stdin.flush()
            answer: Message = json.loads(stdout.readline())
            return answer

        yield apply
        stdin.close()
        assert process.wait(10) == 0


def in_program(learned: LearnedTemplate, snapshot: Snapshot) -> Message:
    """Apply a learned template by the program's code."""
    document = document_from_snapshot(read_snapshot(snapshot))
    detection = learned.apply(document)
    scores = score_bytes(detection.scores)
    texts = Template(document, detection).content_text_ranges()
    return {
        "template": "".join("01"[one] for one in detection.template),
        "texts": [number for start, end in texts for number in range(start, end)],
        "scores": None if scores is None else base64.b64encode(scores).decode(),
        "fit": detection.fit,
        "unknown": detection.unknown,
    }


def differences(in_extension: Apply, learned: LearnedTemplate, snapshot: Snapshot) -> tuple[Message, list[float]]:
    """Return what of the two answers differs, and the milliseconds in the extension's code."""
    expected, answer = in_program(learned, snapshot), in_extension(learned, snapshot)
    differing = {name: (value, answer[name]) for name, value in expected.items() if answer[name] != value}
    return differing, answer["ms"]


PAGES = {
    "the page itself": "<nav id=n7><a href=/a>A</a><a href=/b>B</a></nav><main><h1>One</h1><p>All of one.</main>",
    "another page": "<nav id=n7><a href=/a>A</a><a href=/b>B</a></nav><main><h1>Two</h1><p>Two.<p>And more.</main>",
    "a wrapper": "<div class=w><nav id=n8><a href=/a>A</a><a href=/b>B</a></nav><main><h1>One</h1></main></div>",
    "another order": "<main><p>Text<h1>One</h1></main><nav id=n7><a href=/b>B</a><a href=/a>A</a></nav>",
    "an unknown part": "<nav id=n7><a href=/a>A</a><b>new</b><a href=/b>B</a></nav><aside><p>New</aside><main>",
    "names of scripts": "<nav class='z \uff21 \U0001f600 é \u0663items 12 \u0130n kapal\u0131\x1cb act\u0131ve-é'>"
    "<a href=/a>\u0663</a></nav><p>\x1f text\x85\u2003",
    "pictures and fields": "<nav><img alt='A logo'><input placeholder=Search value=x></nav><main><img alt=One>",
    "frames and templates": "<svg><template><a>S</a></template></svg><template><p>T</template><iframe></iframe>",
    "a frameset": "<frameset><frame src=a></frameset>",
    "long texts": f"<nav>{'long ' * 400}</nav><main><p>{'words, ' * 3000}</main>",
    "no element but those that are always there": "<body>",
}


@pytest.mark.parametrize("page", PAGES)
def test_small_pages_get_the_same_answer(in_extension: Apply, page: str) -> None:
    for learned_from in PAGES.values():
        learned = learn(learned_from, url=URL, pages={"https://site.example/b": PAGES["another page"]})
        assert differences(in_extension, learned, snapshot_of(PAGES[page], URL))[0] == {}


def test_shadow_trees_get_the_same_answer(in_extension: Apply) -> None:
    def with_shadow_trees(title: str) -> Snapshot:
        snapshot = snapshot_of(
            f"<x-head><template shadowrootmode=open></template><a>A</a></x-head><main><h1>{title}</h1></main>", URL
        )
        root = snapshot["names"].index("template")
        at = snapshot["tags"].index(root)
        for column, value in (("tags", snapshot["names"].index("a")), ("parents", at), ("attributes", [])):
            snapshot[column].insert(at + 1, value)
        after = at + 2
        snapshot["parents"][after:] = [
            parent + 1 if parent > at else parent for parent in snapshot["parents"][after:]
        ]
        snapshot["texts"] = [
            [parent + (parent > at), sibling + (sibling > at), text] for parent, sibling, text in snapshot["texts"]
        ]
        snapshot["texts"].insert(0, [at + 1, -1, "In the shadow"])
        return snapshot

    key_page = document_from_snapshot(read_snapshot(with_shadow_trees("One")))
    for parted in (False, True):
        template = [True] * len(key_page)
        template[key_page.shadow_roots[0] + 1] = not parted
        template[-1] = False
        from sitestencil.detectors.detection import Detection

        texts = [template[run.parent] for run in key_page.texts]
        learned = LearnedTemplate.of_answer("stencil", key_page, Detection(template, texts, ()))
        assert bool(learned.sketch.shadow_hosts) is parted
        for title in ("One", "Two"):
            assert differences(in_extension, learned, with_shadow_trees(title))[0] == {}


def test_pages_by_chance_get_the_same_answer(in_extension: Apply) -> None:
    @settings(max_examples=300, deadline=None)
    @given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
    def check(key_page: Document, candidate: Document, page: Document) -> None:
        learned = learn(key_page, pages={"https://site.example/b": candidate})
        for one in (key_page, page):
            assert differences(in_extension, learned, snapshot_of_document(one))[0] == {}

    check()


def test_stored_pages_of_the_benchmark_get_the_same_answer(in_extension: Apply, benchmark_sites: Path) -> None:
    compared, sizes, times, before = 0, [], [], None
    for folder in labelled_sites(benchmark_sites)[::EVERY]:
        site, (_, labels) = StoredSite(folder), read_labels(folder)
        key_page = site.load_key_page().document()
        detection = asyncio.run(Stencil().detect(key_page, PageLoader(key_page, site)))
        learned = LearnedTemplate.of_answer("stencil", key_page, detection)
        sizes.append(len(encode(kept_template(Remembered(1, learned, 0.0, "0" * 16)))))
        further = sibling_pages(site, LabelledPage(key_page, labels), read_selectors(folder), FURTHER_PAGES)
        for page in (key_page, *(one.document for one in further)):
            snapshot = snapshot_of_document(page)
            # Pages of another site, too: what does not fit is mapped by other steps.
            for one in filter(None, (learned, before)):
                differing, milliseconds = differences(in_extension, one, snapshot)
                assert differing == {}, (folder.name, page.url)
                compared += 1
            times.append(milliseconds)
        before = learned
    assert compared > 0
    parts = [round(median(part), 1) for part in zip(*times, strict=True)]
    fitting = sum(size <= MOST_BYTES for size in sizes)
    sys.stdout.write(
        f"{compared} answers of {len(sizes)} sites equal; templates of {median(sizes):.0f} bytes in the median, "
        f"{fitting} of {len(sizes)} can be kept; to read one, to read a page, to apply: {parts} ms\n"
    )


def example() -> str:
    """Return what the tests of the extension apply: a template as it is handed over, pages and their answers."""

    def story(title: str, before: str = "") -> str:
        menu = "".join(f'<a href="/{name}">{name.title()}</a>' for name in "abcd")
        body = f"<main><h1>{title}</h1><p>All about {title}.</p></main>"
        return f'<header id=top class="bar wide">{menu}</header>{before}{body}<footer><p>Imprint</p></footer>'

    pages = {f"https://example.org/{name}": story(name) for name in "abcd"}
    learned = learn(story("Home"), url="https://example.org/", pages=pages)
    kept = kept_template(Remembered(1, learned, 1_700_000_000.0, "00112233445566ff"))
    further = {
        "further": story("Further"),
        "changed": story("Changed", "<section class=new><b>Give</b></section>"),
        "other": "<table><tr><td>Another kind</td></tr></table>",
    }
    snapshots = {name: snapshot_of(html, "https://example.org/further") for name, html in further.items()}
    answers = {name: in_program(learned, snapshot) for name, snapshot in snapshots.items()}
    written = {"kept": json.loads(encode(kept)), "snapshots": snapshots, "answers": answers}
    return json.dumps(written, indent=1) + "\n"


def test_the_example_of_the_extensions_tests_is_what_the_program_hands_over() -> None:
    assert (ROOT / "tests/extension/kept_example.json").read_text("utf-8") == example()
