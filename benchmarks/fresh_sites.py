"""Make labelled sites of the benchmark's unlabelled ones.

    mkdir -p out && tar -xJf ../shared/benchmark/unlabelled.tar.xz -C out
    python benchmarks/fresh_sites.py out/sites out/fresh
    sitestencil benchmark out/fresh --markdown

Two people labelled the key pages by the benchmark's guide when the detector was final. fresh_labels.json has their
selectors, and the letters that follow from both, as the benchmark's own site.json has them.
"""

import argparse
import json
from pathlib import Path

LABELS = Path(__file__).with_name("fresh_labels.json")


def main() -> None:
    """Write a folder for each labelled site; its pages are a link to those of the unlabelled one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path, metavar="SITES", help="the folder of the unlabelled sites")
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder for the labelled ones")
    options = parser.parse_args()
    for name, labels in json.loads(LABELS.read_text("utf-8")).items():
        folder, unlabelled = options.out / name, options.sites.resolve() / name
        if not unlabelled.is_dir():
            parser.error(f"{unlabelled} is missing; unpack unlabelled.tar.xz, and name its folder 'sites'.")
        folder.mkdir(parents=True, exist_ok=True)
        site = json.loads((unlabelled / "site.json").read_text("utf-8"))
        (folder / "site.json").write_text(json.dumps({**site, **labels}, indent=1), "utf-8")
        if not (folder / "pages").exists():
            (folder / "pages").symlink_to(unlabelled / "pages", target_is_directory=True)


if __name__ == "__main__":
    main()
