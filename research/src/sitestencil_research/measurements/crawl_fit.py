"""Fit the weights of a crawl's column `fit`, and cross-validate them.

    python -m sitestencil_research.measurements.crawl_fit ../shared/benchmark/sites ../shared/benchmark/opened

The pages are those of crawl_quality.py --held-out that a template answers. A logistic regression weighs the figures
of `page_fit` for the chance that F1 of the content's words reaches .95; each site weighs the same. The weights in
page_fit.py are of all pages. The cross-validation judges each page by weights fitted without its organisation, in
10 parts of whole organisations, drawn 20 times. Labelled key pages are judged so too; no weights come from them.
"""

import logging
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sitestencil.crawl.input.crawled import CrawlPage
from sitestencil.crawl.kinds import SamplePage
from sitestencil.crawl.learning import kind_of_page, learn_site
from sitestencil.crawl.pages import fit_figures
from sitestencil.detectors.stencil.detector import Stencil
from sitestencil.detectors.stencil.tree_model import StencilModel
from sitestencil.outputs.plain_text import text_and_links
from sitestencil.urls import site_host
from sitestencil_research.benchmark.calibration import rank_correlation
from sitestencil_research.labels import read_labelled_key_page
from sitestencil_research.measurements.crawl_quality import crawl_of, score_text
from sitestencil_research.measurements.harness import arguments, sites_in
from sitestencil_research.running import results_in_order
from sitestencil_research.training.label_transfer import sibling_pages
from sitestencil_research.training.stencil_examples import stencil_site_examples
from sitestencil_research.training.stencil_training import Growth, fit_held_out

LEAST_F1 = 0.95
PARTS, DRAWS = 10, 20


class Row(NamedTuple):
    """The figures of one page."""

    organisation: str
    site: str
    is_key_page: bool
    f1: float
    figures: tuple[float, ...]


def main() -> int:
    """Print the weights and the rank correlations."""
    folders = sites_in(arguments(__doc__).parse_args().folders)
    examples = [stencil_site_examples(folder) for folder in folders]
    models, organisations = fit_held_out(examples, Growth()), [site.organisation for site in examples]
    tasks = list(zip(folders, models, organisations, strict=True))
    all_rows = [row for of_site in results_in_order(rows_of, tasks) for row in of_site]
    rows = [row for row in all_rows if not row.is_key_page]
    model = fitted(rows)
    scaler, regression = model[0], model[-1]
    weights = regression.coef_[0] / scaler.scale_
    print(f"constant {regression.intercept_[0] - weights @ scaler.mean_:.2f}, weights {weights.round(2)}")
    ranks = rank_correlation(chances(model, rows), [row.f1 for row in rows])
    print(f"rank correlation with F1 on {len(rows)} pages: {ranks:.2f}")
    for name, judged in (("these", rows), ("key", [row for row in all_rows if row.is_key_page])):
        drawn = [
            rank_correlation(cross_validated(rows, judged, seed), [row.f1 for row in judged])
            for seed in range(DRAWS)
        ]
        print(
            f"{len(judged)} {name} pages, cross-validated: {mean(drawn):.2f} ({min(drawn):.2f} to {max(drawn):.2f})"
        )
    return 0


def rows_of(folder: Path, model: StencilModel, organisation: str) -> list[Row]:
    """Return the figures of a site's further pages, and of its key page."""
    logging.disable(logging.CRITICAL)
    labelled = read_labelled_key_page(folder)
    site, key_page = labelled.source, labelled.page
    # The labels know template and content only, so all content counts.
    learned = learn_site(site_host(site.key_url), crawl_of(site), stencil=Stencil(model))
    if not learned.groups:
        return []
    rows = []
    for page in [key_page, *sibling_pages(labelled)]:
        file = site.file(page.document.url)
        assert file is not None
        sample = SamplePage(CrawlPage(page.document.url, file.read_bytes()))
        group = kind_of_page(sample, learned.groups)
        if group is not None:
            detection = group.learned.apply(sample.document)
            text, links = text_and_links(sample.document, detection)
            figures = fit_figures(detection.fit, text, links, group.repeated)
            f1 = score_text(text, page)
            rows.append(Row(organisation, folder.name, page is key_page, f1, figures))
    return rows


def fitted(rows: Sequence[Row]) -> Any:  # noqa: ANN401 - scikit-learn has no types
    """Return the regression of some pages."""
    pages = Counter(row.site for row in rows)
    weights = np.array([1 / pages[row.site] for row in rows]) * len(rows) / len(pages)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    figures, reached = [row.figures for row in rows], [row.f1 >= LEAST_F1 for row in rows]
    return model.fit(figures, reached, logisticregression__sample_weight=weights)


def chances(model: Any, rows: Sequence[Row]) -> list[float]:  # noqa: ANN401
    """Return the chance of each page."""
    return [float(chance) for chance in model.predict_proba([row.figures for row in rows])[:, 1]]


def cross_validated(rows: Sequence[Row], judged: Sequence[Row], seed: int) -> list[float]:
    """Return the chance of each judged page by weights of rows without its organisation."""
    organisations = sorted({row.organisation for row in judged})
    np.random.RandomState(seed).shuffle(organisations)
    part = {name: number % PARTS for number, name in enumerate(organisations)}
    found: dict[Row, float] = {}
    for held_out in range(PARTS):
        inside = [row for row in judged if part[row.organisation] == held_out]
        if inside:
            model = fitted([row for row in rows if part.get(row.organisation) != held_out])
            found |= zip(inside, chances(model, inside), strict=True)
    return [found[row] for row in judged]


if __name__ == "__main__":
    sys.exit(main())
