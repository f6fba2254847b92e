"""Figures pooled over what belongs together: an element's subtree, its class path, the entries of its list."""

from dataclasses import dataclass
from typing import NamedTuple

from sitestencil.stencil.agreement import Agreement
from sitestencil.stencil.facts import PageFacts
from sitestencil.stencil.frontier import Frontier
from sitestencil.stencil.kinship import Key


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums over subtrees, per element of the key page.

    Attributes:
        leaves: elements with a text of their own or without children.
        recurring: their recurrence, or the agreement of their texts where they have children.
        agreeing: the agreement of their texts.
        differing: characters, weighed by how little they agree or recur.
        characters: all of them; pictures count as a few.
    """

    leaves: list[int]
    recurring: list[float]
    agreeing: list[float]
    differing: list[float]
    characters: list[float]


def subtree_sums(key: Key, facts: PageFacts, recurrence: list[float], texts: list[float]) -> Sums:
    """Add up from the leaves to the root."""
    page = key.sketch
    size = len(page)
    leaves = [0] * size
    recurring, agreeing, differing, characters = ([0.0] * size for _ in range(4))
    for element in reversed(key.elements):
        is_leaf = page.ends[element] == element + 1
        has_text = bool(page.own[element])
        if has_text or is_leaf:
            leaves[element] += 1
            recurring[element] += recurrence[element] if is_leaf else texts[element]
            agreeing[element] += texts[element]
        length = facts.own[element]
        if length:
            known = max(texts[element] if has_text else 0.0, recurrence[element])
            differing[element] += length * (1 - known)
            characters[element] += length
        parent = page.parents[element]
        if parent >= 0:
            leaves[parent] += leaves[element]
            recurring[parent] += recurring[element]
            agreeing[parent] += agreeing[element]
            differing[parent] += differing[element]
            characters[parent] += characters[element]
    return Sums(leaves, recurring, agreeing, differing, characters)


class Pool(NamedTuple):
    """Means over a class path."""

    text: float
    recurs: float
    size: int


def path_pools(key: Key, border: Frontier, texts: list[float]) -> list[Pool]:
    """Return the pool of each class path."""
    size, text, recurs = [0] * key.paths, [0.0] * key.paths, [0.0] * key.paths
    for element in key.elements:
        path = key.class_paths[element]
        size[path] += 1
        text[path] += texts[element]
        recurs[path] += border.recurrence[element]
    return [Pool(text[path] / size[path], recurs[path] / size[path], size[path]) for path in range(key.paths)]


class GroupMeans(NamedTuple):
    """Means over the siblings of one kind."""

    text: float
    recurs: float
    replaced: float
    replaced_near: float
    siblings: float
    size: int


def group_means(members: list[int], heard: dict[int, Agreement], recurrence: list[float]) -> GroupMeans:
    """Return the means over a group's members."""
    size = len(members)
    found = [heard[element] for element in members]
    return GroupMeans(
        sum(agreement.text for agreement in found) / size,
        sum(recurrence[element] for element in members) / size,
        sum(agreement.replaced for agreement in found) / size,
        sum(agreement.replaced_near for agreement in found) / size,
        sum(agreement.siblings for agreement in found) / size,
        size,
    )
