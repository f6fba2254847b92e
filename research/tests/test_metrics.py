"""The counts of a score: elements, words, words in links, links."""

from sitestencil.page.parsing import parse
from sitestencil.page.words import words
from sitestencil_research.metrics import MEASURES, TemplateAnswer, text_visibility

# html head body div a p
PAGE = parse("<body><div>Two words<a href=x>three more words</a></div><p>One <a>anchor</a>", "http://x.test/")
LABELS = "EETTTCC"


def answer(template: str) -> TemplateAnswer:
    return TemplateAnswer.of_elements(PAGE, [letter == "T" for letter in template])


def test_words_are_lower_case_runs_of_letters_and_single_ideographs() -> None:
    assert words("Don't STOP, 3.5 — 中文 かな x中y") == ["don", "t", "stop", "3", "5", *"中文かな", "x", "中", "y"]


def test_elements_words_and_links_are_counted_apart() -> None:
    scores = {name: measure.score(answer("TTTTCTC"), LABELS) for name, measure in MEASURES.items()}
    assert [(counted.right, counted.wrong, counted.missed) for counted in scores.values()] == [
        (2, 1, 1),  # body and div right, p wrong, the link missed
        (2, 1, 3),
        (1, 3, 1),  # of the content's words "anchor" is right, those of the link are wrong, "One" is missed
        (0, 0, 3),
        (0, 0, 1),
    ]


def test_an_anchor_without_address_is_no_link() -> None:
    assert MEASURES["links"].score(answer("TTTTTTT"), LABELS).wrong == 0


def test_a_text_called_content_in_a_template_element_is_content_by_words_only() -> None:
    every_element = TemplateAnswer(PAGE, [True] * len(PAGE), [run.text != "One " for run in PAGE.texts])
    assert MEASURES["words"].score(every_element, LABELS).wrong == 1
    assert MEASURES["elements"].score(every_element, LABELS).wrong == 2


def test_a_page_whose_template_holds_no_link_has_no_score_by_links() -> None:
    assert not MEASURES["links"].score(answer("TTTTTTT"), "EETTCCC").is_defined
    assert MEASURES["links"].score(answer("CCCCCCC"), LABELS).is_defined


def test_what_is_seen_is_counted_by_characters_without_white_space() -> None:
    seen = text_visibility(answer("TTTTCTC"), LABELS)
    assert seen.content_visible == 3 / 9  # "One" of "One anchor"
    assert seen.template_hidden == 14 / 22  # "threemorewords" of "Twowordsthreemorewords"


def test_of_a_page_without_scored_texts_nothing_is_seen_or_hidden() -> None:
    seen = text_visibility(answer("TTTTTTT"), "EEEEEEE")
    assert (seen.content_visible, seen.template_hidden) == (0, 0)
