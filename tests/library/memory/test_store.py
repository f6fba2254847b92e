"""The memory survives trouble with files: other programs at once, kills, full disks, damage."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.support.endurance import repeats

from sitestencil import parse
from sitestencil.detectors.stored_sketch import encoded
from sitestencil.errors import MemoryUnavailable
from sitestencil.memory import store as store_module
from sitestencil.memory.store import MOST_PAGES, SECONDS_TRUSTED, PageStore
from sitestencil.page.key_sketch import KeySketch
from sitestencil.site.loading import KnownPages

MENU = "<nav><a href='/a'>A</a></nav>"
WRITER = """
import sys
from pathlib import Path
from tests.library.memory.test_store import remember
from sitestencil.memory.store import PageStore
store = PageStore(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    remember(store, f"https://{sys.argv[3]}{number % 5}.example/")
"""


def sketch(url: str, body: str = "") -> KeySketch:
    return KeySketch(parse(MENU + body, url))


def remember(store: PageStore, url: str, body: str = "") -> None:
    store.remember(url, KnownPages(seen=[sketch(url, body)]))


def addresses(store: PageStore, url: str = "https://one.example/") -> list[str]:
    return [page.url for page in store.of_page(url).pages]


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def store(tmp_path: Path, told: list[str]) -> PageStore:
    return PageStore(tmp_path / "data" / "pages.sqlite3", told.append)


@pytest.fixture
def writers() -> Iterator[list["subprocess.Popen[str]"]]:
    running: list[subprocess.Popen[str]] = []
    yield running
    for process in running:
        process.kill()
        process.communicate()


def writer(file: Path, times: int, name: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(file), str(times), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_what_is_remembered_is_there_for_the_sites_other_pages_and_for_no_other_site(store: PageStore) -> None:
    remember(store, "https://www.one.example/#top")
    (page,) = store.of_page("http://one.example/x").pages
    assert page == ("https://www.one.example/", encoded(sketch("https://www.one.example/")))
    assert addresses(store, "https://two.example/") == []


def test_nothing_is_made_before_something_is_remembered(store: PageStore) -> None:
    assert addresses(store) == []
    assert store.sites() == []
    assert store.forget() == 0
    assert not store.file.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the rights of a person's folder otherwise")
def test_nobody_else_may_read_it(store: PageStore) -> None:
    remember(store, "https://one.example/")
    assert store.file.stat().st_mode & 0o777 == 0o600
    assert store.file.parent.stat().st_mode & 0o777 == 0o700


def test_a_site_keeps_the_pages_that_were_seen_last(store: PageStore) -> None:
    for number in range(MOST_PAGES + 2):
        remember(store, f"https://one.example/{number}")
    remember(store, "https://one.example/5")
    kept = [*range(2, 5), *range(6, MOST_PAGES + 2), 5]
    assert addresses(store) == [f"https://one.example/{number}" for number in reversed(kept)]


def test_pages_of_more_than_a_month_ago_do_not_count(store: PageStore, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(store, "https://one.example/")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + SECONDS_TRUSTED + 60)
    assert addresses(store) == []


def test_outdated_pages_go_and_a_site_can_begin_anew(store: PageStore) -> None:
    for name in "abc":
        remember(store, f"https://one.example/{name}")
    store.remember("https://one.example/", KnownPages(outdated=["https://one.example/a"]))
    assert addresses(store) == ["https://one.example/c", "https://one.example/b"]
    seen = [sketch("https://one.example/d")]
    store.remember("https://one.example/", KnownPages(seen=seen), anew=True)
    assert addresses(store) == ["https://one.example/d"]


def test_the_sites_used_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(encoded(sketch("https://a.example/")))
    store = PageStore(tmp_path / "pages.sqlite3", most_bytes=3 * size)
    for name in "abcde":
        remember(store, f"https://{name}.example/")
    assert [site.site for site in store.sites()] == ["c.example", "d.example", "e.example"]
    monkeypatch.setattr(store_module, "MOST_SITES", 2)
    remember(store, "https://f.example/")
    assert [site.site for site in store.sites()] == ["e.example", "f.example"]


def test_what_is_too_large_is_not_kept(store: PageStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MOST_PAGE_BYTES", 10)
    remember(store, "https://one.example/")
    assert store.sites() == []


def test_what_is_forgotten_stands_nowhere_in_the_file(store: PageStore) -> None:
    for name in ("one", "two"):
        remember(store, f"https://{name}.example/")
    assert store.forget("www.one.example") == 1
    assert b"one.example" not in store.file.read_bytes()
    assert b"two.example" in store.file.read_bytes()
    assert store.forget() == 1
    assert b"two.example" not in store.file.read_bytes()


@pytest.mark.parametrize(
    "damage",
    [
        b"no database",
        b"SQLite format 3\0" + bytes(4000),
        None,  # a hole in the middle of it
    ],
)
def test_a_damaged_file_is_set_aside_and_said(store: PageStore, told: list[str], damage: bytes | None) -> None:
    for number in range(30):
        remember(store, f"https://{number}.example/", "<p>" * 200)
    whole = store.file.read_bytes()
    store.file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096) if damage is None else damage)
    remember(store, "https://one.example/")
    assert [site.site for site in store.sites()] == ["one.example"]
    assert len(told) == 1
    assert "damaged" in told[0]
    assert store.set_aside() == [store.file.with_name("pages.sqlite3.damaged")]
    store.forget()
    assert store.set_aside() == []


def test_a_file_of_a_later_version_is_set_aside_whole_and_said(store: PageStore, told: list[str]) -> None:
    remember(store, "https://one.example/")
    with sqlite3.connect(store.file) as file:
        file.execute("PRAGMA user_version = 2")
    file.close()
    later = store.file.read_bytes()
    assert addresses(store) == []
    assert "newer" in told[0]
    assert store.set_aside()[0].read_bytes() == later


def test_another_table_of_the_same_name_is_no_memory(store: PageStore, told: list[str]) -> None:
    store.file.parent.mkdir()
    with sqlite3.connect(store.file) as file:
        file.execute("CREATE TABLE pages (number INTEGER)")
    file.close()
    assert addresses(store) == []
    assert len(told) == 1


ENDLESS = """
CREATE TRIGGER endless BEFORE INSERT ON pages BEGIN
    SELECT count(*) FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r);
END"""
ROW = "INSERT INTO pages VALUES ('one.example', 'https://one.example/b', {}, 4e9)"
VIEW = """
ALTER TABLE pages RENAME TO others;
CREATE VIEW pages AS SELECT * FROM others"""
MADE_TO_HARM = {
    "a trigger that never ends": ENDLESS,
    "a view in the table's place": VIEW,
    "an index over something costly": "CREATE INDEX costly ON pages (hex(sketch))",
    "a page of 5 MB": ROW.format("zeroblob(5000000)"),
    "a page of 120 MB": ROW.format("zeroblob(120000000)"),
}


@pytest.mark.parametrize("harm", MADE_TO_HARM.values(), ids=MADE_TO_HARM)
def test_a_file_that_is_made_to_harm_is_set_aside_and_a_new_one_begun_at_once(
    store: PageStore, told: list[str], writers: list["subprocess.Popen[str]"], harm: str
) -> None:
    remember(store, "https://one.example/")
    with sqlite3.connect(store.file) as file:
        file.executescript(harm)
    file.close()
    uses = f"""
from pathlib import Path
from tests.library.memory.test_store import PageStore, remember
store = PageStore(Path({str(store.file)!r}))
print(len(store.of_page("https://one.example/").pages))
remember(store, "https://one.example/")
print(len(store.of_page("https://one.example/").pages))
"""
    using = subprocess.Popen([sys.executable, "-c", uses], stdout=subprocess.PIPE, text=True)
    writers.append(using)
    assert using.communicate(timeout=20)[0].split() == ["0", "1"]
    assert store.set_aside() == [store.file.with_name("pages.sqlite3.damaged")]


def test_a_request_that_takes_too_long_is_given_up(
    store: PageStore, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(store, "https://one.example/")
    monkeypatch.setattr(store_module, "SECONDS_TO_WORK", -store_module.SECONDS_TO_WAIT)
    monkeypatch.setattr(store_module, "_STEPS_BETWEEN_LOOKS", 1)
    with pytest.raises(MemoryUnavailable):
        addresses(store)
    assert "damaged" in told[0]


def test_two_programs_write_at_once(store: PageStore, writers: list["subprocess.Popen[str]"]) -> None:
    writers += [writer(store.file, 40, name) for name in ("one", "two")]
    assert [process.wait(60) for process in writers] == [0, 0]
    assert len(store.sites()) == 10


@repeats("kills", 2, 20)
def test_a_program_killed_while_it_writes_leaves_a_whole_file(
    store: PageStore, told: list[str], writers: list["subprocess.Popen[str]"], kills: int
) -> None:
    chance = Random(13)
    for _ in range(kills):
        process = writer(store.file, 1_000_000, "one")
        writers.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.05, 0.4))
        process.send_signal(signal.SIGKILL)
        process.wait()
        remember(store, "https://two.example/")
        with sqlite3.connect(store.file) as file:
            assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        file.close()
    assert told == []


def test_where_another_program_holds_the_file_for_long_it_is_said(
    store: PageStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(store, "https://one.example/")
    monkeypatch.setattr(store_module, "SECONDS_TO_WAIT", 0.1)
    holder = sqlite3.connect(store.file, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(MemoryUnavailable, match="locked"):
        addresses(store)
    holder.close()
    assert len(addresses(store)) == 1


FULL = """
import resource, signal, sys
from pathlib import Path
from tests.library.memory.test_store import remember
from sitestencil.errors import MemoryUnavailable
from sitestencil.memory.store import PageStore
store = PageStore(Path(sys.argv[1]))
body = "".join(f"<p>{number}" for number in range(400))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    for number in range(50):
        remember(store, f"https://{number}.example/", body)
except MemoryUnavailable as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file's size")
def test_a_full_disk_is_said_and_costs_nothing_that_was_there(store: PageStore, told: list[str]) -> None:
    remember(store, "https://one.example/")
    command = [sys.executable, "-c", FULL, str(store.file), str(store.file.stat().st_size + 8192)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "cannot be used now" in output
    assert "one.example" in [site.site for site in store.sites()]
    assert told == []
