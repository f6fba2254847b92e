"""Build the report as one HTML page that embeds its styles, script, charts and pictures."""

from collections.abc import Sequence
from importlib.resources import files
from math import log10
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from sitestencil.detectors import DETECTORS
from sitestencil.errors import PackageMissing
from sitestencil.version import VERSION
from sitestencil_research.benchmark.comparison import Comparison, ComparisonRow, EntrantKind
from sitestencil_research.benchmark.intervals import RESAMPLES, SEED
from sitestencil_research.benchmark.report.charts import Bar, ChartPoint, forest, scatter
from sitestencil_research.benchmark.report.pictures import COLOURS, Picture
from sitestencil_research.labels import LabelledSite, read_labels

if TYPE_CHECKING:
    from jinja2 import Environment

_FIGURES = ("precision", "recall", "f1")
_PAGE_TICKS = (1, 2, 5, 10, 20, 50, 100, 200)
_PACKAGE = "sitestencil_research.benchmark.report"


def forest_chart(comparison: Comparison) -> str:
    """Return the plot of all programs' mean F1 with confidence intervals, as a standalone SVG image."""
    bars = [
        Bar(_label(row), row.mean_of("elements", "f1"), row.entrant.kind is EntrantKind.DETECTOR)
        for row in comparison.best_ways()
    ]
    low = max(0.0, int(min(bar.interval.low for bar in bars) * 10) / 10)
    title = f"Template F1 on {len(comparison.sites)} sites: mean and 95 % confidence interval"
    return forest(bars, title=title, unit="F1", low=low)


def report_html(
    comparison: Comparison, folders: Sequence[Path], pictures: Sequence[Picture] = (), command: str = ""
) -> str:
    """Return the report as HTML.

    Args:
        comparison: the results to report.
        folders: the sites' folders, for their facts.
        pictures: one per site, with a layer for each of `Comparison.best_ways`; an empty sequence leaves them out.
        command: the command that made the report; the report shows it.

    Raises:
        SitestencilError: jinja2 is not installed.
    """
    facts = [read_labels(folder)[0] for folder in folders]
    best = comparison.best_ways()
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            version=VERSION,
            command=command,
            resamples=RESAMPLES,
            seed=SEED,
            colours=COLOURS,
            style=_resource("report.css"),
            script=_resource("report.js"),
            sites=len(comparison.sites),
            chart=forest_chart(comparison),
            costs=_cost_charts(best),
            measures=comparison.measures,
            rows=[_row(comparison, row) for row in best],
            ways=[_row(comparison, row) for row in comparison.rows],
            site_rows=_site_rows(comparison, best, facts),
            chosen=comparison.best_detector,
            seen=[
                DETECTORS[row.entrant.name]
                for row in best
                if row.entrant.name in DETECTORS and DETECTORS[row.entrant.name].trained_on
            ],
            errors=[(row.entrant.name, site) for row in best for site in row.result.sites if site.error],
            pictures={picture.site: picture for picture in pictures},
        )
    )


def environment() -> "Environment":
    """Return the jinja2 environment.

    Raises:
        PackageMissing: jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise PackageMissing("The report needs jinja2.", "report") from None
    return Environment(
        loader=PackageLoader(_PACKAGE, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _resource(name: str) -> str:
    return files(_PACKAGE).joinpath(name).read_text("utf-8")


def _label(row: ComparisonRow) -> str:
    return "all template" if row.entrant.kind is EntrantKind.BASELINE else row.entrant.program


def _row(comparison: Comparison, row: ComparisonRow) -> dict[str, Any]:
    result = row.result
    return {
        "name": row.entrant.name,
        "label": _label(row),
        "title": row.entrant.title,
        "kind": row.entrant.kind,
        "scores": {
            measure.name: {figure: row.mean_of(measure.name, figure) for figure in _FIGURES}
            for measure in comparison.measures
        },
        "median": result.median(lambda site: site.score.f1),
        "lead": comparison.lead(row),
        "first": row is comparison.rows[0],
        "pages": result.mean(lambda site: site.pages_loaded),
        "ms": _milliseconds(row),
    }


def _milliseconds(row: ComparisonRow) -> float:
    return median(site.milliseconds for site in row.result.sites)


def _cost_charts(rows: Sequence[ComparisonRow]) -> list[str]:
    timed = [row for row in rows if row.entrant.kind is not EntrantKind.BASELINE]
    times = [_point(row, _milliseconds(row)) for row in timed]
    pages = [_point(row, 1 + row.result.mean(lambda site: site.pages_loaded)) for row in timed]
    return [
        scatter(
            times,
            title="F1 against time",
            x_title="median milliseconds a page, loading from disk",
            ticks=_decades(times),
        ),
        scatter(
            pages,
            title="F1 against pages",
            x_title="pages needed, the key page among them (mean)",
            ticks=_PAGE_TICKS,
        ),
    ]


def _point(row: ComparisonRow, x: float) -> ChartPoint:
    return ChartPoint(
        _label(row), x, row.result.mean(lambda site: site.score.f1), row.entrant.kind is EntrantKind.DETECTOR
    )


def _decades(points: Sequence[ChartPoint]) -> list[float]:
    logs = [log10(max(point.x, 1.0)) for point in points]
    return [10.0**power for power in range(int(min(logs)), int(max(logs)) + 2)]


def _site_rows(
    comparison: Comparison, best: Sequence[ComparisonRow], facts: Sequence[LabelledSite]
) -> list[dict[str, Any]]:
    rows = []
    for number, site in enumerate(facts):
        results = [row.result.sites[number] for row in best]
        rows.append(
            {
                "id": site.id,
                "category": site.category or "",
                "language": site.language or "",
                "elements": site.elements,
                "results": results,
                "first": results[comparison.best_detector].score.f1,
            }
        )
    return sorted(rows, key=lambda row: row["first"])
