"""The uses of a template, on values worked out by hand and on stored sites."""

import json
from math import log
from pathlib import Path

import pytest

from sitestencil.cli import main
from sitestencil.detection import Detection
from sitestencil.errors import SitestencilError, UnknownDetector
from sitestencil.parsing import parse
from sitestencil.uses.bayes import accuracies, problems, train
from sitestencil.uses.clustering import (
    cosine_distance,
    f_measure,
    furthest_point_first,
    normalized_complementary_entropy,
    normalized_mutual_information,
    purity,
    vectors,
)
from sitestencil.uses.corpus import (
    FULL_TEXT,
    CleanCorpus,
    CleanPage,
    CorpusPage,
    clean_corpora,
    clean_site,
    known_content,
    stored_pages,
)
from sitestencil.uses.duplicates import find_duplicates, judge, known_pairs
from sitestencil.uses.planting import LabelledPage, plant_articles, plant_topics
from sitestencil.uses.sections import classified, cluster_sites
from sitestencil.uses.shingles import are_duplicates, shingle_hash, sketch
from sitestencil.uses.words import page_size, page_text, words

# --- words -----------------------------------------------------------------------------------------------------

_PAGE = "<title>T</title><body><nav>Menu <a href=/>Home</a></nav><script>x()</script><p>Body, text!</p>"


def _template_of_page() -> Detection:
    # html, head, title, body, nav, a, script, p; texts: T, Menu, Home, x(), Body
    return Detection(
        template=[True, True, True, True, True, True, False, False],
        template_texts=[False, True, True, False, False],
        candidates=(),
    )


def test_words_are_lower_case_and_alphanumeric() -> None:
    assert words("Don't PANIC — it's 42_x é!") == ["don", "t", "panic", "it", "s", "42", "x", "é"]


def test_the_text_of_a_page_is_its_bodys_without_scripts() -> None:
    document = parse(_PAGE, "http://a.test/")
    assert words(page_text(document)) == ["menu", "home", "body", "text"]
    assert words(page_text(document, _template_of_page())) == ["body", "text"]


def test_text_that_is_content_inside_a_template_element_stays() -> None:
    document = parse(_PAGE, "http://a.test/")
    detection = _template_of_page()
    changed = Detection(detection.template, [False, False, True, False, False], ())
    assert words(page_text(document, changed)) == ["menu", "body", "text"]


def test_the_size_is_that_of_the_tags_and_texts_left() -> None:
    document = parse(_PAGE, "http://a.test/")
    assert page_size(document, _template_of_page()) == len("<script>x()</script><p>Body, text!</p>")
    whole = '<html><head><title>T</title></head><body><nav>Menu <a href="/">Home</a></nav></body></html>'
    assert page_size(document) == len(whole) + len("<script>x()</script><p>Body, text!</p>")


# --- shingles --------------------------------------------------------------------------------------------------


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


def _corpus(*texts: str, detector: str = "test") -> CleanCorpus:
    return CleanCorpus(detector, tuple(CleanPage(tuple(words(text)), len(text)) for text in texts))


def _pages(*facts: tuple[str, str, str]) -> list[CorpusPage]:
    return [
        CorpusPage(f"{site}-{n}", Path(site), f"http://{site}.test/", b"", label, article)
        for n, (site, label, article) in enumerate(facts)
    ]


_STORY = "once upon a time there was a page that had twelve words"
_OTHER = "quite another story about something else that nobody ever wrote down before today"


def test_pairs_are_known_where_sites_or_articles_agree() -> None:
    pages = _pages(("a", "", "x"), ("b", "", "x"), ("a", "", "y"), ("c", "", "z"))
    pairs = known_pairs(pages)
    assert pairs.duplicates == ((0, 1),)
    assert pairs.others == ((0, 2),)


def test_known_pairs_are_judged_by_what_is_left_of_the_pages() -> None:
    pages = _pages(("a", "", "x"), ("b", "", "x"), ("a", "", "y"), ("b", "", "y"))
    pairs = known_pairs(pages)
    right = judge(_corpus(_STORY, _STORY, _OTHER, _OTHER), pairs)
    assert (right.duplicates_right, right.others_right) == (2, 2)
    templates = judge(_corpus(_STORY, _OTHER, _STORY, _OTHER), pairs)
    assert (templates.duplicates_right, templates.others_right) == (0, 0)


def test_duplicates_are_found_without_comparing_all_pairs_one_by_one() -> None:
    assert find_duplicates(_corpus(_STORY, _OTHER, _STORY, _OTHER, "short")) == [(0, 2), (1, 3)]


# --- clustering ------------------------------------------------------------------------------------------------

# Geraci's measures by hand: class A three times, B once; clusters 0 = {A, A}, 1 = {A, B}.
_CLASSES = ["A", "A", "A", "B"]
_CLUSTERS = [0, 0, 1, 1]


def test_f_measure_by_hand() -> None:
    # A: best cluster 0 with p 1, r 2/3: .8; B: cluster 1 with p 1/2, r 1: 2/3
    assert f_measure(_CLASSES, _CLUSTERS) == pytest.approx(3 / 4 * 0.8 + 1 / 4 * 2 / 3)


def test_purity_by_hand() -> None:
    assert purity(_CLASSES, _CLUSTERS) == 3 / 4


def test_nmi_by_hand() -> None:
    # P(0,A) 1/2, P(1,A) 1/4, P(1,B) 1/4; P(A) 3/4, P(B) 1/4, P(0) = P(1) = 1/2
    information = 0.5 * log(0.5 / 0.375) + 0.25 * log(0.25 / 0.375) + 0.25 * log(0.25 / 0.125)
    assert normalized_mutual_information(_CLASSES, _CLUSTERS) == pytest.approx(2 / log(4) * information)


def test_nce_by_hand() -> None:
    # cluster 0 is pure, cluster 1 holds half and half: entropy log 2, weight 1/2
    assert normalized_complementary_entropy(_CLASSES, _CLUSTERS) == pytest.approx(1 - 0.5 * log(2) / log(2))


@pytest.mark.parametrize(
    "measure", [f_measure, purity, normalized_mutual_information, normalized_complementary_entropy]
)
def test_a_perfect_clustering_measures_one(measure: type) -> None:
    assert measure(["A", "B", "C", "A", "B", "C"], [2, 0, 1, 2, 0, 1]) == pytest.approx(1)


def test_words_of_every_page_weigh_nothing_unless_frequency_alone_counts() -> None:
    documents = [["menu", "x"], ["menu", "y"]]
    assert vectors(documents) == [{"x": 1.0}, {"y": 1.0}]
    plain, _ = vectors(documents, idf=False)
    assert plain["menu"] == pytest.approx(plain["x"]) == pytest.approx(2**-0.5)


def test_the_cosine_distance_of_vectors_of_length_one() -> None:
    assert cosine_distance({"x": 0.6, "y": 0.8}, {"x": 1.0}) == pytest.approx(0.4)
    assert cosine_distance({}, {"x": 1.0}) == 1.0


def test_furthest_points_become_centres() -> None:
    points = vectors([["x", "x", "a"], ["x", "b"], ["y", "y", "a"], ["y", "c"], ["z", "z", "b"], ["z", "c"]])
    for seed in range(6):
        found = furthest_point_first(points, 3, seed)
        assert found[0] == found[1]
        assert found[2] == found[3]
        assert found[4] == found[5]
        assert len(set(found)) == 3


def test_there_are_no_more_clusters_than_points() -> None:
    assert sorted(furthest_point_first(vectors([["x"], ["y"]]), 5)) == [0, 1]
    assert furthest_point_first([], 3) == []


def test_equal_points_are_still_given_to_one_cluster_each() -> None:
    assert len(furthest_point_first([{}, {}, {}], 2)) == 3


def test_sections_that_are_dates_or_too_small_are_no_classes() -> None:
    facts = [("a", "docs", "")] * 5 + [("a", "blog", "")] * 5 + [("a", "2013", "")] * 9 + [("a", "few", "")] * 4
    pages = _pages(*facts, *[("b", "docs", "")] * 9)
    kept = classified(pages)
    assert {(page.site.name, page.label) for page in kept} == {("a", "docs"), ("a", "blog")}


def test_each_site_is_clustered_for_itself() -> None:
    pages = _pages(*[("a", "x", "")] * 2, *[("a", "y", "")] * 2, *[("b", "u", "")] * 2, *[("b", "v", "")] * 2)
    texts = ["tree leaf", "tree leaf root", "car road", "car road wheel"]
    result = cluster_sites(_corpus(*texts, *texts), pages)
    assert result.measures == pytest.approx({"F-measure": 1, "purity": 1, "NMI": 1, "NCE": 1})


# --- naive Bayes -----------------------------------------------------------------------------------------------


def test_naive_bayes_by_hand() -> None:
    # The example of Manning et al., Introduction to Information Retrieval, 13.1
    documents = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao", "Tokyo Japan Chinese"]
    model = train([words(text) for text in documents], ["yes", "yes", "yes", "no"])
    assert model.priors == pytest.approx({"yes": log(3 / 4), "no": log(1 / 4)})
    assert model.likelihoods["yes"]["chinese"] == pytest.approx(log(3 / 7))
    assert model.likelihoods["yes"]["tokyo"] == pytest.approx(log(1 / 14))
    assert model.likelihoods["no"]["chinese"] == pytest.approx(log(2 / 9))
    assert model.classify(words("Chinese Chinese Chinese Tokyo Japan unseen")) == "yes"


def test_every_pair_of_classes_is_learned_from_every_two_sites() -> None:
    pages = _pages(*[(site, label, "") for site in "abc" for label in ("x", "y")])
    found = list(problems(pages))
    assert len(found) == 3 * 2
    first = next(p for p in found if [pages[k].site.name for k in p.training] == ["a", "b"])
    assert [pages[k].label for k in first.training] == ["x", "y"]
    assert {(pages[k].site.name, pages[k].label) for k in first.test} == {
        ("b", "x"),
        ("c", "x"),
        ("a", "y"),
        ("c", "y"),
    }


def test_a_template_that_goes_with_the_class_in_training_misleads() -> None:
    pages = _pages(*[(site, label, "") for site in "ab" for label in ("x", "y")])
    content = {"x": "tree leaf", "y": "car road"}
    clean = _corpus(*(content[page.label] for page in pages))
    dirty = _corpus(*(f"{content[page.label]} {f'menu{page.site.name} ' * 9}" for page in pages))
    assert accuracies(clean, pages) == {("x", "y"): 1.0}
    assert accuracies(dirty, pages) == {("x", "y"): 0.0}


def test_classes_of_one_site_only_cannot_be_told_apart() -> None:
    pages = _pages(("a", "x", ""), ("a", "y", ""))
    with pytest.raises(SitestencilError, match="two different sites"):
        accuracies(_corpus("tree", "car"), pages)


# --- corpora of stored sites -----------------------------------------------------------------------------------


def test_stored_pages_have_their_section_and_their_address(benchmark_sites: Path) -> None:
    pages = stored_pages(benchmark_sites / "libtiff")
    assert len(pages) == 120
    page = next(page for page in pages if page.name == "libtiff/functions/TIFFError.html")
    assert page.label == "functions"
    assert page.url.endswith("/functions/TIFFError.html")
    assert len(stored_pages(benchmark_sites / "libtiff", 7)) == 7


def test_templates_are_removed_from_every_page_and_the_pages_stay_in_order(benchmark_sites: Path) -> None:
    pages = [*stored_pages(benchmark_sites / "winery-dates", 4), *stored_pages(benchmark_sites / "agfirst", 3)]
    alone = clean_corpora(pages, ["temex"])
    together = clean_corpora(pages, ["temex"], cores=2)
    assert [corpus.detector for corpus in alone] == [FULL_TEXT, "temex"]
    full, temex = alone
    assert [page.words for page in temex.pages] == [page.words for page in together[1].pages]
    assert full.pages[5].words == tuple(words(page_text(parse(pages[5].html, pages[5].url))))
    assert all(len(ours.words) <= len(whole.words) for ours, whole in zip(temex.pages, full.pages, strict=True))
    assert temex.size < full.size


def test_a_page_that_a_detector_gives_no_answer_for_keeps_its_text(benchmark_sites: Path) -> None:
    page = CorpusPage("lonely", benchmark_sites / "agfirst", "http://nowhere.test/", b"<p>no links here")
    (clean,) = clean_site(page.site, [page], "temex")
    assert not clean.answered
    assert clean.words == ("no", "links", "here")


def test_an_unknown_detector_is_named_before_any_work(benchmark_sites: Path) -> None:
    with pytest.raises(UnknownDetector):
        clean_corpora(stored_pages(benchmark_sites / "agfirst", 1), ["nosuch"])


def test_planted_content_replaces_the_labelled_content(benchmark_sites: Path) -> None:
    host = LabelledPage(benchmark_sites / "pandas")
    before = words(page_text(host.document))
    page = parse(host.with_content("<p>entirely planted content"), host.url)
    after = words(page_text(page))
    assert "planted" in after
    assert len(after) < len(before) / 2
    assert page.tags.count("nav") == host.document.tags.count("nav")


def test_every_labelled_site_can_take_other_content(benchmark_sites: Path) -> None:
    for folder in sorted(benchmark_sites.iterdir()):
        host = LabelledPage(folder)
        assert host.is_host
        assert b"<p>entirely planted content" in host.with_content("<p>entirely planted content")


def test_passages_divide_the_content_and_lead_nowhere_on_the_host(benchmark_sites: Path) -> None:
    passages = LabelledPage(benchmark_sites / "rust-book").passages(150)
    assert len(passages) > 5
    assert all(len(passage.words) >= 150 for passage in passages)
    assert all(words(page_text(parse(p.html, "http://x.test/"))) == list(p.words) for p in passages)
    assert not any('href="' in p.html and 'href="http' not in p.html and 'href="#' not in p.html for p in passages)


def test_each_article_stands_on_other_sites_than_its_own(benchmark_sites: Path) -> None:
    folders = [benchmark_sites / name for name in ("rust-book", "libtiff", "pandas", "agfirst", "kitty")]
    pages = plant_articles(folders, articles=6, copies=3)
    assert len(pages) == 18
    assert all(page.article.rpartition("-")[0] != page.site.name for page in pages)
    assert pages == plant_articles(folders, articles=6, copies=3)
    pairs = known_pairs(pages)
    assert len(pairs.duplicates) == 6 * 3
    perfect = judge(known_content(pages), pairs)
    assert (perfect.duplicates_right, perfect.others_right) == (len(pairs.duplicates), len(pairs.others))


def test_topics_are_planted_alike_on_every_host(benchmark_sites: Path) -> None:
    folders = sorted(benchmark_sites.iterdir())
    pages = plant_topics(folders, topics=3, hosts=2, pages=4)
    assert len(pages) == 24
    assert len({page.article for page in pages}) == 24
    assert not {page.site.name for page in pages} & {page.label for page in pages}
    again = plant_topics(folders, topics=3, hosts=2, pages=4, repeat=True)
    assert len({page.article for page in again}) == 12
    with pytest.raises(SitestencilError, match="30 are needed"):
        plant_topics(folders, topics=30)


# --- the commands ----------------------------------------------------------------------------------------------


@pytest.fixture
def few_sites(benchmark_sites: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "sites"
    folder.mkdir()
    for name in ("agfirst", "ikiwiki", "libtiff", "nyu-library", "linux-gazette"):
        (folder / name).symlink_to(benchmark_sites / name)
    return folder


def test_removing_templates_tells_more_pairs_right(
    few_sites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "rows.json"
    arguments = ["duplicates", str(few_sites), "--generated", "--articles", "8", "--detector", "sitelevel"]
    assert main([*arguments, "--jobs", "1", "--json", str(data)]) == 0
    rows = json.loads(data.read_text())["rows"]
    full, site_level, perfect = (row["duplicates_right"] + row["others_right"] for row in rows)
    assert full < site_level < perfect == rows[0]["duplicates"] + rows[0]["others"]
    assert "full text" in capsys.readouterr().out


def test_duplicates_of_stored_pages_are_listed(few_sites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["duplicates", str(few_sites), "--detector", "conex", "--pages-per-site", "4", "--list"]
    assert main([*arguments, "--jobs", "1"]) == 0
    assert "duplicates by conex:" in capsys.readouterr().out


def test_sections_are_clustered(few_sites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["cluster", str(few_sites), "--detector", "temex", "--pages-per-site", "30", "--jobs", "1"]
    assert main(arguments) == 0
    assert "nyu-library" in capsys.readouterr().out


def test_planted_topics_are_classified(few_sites: Path, tmp_path: Path) -> None:
    data = tmp_path / "rows.json"
    arguments = ["classify", str(few_sites), "--detector", "temex", "--topics", "2", "--hosts", "2", "--pages", "5"]
    assert main([*arguments, "--jobs", "1", "--json", str(data)]) == 0
    rows = json.loads(data.read_text())["rows"]
    assert [row["detector"] for row in rows] == ["full text", "temex", "content alone"]
    assert rows[0]["accuracy"] < rows[2]["accuracy"]
