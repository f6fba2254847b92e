"""The main content of twenty sites, as a person labelled it by reading; the model has not seen these sites."""

import json
from pathlib import Path
from statistics import fmean

from sitestencil import extract
from sitestencil.reading.blocks import text_blocks

# Per site, the numbers of the content's blocks that are main content, and of those that are around it.
LABELS = json.loads(Path(__file__).with_name("labelled_blocks.json").read_text("utf-8"))
LEAST_F1, LEAST_RECALL = 0.85, 0.9


def test_a_reader_finds_what_he_came_for_and_little_else(benchmark_sites: Path) -> None:
    scores = [_score(benchmark_sites / name, labels) for name, labels in LABELS.items()]
    assert fmean(recall for _, recall in scores) > LEAST_RECALL
    assert fmean(f1 for f1, _ in scores) > LEAST_F1


def _score(folder: Path, labels: dict[str, list[list[int]]]) -> tuple[float, float]:
    """Return F1 and recall of the words in labelled blocks."""
    template = extract(folder)
    blocks, texts = text_blocks(template.document), template.main.texts
    kept = {number for number, block in enumerate(blocks) if all(texts[text] for text in block.texts)}
    main, around = ({number for run in labels[name] for number in range(*run)} for name in ("main", "around"))

    def words(numbers: set[int]) -> int:
        return sum(len(blocks[number].words) for number in numbers)

    common, recall = words(main & kept), words(main & kept) / words(main)
    precision = common / words((main | around) & kept) if common else 0.0
    return (2 * precision * recall / (precision + recall) if common else 0.0), recall
