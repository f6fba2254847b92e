"""Train the model of main content, and cross-validate it on hosts that it has not seen.

Only training needs this module. LightGBM grows the trees: the extra ``train``.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from math import log
from typing import TYPE_CHECKING, Any

from sitestencil.content.choice import as_units, chosen_blocks, expected_f1, signs_of
from sitestencil.content.context import context_columns
from sitestencil.content.features import FEATURES, NameOdds, name_columns
from sitestencil.content.frame import unless_copies, without_frame
from sitestencil.content.model import ContentModel
from sitestencil.content.page_kind import KINDS, kind_features, kind_probabilities
from sitestencil.detectors.stencil.tree_model import FORMAT, LEAF, MOST_LEAVES, QuickScorer, Trees
from sitestencil_research.gold_texts.measure import ALONE, WITH_SIBLINGS, WordScore, score_text
from sitestencil_research.training.content_examples import LABELLED, ContentExample
from sitestencil_research.training.stencil_training import trees_of

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

_GROWING: Mapping[str, Any] = {
    "objective": "cross_entropy",
    "learning_rate": 0.1,
    "num_leaves": MOST_LEAVES,
    "min_data_in_leaf": 60,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "use_missing": False,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "seed": 1,
    "verbose": -1,
}
# The second judgement: its rows are few, and their figures all count.
_GROWING_AGAIN: Mapping[str, Any] = {
    **_GROWING,
    "learning_rate": 0.07,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.7,
}
# The kinds: a row for each page.
_GROWING_KINDS: Mapping[str, Any] = {**_GROWING, "num_leaves": 7, "min_data_in_leaf": 8, "feature_fraction": 0.4}
_KIND_ROUNDS = 60
_TWO = 2
_MOST_OF_A_SET = 350  # pages: a larger set weighs no more
_PAGE_WEIGHT = 50.0
_LABELLED_WEIGHT = 3.0  # of a labelled site's page, in pages: it teaches what a sure template leaves
_WEIGHT_POWER = 0.7  # long blocks weigh more, but less than their words do
# The odds of a name: it counts on this many hosts, at most so much on each page, and begins with a doubt.
_FEWEST_HOSTS = 6
_MOST_OF_A_PAGE = 0.2
_DOUBT = 0.3
_DECIMALS = 3
# A page's rows get odds from the other parts' hosts, so that the trees learn how far to trust them.
_PARTS = 3


@dataclass(frozen=True, slots=True)
class ContentGrowth:
    """How many trees to grow, and by how many parts of the hosts to cross-validate."""

    rounds: int = 300
    second_rounds: int = 120
    folds: int = 4


def fit_content(examples: Sequence[ContentExample], growth: ContentGrowth = ContentGrowth()) -> ContentModel:
    """Return the model learned from the examples, without a card; the same examples give the same model.

    Labelled sites teach no names: all their content counts as main content.
    """
    import numpy as np

    gold = [example for example in examples if example.set != LABELLED]
    parts = {host: rank % _PARTS for host, rank in _ranks(examples).items()}
    odds_without = [
        name_odds(example for example in gold if parts[example.page.host] != part) for part in range(_PARTS)
    ]
    judged_once = [(example, rows_of(example, odds_without[parts[example.page.host]])) for example in examples]
    again: list[tuple[ContentExample, Array]] = []
    of_kinds = [(example, _kind_row(example)) for example in examples]
    for part in range(_PARTS):
        # The second judgement learns from first ones of pages that the first judge has not seen.
        seen = [one for one in judged_once if parts[one[0].page.host] != part]
        judge = _grown(seen or judged_once, _GROWING, growth.rounds)
        kind_trees = _kind_trees([one for one in of_kinds if parts[one[0].page.host] != part])
        kinds = {kind: QuickScorer(trees) for kind, trees in kind_trees.items()}
        for example, rows in judged_once:
            if parts[example.page.host] == part:
                first = judge.predict(rows).tolist()
                page = [*kind_probabilities(kinds, _kind_row(example)), *example.statements]
                again.append((example, np.array(context_columns(example.layout, first, page), np.float32).T))
    first_judge = _grown(judged_once, _GROWING, growth.rounds)
    second_judge = _grown(again, _GROWING_AGAIN, growth.second_rounds)
    trees, second = (trees_of([judge.dump_model()]) for judge in (first_judge, second_judge))
    return ContentModel(FORMAT, list(FEATURES), trees, name_odds(gold), second, _kind_trees(of_kinds))


def _kind_row(example: ContentExample) -> list[float]:
    columns = example.features.T.tolist()
    return kind_features(columns, example.layout.sizes, example.layout.linked, example.statements)


def _kind_trees(of_kinds: Sequence[tuple[ContentExample, Sequence[float]]]) -> dict[str, Trees]:
    """Return the trees that tell each kind of page from all others; nothing if all are of one kind."""
    import lightgbm
    import numpy as np

    named = [(example, row) for example, row in of_kinds if example.kind is not None]
    rows = np.array([row for _, row in named], np.float32)
    counts = Counter(example.set for example, _ in named)
    weights = [min(1.0, _MOST_OF_A_SET / counts[example.set]) for example, _ in named]

    def grown(kind: str) -> Trees:
        labels = [float(example.kind == kind) for example, _ in named]
        if len(set(labels)) < _TWO:
            return Trees([0], [LEAF], [0.0], [0])
        judge = lightgbm.train(dict(_GROWING_KINDS), lightgbm.Dataset(rows, labels, weight=weights), _KIND_ROUNDS)
        return trees_of([judge.dump_model()])

    return {kind: grown(kind) for kind in KINDS}


def _grown(judged: Sequence[tuple[ContentExample, "Array"]], growing: Mapping[str, Any], rounds: int) -> Any:  # noqa: ANN401 - LightGBM has no types
    import lightgbm
    import numpy as np

    known = [~np.isnan(example.shares) for example, _ in judged]
    columns = zip(judged, known, strict=True)
    rows, labels, weights = zip(
        *((rows[own], example.shares[own], _weights(example)[own]) for (example, rows), own in columns),
        strict=True,
    )
    data = lightgbm.Dataset(np.concatenate(rows), np.concatenate(labels), weight=np.concatenate(weights))
    return lightgbm.train(dict(growing), data, rounds)


def rows_of(example: ContentExample, odds: NameOdds) -> "Array":
    """Return the features of each block of a page."""
    import numpy as np

    return np.column_stack([example.features, *name_columns(example.names, odds)])


def name_odds(examples: Iterable[ContentExample]) -> dict[str, tuple[float, float]]:
    """Return the log-odds of main content for each word in names, near and far."""
    sums: tuple[defaultdict[str, list[float]], ...] = (_pairs(), _pairs())
    hosts: tuple[defaultdict[str, set[str]], ...] = (defaultdict(set), defaultdict(set))
    for example in examples:
        for place, of_page in enumerate(_of_page(example)):
            for name, pair in of_page.items():
                for label in (0, 1):
                    sums[place][name][label] += min(pair[label], _MOST_OF_A_PAGE)
                hosts[place][name].add(example.page.host)

    def odds(place: int, name: str) -> float:
        if len(hosts[place].get(name, ())) < _FEWEST_HOSTS:
            return 0.0
        others, main = sums[place][name]
        return round(log((main + _DOUBT) / (others + _DOUBT)), _DECIMALS)

    found = {name: (odds(0, name), odds(1, name)) for name in sorted(sums[0].keys() | sums[1].keys())}
    return {name: both for name, both in found.items() if any(both)}


def _pairs() -> defaultdict[str, list[float]]:
    return defaultdict(lambda: [0.0, 0.0])


def _of_page(example: ContentExample) -> tuple[Mapping[str, list[float]], Mapping[str, list[float]]]:
    """Return, per name, the share of the page's text that is not main and that is."""
    near, far = _pairs(), _pairs()
    total = sum(len(text) + 1 for text in example.texts)
    for text, share, names in zip(example.texts, example.shares, example.names, strict=True):
        for of_place, found in zip((near, far), names, strict=True):
            for name in found:
                of_place[name][int(share >= 0.5)] += (len(text) + 1) / total
    return near, far


def _weights(example: ContentExample) -> "Array":
    import numpy as np

    sizes = np.array([len(text) + 1 for text in example.texts], np.float32) ** _WEIGHT_POWER
    page_weight = _PAGE_WEIGHT * (_LABELLED_WEIGHT if example.set == LABELLED else 1)
    weights: Array = sizes / sizes.sum() * page_weight
    return weights


def _ranks(examples: Sequence[ContentExample]) -> dict[str, int]:
    """Return a number for each host, from 0 on; hosts are shuffled alike each time."""
    import numpy as np

    hosts = sorted({example.page.host for example in examples})
    np.random.RandomState(1).shuffle(hosts)
    return {host: number for number, host in enumerate(hosts)}


@dataclass(frozen=True, slots=True)
class JudgedExample:
    """A page as a model judged it.

    Attributes:
        example: the page.
        kept: per block whether it is kept: by the page alone, and with its compared pages.
        scores: the scores of the kept blocks, likewise.
        signs: what the confidence depends on, likewise; see `signs_of`.
    """

    example: ContentExample
    kept: Mapping[str, Sequence[bool]]
    scores: Mapping[str, WordScore]
    signs: Mapping[str, Sequence[float]]


def cross_validate_content(
    examples: Sequence[ContentExample],
    growth: ContentGrowth = ContentGrowth(),
    *,
    share: float = 1.0,
    done: Callable[[int, int], None] = lambda *_: None,
) -> Iterator[JudgedExample]:
    """Yield each page with a gold text as judged by a model that has not seen its host.

    Args:
        examples: the pages.
        growth: how to grow the models.
        share: the share of the hosts to learn from: less gives a point of the learning curve.
        done: is told the finished folds and their number.
    """
    gold = [example for example in examples if example.set != LABELLED]
    labelled = [example for example in examples if example.set == LABELLED]
    ranks = _ranks(gold)
    part_of = {host: rank % growth.folds for host, rank in ranks.items()}
    used = {host for host, rank in ranks.items() if rank < share * len(ranks)}
    for part in range(growth.folds):
        own = [example for example in gold if part_of[example.page.host] == part]
        seen = [example for example in gold if example.page.host in used and part_of[example.page.host] != part]
        model = fit_content(seen + labelled, growth)
        yield from (judged(example, model) for example in own)
        done(part + 1, growth.folds)


def judged(example: ContentExample, model: ContentModel) -> JudgedExample:
    """Return a page as a model judges it."""
    probabilities, layout = _probabilities(example, model), example.layout
    sizes, none = layout.sizes, [False] * len(probabilities)
    found = {ALONE: chosen_blocks(probabilities, layout, example.title, none)}
    if example.sure is not None:
        sure = unless_copies(example.sure, probabilities, sizes)
        chosen = chosen_blocks(probabilities, layout, example.title, sure)
        found[WITH_SIBLINGS] = without_frame(chosen, sure, example.document, example.containers, layout)
    kept = {
        way: [is_chosen and not is_out for is_chosen, is_out in zip(chosen, example.left_out, strict=True)]
        for way, chosen in found.items()
    }
    scores = {
        way: score_text("\n".join(compress(example.texts, own)), example.page.gold) for way, own in kept.items()
    }
    signs = {
        way: signs_of(expected_f1(probabilities, sizes, chosen), chosen, layout)
        for way, chosen in found.items()
        if any(chosen)
    }
    return JudgedExample(example, kept, scores, signs)


def _probabilities(example: ContentExample, model: ContentModel) -> list[float]:
    columns = [tuple(column) for column in rows_of(example, model.names).T.tolist()]
    page = [*model.kind_of(columns, example.layout, example.statements), *example.statements]
    second = model.judged_again(example.layout, model.probabilities(columns), page)
    return as_units(second, example.layout.sizes, example.layout.units)
