"""Name the features of a block, and give the bounds by which they are measured."""

from collections.abc import Iterator

LANDMARKS = tuple("article main aside footer header form figure table ul blockquote section".split())
TAGS = (("p",), ("li", "dd", "dt"), ("h1", "h2", "h3", "h4", "h5", "h6"), ("div",))
MARKS = ".,;:!?。，；：！？、"  # noqa: RUF001
ENDS = frozenset(".!?。！？…\"”»'")  # noqa: RUF001
WINDOWS = (3, 8, 20)  # blocks before and after
LEVELS = (1, 2, 4, 6, 8)  # elements above
PARAGRAPH_SHARES = (0.3, 0.6, 0.85)
PARAGRAPH_WORDS, PARAGRAPH_LINKED = 25, 0.3  # a longer block with fewer of its words in links is a paragraph
KIND_LEVELS = 3  # elements whose tags and names tell a block's kind
NEAR_LEVELS = 3  # elements whose names are near
FAR = 99
UNKNOWN = -999.0


def _names() -> Iterator[str]:
    yield from "words letters link_share marks_share ends digits capitals word_length runs".split()
    yield from (f"tag_{tags[0]}" for tags in TAGS)
    yield "depth"
    yield from (f"to_{name}" for name in LANDMARKS)
    yield from "place words_before words_after page_words blocks share".split()
    yield from "size_before links_before size_after links_after".split()
    for reach in WINDOWS:
        yield from (f"{name}_{reach}" for name in ("near_links", "near_marks", "near_longest"))
    for level in LEVELS:
        yield from (f"{name}_{level}" for name in ("up_share", "up_links", "up_paragraphs", "up_blocks"))
    for share in PARAGRAPH_SHARES:
        yield from (f"{name}_{share}" for name in ("paragraphs_at", "paragraphs_share", "paragraphs_links"))
    yield from "alike alike_size alike_links alike_share".split()
    yield from "title_covered title_share description_covered description_share".split()
    yield from "after_title titled after_h1 is_title".split()
    yield from "template template_score text_score equal pages near_template up_score".split()
    yield from "near_least near_most near_sum far_least far_most far_sum".split()


FEATURES = tuple(_names())
