"""Extractions in processes of their own: none holds up another, none takes too much, none is left behind."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest
from tests.host.conftest import HELLO, Host, Message, Website, extract, is_ending
from tests.support.browsers.browser import wait_until
from tests.support.endurance import repeats
from tests.support.host_program import patched
from tests.support.time_limits import AT_ONCE

# What a test may wait for beside what it measures, on a machine with much else to do.
PATIENCE = 60.0
on_linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

# Pages that parsers and comparisons take very long for; nothing is awaited meanwhile.
HOSTILE = {
    "40,000 nested elements": "<!doctype html><body>" + "<div>" * 40_000,
    "351 KB of options": "<!doctype html><body><select>" + "<option>x" * 39_000,
    "100,000 links": "<!doctype html><body>" + "".join(f'<a href="/news/{n}">{n}</a>' for n in range(100_000)),
}


def endings(host: Host, wanted: set[int], seconds: float = 60) -> dict[int, Message]:
    """Return the last answer to each of these extractions."""
    ended: dict[int, Message] = {}
    while wanted - ended.keys():
        answer = host.receive(seconds)
        if is_ending(answer):
            ended[answer["id"]] = answer
    return ended


def check_answer(host: Host, request_id: int, snapshot: Message) -> None:
    host.send(extract(request_id, snapshot))
    assert host.end_of(request_id, seconds=60)[-1]["type"] == "result"


def workers_of(host: Host) -> set[int]:
    """Return the numbers of the processes that a host has started and that still run."""
    workers = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            process, _, fields = stat.read_text().rpartition(")")
        except OSError:
            continue
        state, parent = fields.split()[:2]
        if int(parent) == host.process.pid and state != "Z":
            workers.add(int(process.split()[0]))
    return workers


def runs(process: int) -> bool:
    """Return whether a process still runs, dead ones that nobody has asked after left out."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_linked_page_in_one_tab_does_not_hold_up_another(host: Host, website: Website, name: str) -> None:
    website.pages["/hostile/news.html"] = HOSTILE[name]
    ordinary = website.snapshot("/news/news.html")
    for number in (10, 11):
        host.send(extract(number, ordinary))
    endings(host, {10, 11})

    host.send(extract(1, website.menu_of("/hostile/news.html", "/news/news.html")))
    wait_until(lambda: "/hostile/news.html" in website.asked, "it did not come about")
    sleep(0.5)
    host.send(extract(20, ordinary))
    ended = endings(host, {20})
    assert ended[20]["type"] == "result"
    host.send({"type": "cancel", "id": 1})
    if 1 not in ended:
        assert endings(host, {1})[1]["number"] == 300


BUSY = """
import sitestencil.extraction
real = sitestencil.extraction.extract_async
async def extract_async(page, **options):
    while any("hostile" in attributes.get("href", "") for attributes in page.document().attributes):
        pass
    return await real(page, **options | {"timeout": 60.0})
sitestencil.extraction.extract_async = extract_async
"""
# Longer than a busy machine needs.
PATIENT = """
import sitestencil.site.loading, sitestencil.site.sources.http
sitestencil.site.loading._MISS_SECONDS = sitestencil.site.sources.http.PAGE_SECONDS = 60.0
"""


@on_linux
def test_an_extraction_ends_at_its_limit_of_processor_time_and_the_others_go_on(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    limit = "import sitestencil_host.worker.pool as w; w.PROCESSOR_SECONDS = 2.0"
    host = start_host(command=patched(limit, PATIENT + BUSY))
    host.send(extract(1, website.menu_of("/slow/news.html")))
    host.send(extract(7, website.menu_of("/hostile/news.html")))
    answer = host.end_of(7, seconds=60)[-1]
    assert (answer["number"], answer["name"]) == (306, "too-heavy")
    assert "2 s of processor time" in answer["detail"]
    assert website.waiting.is_set()
    assert not website.hung_up.is_set()
    check_answer(host, 8, website.snapshot("/news/news.html"))
    host.send({"type": "cancel", "id": 1})
    assert host.end_of(1)[-1]["number"] == 300
    assert "extraction 7: 306 too-heavy" in host.log.read_text()


@on_unix
def test_the_system_holds_a_worker_to_its_processor_time_where_the_host_cannot_look(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    command = patched(
        "import sitestencil_host.worker.pool as w; w.usage_of = lambda process: None",
        f"import sitestencil_host.worker.loop as w; w.limit_processor_time.__defaults__ = (1.0,)\n{BUSY}",
    )
    host = start_host(command=command)
    host.send(extract(7, website.menu_of("/hostile/news.html")))
    answer = host.end_of(7, seconds=60)[-1]
    assert answer["number"] == 306
    assert host.ask(HELLO)["type"] == "hello"


GREEDY = """
import sitestencil.extraction
async def extract_async(document, **options):
    import time
    kept = []
    while True:
        kept.append(b"x" * 20_000_000)
        time.sleep(0.02)
sitestencil.extraction.extract_async = extract_async
"""


@on_linux
@pytest.mark.parametrize(("taken", "detail"), [("20_000_000", "over 0.4 GB of memory"), ("20_000_000_000", "")])
def test_an_extraction_ends_at_its_limit_of_memory_or_where_the_system_refuses_it(
    start_host: Callable[..., Host], website: Website, taken: str, detail: str
) -> None:
    limit = "import sitestencil_host.worker.pool as w; w.MEMORY_BYTES = 400_000_000"
    host = start_host(command=patched(limit, GREEDY.replace("20_000_000", taken)))
    host.send(extract(7, website.snapshot("/news/news.html")))
    answer = host.end_of(7, seconds=60)[-1]
    assert answer["number"] == 306
    assert detail in answer["detail"]


ASLEEP = """
import sitestencil.extraction
async def extract_async(document, *, progress, **options):
    import time
    from sitestencil.progress import Progress
    progress(Progress("mapping", 3))
    time.sleep(60)
sitestencil.extraction.extract_async = extract_async
"""


def test_an_extraction_that_does_not_end_is_ended(start_host: Callable[..., Host], website: Website) -> None:
    host = start_host(command=patched("import sitestencil_host.worker.pool as w; w.SECONDS = 1.0", ASLEEP))
    host.send(extract(7, website.snapshot("/news/news.html")))
    answer = host.end_of(7, seconds=60)[-1]
    assert (answer["number"], answer["detail"]) == (306, "not ended after 1 s")


CRASHING = """
import sitestencil.extraction
real = sitestencil.extraction.extract_async
async def extract_async(document, **options):
    import os
    if "crash" in document.url:
        os.abort()
    return await real(document, **options)
sitestencil.extraction.extract_async = extract_async
"""


def test_a_worker_that_crashes_ends_its_own_extraction_only(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    host = start_host(command=patched(worker=CRASHING))
    host.send(extract(1, website.menu_of("/slow/news.html")))
    assert website.waiting.wait(PATIENCE)
    host.send(extract(7, website.snapshot("/crash.html", "<!doctype html><a href=/news/news.html>One</a>")))
    answer = host.end_of(7)[-1]
    assert (answer["number"], answer["name"]) == (500, "internal")
    assert "the worker ended with status" in answer["detail"]
    assert not website.hung_up.is_set()
    check_answer(host, 8, website.snapshot("/news/news.html"))


@pytest.mark.parametrize(
    "command",
    [("sitestencil-worker-that-is-not-there",), (sys.executable, "-c", "raise SystemExit(3)")],
    ids=["cannot be started", "ends at once"],
)
def test_without_workers_each_extraction_is_answered_and_the_host_lives_on(
    start_host: Callable[..., Host], website: Website, command: tuple[str, ...]
) -> None:
    start = f"sitestencil_host.worker.start.COMMAND = {command!r}"
    host = start_host(command=patched(start))
    for number in (7, 8):
        assert host.ask(extract(number, website.snapshot("/news/news.html")))["number"] == 500
    assert host.ask(HELLO)["type"] == "hello"


GARBLED = """
import sitestencil.extraction
async def extract_async(document, **options):
    import gc
    from sitestencil_host.messaging.frames import FrameWriter
    gc.unfreeze()
    output = next(each for each in gc.get_objects() if isinstance(each, FrameWriter))
    output.write(ANSWER)
    raise ZeroDivisionError
sitestencil.extraction.extract_async = extract_async
"""


@pytest.mark.parametrize("sent", [b"no JSON", b"[]", b'{"type":5}'])
def test_a_worker_that_answers_nonsense_is_ended(
    start_host: Callable[..., Host], website: Website, sent: bytes
) -> None:
    host = start_host(command=patched(worker=GARBLED.replace("ANSWER", repr(sent))))
    host.send(extract(7, website.snapshot("/news/news.html")))
    assert host.end_of(7)[-1]["number"] == 500
    assert host.ask(HELLO)["type"] == "hello"


def test_a_worker_answers_for_its_own_extraction_alone(start_host: Callable[..., Host], website: "Website") -> None:
    forged = b'{"type":"error","id":1,"number":300,"name":"cancelled","message":"Forged."}'
    worker = GARBLED.replace("ANSWER", repr(forged)).replace("    import gc", SLOW_ELSEWHERE)
    host = start_host(command=patched(worker=worker))
    host.send(extract(1, website.menu_of("/slow/news.html")))
    host.send(extract(7, website.snapshot("/news/news.html")))
    answer = host.receive()
    assert (answer["id"], answer["number"]) == (7, 500)
    assert "a worker answered what it was not asked" in host.log.read_text()


SLOW_ELSEWHERE = """
    if "news" not in document.url:
        import asyncio
        await asyncio.sleep(60)
    import gc"""


@on_linux
def test_a_worker_that_ended_well_is_used_again(host: Host, website: Website) -> None:
    host.ask(HELLO)
    wait_until(lambda: len(workers_of(host)) == 1, "it did not come about")
    (first,) = workers_of(host)
    for number in range(2, 6):
        check_answer(host, number, website.snapshot("/news/news.html"))
        assert first in workers_of(host)
    assert len(workers_of(host)) <= 2


@on_linux
def test_a_cancelled_extraction_leaves_its_worker_for_the_next(host: Host, website: Website) -> None:
    host.send(extract(7, website.menu_of("/slow/news.html")))
    assert website.waiting.wait(PATIENCE)
    before = workers_of(host)
    host.send({"type": "cancel", "id": 7})
    assert host.end_of(7)[-1]["number"] == 300
    assert website.hung_up.wait(AT_ONCE)
    check_answer(host, 8, website.snapshot("/news/news.html"))
    assert before <= workers_of(host)


@on_linux
def test_a_cancelled_extraction_that_does_not_stop_loses_its_worker(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    host = start_host(command=patched(worker=ASLEEP))
    host.send(extract(7, website.snapshot("/news/news.html")))
    assert host.receive()["stage"] == "mapping"
    (busy, *_) = sorted(workers_of(host))
    host.send({"type": "cancel", "id": 7})
    assert host.receive(AT_ONCE)["number"] == 300
    wait_until(lambda: not runs(busy), "it did not come about")


@on_linux
def test_a_worker_that_has_grown_large_is_not_kept_nor_what_it_was_spoken_to_by(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    host = start_host(command=patched("import sitestencil_host.worker.pool as w; w.MOST_IDLE_BYTES = 1"))
    known: set[int] = set()
    threads, files = Path(f"/proc/{host.process.pid}/task"), Path(f"/proc/{host.process.pid}/fd")
    counts = []
    for number in range(7, 12):
        check_answer(host, number, website.snapshot("/news/news.html"))
        known |= workers_of(host)
        counts.append((len(list(threads.iterdir())), len(list(files.iterdir()))))
    wait_until(lambda: len(workers_of(host)) <= 2, "it did not come about")
    assert sum(map(runs, known)) <= 2
    (first_threads, first_files), (last_threads, last_files) = counts[0], counts[-1]
    assert last_threads <= first_threads + 4
    assert last_files <= first_files + 4


def test_more_tabs_than_workers_wait_for_their_turn(start_host: Callable[..., Host], website: Website) -> None:
    host = start_host(command=patched("import sitestencil_host.worker.pool as w; w.MOST_WORKERS = 2"))
    for number in (1, 2):
        host.send(extract(number, website.menu_of("/slow/news.html")))
    for number in (3, 4):
        host.send(extract(number, website.snapshot("/news/news.html")))
    assert website.waiting.wait(PATIENCE)
    host.send({"type": "cancel", "id": 3})
    assert host.end_of(3)[-1]["number"] == 300
    host.send({"type": "cancel", "id": 1})
    assert host.end_of(4)[-1]["type"] == "result"


def test_tabs_whose_sites_are_silent_give_way_to_a_fresh_click_and_only_then(
    start_host: Callable[..., Host], website: "Website"
) -> None:
    host = start_host(command=patched(worker=PATIENT + BUSY))
    for number in range(8):
        host.send(extract(number, website.menu_of(f"/slow/page-{number}/news.html")))
    wait_until(lambda: sum(path.startswith("/slow/") for path in website.asked) == 8, "it did not come about")
    host.send(extract(8, website.snapshot("/news/news.html"), detector="temex"))
    answers = endings(host, {8}, seconds=60)
    assert answers[8]["type"] == "result"
    # The other seven go on.
    assert [answer["number"] for number, answer in answers.items() if number != 8] == [303]


ENDINGS = {
    "the input's end": lambda host: host.close_input(),
    "SIGTERM": lambda host: host.process.send_signal(signal.SIGTERM),
    "SIGINT": lambda host: host.process.send_signal(signal.SIGINT),
    "SIGKILL": lambda host: host.process.kill(),
}


@on_linux
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_worker_outlives_the_host(start_host: Callable[..., Host], website: Website, ending: str) -> None:
    host = start_host(command=patched(worker=ASLEEP))
    host.send(extract(7, website.snapshot("/news/news.html")))
    assert host.receive()["stage"] == "mapping"
    wait_until(lambda: len(workers_of(host)) == 2, "it did not come about")
    workers = workers_of(host)
    ENDINGS[ending](host)
    host.process.wait(AT_ONCE)
    wait_until(lambda: not any(map(runs, workers)), "it did not come about", AT_ONCE)


# Raises in a destructor, where Python ignores all errors.
IN_A_DESTRUCTOR = """
import os, signal, time
import sitestencil_host.session
class Left:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)
def serve(self):
    Left()
    time.sleep(600)
sitestencil_host.session.Session.serve = serve
"""


@on_unix
def test_a_signal_that_python_ignores_ends_the_host(start_host: Callable[..., Host]) -> None:
    host = start_host(command=patched(IN_A_DESTRUCTOR))
    assert host.process.wait(AT_ONCE) == -signal.SIGALRM


@on_linux
def test_the_key_that_ends_a_program_at_a_terminal_ends_host_and_workers_quietly(
    start_host: Callable[..., Host],
) -> None:
    host = start_host(command=("setsid", *patched()))
    host.ask(HELLO)
    workers = workers_of(host)
    assert workers
    os.killpg(host.process.pid, signal.SIGINT)
    assert host.process.wait(PATIENCE) == 0
    wait_until(lambda: not any(map(runs, workers)), "it did not come about", AT_ONCE)
    assert host.process.stderr
    assert b"Traceback" not in host.process.stderr.read()


def memory_and_files(host: Host) -> tuple[int, int]:
    """Return the bytes that a host and its workers hold, and how many files the host has open."""
    processes = [host.process.pid, *workers_of(host)]
    pages = sum(int(Path(f"/proc/{process}/statm").read_text().split()[1]) for process in processes)
    return 4096 * pages, len(list(Path(f"/proc/{host.process.pid}/fd").iterdir()))


@on_linux
@repeats("extractions", 60, 1000)
def test_a_host_works_for_long_in_flat_memory_with_the_same_answer(
    host: Host, website: Website, extractions: int
) -> None:
    answers, measured = [], []
    for number in range(1, extractions + 1):
        host.send(extract(number, website.snapshot("/index.html"), detector="temex"))
        last = host.end_of(number)[-1]
        answers.append((last["type"], last["template"], last["content_texts"]))
        if number in {extractions // 3, extractions}:
            measured.append(memory_and_files(host))
    assert answers == answers[:1] * extractions
    (memory_before, files_before), (memory_after, files_after) = measured
    assert memory_after - memory_before < 8_000_000
    assert files_after <= files_before
