"""Rules win over what a detector says, for an element with all below it, and a file of them is checked."""

import json

import pytest
from tests.support.tables import table

from sitestencil import UnusableRules, extract
from sitestencil.corrections.rules import MOST_BYTES, MOST_RULES, MOST_SITES, Rule, Rules
from sitestencil.template import Template

URL = "https://www.site.example/"
PAGE = "<nav><a href='/a'>A</a></nav><aside><h2>News</h2><p>Rain</p></aside><main>{}</main>"


def template() -> Template:
    return extract(
        PAGE.format("Home"), url=URL, pages={f"{URL}{name}": PAGE.format(name) for name in ("a", "b", "c")}
    )


def rules(*pairs: tuple[str, str]) -> Rules:
    return Rules.from_json(rules_file({"site.example": [{"selector": s, "is": kind} for s, kind in pairs]}))


def rules_file(sites: object, version: object = 1) -> str:
    return json.dumps({"sitestencil_rules": version, "sites": sites})


def test_a_rule_holds_for_an_element_and_for_all_that_lies_below_it() -> None:
    assert template().content_text() == "Home\n"
    assert rules(("aside", "content")).correct(template()).content_text() == "News\nRain\nHome\n"


def test_of_two_rules_the_one_that_stands_later_decides() -> None:
    corrected = rules(("aside", "content"), ("aside > h2", "template")).correct(template())
    assert corrected.content_text() == "Rain\nHome\n"
    assert (
        rules(("aside > h2", "template"), ("aside", "content")).correct(template()).content_text() != "Rain\nHome\n"
    )


def test_content_is_made_template_with_its_texts() -> None:
    corrected = rules(("main", "template")).correct(template())
    assert corrected.content_text() == ""
    assert "Home" in corrected.to_html()
    assert "Home" not in template().to_html()


def test_scores_and_reasons_do_not_contradict_a_rule() -> None:
    corrected = rules(("nav", "content")).correct(template())
    element = corrected.document.tags.index("nav")
    assert corrected.scores is not None
    assert corrected.scores[element] == 0.0
    assert corrected.reasons is None


def test_rules_of_another_site_and_rules_that_name_nothing_change_nothing() -> None:
    answer = template()
    assert Rules({"other.example": [Rule("*", "content")]}).correct(answer) is answer
    assert rules((".nowhere", "content")).correct(answer).detection is answer.detection


def test_a_rule_that_is_off_or_of_another_page_changes_nothing() -> None:
    aside: dict[str, object] = {"selector": "aside", "is": "content"}
    cases: list[tuple[dict[str, object], bool]] = [
        ({"page": URL}, True),
        ({"page": f"{URL}other"}, False),
        ({"page": URL, "off": True}, False),
        ({"off": False}, True),
    ]
    for more, is_corrected in cases:
        read = Rules.from_json(rules_file({"site.example": [{**aside, **more}]}))
        assert ("Rain" in read.correct(template()).content_text()) is is_corrected, more
        assert json.loads(read.to_json())["sites"]["site.example"][0].items() <= {**aside, **more}.items()


def test_a_rule_for_one_kind_of_page_changes_no_other_page() -> None:
    for where, is_corrected in [
        (["body", "main"], True),
        (["body", "main", "article"], False),
        (["body.single", "main"], False),
        (["main"], False),
    ]:
        read = Rules.from_json(
            rules_file({"site.example": [{"selector": "aside", "is": "content", "where": where}]})
        )
        assert ("Rain" in read.correct(template()).content_text()) is is_corrected, where


def test_a_site_may_be_written_with_or_without_www() -> None:
    named = Rules.from_json(rules_file({"WWW.site.example".lower(): [{"selector": "aside", "is": "content"}]}))
    assert "Rain" in named.correct(template()).content_text()


def test_what_is_written_is_read_again_and_stays_readable() -> None:
    written = rules(("aside.a > p", "content"), ("nav", "template")).to_json()
    assert Rules.from_json(written).to_json() == written
    assert '{\n    "selector": "aside.a > p"' in written


@table(
    ("text", "sentence"),
    [
        ("no JSON", "no file of rules"),
        ("[]", "no file of rules"),
        ("[" * 100_000, "no file of rules"),
        (b"\xff\xfe{}", "no file of rules"),
        (rules_file({}, version=2), "version 2"),
        (rules_file({}, version="1"), "no file of rules"),
        (rules_file({"a.example": [{"selector": "a", "is": "maybe"}]}), "no file of rules"),
        (rules_file({"a.example": [{"selector": "a:has(b)", "is": "content"}]}), "may not have"),
        (rules_file({"a.example": [{"selector": "a", "is": "content"}] * (MOST_RULES + 1)}), "at most 200"),
        (rules_file({"a.example": [{"selector": "a " * 60, "is": "content"}] * 20}), "steps"),
        (rules_file({"a.example": [{"selector": "a", "is": "content", "where": ["a > b"]}]}), "invalid `where`"),
        (rules_file({"a.example": [{"selector": "a", "is": "content", "where": ["a"] * 33}]}), "invalid `where`"),
        (rules_file({f"{number}.example": [] for number in range(MOST_SITES + 1)}), "2000 sites"),
        (" " * (MOST_BYTES + 1), "at most 2,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_to_be_none(text: str | bytes, sentence: str) -> None:
    with pytest.raises(UnusableRules, match=sentence):
        Rules.from_json(text)
