"""One row of numbers for each judged element: the features of the classifier, and what they are made of."""

from math import log1p
from typing import NamedTuple

from sitestencil.stencil.agreement import Agreement, Group
from sitestencil.stencil.facts import PageFacts
from sitestencil.stencil.frontier import Frontier
from sitestencil.stencil.kinship import Key, Kin
from sitestencil.stencil.pooling import GroupMeans, Pool, Sums, group_means

FEATURES = tuple(
    "text text_least text_most mapped mapped_least kind equal equal_least recurs recurs_least size "
    "path_text path_recurs path_size group_text group_recurs group_size siblings group_replaced "
    "above_path_text above_group_recurs above_group_text above_siblings above_replaced above_replaced_in_list "
    "above_text leaves_recur leaves_agree parent_leaves_recur parent_leaves_agree grandparent_leaves_recur "
    "others_recur differing_neighbours between_differing differs parent_differs share_of_differing "
    "parent_share_of_differing page_differs page_differing tag parent_tag depth place text_length own_length "
    "children elements link_density in_main in_region page_links parent_page_links in_contents best_kinship "
    "mean_kinship near_pages own_repeats parent_text_length absent alone".split()
)
_TAGS = {
    tag: number
    for number, tags in enumerate(
        (
            "div section article main aside header footer nav center",
            "a",
            "p blockquote pre",
            "li",
            "ul ol dl menu",
            "h1",
            "h2 h3 h4 h5 h6",
            "img picture source figure video audio iframe",
            "span i b em strong small code font u sup sub tt time",
            "table tbody thead tr",
            "td th dt dd",
            "form input button select option label textarea fieldset",
            "br hr",
        )
    )
    for tag in tags.split()
}
_OTHER_TAG = 13
_LISTS = frozenset({"ul", "ol"})
_LONG_LIST = 4
_MOST_NEIGHBOURS, _MOST_BETWEEN = 20, 10
_DEEPEST = 20
_CONTENTS_FROM, _MOSTLY = 2, 0.8
_UNKNOWN = -1.0


class Above(NamedTuple):
    """From the root to an element: the least of what tells template, the most of what tells content.

    The contents alone count for what is in them, not for the list itself: its place is the design's.
    """

    path_text: float = 1.0
    group_recurs: float = 1.0
    group_text: float = 1.0
    siblings: float = 1.0
    replaced: float = 0.0
    replaced_in_list: float = 0.0
    text: float = 1.0
    neighbours: int = 0
    between: int = 0
    contents: int = 0


class Rows:
    """Makes the rows, from the root down.

    Attributes:
        above: what has been made of the path to each judged element so far, itself included.
        contents: per judged element so far, how many entries the table of contents around it has.
    """

    def __init__(
        self,
        key: Key,
        kin: Kin,
        border: Frontier,
        grouped: dict[Group, list[int]],
        heard: dict[int, Agreement],
        facts: PageFacts,
        sums: Sums,
        pools: list[Pool],
    ) -> None:
        self.above: dict[int, Above] = {}
        self.contents: dict[int, int] = {}
        self._key = key
        self._page = key.sketch
        self._border = border
        self._heard = heard
        self._facts = facts
        self._sums = sums
        self._pools = pools
        self._groups = _means_by_element(grouped, heard, border.recurrence)
        self._neighbours: dict[int, tuple[int, int]] = {}
        self._pages = len(kin.relatives)
        kinships = [relative.kinship for relative in kin.relatives]
        self._kinship = (kinships[0], sum(kinships) / len(kinships), sum(kin.near))
        self._differing = sums.differing[0] or 1e-6
        self._page_differs = self._differing / max(1.0, sums.characters[0]), log1p(self._differing)

    def row(self, element: int) -> tuple[float, ...]:
        """Return the row of a judged element; that of its parent, if judged, must have been made before."""
        pool, means = self._pools[self._key.class_paths[element]], self._groups[element]
        contents = self.contents[element] = self.above.get(self._page.parents[element], Above()).contents
        above = self.above[element] = self._path_to(element, pool, means)
        return (
            *self._heard_of(element),
            pool.text,
            pool.recurs,
            log1p(pool.size),
            means.text,
            means.recurs,
            log1p(means.size),
            means.siblings,
            means.replaced,
            *above[:7],
            *self._leaves(element),
            above.neighbours,
            above.between,
            *self._differences(element),
            *self._shape(element),
            contents,
            *self._kinship,
            self._repeats(element),
            log1p(self._facts.text[self._parent(element)]),
            self._heard[element].absent / self._pages,
            1.0 if means.size == 1 else 0.0,
        )

    def _parent(self, element: int) -> int:
        return max(0, self._page.parents[element])

    def _heard_of(self, element: int) -> tuple[float, ...]:
        heard = self._heard[element]
        return (
            heard.text,
            heard.text_least,
            heard.text_most,
            heard.mapped,
            heard.mapped_least,
            heard.kind,
            heard.equal,
            heard.equal_least,
            self._border.recurrence[element],
            heard.recurs_least,
            heard.size,
        )

    def _path_to(self, element: int, pool: Pool, means: GroupMeans) -> Above:
        above = self.above.get(self._page.parents[element], Above())
        neighbours, between = self._differing_neighbours(element)
        several = means.size > 1
        replaced = means.replaced_near
        return Above(
            min(above.path_text, pool.text) if pool.size > 1 else above.path_text,
            min(above.group_recurs, means.recurs) if several else above.group_recurs,
            min(above.group_text, means.text) if several else above.group_text,
            min(above.siblings, means.siblings) if several else above.siblings,
            max(above.replaced, replaced) if several else above.replaced,
            max(above.replaced_in_list, replaced) if means.size >= _LONG_LIST else above.replaced_in_list,
            min(above.text, self._heard[element].text),
            max(above.neighbours, neighbours),
            max(above.between, between),
            max(above.contents, self._contents(element)),
        )

    def _differing_neighbours(self, element: int) -> tuple[int, int]:
        """Return how many siblings mostly differ on the other pages, and the lesser number of before and after."""
        parent = self._page.parents[element]
        if parent < 0:
            return 0, 0
        if element not in self._neighbours:
            children, sums = self._page.children(parent), self._sums
            differ = [sums.differing[child] > 0.5 * sums.characters[child] > 0 for child in children]
            before, total = 0, sum(differ)
            for child, differs in zip(children, differ, strict=True):
                after = total - before - differs
                neighbours = min(_MOST_NEIGHBOURS, before + after)
                self._neighbours[child] = neighbours, min(_MOST_BETWEEN, before, after)
                before += differs
        return self._neighbours[element]

    def _contents(self, element: int) -> int:
        """Return how many entries a table of contents of this page has, if the element is one."""
        links, page_links = self._facts.links[element], self._facts.page_links[element]
        if self._page.tags[element] not in _LISTS or self._heard[element].recurs_least >= 1:
            return 0
        return page_links if page_links >= max(_CONTENTS_FROM, _MOSTLY * links) else 0

    def _leaves(self, element: int) -> tuple[float, ...]:
        sums, parent = self._sums, self._parent(element)
        grandparent = self._parent(parent)
        return (
            _ratio(sums.recurring[element], sums.leaves[element]),
            _ratio(sums.agreeing[element], sums.leaves[element]),
            _ratio(sums.recurring[parent], sums.leaves[parent]),
            _ratio(sums.agreeing[parent], sums.leaves[parent]),
            _ratio(sums.recurring[grandparent], sums.leaves[grandparent]),
            _ratio(sums.recurring[parent] - sums.recurring[element], sums.leaves[parent] - sums.leaves[element]),
        )

    def _differences(self, element: int) -> tuple[float, ...]:
        sums, parent = self._sums, self._parent(element)
        return (
            _ratio(sums.differing[element], sums.characters[element]),
            _ratio(sums.differing[parent], sums.characters[parent]),
            sums.differing[element] / self._differing,
            sums.differing[parent] / self._differing,
            *self._page_differs,
        )

    def _shape(self, element: int) -> tuple[float, ...]:
        page, facts, parent = self._page, self._facts, self._parent(element)
        return (
            _TAGS.get(page.tags[element], _OTHER_TAG),
            _TAGS.get(page.tags[parent], _OTHER_TAG),
            min(facts.depth[element], _DEEPEST),
            element / len(page),
            log1p(facts.text[element]),
            log1p(len(page.own[element])),
            log1p(len(page.children(element))),
            log1p(page.ends[element] - element),
            _ratio(facts.link_text[element], facts.text[element]),
            float(facts.main[element]),
            float(facts.region[element]),
            _ratio(facts.page_links[element], facts.links[element]),
            _ratio(facts.page_links[parent], facts.links[parent]),
        )

    def _repeats(self, element: int) -> float:
        has_text = self._facts.text[element] > 0
        return log1p(self._page.count[self._page.hashes[element]]) if has_text else _UNKNOWN


def _means_by_element(
    grouped: dict[Group, list[int]], heard: dict[int, Agreement], recurrence: list[float]
) -> dict[int, GroupMeans]:
    found = {}
    for members in grouped.values():
        means = group_means(members, heard, recurrence)
        for element in members:
            found[element] = means
    return found


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else _UNKNOWN
