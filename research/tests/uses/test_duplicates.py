"""Near-duplicates by shingles, on texts worked out by hand."""

from research.tests.support.corpora import clean_corpus, corpus_pages

from sitestencil_research.uses.duplicates import (
    are_duplicates,
    find_duplicates,
    judge,
    known_pairs,
    shingle_hash,
    sketch,
)


def test_a_sketch_is_the_smallest_hashes_of_all_windows() -> None:
    text = "a b c d e f g h i j k l m n o p".split()
    windows = [" ".join(text[start : start + 6]) for start in range(11)]
    assert sketch(text) == frozenset(sorted(map(shingle_hash, windows))[:8])


def test_hashes_are_the_same_in_every_run() -> None:
    assert shingle_hash("a b c d e f") == 0x763E082135690D79


def test_four_equal_hashes_of_eight_make_a_duplicate() -> None:
    ours, theirs = frozenset(range(8)), frozenset(range(4, 12))
    assert are_duplicates(ours, theirs)
    assert not are_duplicates(ours, frozenset(range(5, 13)))


def test_a_page_of_five_words_is_nobodys_duplicate() -> None:
    assert sketch("one two three four five".split()) == frozenset()


_STORY = "once upon a time there was a page that had twelve words"
_OTHER = "quite another story about something else that nobody ever wrote down before today"


def test_pairs_are_known_where_sites_or_articles_agree() -> None:
    pages = corpus_pages(("a", "", "x"), ("b", "", "x"), ("a", "", "y"), ("c", "", "z"))
    pairs = known_pairs(pages)
    assert pairs.duplicates == ((0, 1),)
    assert pairs.others == ((0, 2),)


def test_known_pairs_are_judged_by_what_is_left_of_the_pages() -> None:
    pages = corpus_pages(("a", "", "x"), ("b", "", "x"), ("a", "", "y"), ("b", "", "y"))
    pairs = known_pairs(pages)
    assert judge(clean_corpus(_STORY, _STORY, _OTHER, _OTHER), pairs) == (2, 2)
    assert judge(clean_corpus(_STORY, _OTHER, _STORY, _OTHER), pairs) == (0, 0)


def test_duplicates_are_found_without_comparing_all_pairs_one_by_one() -> None:
    assert find_duplicates(clean_corpus(_STORY, _OTHER, _STORY, _OTHER, "short")) == [(0, 2), (1, 3)]
