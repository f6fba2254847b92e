"""Pages as token sequences."""

from sitestencil.detectors.alignment.detector import Vocabulary
from sitestencil.page.parsing import parse

URL = "http://site.test/"


def test_every_tag_and_every_text_between_two_tags_is_a_token() -> None:
    page = parse("<!doctype html><body><p>One <b>two</b><br></p>", URL)
    tokens = Vocabulary().tokens(page)
    # <html> <head> </head> <body> <p> One <b> two </b> <br> </p> </body> </html>
    assert tokens.numbers == list(range(13))
    assert [tokens.start_tags[page.tags.index(tag)] for tag in ("html", "head", "body", "p", "b", "br")] == [
        0,
        1,
        3,
        4,
        6,
        9,
    ]
    assert tokens.texts == [5, 7]


def test_white_space_case_and_the_order_of_attributes_do_not_tell_tokens_apart() -> None:
    vocabulary = Vocabulary()
    page = parse('<body><P CLASS="a  b" id=X>Some \n Words</P>', URL)
    other = parse('<body>\n<p id="x" class="a b">some words </p>\n', URL)
    assert vocabulary.tokens(page).numbers == vocabulary.tokens(other).numbers


def test_other_attributes_other_texts_and_end_tags_are_other_tokens() -> None:
    vocabulary = Vocabulary()
    page = parse("<body><p class=a>x</p><p class=b>y</p>", URL)
    start, text, end, other_start, other_text, other_end = vocabulary.tokens(page).numbers[4:10]
    assert len({start, text, end, other_start, other_text}) == 5
    assert end == other_end


def test_a_text_after_an_element_stands_after_its_end_tag() -> None:
    page = parse("<body><p><b>x</b>tail</p>rest", URL)
    tokens = Vocabulary().tokens(page)
    places = dict(zip((run.text for run in page.texts), tokens.texts, strict=True))
    bold, paragraph = tokens.start_tags[page.tags.index("b")], tokens.start_tags[page.tags.index("p")]
    # <p> <b> x </b> tail </p> rest
    assert (bold - paragraph, places["tail"] - paragraph, places["rest"] - paragraph) == (1, 4, 6)
