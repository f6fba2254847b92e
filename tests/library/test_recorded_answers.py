"""The detectors answer on every labelled page, to the last bit, what they answered when it was recorded."""

import json
from pathlib import Path

from tests.support.answers import Answers, answers, labelled_folders, site_name
from tests.support.tables import table

from sitestencil.detectors import DETECTORS

RECORDED: Answers = json.loads(Path(__file__).with_name("recorded_answers.json").read_text())
# These two take two thirds of the time between them: here on every fourth page, by `tests.support.answers` on all.
SLOW = {"sitelevel", "alignment"}


def test_each_detector_answers_what_was_recorded(benchmark_sites: Path, tmp_path: Path) -> None:
    folders = labelled_folders(benchmark_sites.parent, tmp_path)
    assert {site_name(folder) for folder in folders} == set(RECORDED)
    answered = answers(folders, DETECTORS.keys() - SLOW)
    for site, by_detector in answers(folders[::4], SLOW).items():
        answered[site] |= by_detector
    changed = {
        (site, detector)
        for site, by_detector in answered.items()
        for detector, digest in by_detector.items()
        if digest != RECORDED[site][detector]
    }
    assert not changed


@table("detector", DETECTORS)
def test_every_detector_is_recorded_on_every_page(detector: str) -> None:
    assert all(detector in by_detector for by_detector in RECORDED.values())
