import gzip
import json
import os
import sys
from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.crawls import pages_of, response, write_warc
from tests.support.server import Answer, SiteServer
from tests.support.store import Store

from sitestencil.crawl.input.crawled import CrawlPage, Skipped
from sitestencil.crawl.input.places import Place, RemotePath, files_below, listed, place
from sitestencil.crawl.input.reading import proven_again, read_unit
from sitestencil.crawl.input.stores import store_at
from sitestencil.crawl.input.units import Unit, parts_of, units_of
from sitestencil.crawl.input.warc import Bounds
from sitestencil.errors import StoreUnavailable, UnusableInput, UnusableOutput

PAGES = pages_of("site.example", 40)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    (tmp_path / "store" / "harbour").mkdir(parents=True)
    store = Store(tmp_path / "store")
    for name, value in store.environment.items():
        monkeypatch.setenv(name, value)
    store_at.cache_clear()
    with store.serving():
        yield store


def crawls(folder: Path) -> None:
    """Write the same pages in every format, in folders of folders."""
    for name in ("warc/a.warc.gz", "warc/deep/er/b.warc.zst"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_warc(folder / name, [response(url, html) for url, html in PAGES])
    rows = [{"url": url, "html": html.decode()} for url, html in PAGES]
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, folder / "rows.parquet")
    lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    (folder / "lines.jsonl.gz").write_bytes(gzip.compress(lines))
    (folder / "lines.jsonl.zst").write_bytes(pa.compress(lines, "zstd", asbytes=True))
    (folder / "notes.txt").write_text("no crawl", encoding="utf-8")


def read(*inputs: Place, unit_bytes: int = 1 << 25) -> dict[str, list[tuple[str, bytes]]]:
    units, pages = parts_of(units_of(inputs), unit_bytes), dict[str, list[tuple[str, bytes]]]()
    bounds = [Bounds() for _ in units]
    records = [list(read_unit(unit, own)) for unit, own in zip(units, bounds, strict=True)]
    for number, unit in proven_again(units, bounds.__getitem__):
        records[number] = list(read_unit(unit, bounds[number]))
    for record in (one for of_unit in records for one in of_unit):
        if isinstance(record, Skipped) and record.source.endswith("notes.txt"):
            assert record.reason == "not read"
            continue
        assert isinstance(record, CrawlPage), record
        pages.setdefault(record.source, []).append((record.url, record.html))
    return pages


def skipped(*inputs: Place) -> list[Skipped]:
    return [record for unit in units_of(inputs) for record in read_unit(unit) if isinstance(record, Skipped)]


NAMES = ["lines.jsonl.gz", "lines.jsonl.zst", "rows.parquet", "warc/a.warc.gz", "warc/deep/er/b.warc.zst"]


def test_a_folders_folders_are_read_with_all_formats(tmp_path: Path) -> None:
    crawls(tmp_path)
    assert read(tmp_path) == {str(tmp_path / name): PAGES for name in NAMES}


def test_a_bucket_reads_as_a_folder_does(store: Store) -> None:
    crawls(store.folder / "harbour" / "in")
    assert read(place("s3://harbour/in/"), unit_bytes=4_000) == {f"s3://harbour/in/{name}": PAGES for name in NAMES}
    assert read(place("s3://harbour/in/warc/a.warc.gz")).keys() == {"s3://harbour/in/warc/a.warc.gz"}


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("in/*.jsonl.*", ["lines.jsonl.gz", "lines.jsonl.zst"]),
        ("in/**/*.warc.*", ["warc/a.warc.gz", "warc/deep/er/b.warc.zst"]),
        ("in/warc/[a-c].warc.gz", ["warc/a.warc.gz"]),
        ("i?/w*", ["warc/a.warc.gz", "warc/deep/er/b.warc.zst"]),
    ],
)
def test_wildcards_choose_the_same_files_here_and_in_a_bucket(store: Store, pattern: str, names: list[str]) -> None:
    crawls(store.folder / "harbour" / "in")
    for base in ("s3://harbour", str(store.folder / "harbour")):
        assert list(read(place(f"{base}/{pattern}"))) == [str(place(f"{base}/in/{name}")) for name in names]
        with pytest.raises(UnusableInput, match="No file matches"):
            read(place(f"{base}/in/*.tar"))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_on_a_web_server_is_read_in_ranges(store: Store, name: str) -> None:
    crawls(store.folder / "harbour")
    address = f"{store.base}/harbour/{name}"
    assert read(place(address), unit_bytes=4_000) == {address: PAGES}


def test_a_list_of_paths_names_inputs_below_its_prefix(store: Store) -> None:
    crawls(store.folder / "harbour")
    (store.folder / "harbour" / "warc.paths.gz").write_bytes(gzip.compress(b"warc/a.warc.gz\n\nrows.parquet\n"))
    for prefix in ("s3://harbour/", f"{store.base}/harbour/"):
        inputs = listed(place(f"{prefix}warc.paths.gz"), prefix)
        assert read(*inputs) == {f"{prefix}{name}": PAGES for name in ("warc/a.warc.gz", "rows.parquet")}
    for wrong in ("rows.parquet", "lines.jsonl.zst"):
        with pytest.raises(UnusableInput, match="is no list of paths"):
            listed(place(f"s3://harbour/{wrong}"), "")
    (store.folder / "harbour" / "empty.txt").write_bytes(b"\n# none\n")
    with pytest.raises(UnusableInput, match="names no path"):
        listed(place("s3://harbour/empty.txt"), "")


def test_the_warc_files_of_a_wacz_are_read_where_they_are(store: Store) -> None:
    folder, warcs, many = store.folder / "harbour", ("a.warc.gz", "b.warc"), pages_of("site.example", 20)
    for name in warcs:
        write_warc(folder / name, [response(url, html) for url, html in many])
    for wacz, method in {"stored.wacz": ZIP_STORED, "packed.wacz": ZIP_DEFLATED, "other.wacz": ZIP_LZMA}.items():
        with ZipFile(folder / wacz, "w", method) as files:
            files.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0"}\n')
            for name in warcs:
                files.write(folder / name, f"archive/{name}")
    stored = (folder / "stored.wacz").read_bytes()
    (folder / "cut.wacz").write_bytes(stored[:-30])
    (folder / "behind.wacz").write_bytes(b"#!/bin/sh\n" + stored)
    for base in ("s3://harbour", str(folder), f"{store.base}/harbour"):
        sound = [f"{base}/{name}" for name in ("stored.wacz", "packed.wacz", "behind.wacz")]
        expected = {f"{name}/archive/{warc}": many for name in sound for warc in warcs}
        assert read(*map(place, sound), unit_bytes=2_000) == expected
        for name in ("other.wacz", "cut.wacz"):
            with pytest.raises(UnusableInput, match=name):
                units_of([place(f"{base}/{name}")])
    unread = {Path(record.source).relative_to(folder).as_posix() for record in skipped(folder)}
    assert unread == {"cut.wacz", "other.wacz/archive/a.warc.gz", "other.wacz/archive/b.warc"}


def test_what_a_wacz_unpacks_to_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitestencil.crawl.input.wacz._MOST_UNPACKED", 1 << 20)
    sound = b"".join(response(url, html) for url, html in PAGES)
    with ZipFile(tmp_path / "a.wacz", "w", ZIP_DEFLATED) as files:
        files.writestr("archive/a.warc", sound)
        files.writestr("archive/bomb.warc", bytes((1 << 20) + 1))
    with ZipFile(tmp_path / "b.wacz", "w") as files:
        files.writestr("archive/a.warc", sound)
        files.infolist().append(replaced := copy(files.infolist()[0]))
        replaced.filename = replaced.orig_filename = "archive/b.warc"
    assert {Path(record.source).name for record in skipped(tmp_path)} == {"bomb.warc", "b.warc"}
    monkeypatch.setattr("sitestencil.crawl.input.wacz._MOST_DIRECTORY", 50)
    crawls(tmp_path / "crawls")
    assert {Path(record.source).name for record in skipped(tmp_path)} == {"a.wacz", "b.wacz", "notes.txt"}


def test_a_page_of_a_mirror_that_a_warc_beside_it_has_counts_once(tmp_path: Path) -> None:
    mirror(tmp_path)
    urls = [
        "http://museum.example/knots/",
        "https://museum.example/knots/bowline",
        "https://shop.example:8080/visit",
    ]
    write_warc(tmp_path / "museum.warc.gz", [response(url, PAGES[0][1]) for url in urls])
    found = [page for unit in units_of([tmp_path]) for page in read_unit(unit)]
    doubled = [record.url for record in found if isinstance(record, Skipped) and record.reason == "no page"]
    assert len([page for page in found if isinstance(page, CrawlPage)]) == len(MIRROR)
    assert sorted(doubled) == [
        "https://museum.example/knots/",
        "https://museum.example/knots/bowline.html",
        "https://shop.example:8080/visit",
    ]


MIRROR = {
    "museum.example/index.html": "https://museum.example/",
    "museum.example/knots/index.html": "https://museum.example/knots/",
    "museum.example/knots/bowline.html": "https://museum.example/knots/bowline.html",
    "museum.example/search?q=rope&page=2": "https://museum.example/search?q=rope&page=2",
    "museum.example/caf\u00e9 menu.html": "https://museum.example/caf%C3%A9%20menu.html",
    "shop.example:8080/visit": "https://shop.example:8080/visit",
    "shop.example:8080/index.html?from=home": "https://shop.example:8080/?from=home",
    "old/https/quay.example/www.ship.example/a.html": "https://quay.example/www.ship.example/a.html",
}


def mirror(folder: Path) -> None:
    for path in (*MIRROR, "museum.example/style.css", "loose.html", "docs/guide.html"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(PAGES[0][1])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_mirrors_pages_have_the_addresses_that_their_paths_tell(store: Store) -> None:
    mirror(store.folder / "harbour")
    for base in (place("s3://harbour"), store.folder / "harbour"):
        pages = [url for own in read_html(base).values() for url in own]
        assert sorted(pages) == sorted(MIRROR.values())
        assert {record.source: record.reason for record in skipped(base)} == {
            str(base / "docs/guide.html"): "not read",
            str(base / "loose.html"): "not read",
            str(base / "museum.example"): "not HTML",
        }
        own = read_html(base / "museum.example")
        assert list(own) == [str(base / "museum.example")]
        assert sorted(*own.values()) == sorted(url for url in MIRROR.values() if "museum" in url)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_mirrored_name_that_is_no_utf8_keeps_its_bytes_in_the_address(tmp_path: Path) -> None:
    folder = tmp_path / "museum.example"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9.html")).write_bytes(PAGES[0][1])
    assert read_html(folder) == {str(folder): ["https://museum.example/caf%E9.html"]}


@pytest.mark.skipif(os.name == "nt", reason="Windows allows links to administrators only")
def test_folders_behind_links_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    write_warc(tmp_path / "disk" / "a.warc.gz", [response(*PAGES[0])])
    (tmp_path / "disk" / "again").symlink_to(tmp_path / "disk")
    (tmp_path / "crawl").mkdir()
    for name in ("one", "two"):
        (tmp_path / "crawl" / name).symlink_to(tmp_path / "disk")
    assert read_html(tmp_path / "crawl") == {str(tmp_path / "crawl" / "one" / "a.warc.gz"): [PAGES[0][0]]}


def read_html(*inputs: Place) -> dict[str, list[str]]:
    pages: dict[str, list[str]] = {}
    for unit in units_of(inputs):
        pages[unit.name] = [record.url for record in read_unit(unit) if isinstance(record, CrawlPage)]
    return pages


def test_a_stored_site_in_a_bucket_keeps_its_address(store: Store) -> None:
    pages = store.folder / "harbour" / "sites" / "museum" / "pages"
    pages.mkdir(parents=True)
    (pages.parent / "site.json").write_text('{"base_url": "https://museum.example/en", "key_page": "a.html"}')
    (pages / "a.html").write_bytes(PAGES[0][1])
    assert read_html(place("s3://harbour")) == {"s3://harbour/sites/museum": ["https://museum.example/en/a.html"]}


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("s3://harbour/missing.warc.gz", "s3://harbour/missing.warc.gz does not exist"),
        ("s3://no-bucket/in/*.warc.gz", "No file matches s3://no-bucket/in"),
        ("s3://no-bucket", "does not exist"),
        ("{base}/harbour/missing.warc.gz", "missing.warc.gz does not exist"),
        ("ftp://harbour/a.warc.gz", "addresses of files begin with s3://, gs://, https:// or http://"),
        ("s3://", "names no bucket"),
    ],
)
def test_what_is_not_there_is_told(store: Store, address: str, sentence: str) -> None:
    with pytest.raises((UnusableInput, StoreUnavailable), match=sentence):
        units_of([place(address.format(base=store.base))])


def test_wrong_credentials_are_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "another")
    crawls(store.folder / "harbour")
    for name in ("warc/a.warc.gz", "warc", "*.parquet"):
        with pytest.raises(StoreUnavailable, match="access is denied; check the credentials"):
            units_of([place(f"s3://harbour/{name}")])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["s3", "web"])
def test_a_store_that_fails_in_the_midst_is_no_damaged_file(store: Store, kind: str, name: str) -> None:
    crawls(store.folder / "harbour")
    base = "s3://harbour" if kind == "s3" else f"{store.base}/harbour"
    (unit,) = units_of([place(f"{base}/{name}")])
    store.close_from(2)
    with pytest.raises(StoreUnavailable):
        list(read_unit(unit))


def test_wrong_credentials_for_google_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key.json").write_text("no key", encoding="utf-8")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "key.json"))
    store_at.cache_clear()
    with pytest.raises(StoreUnavailable, match="accepts no credentials"):
        units_of([place("gs://harbour/a.warc.gz")])


def test_a_server_without_ranges_says_so() -> None:
    site = SiteServer({"/a.warc.gz": Answer(b"x" * 100)})
    with site as server, pytest.raises(StoreUnavailable, match="the server sends no parts of files"):
        units_of([place(f"{server.base}/a.warc.gz")])


def test_no_server_is_told() -> None:
    with pytest.raises(StoreUnavailable, match="the server cannot be reached"):
        units_of([place("http://127.0.0.1:9/a.warc.gz")])
    with pytest.raises(StoreUnavailable, match="lists no folders"):
        files_below(place("https://museum.example/"))


def test_an_address_shows_no_credentials() -> None:
    assert str(place("s3://key:secret@harbour/in?region=eu-west-1")) == "s3://harbour/in"
    assert Unit(place("s3://key:secret@harbour/in"), "warc").name == ""


def test_an_address_that_is_refused_shows_no_credentials() -> None:
    with pytest.raises(StoreUnavailable, match=r"^s3://bad harbour: .*syntax error") as refused:
        units_of([place("s3://key:secret@bad harbour/in")])
    assert "secret" not in str(refused.value)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs users and modes")
def test_a_scratch_folder_that_others_can_use_or_choose_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_taken(prepare: Callable[[Path], object]) -> bool:
        folder = bucket.scratch
        folder.rmdir()
        prepare(folder)
        try:
            return bucket.scratch == folder
        except UnusableOutput:
            return False
        finally:
            folder.unlink() if folder.is_symlink() or folder.is_file() else folder.rmdir()

    def made(mode: int) -> Callable[[Path], object]:
        def make(folder: Path) -> None:
            folder.mkdir()
            folder.chmod(mode)

        return make

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    bucket = RemotePath.of("s3://harbour/out")
    (own := tmp_path / "own").mkdir(mode=0o700)
    cases: dict[str, Callable[[Path], object]] = {
        "a folder of ours": made(0o700),
        "one that others write": made(0o777),
        "one that others read": made(0o755),
        "a link to a folder of ours": lambda folder: folder.symlink_to(own),
        "a link to nothing": lambda folder: folder.symlink_to(tmp_path / "none"),
        "a file": lambda folder: folder.touch(mode=0o600),
    }
    assert [name for name, prepare in cases.items() if is_taken(prepare)] == ["a folder of ours"]
    bucket.scratch.rmdir()
    monkeypatch.setattr("os.getuid", lambda: 1 << 20)
    with pytest.raises(UnusableOutput):
        _ = bucket.scratch
