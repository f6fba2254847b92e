"""Learn the kinds of a site's pages, and what changed since the last run."""

from collections.abc import Sequence
from dataclasses import replace

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.learning import PageKind, SiteTemplates, group_of, in_learning_order, learn_site
from sitestencil.crawl.limits import MOST_SECONDS
from sitestencil.crawl.regions import Change, template_changes
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.whole_site.visits import Kept

_COMPANIONS = 6


def learn_kinds(pages: Sequence[CrawlPage], kept: Sequence[Kept]) -> tuple[SiteTemplates, list[Change]]:
    """Return the kinds of a site's pages, and the changes of their frames since the last run.

    Without a change the kinds of the last run stay: then a text differs only where its page does.
    """
    ordered = in_learning_order(pages)
    site = pages[0].site
    templates = learn_site(site, ordered, most_seconds=MOST_SECONDS)
    earlier = [_group(one, len(pages)) for one in kept]
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
        Kept(
            group.id,
            group.compiled.learned.to_bytes(),
            group.pages,
            group.of_kind,
            group.stands_on,
            tuple(sorted(group.repeated)),
            group.confidence,
        )
        for group in templates.groups
    )


def _group(one: Kept, site_pages: int) -> PageKind:
    learned = LearnedTemplate.from_bytes(one.learned)
    known = {"site_pages": site_pages}
    facts = one.pages, one.of_kind, one.stands_on, frozenset(one.repeated), one.confidence, None, known
    return group_of(one.id, learned, *facts)
