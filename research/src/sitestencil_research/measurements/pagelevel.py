"""Measure PageLevel on held-out labelled sites.

``python -m sitestencil_research.measurements.pagelevel ../shared/benchmark/sites``.

It trains on SiteLevel's labels of all sites but one fold, and measures on that fold's key pages against the
people's labels, fold by fold (whole sites). It prints F1 by elements, words, words in links and links, and the
adjusted Rand index of the segments, each as the mean over the sites. The variants are: the classifier alone
("basic"), smoothed, smoothed with other penalties, without the containers, and the shipped model. The shipped model
has seen SiteLevel's labels of all these sites.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from sklearn.metrics import adjusted_rand_score

from sitestencil.detectors.pagelevel.detector import PageLevel
from sitestencil.detectors.pagelevel.model import Model, shipped_model
from sitestencil.detectors.pagelevel.templateness import Smoothing, templateness
from sitestencil.page.document import Document
from sitestencil_research.benchmark.rendering import rendered_boxes
from sitestencil_research.commands.options import add_jobs_option
from sitestencil_research.commands.tables import print_markdown
from sitestencil_research.labels import CONTENT, TEMPLATE, read_labelled_key_page
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.metrics import MEASURES, TemplateAnswer
from sitestencil_research.running import results_in_order
from sitestencil_research.training.pagelevel_examples import (
    TrainingParameters,
    pagelevel_site_examples,
)
from sitestencil_research.training.pagelevel_training import fit_pagelevel

PENALTIES = (0.0, 0.001, 0.003, 0.03, 0.1)


@dataclass(frozen=True)
class MeasuredPage:
    """A labelled key page, its scored leaves with their segments, and the page with the browser's geometry."""

    document: Document
    labels: str
    segments: dict[int, int]
    rendered: Document | None


def main() -> int:
    """Print the figures."""
    parser = arguments(__doc__)
    parser.add_argument("--folds", type=int, default=10, help="number of folds (default: 10)")
    parser.add_argument(
        "--render", action="store_true", help="also measure with Chromium's geometry (takes minutes)"
    )
    add_jobs_option(parser)
    options = parser.parse_args()
    folders = sites_in(options.folders)
    if not 2 <= options.folds <= len(folders):
        parser.error(f"--folds must be from 2 to the {len(folders)} sites")
    renderer = rendered_boxes if options.render else None
    tasks = [(folder, TrainingParameters(), renderer) for folder in folders]
    sites = results_in_order(pagelevel_site_examples, tasks, options.jobs)
    pages = results_in_order(measured_page, [(folder, options.render) for folder in folders], options.jobs)
    models = [
        fit_pagelevel([site for n, site in enumerate(sites) if n % options.folds != fold])
        for fold in range(options.folds)
    ]
    names = [*MEASURES, "segments"]
    rows = []
    for title, rendered, detector, model_of in variants(models):
        if options.render or not rendered:
            figures = [
                measure(page, replace(detector, model=model_of(n)), rendered=rendered)
                for n, page in enumerate(pages)
            ]
            known = [[value for page in figures if (value := page[name]) is not None] for name in names]
            rows.append([title, *(f"{mean(values):.3f}" for values in known)])
    print_markdown([f"mean over {len(pages)} sites", *names], rows)
    return 0


def variants(models: Sequence[Model]) -> Iterator[tuple[str, bool, PageLevel, Callable[[int], Model]]]:
    """Yield the variants: a title, whether a browser gives the geometry, the detector, the n-th site's model."""

    def held_out(site: int) -> Model:
        return models[site % len(models)]

    yield "basic", False, PageLevel(smooth=False), held_out
    yield "smooth", False, PageLevel(), held_out
    for penalty in PENALTIES:
        yield f"smooth, penalty {penalty}", False, PageLevel(smoothing=Smoothing(penalty=penalty)), held_out
    yield "basic, no containers", False, PageLevel(smooth=False, containers=False), held_out
    yield "smooth, no containers", False, PageLevel(containers=False), held_out
    yield "smooth, the shipped model", False, PageLevel(), lambda _: shipped_model()
    yield "basic, geometry of Chromium", True, PageLevel(smooth=False), held_out
    yield "smooth, geometry of Chromium", True, PageLevel(), held_out


def measured_page(folder: Path, render: bool) -> MeasuredPage:
    """Read a labelled site's key page, and render it if wanted."""
    site = read_labelled_key_page(folder)
    document, labels = site.page.document, site.page.labels
    rendered = None
    if render:
        rendered = replace(document, boxes=next(rendered_boxes(site.source, [document.url])))
    return MeasuredPage(document, labels, labelled_segments(document, labels), rendered)


def labelled_segments(document: Document, labels: str) -> dict[int, int]:
    """Return, for each scored leaf of a labelled page, the topmost element of its segment.

    As the paper's authors did (section 6.1), a segment is the largest part that is all template or all content.
    Only its scored leaves decide, since a container's label says nothing about its content.
    """
    body = document.body or 0
    leaves = [
        element
        for element in range(body, len(document))
        if document.ends[element] == element + 1 and labels[element] in {TEMPLATE, CONTENT}
    ]
    kinds: list[set[str]] = [set() for _ in labels]
    for leaf in leaves:
        kinds[leaf].add(labels[leaf])
    for element in range(len(labels) - 1, body, -1):
        kinds[document.parents[element]] |= kinds[element]
    segments: list[int] = []
    for element, parent in enumerate(document.parents):
        pure = parent >= 0 and len(kinds[parent]) <= 1 and element > body
        segments.append(segments[parent] if pure else element)
    return {leaf: segments[leaf] for leaf in leaves}


def measure(page: MeasuredPage, detector: PageLevel, *, rendered: bool = False) -> dict[str, float | None]:
    """Return a detector's figures on a page; None if a measure has nothing to find."""
    document = page.rendered if rendered and page.rendered else page.document
    judged = templateness(document, detector.model, detector.smoothing)
    detection = detector.decide(document, judged)
    answer = TemplateAnswer(document, detection.template, detection.template_texts)
    figures: dict[str, float | None] = {}
    for name, measured in MEASURES.items():
        result = measured.score(answer, page.labels)
        figures[name] = result.f1 if result.is_defined else None
    # Without smoothing each node is its own segment.
    segments = judged.segments if detector.smooth else range(len(judged.values))
    of_leaves = [segments[judged.nodes.position[leaf]] for leaf in page.segments]
    figures["segments"] = adjusted_rand_score(list(page.segments.values()), of_leaves)
    return figures


if __name__ == "__main__":
    sys.exit(main())
