"""Distil a template from aligned token sequences (Alignment, section 2.2; definitions.md, 5)."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from sitestencil.detectors.alignment.needleman_wunsch import NO_TOKEN, align


class Profile(NamedTuple):
    """The tokens of one or more aligned pages.

    Attributes:
        tokens: the tokens in order.
        pages: per token, the number of pages that have it here; divided by t it is the paper's score.
        positions: per token, its position in the key page; `NO_TOKEN` if the key page does not have it.
    """

    tokens: list[int]
    pages: list[int]
    positions: list[int]


def page_profile(tokens: Sequence[int], *, is_key: bool = False) -> Profile:
    """Return the profile of a single page: each token with the score 1/t."""
    positions = list(range(len(tokens))) if is_key else [NO_TOKEN] * len(tokens)
    return Profile(list(tokens), [1] * len(tokens), positions)


def merge(first: Profile, second: Profile) -> Profile:
    """Align two profiles and return their union in order; equal tokens become one and add their scores."""
    merged = Profile([], [], [])
    for i, j in align(first.tokens, second.tokens):
        if NO_TOKEN not in {i, j} and first.tokens[i] == second.tokens[j]:
            position = max(first.positions[i], second.positions[j])
            _append(merged, first.tokens[i], first.pages[i] + second.pages[j], position)
            continue
        if i != NO_TOKEN:
            _append(merged, first.tokens[i], first.pages[i], first.positions[i])
        if j != NO_TOKEN:
            _append(merged, second.tokens[j], second.pages[j], second.positions[j])
    return merged


def _append(profile: Profile, token: int, pages: int, position: int) -> None:
    profile.tokens.append(token)
    profile.pages.append(pages)
    profile.positions.append(position)


def pruned(profile: Profile, least_pages: float) -> Profile:
    """Return the tokens that at least `least_pages` pages have."""
    kept = [number for number, pages in enumerate(profile.pages) if pages >= least_pages]
    return Profile(*([column[number] for number in kept] for column in profile))


def distill(profiles: Sequence[Profile], seed: int = 0) -> Profile:
    """Return the template of t pages; t is a power of two.

    The profiles are paired at random and aligned; so are the results, until one is left. After step r, tokens with
    a score below ``2**(r-2)/t`` are dropped: fewer than a quarter of the pages aligned so far have them. At the
    root, tokens with a score below 1/2 are dropped.

    Args:
        profiles: the pages' profiles, in an order that does not depend on chance.
        seed: the seed for the pairs.
    """
    random = Random(seed)  # noqa: S311 - no secret: it pairs pages
    left = list(profiles)
    step = 0
    while len(left) > 1:
        step += 1
        random.shuffle(left)
        left = [
            pruned(merge(first, second), 2.0 ** (step - 2))
            for first, second in zip(left[::2], left[1::2], strict=True)
        ]
    return pruned(left[0], len(profiles) / 2)
