"""Records: the slots of a kind as columns with names and types, its lists as tables, and the same as a schema."""

import csv
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pyarrow.parquet as pq
import pytest
from parsel import Selector

from sitestencil.cli import main
from sitestencil.crawl.limits import TimeIsUp
from sitestencil.page.document import Document
from sitestencil.page.parsing import parse
from sitestencil.reading.reading import element_text
from sitestencil.records import columns as columns_module
from sitestencil.records import files as files_module
from sitestencil.records import schema as schema_module
from sitestencil.records import stated as stated_module
from sitestencil.records.labels import labels_in
from sitestencil.records.names import Name
from sitestencil.records.slots import Slot
from sitestencil.rules.site_pages import KindPage, kinds_of, read_sites
from sitestencil.rules.values import date_in, form_of, is_equal, number_in
from sitestencil.whole_site.gathering import free_name, plain_name
from sitestencil.whole_site.pages import Pages

SHOP = "ropes.example"
KNOTS = "Bowline Sheet-bend Clove-hitch Reef Prusik Splice Lashing Becket Anchor Stopper Noose Whipping".split()
MAKERS = ("Jo Ahlers", "Mia Brook")


def product(number: int) -> str:
    """Return a page of a shop; what names its values differs by field, and JSON-LD names the code."""
    knot, day = KNOTS[number % 12], f"2024-05-{number + 10}"
    offers = "".join(
        f"<li class=offer><b class=length>{length} m</b><i class=cost>{length + number}.00 €</i>"
        f"<a href='/buy?n={number}&amp;l={length}'>Buy {length}</a></li>"
        for length in range(5, 9)
    )
    said = {"@type": "Product", "sku": f"R-{number}", "name": knot, "brand": {"name": "Harbour"}}
    data = json.dumps({"@context": "https://schema.org", **said})
    return (
        f"<!doctype html><title>{knot} rope - Ropes</title><script type='application/ld+json'>{data}</script>"
        f"<meta property=og:description content='{knot} for all'><meta name=csrf-token content=t{number}><body>"
        "<header><a href=/>Ropes and knots</a><ul><li>Home<li>Shop<li>Visit us</ul></header><main>"
        f"<h1>{knot} rope</h1><img class=photo src=/ropes/{number}.jpg alt=''>"
        f"<p class=price>{number + 1},{number}50.00 €</p><span class=css-{number}x9y>{number}</span>"
        f"<p class=byline>By <span class=author>{MAKERS[number % 2]}</span> <time datetime={day}>May</time></p>"
        f"<dl><dt>Made of</dt><dd>{'hemp' if number % 3 else 'cotton'}</dd></dl>"
        f"<div><strong>Weight:</strong> <span>{number + 2} kg</span></div>"
        f"<p itemprop=material>m{number}</p><p><em>R-{number}</em></p><p class=same>Equal on all pages</p>"
        f"<ul class=offers>{offers}</ul></main><footer>Harbour street 1, open daily</footer>"
    )


def article(number: int) -> str:
    lines = " ".join(KNOTS[(number * one) % 12] for one in range(1, 40))
    return (
        f"<!doctype html><title>Story {number} - Ropes</title><body>"
        "<header><a href=/>Ropes and knots</a><ul><li>Home<li>Shop<li>Visit us</ul></header>"
        f"<article class=news><h2 class=headline>Story {number}</h2><p class=lead>{lines} lead</p><p>{lines}</p>"
        f"<blockquote>{lines[::-1]}</blockquote></article><footer>Harbour street 1, open daily</footer>"
    )


def stored(folder: Path, pages: Sequence[tuple[str, str]]) -> str:
    file = folder / "pages.jsonl"
    file.write_text(
        "".join(json.dumps({"url": f"https://{SHOP}/{name}", "html": html}) + "\n" for name, html in pages)
    )
    return str(file)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    pages = [(f"p{number}", product(number)) for number in range(12)]
    pages += [(f"story{number}", article(number)) for number in range(8)]
    assert main(["records", stored(folder, pages), "-o", str(folder / "out"), "--format", "jsonl"]) == 0
    return folder / "out"


@pytest.fixture(scope="module")
def shop(out: Path) -> dict[str, Any]:
    tables = json.loads((out / "schema.json").read_text())
    (table,) = (table for table in tables if "price" in table["fields"])
    assert isinstance(table, dict)
    return table


def rows_of(out: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / f"{name}.jsonl").read_text().splitlines()]


def test_columns_have_names_types_and_values(out: Path, shop: dict[str, Any]) -> None:
    rows = {row["url"]: row for row in rows_of(out, shop["table"])}
    assert len(rows) == 12
    row = rows[f"https://{SHOP}/p4"]
    expected = {
        "title": "Prusik rope",
        "image": f"https://{SHOP}/ropes/4.jpg",
        "price": 5450.0,
        "author": "Jo Ahlers",
        "date": "2024-05-14",
        "made_of": "hemp",
        "weight": "6 kg",
        "material": "m4",
        "sku": "R-4",
        "description": "Prusik for all",
    }
    assert {name: row.get(name) for name in expected} == expected
    types = {column["name"]: column["type"] for column in shop["columns"]}
    assert (types["price"], types["date"], types["image"], types["title"]) == ("price", "date", "picture", "text")
    assert all(column["filled"] == 1.0 for column in shop["columns"])


def test_ways_to_other_pages_and_their_dates_are_no_columns(tmp_path: Path) -> None:
    def page(number: int) -> str:
        others = "".join(
            f"<p class={name}>{KNOTS[(number + at) % 12]} of all <time>2023-0{at + 1}-{number + 10}</time></p>"
            for at, name in enumerate("xyz")
        )
        way = f"<div class=post-nav><a class=older href=/p{number + 1}>{KNOTS[-number]} and more</a></div>"
        return article(number).replace("</article>", f"<time>2024-05-{number + 10}</time>{others}{way}</article>")

    pages = [(f"p{number}", page(number)) for number in range(12)]
    assert main(["records", stored(tmp_path, pages), "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (table,) = json.loads((tmp_path / "out/schema.json").read_text())
    assert [name for name in table["fields"] if name.startswith("date")] == ["date"]
    assert not [query for query in table["fields"].values() if "older" in query or "nav" in query]


def test_what_does_not_differ_or_hashes_is_no_column(shop: dict[str, Any]) -> None:
    queries = " ".join(shop["fields"].values())
    assert "same" not in queries
    assert "css-" not in queries
    assert "csrf" not in queries
    assert shop["constants"] == {"brand": "Harbour"}


def test_the_entries_of_a_list_are_rows_of_a_table_of_their_own(out: Path, shop: dict[str, Any]) -> None:
    (offers,) = shop["lists"]
    rows = [row for row in rows_of(out, offers["table"]) if row["url"].endswith("/p3")]
    assert [row["price"] for row in rows] == [8.0, 9.0, 10.0, 11.0]
    assert f"https://{SHOP}/buy?n=3&l=5" in rows[0].values()
    assert not any("offer" in query for query in shop["fields"].values())


def test_pages_of_another_kind_are_another_table(out: Path, shop: dict[str, Any]) -> None:
    tables = json.loads((out / "schema.json").read_text())
    (story,) = (table for table in tables if table is not shop and table["table"] != shop["table"])
    assert {row["url"] for row in rows_of(out, story["table"])} == {
        f"https://{SHOP}/story{one}" for one in range(8)
    }
    assert "price" not in story["fields"]


def test_parsel_selects_the_same_values_with_the_schema(out: Path, shop: dict[str, Any]) -> None:
    page = Selector(product(4))
    row = next(row for row in rows_of(out, shop["table"]) if row["url"].endswith("/p4"))
    assert shop["json_ld"] == {"name": "name"}  # the page shows another title
    assert row["name"] == "Prusik"
    for column in (one for one in shop["columns"] if one["name"] in shop["fields"]):
        query, value = shop["fields"][column["name"]], row[column["name"]]
        found = page.xpath(query[6:]).get() if query.startswith("xpath:") else page.css(query).get()
        assert found is not None
        if column["type"] in {"price", "number"}:
            assert number_in(found) == value
        else:
            assert str(value).endswith(" ".join(found.split()))
    (offers,) = shop["lists"]
    found_rows = [[row.css(query).get() for query in offers["fields"].values()] for row in page.css(offers["row"])]
    assert len(found_rows) == 4
    assert all(all(row) for row in found_rows)


def test_a_column_is_what_the_page_says_and_not_about_it(tmp_path: Path) -> None:
    """The title is without the site's name, the date that of publication; the page's own address is no column."""

    def page(number: int) -> str:
        url, knot = f"https://{SHOP}/n{number}", KNOTS[number]
        head = {
            "og:title": f"{knot} ⋆ Ropes",
            "og:url": url,
            "og:image": f"/ropes/{number}.jpg",
            "og:image:width": 100 + number,
            "article:published_time": f"2024-05-{number + 10}",
            "article:modified_time": f"2024-05-{number + 10}",
        }
        said = "".join(f"<meta property={name} content='{value}'>" for name, value in head.items())
        lines = " ".join(KNOTS[(number * one) % 12] for one in range(1, 40))
        return (
            f"<title>{knot} ⋆ Ropes</title>{said}<body><header>Ropes and knots</header>"
            f"<a class=skip href=#main>Skip</a><a class=share href='https://s.example/?u={url}'>Share</a>"
            f"<main><h1>{knot}</h1><p class=lead>{lines}</p><p class=card><a class=name href=/author/{number % 2}>"
            f"{MAKERS[number % 2]}</a> <i class=rank>4.{number}75</i></p></main>"
        )

    pages = stored(tmp_path, [(f"n{number}", page(number)) for number in range(9)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (file,) = (tmp_path / "out").glob("*.jsonl")
    row = next(row for row in map(json.loads, file.read_text().splitlines()) if row["url"].endswith("/n4"))
    assert {name: row.pop(name, None) for name in ("title", "date", "author", "image")} == {
        "title": "Prusik",
        "date": "2024-05-14",
        "author": "Jo Ahlers",
        "image": f"https://{SHOP}/ropes/4.jpg",
    }
    assert not {name for name in row if "url" in name[1:] or "width" in name or "skip" in name or "share" in name}
    (table,) = json.loads((tmp_path / "out/schema.json").read_text())
    assert {column["name"]: column["type"] for column in table["columns"]}["image"] == "picture"
    assert all(len(str(column["name_confidence"])) <= 4 for column in table["columns"])


def test_pages_of_two_forms_in_one_kind_are_two_tables(tmp_path: Path) -> None:
    """Neither form has most of the pages, so that no slot is on enough of them."""
    menu = "".join(f"<li class=m{one}x><a class=to{one} href=/{one}>{name}</a>" for one, name in enumerate(KNOTS))
    own = {
        "maker": ("name", "wins", "rank", "town"),
        "thread": ("topic", "views", "board", "posts"),
    }

    def page(form: str, number: int) -> str:
        cells = "".join(
            f"<section><p class={name}>{KNOTS[(number * 5 + at) % 12]} {number * 7 + at}</p></section>"
            for at, name in enumerate(own[form])
        )
        return f"<title>Ropes</title><body><header><ul>{menu}</ul></header><main><div>{cells}</div></main>"

    named = [(f"{form}{number}", page(form, number)) for number in range(8) for form in own]
    ((site,), *_) = read_sites(Pages([stored(tmp_path, named)]))
    kind = replace(kinds_of(site)[0], pages=site.pages)
    assert sorted((len(table.columns), table.pages) for table in schema_module.tables_of(kind)) == [(4, 8), (4, 8)]


def test_an_address_in_microdata_is_absolute(tmp_path: Path) -> None:
    def page(number: int) -> str:
        said = f"<meta itemprop=image content=../ropes/{number}.jpg>"
        return f"<title>{KNOTS[number]}</title><body><main>{said}<h1>{KNOTS[number]}</h1><p>A rope.</p></main>"

    pages = stored(tmp_path, [(f"in/n{number}", page(number)) for number in range(9)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (file,) = (tmp_path / "out").glob("*.jsonl")
    images = {json.loads(line)["image"] for line in file.read_text().splitlines()}
    assert images == {f"https://{SHOP}/ropes/{number}.jpg" for number in range(9)}


def test_a_value_is_what_a_reader_sees(tmp_path: Path) -> None:
    def page(number: int) -> str:
        return (
            f"<title>{KNOTS[number]}</title><body><header>Ropes and knots</header><main><h1>{KNOTS[number]}</h1>"
            f"<p class=address>Harbour street {number}<br>Town {number + 1}</p>"
            f"<div class=stock>{number + 3} left<script>count({number})</script><i hidden>no</i></div></main>"
        )

    pages = stored(tmp_path, [(f"n{number}", page(number)) for number in range(9)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (file,) = (tmp_path / "out").glob("*.jsonl")
    row = next(row for row in map(json.loads, file.read_text().splitlines()) if row["url"].endswith("/n4"))
    assert {"Harbour street 4 Town 5", "7 left"} <= set(row.values())


def test_lists_of_pages_without_other_fields_are_kept(tmp_path: Path) -> None:
    def page(number: int) -> str:
        rows = "".join(
            f"<li class=item><b>{KNOTS[one]} {number}</b> <i>{one + number} kg</i></li>" for one in range(5)
        )
        return f"<title>Ropes</title><body><h1>All ropes</h1><ul>{rows}</ul><footer>Harbour street 1</footer>"

    pages = stored(tmp_path, [(f"list{number}", page(number)) for number in range(8)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (file,) = (tmp_path / "out").glob("*.jsonl")
    assert len(file.read_text().splitlines()) == 40


def test_a_list_of_any_number_of_rows_is_a_table_and_a_text_stands_beside_the_columns(tmp_path: Path) -> None:
    """Threads have one answer or many; steps are one text each; a row of links that acts is no column."""

    def page(number: int) -> str:
        def lines(seed: int) -> str:
            return " ".join(KNOTS[(number * one + seed) % 12] for one in range(2, 12))

        names = [f"{MAKERS[(one + number) % 2]} {number}{one}" for one in range((1, 5, 0, 4)[number % 4])]
        answers = "".join(
            f"<div class=answer><b class=author>{name}</b><p>{lines(one)}</p></div>"
            for one, name in enumerate(names)
        )
        steps = "".join(f"<li>Take {number + one} turns of {KNOTS[(number + one) % 12]}</li>" for one in range(4))
        notes = "".join(f"<div class=note>{lines(one + 7)}</div>" for one in range(3))
        return (
            f"<title>{KNOTS[number]}</title><body><header>Ropes and knots</header><main><h1>{KNOTS[number]}</h1>"
            f"<p class=lead>{lines(5)}</p>{notes}<ol class=steps>{steps}</ol>"
            f"<a class=edit href=/edit/{number}>Edit</a><section>{answers}</section></main>"
        )

    pages = stored(tmp_path, [(f"n{number}", page(number)) for number in range(12)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (table,) = json.loads((tmp_path / "out/schema.json").read_text())
    lists = {one["row"]: rows_of(tmp_path / "out", one["table"]) for one in table["lists"]}
    assert table["lists_left_out"] == {".note": "its rows have fewer than two values that differ"}
    steps = next(rows for row, rows in lists.items() if "li" in row or "steps" in row)
    answers = next(rows for row, rows in lists.items() if "answer" in row or "section" in row)
    assert len(steps) == 48
    assert steps[0]["text"].startswith("Take ")
    assert len(answers) == 3 * (1 + 5 + 4)
    (file,) = (one for one in (tmp_path / "out").glob("*.jsonl") if "list" not in one.name)
    row = json.loads(file.read_text().splitlines()[0])
    assert KNOTS[int(row["url"].partition("/n")[2])] in row["text"]
    assert not [value for value in row.values() if "/edit/" in str(value)]


def test_rows_that_are_the_same_on_other_pages_are_no_list(tmp_path: Path) -> None:
    def page(number: int) -> str:
        tips = "".join(f"<li>{KNOTS[one + (number - 5 if number > 9 else 0)]} is strong</li>" for one in range(2))
        tags = "".join(
            f"<a href=/tag/{one}>{KNOTS[one]}</a>" for one in (0, *range(1 + number % 2, 1 + number % 4))
        )
        return article(number).replace(
            "</article>", f"<ul class=tips>{tips}</ul><p class=tags>{tags}</p></article>"
        )

    pages = stored(tmp_path, [(f"p{number}", page(number)) for number in range(12)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (table,) = json.loads((tmp_path / "out/schema.json").read_text())
    (tags,) = table["lists"]
    assert "tags" in tags["row"]
    rows = [row["text"] for row in rows_of(tmp_path / "out", tags["table"]) if row["url"].endswith("/p3")]
    assert rows == ["Bowline", "Clove-hitch", "Reef"]
    assert "most pages have the same rows" in table["lists_left_out"].values()


def test_labels_that_a_person_sees_name_values_without_a_place_of_their_own(tmp_path: Path) -> None:
    """Before and after the value, around it and in its text; rows that are missing move the others."""

    def page(number: int) -> str:
        facts = [
            f"<div><div>{name}</div><div>{number * at}</div></div>"
            for at, name in enumerate("wins kills rank".split(), 2)
        ]
        return article(number).replace(
            "</article>",
            f"{''.join(facts[number % 2 :])}<p><b>Autor:</b> {MAKERS[number % 2]}<br><b>Länge:</b> {number} m</p>"
            f"<h3>{number + 40} <small>hours</small></h3><p>Farbe: {KNOTS[number]}</p>"
            f"<p><a href=/x{number}>Reply</a> <i>{number}</i></p></article>",
        )

    names = [f"p{number}" for number in range(12)]
    source = stored(tmp_path, [(name, page(number)) for number, name in enumerate(names)])
    assert main(["records", source, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (table,) = json.loads((tmp_path / "out/schema.json").read_text())
    row = next(row for row in rows_of(tmp_path / "out", table["table"]) if row["url"].endswith("/p4"))
    expected = {"kills": 12.0, "rank": 16.0, "autor": "Jo Ahlers", "länge": "4 m", "hours": 44.0, "farbe": "Prusik"}
    assert {name: row.get(name) for name in expected} == expected
    assert "reply" not in row
    for name, value in expected.items():
        found = Selector(page(4)).xpath(table["fields"][name].removeprefix("xpath:")).get()
        assert found == (f"{value:.0f}" if isinstance(value, float) else value), name


def test_a_price_is_that_of_today_and_labels_may_be_any_words(tmp_path: Path) -> None:
    pages = []
    for number in range(8):
        was, now = 90 + number, 50 + number
        price = f"<del>${was}.50</del> <ins>${now}.50</ins>" if number % 2 else f"${was}.50"
        facts = f"<dl><dt>Height<dd>{number + 3} cm<dt>Account<dd>A-{number * 7}</dl>"
        html = product(number).replace(f"{number + 1},{number}50.00 €", price).replace("<dl>", f"{facts}<dl>")
        pages.append((f"p{number}", html))
    assert main(["records", stored(tmp_path, pages), "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (table,) = json.loads((tmp_path / "out/schema.json").read_text())
    rows = rows_of(tmp_path / "out", table["table"])
    today = [50.5 + number if number % 2 else 90.5 + number for number in range(8)]
    assert [row["price"] for row in rows] == today
    assert [row["height"] for row in rows] == [f"{number + 3} cm" for number in range(8)]
    assert [row["account"] for row in rows] == [f"A-{number * 7}" for number in range(8)]


def test_what_all_pages_say_alike_in_sight_is_a_constant(tmp_path: Path) -> None:
    def page(number: int) -> str:
        trail = f"<p class=breadcrumbs><a href=/>Home</a> <a href=/k>Knots</a> Story {number}</p>"
        said = "<p class=byline>By <a class=author href=/jo>Jo Ahlers</a></p>"
        return article(number).replace("<article class=news>", f"{trail}<article class=news>{said}")

    pages = stored(tmp_path, [(f"p{number}", page(number)) for number in range(9)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (table,) = json.loads((tmp_path / "out/schema.json").read_text())
    assert table["constants"] == {"author": "Jo Ahlers", "category": "Knots"}


def test_a_page_goes_to_the_table_of_which_it_has_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a large table's columns is less than all of another."""

    def table(name: str, columns: int) -> schema_module.Table:
        column = columns_module.Column("text", Slot("p"), form_of(["a"]), 1.0, 0.5, "p::text")
        return schema_module.Table(name, (column,) * columns, 9)

    threads, members = table("threads", 6), table("members", 2)
    shares = {threads: 0.5, members: 1.0}
    monkeypatch.setattr(schema_module.Table, "belonging", lambda self, _: shares[self])
    assert files_module.likeliest([threads, members], cast(KindPage, None)) is members
    shares[threads] = 1.0
    assert files_module.likeliest([members, threads], cast(KindPage, None)) is threads
    shares |= {threads: 0.3, members: 0.4}
    assert files_module.likeliest([threads, members], cast(KindPage, None)) is None


@pytest.mark.parametrize("part", ["<b>Name {}:</b> v", "<dl><dt>x<dd>v</dl>", "<p>Name: v</p>", "<!-- -->a"])
def test_labels_of_a_hostile_page_take_linear_time(part: str) -> None:
    def seconds(count: int) -> float:
        document = parse(f"<p>{part * count}", "https://hostile.example/")
        start = time.process_time()
        labels_in.__wrapped__(document)
        return time.process_time() - start

    seconds(1_000)
    assert seconds(16_000) < 40 * max(seconds(2_000), 0.005)


def test_old_prices_of_a_hostile_page_are_not_looked_for_in_long_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[int]()

    def counted(document: Document, element: int) -> str:
        read.append(element)
        return element_text(document, element)

    monkeypatch.setattr(stated_module, "element_text", counted)
    document = parse(
        f"<p><del>$9</del> <ins>$8</ins></p>{'<p><del>$7</del></p>' * 5_000}", "https://hostile.example/"
    )
    assert stated_module.text_today(document, document.tags.index("p")).strip() == "$8"
    assert stated_module.text_today(document, document.tags.index("body")).count("$7") == 5_000
    assert len(read) < 20


def test_pages_whose_columns_take_too_long_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def endless(*_: object) -> None:
        raise TimeIsUp

    monkeypatch.setattr(columns_module, "slots_of", endless)
    pages = stored(tmp_path, [(f"p{number}", product(number)) for number in range(6)])
    assert main(["records", pages, "-o", str(tmp_path / "out")]) == 0
    assert "6 pages are in no table" in capsys.readouterr().out


def test_parquet_and_csv_hold_the_same_rows(tmp_path: Path) -> None:
    pages = stored(tmp_path, [(f"p{number}", product(number)) for number in range(8)])
    for form in ("parquet", "csv"):
        assert main(["records", pages, "-o", str(tmp_path / form), "--format", form]) == 0
    table = pq.read_table(tmp_path / "parquet" / f"{SHOP}-0.parquet").to_pylist()
    with (tmp_path / "csv" / f"{SHOP}-0.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["title"] for row in rows] == [row["title"] for row in table]
    assert [float(row["price"]) for row in rows] == [row["price"] for row in table]


def test_tables_have_files_of_their_own_on_every_system() -> None:
    taken = set[str]()
    names = ["shop.example/0", "localhost/1-1", "localhost-1/1", "Localhost-1/1", "con/0", "con.example", "x:80/1"]
    files = [free_name(plain_name(name), name, taken) for name in names]
    assert [*files[:2], *files[4:]] == ["shop.example-0", "localhost-1-1", "con-0", "_con.example", "x-80-1"]
    assert len({file.lower() for file in files}) == len(names)


def test_values_are_read_and_compared() -> None:
    numbers = {"$1,299.50": 1299.5, "1.299,50 €": 1299.5, "12 kr": 12.0, "16 ft - $49.90": 49.9, "none": None}
    numbers |= {"-3.5": -3.5, "\u22127 %": -7.0, "10-12 €": 12.0, "9" * 2_000: None}
    assert {text: number_in(text) for text in numbers} == numbers
    assert date_in("Posted on 3 May 2024") == "2024-05-03"
    columns = {
        ("4.875", "4.5", "5"): [4.875, 4.5, 5.0],
        ("4,875", "12,5", "1.300,25"): [4.875, 12.5, 1300.25],
        ("1.299 €", "12 €"): [1299.0, 12.0],
        ("0.125", "3"): [0.125, 3.0],
        ("26.08.2015", "5.11.2014"): ["2015-08-26", "2014-11-05"],
        ("26/08/2015", "5/11/2014"): ["2015-08-26", "2014-11-05"],
        ("08/26/2015", "5/11/2014"): ["2015-08-26", "2014-05-11"],
        ("2015", "2014"): [2015.0, 2014.0],
        ("1,299", "980"): [1299.0, 980.0],
        ("CHF 9'299.00", "CHF 12.50"): [9299.0, 12.5],
    }
    # Identifiers, versions and what has two meanings stay as they are.
    for texts in (
        ("4083564950545", "01574"),
        ("0264708977", "1722227500"),
        ("+49 30 4935", "+49 40 1234"),
        ("9" * 18, "8" * 18),
        ("2.2.6", "2.3"),
        ("3.1", "3.10"),
        ("48.945", "11.200"),
        ("$1.8M", "$2M"),
    ):
        columns[texts] = [*texts]
    assert {texts: [form_of(texts).read(text) for text in texts] for texts in columns} == columns
    pairs = [
        ("https://a.example/%C3%A4.jpg", "https://a.example/ä.jpg?w=3", True),
        ("$12.50", "12.5", True),
        ("3 May 2024", "2024-05-03T08:00:00Z", True),
        ("https://a.example/x/1.jpg", "/y/1.jpg", True),
        ("The  Reef", "the reef", True),
        ("3", "May 3", False),
        ("5/12", "10/12", False),
        ("http://[x", "/y", False),
        ("y", "http://[x", False),
        ("", "", False),
    ]
    assert [is_equal(value, stated) for value, stated, _ in pairs] == [expected for *_, expected in pairs]


def test_columns_have_names_of_their_own_whatever_the_pages_call_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names that the pages give may be those that the program would make, or differ in their case alone."""
    names = iter(
        ["weight", "weight_2", "weight", "Weight", "stra\u00dfe", "strasse", "url", "url_2", "\ufb01n", "fin"] * 9
    )
    monkeypatch.setattr(columns_module, "name_of", lambda *_: Name(next(names), 0.8))
    source = stored(tmp_path, [(f"p{number}", product(number)) for number in range(12)])
    assert main(["records", source, "-o", str(tmp_path / "out")]) == 0
    for file in (tmp_path / "out").glob("*.parquet"):
        columns = [name.casefold() for name in pq.read_table(file).column_names]
        assert len(columns) > 2
        assert len(columns) == len({*columns})


def test_the_text_of_a_post_that_no_column_has_is_a_column(tmp_path: Path) -> None:
    def page(number: int) -> str:
        posts = [
            f"<div class=post><a href=/u/{at}>{MAKERS[at % 2]}</a><div><p>The {KNOTS[number]} slips {at} times in "
            f"the rain of {number} days.</p><p>Tie it anew.</p></div></div>"
            for at in range(2 + number % 4)
        ]
        return f"<main><h1>{KNOTS[number]}</h1><div class=thread>{''.join(posts)}</div></main>"

    pages = stored(tmp_path, [(f"t{number}", page(number)) for number in range(10)])
    assert main(["records", pages, "-o", str(tmp_path / "out"), "--format", "jsonl"]) == 0
    (rows,) = [rows_of(tmp_path / "out", file.stem) for file in (tmp_path / "out").glob("*-list-*.jsonl")]
    assert len(rows) == sum(2 + number % 4 for number in range(10))
    assert all("Jo Ahlers" in row.values() or "Mia Brook" in row.values() for row in rows)
    assert "Jo Ahlers The Prusik slips 0 times in the rain of 4 days. Tie it anew." in [row["text"] for row in rows]
