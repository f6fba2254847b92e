"""``sitestencil train --detector main-content``: train the model of main content on pages with gold texts."""

import argparse
from datetime import UTC, datetime

from sitestencil.cli.command import say
from sitestencil.cli.files import write_file
from sitestencil.cli.progress import progress_bar
from sitestencil.errors import SitestencilError

_CURVE = (0.125, 0.25, 0.5)


def run(options: argparse.Namespace) -> int:
    """Grow the trees, cross-validate them by hosts, and write model and card."""
    from sitestencil_research.gold_texts.sets import gold_sets
    from sitestencil_research.training.content_card import content_card_text, mean_f1, with_content_card
    from sitestencil_research.training.content_examples import content_examples, labelled_examples
    from sitestencil_research.training.content_training import (
        ContentGrowth,
        cross_validate_content,
        fit_content,
    )
    from sitestencil_research.training.stencil_training import require_lightgbm

    require_lightgbm()
    growth = ContentGrowth(folds=options.folds or ContentGrowth().folds)
    sites = [file.parent for folder in options.folders for file in sorted(folder.glob("*/site.json"))]
    of_sites = {site.parent for site in sites}
    sets = {
        name: pages
        for folder in options.folders
        if folder not in of_sites
        for name, pages in gold_sets(folder).items()
    }
    if not sets:
        raise SitestencilError(
            "Main content is learned from gold texts: give a folder of them beside the labelled sites."
        )
    with progress_bar("Pages", sum(map(len, sets.values()))) as bar:
        examples = content_examples(sets, options.jobs, bar)
    with progress_bar("Sites", len(sites)) as bar:
        examples += labelled_examples(sites, options.jobs, bar)
    with progress_bar("Folds", growth.folds) as bar:
        scores = list(cross_validate_content(examples, growth, done=bar))
    curve = {}
    for share in _CURVE:
        with progress_bar(f"Folds, {share:.0%} of the hosts", growth.folds) as bar:
            curve[share] = mean_f1(list(cross_validate_content(examples, growth, share=share, done=bar)))
    curve[1.0] = mean_f1(scores)
    command = f"sitestencil train {' '.join(folder.name for folder in options.folders)} --detector main-content"
    command += f" --folds {options.folds}" if options.folds else ""
    model = with_content_card(fit_content(examples, growth), examples, growth, scores, curve, command)
    write_file(options.output, model.to_json())
    if options.card is not None:
        write_file(options.card, content_card_text(model, datetime.now(UTC).date()))
    for name, ways in model.card["cross_validation"].items():
        for way, figures in ways.items():
            say(f"{name}, {way}: F1 {figures['f1']:.3f} on {figures['pages']} pages")
    say(f"{options.output}: {len(model.trees.roots)} trees from {len(examples)} pages.")
    return 0
