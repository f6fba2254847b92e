"""Learn the kinds of a site's pages, and what changed since the last run."""

from collections.abc import Sequence
from dataclasses import replace

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.learning import PageKind, SiteTemplates, group_of, in_learning_order, learn_site
from sitestencil.crawl.limits import MOST_SECONDS
from sitestencil.crawl.regions import Change, template_changes
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import UnusableLearnedTemplate
from sitestencil.whole_site.visits import Kept

_COMPANIONS = 6


def learn_kinds(pages: Sequence[CrawlPage], kept: Sequence[Kept]) -> tuple[SiteTemplates, list[Change]]:
    """Return the kinds of a site's pages, and the changes of their frames since the last run.

    Without a change the kinds of the last run stay: then a text differs only where its page does.
    """
    ordered = in_learning_order(pages)
    site = pages[0].site
    templates = learn_site(site, ordered, most_seconds=MOST_SECONDS)
    try:
        earlier = [_group(one, len(pages)) for one in kept]
    except UnusableLearnedTemplate:  # of another version
        earlier = []
    changes = template_changes(earlier, templates.groups)
    if earlier and not changes:
        templates = learn_site(site, ordered, most_seconds=MOST_SECONDS, known=earlier)
    # The same companions in each run, whatever had to be learned.
    return replace(templates, companions=tuple(ordered[:_COMPANIONS])), changes


def kind_names(templates: SiteTemplates) -> dict[str, str]:
    """Return the name of each kind in files, by its id."""
    return {group.id: f"kind-{number}" for number, group in enumerate(templates.groups, 1)}


def kept(templates: SiteTemplates) -> tuple[Kept, ...]:
    """Return a site's kinds as they are kept for the next run."""
    return tuple(
        (
            one.id,
            one.compiled.learned.to_bytes(),
            one.pages,
            one.of_kind,
            one.stands_on,
            tuple(sorted(one.repeated)),
            one.confidence,
        )
        for one in templates.groups
    )


def _group(one: Kept, site_pages: int) -> PageKind:
    name, learned, pages, of_kind, stands_on, repeated, confidence = one
    facts = pages, of_kind, stands_on, frozenset(repeated), confidence, None, {"site_pages": site_pages}
    return group_of(name, LearnedTemplate.from_bytes(learned), *facts)
