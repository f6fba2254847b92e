"""A saved file has the rules that may match something in it or in the page's content, and no others."""

from typing import Any

import pytest
from tests.support.judged_pages import judged
from tests.support.tables import table

from sitestencil.outputs.files import File
from sitestencil.outputs.judged_page import Choices
from sitestencil.outputs.tree import Element
from sitestencil.page.parsing import parse
from sitestencil.saving.folder import folder_of
from sitestencil.saving.jinja_layout import jinja_layout
from sitestencil.saving.standalone_html import template_html
from sitestencil.saving.style_matching import Elements
from sitestencil.saving.used_styles import used_styles

URL = "https://example.org/"
HERE = Element("html", children=[Element("body", attributes={"class": "home"})])
HERE.children[0].children = [  # type: ignore[union-attr]
    Element(
        "nav",
        attributes={"id": "Menu", "class": "bar Wide", "style": "font-family: Inline"},
        children=[Element("a", attributes={"href": "/a.pdf", "lang": "en-GB"}), Element("b"), Element("i")],
    ),
    Element("details", children=[Element("summary")]),
    Element(
        "x-card", children=[Element("template", attributes={"shadowrootmode": "open"}, children=[Element("u")])]
    ),
]


def stays(css: str) -> bool:
    (used,) = used_styles([css], Elements().add(HERE), are_all=True)
    return "blue" in used


@table(
    "selector",
    [
        "nav", "NAV", "*", ".bar", ".BAR.wide", "#menu", "nav#menu > a", "nav a", "body a", ":root nav",
        "html > body i",
        "a + b", "a ~ i", "b+i", "nav:hover a::before", "a:not(.x)", "nav:has(p)", ":is(p, nav) a",
        ":where(.bar) > i",
        "a[href]", "a[href$='.pdf']", "[lang|=en]", "[class~='wide']", "[id*=en]", "details[open] > summary",
        "[aria-expanded=true]", ".dark nav", "body.theme-night a", "[data-theme=dark] a", "html[data-mode]",
        ":host", "::slotted(p)", ":host(.x) u", "x-card::part(p)", "svg|a", "& a", "a:nth-child(9)", "p, a",
        "x-card u",
        "a >", "$x", "nav /* p */ a", "\\6e av", "a:is(p, :is(a, p))",
    ],
)  # fmt: skip
def test_a_rule_stays_that_may_match(selector: str) -> None:
    assert stays(f"{selector} {{ color: blue }}")


@table(
    "selector",
    [
        "p", ".x", ".bar.x", "#m", "nav > .wide", "a nav", "i + a", "b ~ a", "body > a", "a + i", "p, .x",
        "a[title]", "a[href^=b]", "a[lang|=de]", "nav[class~=wid]", ":is(p, .x) a", "a:where(.x)", ".x:hover",
        "p::before", ".home > .x", ".other a", "x-card > .u", ".bg-darken-3", ".highlight a", ".fa-js-square",
        "[data-user] nav", "[type=button]",
    ],
)  # fmt: skip
def test_a_rule_goes_that_matches_nothing(selector: str) -> None:
    assert not stays(f"{selector} {{ color: blue }}")


@table(
    ("css", "kept"),
    [
        ("@media print { a { color: blue } p { color: red } }", True),
        ("@supports (x: y) { @container (width > 9px) { p { color: blue } } }", False),
        ("@layer x { @media print { a { color: blue } } }", True),
        ("@scope (nav) { a { color: blue } }", True),
        ("@font-face { font-family: 'Un Used'; src: url(blue) }", False),
        ("@font-face { font-family: Inline; src: url(blue) }", True),
        ("a { font: 1px 'Us Ed' } @font-face { font-family: \"us ed\"; src: url(blue) }", True),
        ("p { font: 1px 'Us Ed' } @font-face { font-family: \"us ed\"; src: url(blue) }", False),
        ("a { --f: Q; font: 1px var(--f) } @font-face { font-family: Q; src: url(blue) }", True),
        ("a { --f: Q } @font-face { font-family: Q; src: url(blue) }", False),
        ("@font-face { font-family: Inline; src: url(blue); unicode-range: U+400-4FF }", False),
        ("@font-face { font-family: Inline; src: url(blue); unicode-range: U+400-4FF, U+4? }", True),
        (
            "a::after { content: '\u0416' } @font-face { font-family: Inline; src: blue; unicode-range: U+41? }",
            True,
        ),
        ("a { --x: blue }", False),
        ("a { color: var( --x ) } b { --x: var(--y) } i { --y: blue }", True),
        ("b { --x: var(--y) } i { --y: blue }", False),
        ("a { --x: blue; &:hover { color: var(--x) } }", True),
        ("@container style(--x: blue) { a { --x: 1 } }", True),
        ("@keyframes in { to { color: var(--x) } } a { animation: in 1s; --x: blue }", True),
        ("@keyframes in { to { color: blue } }", False),
        ("a { animation: in 1s } @keyframes in { to { color: blue } }", True),
        (
            "a { animation: in 1s } @keyframes in { to { font: 1px Q } } @font-face { font-family: Q; src: blue }",
            True,
        ),
        # A value that cannot be read: the rule is written whole, and all its words count.
        ("a { --x: 1; *animation: in 1s } @keyframes in { to { color: blue } }", True),
        ("a { --x: 1; = Q } @font-face { font-family: Q; src: url(blue) }", True),
        ("@property --x { initial-value: blue }", False),
        ("a { color: var(--x) } @property --x { initial-value: blue }", True),
        ("@counter-style x { symbols: blue }", False),
        ("@page { color: blue }", True),
        ("@unheard of { color: blue }", True),
        ("a { &.x { color: blue } }", True),
        ("/*! blue */", True),
        ("a { *color: blue; color: red }", False),
        ("a { *b { color: blue } }", True),
        ("a { -ms-color: blue; top: 0 }", False),
        ("a { filter: progid:x(blue) }", False),
        ("a { background: -o-x(blue) }", False),
        ("a { background: -webkit-x(blue) }", True),
        ("/* blue */", False),
        ("} a { color: red } b { color: blue }", True),
    ],
)
def test_what_rules_name_stays_and_the_rest_goes(css: str, kept: bool) -> None:
    assert stays(css) == kept


@table(
    ("selectors", "kept"),
    [
        ("a, .x, nav b, p", "a, nav b"),
        ("a, .x:hover, p::before, p:first-child", "a"),
        ("a, p::-moz-focus-inner", "a, p::-moz-focus-inner"),  # not valid everywhere, and then no rule
        ("a, p:unheard, .x:is(p)", "a, p:unheard, .x:is(p)"),
        (":is(p, a)", ":is(p, a)"),
        ("a, $x", "a, $x"),
    ],
)
def test_selectors_that_match_nothing_go(selectors: str, kept: str) -> None:
    (used,) = used_styles([f"{selectors} {{top:0}}"], Elements().add(HERE), are_all=True)
    assert used == f"{kept} {{ top:0; }}"


def test_layers_keep_their_order_and_unused_ones_go() -> None:
    css = "@layer a, gone; @layer first { p {} } @layer a { i { top: 0 } } @layer first { i { top: 0 } }"
    (used,) = used_styles([css], Elements().add(HERE), are_all=True)
    assert "".join(used.split()) == "@layera;@layerfirst;@layera{i{top:0;}}@layerfirst{i{top:0;}}"


def test_a_rule_keeps_the_properties_that_something_uses() -> None:
    css = "a { --x: 1 ; color: red !important; --gone: 2; b & { top: var(--x) } }"
    (used,) = used_styles([css], Elements().add(HERE), are_all=True)
    assert "".join(used.split()) == "a{--x:1;color:red!important;b&{top:var(--x)}}"
    assert "--gone" in used_styles([css], Elements().add(HERE), are_all=False)[0]


def test_fonts_stay_where_another_sheet_may_use_them() -> None:
    font = "@font-face {font-family: A}"
    assert used_styles([font], Elements().add(HERE), are_all=False) == [font]
    assert used_styles([font, "a { font: 1px A }"], Elements().add(HERE), are_all=True)[0] == font


def test_a_sheet_that_is_nested_deeply_stays_as_it_is() -> None:
    css = "@media print {" * 3_000 + ".x { color: blue }"
    assert used_styles([css], Elements().add(HERE), are_all=True) == [css]


def test_costly_selectors_stay_after_bounded_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitestencil.saving.style_matching._MOST_STEPS", 50_000)
    tree = Element("b")
    for _ in range(1_000):
        tree = Element("div", children=[tree])
    css = "".join(f"div:is(p) {'div ' * number} > b {{ color: blue }}" for number in range(1, 300))
    assert used_styles([css], Elements().add(tree), are_all=True)[0].count("blue") > 200
    assert used_styles([css], Elements().add(Element("b")), are_all=True) == [""]


@pytest.mark.parametrize("rule", [".a{} *{{white-space:pre;display:inline}}", ".a{} ~ p{{white-space:pre}}"])
def test_the_steps_of_a_page_end_every_loop(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitestencil.saving.style_matching._MOST_STEPS", 5_000)
    tried = list[object]()
    has = Elements._has

    def counted(self: Elements, place: Any, compound: Any) -> bool:
        tried.append(compound)
        return has(self, place, compound)

    monkeypatch.setattr(Elements, "_has", counted)
    css = "".join(rule.format(number) for number in range(200))
    inner = f"<style>{css}</style>" + "".join(f"<p class='a{number}'>x\n  y" for number in range(200))
    page = judged(parse(f"<!doctype html>{inner}", URL))
    for write in (template_html, jinja_layout):
        tried.clear()
        written = write(page)
        assert written.count("a199") > 1
        assert len(tried) < 6_000
    assert "x\n  y" in written  # where rules may keep white space, nothing is tidied


PAGE = (
    "<!doctype html><head><link rel=stylesheet href=/a.css><style>nav{color:red}.none{color:blue}</style></head>"
    "<body><nav>Menu</nav><article><h2>Story</h2></article>"
)
SHEETS = {f"{URL}a.css": File(f"{URL}a.css", b"article h2{color:green}.none{background:url(b.png)}"),
          f"{URL}b.png": File(f"{URL}b.png", b"\x89PNG\r\n\x1a\n...")}  # fmt: skip


def test_every_layout_has_the_rules_of_the_page_and_of_its_content() -> None:
    told: list[tuple[int, int]] = []
    page, choices = judged(parse(PAGE, URL)), Choices(on_styles=lambda *both: told.append(both))
    folder = folder_of(page, choices, SHEETS)
    for text in (template_html(page, choices, SHEETS), jinja_layout(page, choices, SHEETS), str(folder)):
        assert "article h2" in text
        assert "none" not in text.replace("'none'", "").replace("\\'none\\'", "")
        assert "0 of 0.1 kB of styles are in this file" in text
    assert sorted(folder) == ["css/a.css", "css/style.css", "index.html"]
    assert len(set(told)) == 1 and 0 < told[0][0] < told[0][1]
    whole = Choices(all_styles=True)
    assert {"files/b.png"} < set(folder_of(page, whole, SHEETS))
    assert ".none{color:blue}" in template_html(page, whole, SHEETS)
    assert "kB of styles" not in template_html(page, whole, SHEETS)


def test_of_equal_rules_the_last_stays() -> None:
    css = "a { color: blue } a { color: red } @media print { a { color: blue } } a { color: blue }"
    (used,) = used_styles([css], Elements().add(HERE), are_all=True)
    assert used.split("\n") == [
        "a { color: red; }",
        "@media print {",
        "a { color: blue; }",
        "}",
        "a { color: blue; }",
    ]
