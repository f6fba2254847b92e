"""Classify by naive Bayes on words; two classes are learned from different sites (Chakrabarti, section 6.3)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import log
from statistics import fmean

from sitestencil.errors import SitestencilError
from sitestencil_research.uses.corpus import CleanCorpus, CorpusPage


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """A multinomial model with add-one smoothing over the words of the training pages.

    Attributes:
        priors: per class, the log of its share of the training pages.
        likelihoods: per class and word, the log of the word's probability.
    """

    priors: Mapping[str, float]
    likelihoods: Mapping[str, Mapping[str, float]]

    def classify(self, document: Sequence[str]) -> str:
        """Return the most probable class, the first by name of a tie. Words not seen in training do not count."""
        counts = Counter(document)

        def probability(label: str) -> float:
            known = self.likelihoods[label]
            return self.priors[label] + sum(count * known[word] for word, count in counts.items() if word in known)

        return max(sorted(self.priors), key=probability)


def train(documents: Sequence[Sequence[str]], labels: Sequence[str]) -> NaiveBayes:
    """Learn a model from documents and their classes."""
    counts: dict[str, Counter[str]] = {}
    for document, label in zip(documents, labels, strict=True):
        counts.setdefault(label, Counter()).update(document)
    vocabulary = set().union(*counts.values())
    likelihoods = {}
    for label, seen in counts.items():
        total = log(seen.total() + len(vocabulary))
        likelihoods[label] = {word: log(seen[word] + 1) - total for word in vocabulary}
    pages = Counter(labels)
    return NaiveBayes({label: log(count / len(labels)) for label, count in pages.items()}, likelihoods)


@dataclass(frozen=True, slots=True)
class Problem:
    """Two classes, each learned from one site of its own; all other pages of both are the test.

    Attributes:
        classes: the two classes.
        training: the numbers of the training pages.
        test: the numbers of the test pages.
    """

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
        SitestencilError: no two classes can be learned from different sites.
    """
    by_pair: dict[tuple[str, str], list[float]] = {}
    for problem in problems(pages):
        model = train([corpus.pages[k].words for k in problem.training], [pages[k].label for k in problem.training])
        right = [model.classify(corpus.pages[k].words) == pages[k].label for k in problem.test]
        by_pair.setdefault(problem.classes, []).append(fmean(right))
    if not by_pair:
        raise SitestencilError("No two classes have pages on two different sites, so there is nothing to learn.")
    return {pair: fmean(values) for pair, values in by_pair.items()}
