"""Classify by naive Bayes on words; two classes are learned from different sites (Chakrabarti, section 6.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from statistics import fmean

from sitestencil.errors import PackageMissing, SitestencilError
from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage


def classified(
    training: Sequence[Sequence[str]], labels: Sequence[str], documents: Sequence[Sequence[str]]
) -> list[str]:
    """Return each document's class, by a multinomial model with add-one smoothing over the words of the training.

    Words not seen in training do not count. Of a tie the first class by name is returned.

    Raises:
        PackageMissing: scikit-learn is not installed.
    """
    try:
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.naive_bayes import MultinomialNB
    except ImportError:
        raise PackageMissing("Classification needs scikit-learn.", "train") from None
    counter = CountVectorizer(analyzer=list)
    model = MultinomialNB().fit(counter.fit_transform(training), labels)
    return [str(label) for label in model.predict(counter.transform(documents))]


@dataclass(frozen=True, slots=True)
class Problem:
    """Two classes, each learned from one site's pages, given by number; all other pages of both are the test."""

    classes: tuple[str, str]
    training: tuple[int, ...]
    test: tuple[int, ...]


def problems(pages: Sequence[CorpusPage]) -> Iterator[Problem]:
    """Yield every pair of classes with every two different sites to learn them from."""
    pages_of: dict[tuple[str, str], list[int]] = {}
    for number, page in enumerate(pages):
        pages_of.setdefault((page.label, page.site.name), []).append(number)
    labels = sorted({page.label for page in pages})
    sites = sorted({page.site.name for page in pages})
    for pair in combinations(labels, 2):
        for learned_from in permutations(sites, 2):
            own = list(zip(pair, learned_from, strict=True))
            training = tuple(number for label_and_site in own for number in pages_of.get(label_and_site, ()))
            test = tuple(
                number
                for (label, site), numbers in pages_of.items()
                if label in pair and (label, site) not in own
                for number in numbers
            )
            if all(label_and_site in pages_of for label_and_site in own) and test:
                yield Problem(pair, training, test)


def accuracies(corpus: CleanCorpus, pages: Sequence[CorpusPage]) -> dict[tuple[str, str], float]:
    """Return the mean accuracy per pair of classes, as in a column of Table 3.

    Raises:
        PackageMissing: scikit-learn is not installed.
        SitestencilError: no two classes can be learned from different sites.
    """
    by_pair: dict[tuple[str, str], list[float]] = {}
    for problem in problems(pages):
        training, test = ([corpus.pages[k].words for k in numbers] for numbers in (problem.training, problem.test))
        found = classified(training, [pages[k].label for k in problem.training], test)
        right = [label == pages[k].label for label, k in zip(found, problem.test, strict=True)]
        by_pair.setdefault(problem.classes, []).append(fmean(right))
    if not by_pair:
        raise SitestencilError("No two classes have pages on two different sites, so there is nothing to learn.")
    return {pair: fmean(values) for pair, values in by_pair.items()}
