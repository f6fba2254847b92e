"""Some pages of the public sets with gold texts, unpacked: whole hosts."""

import json
import tarfile
from pathlib import Path
from zlib import crc32

import pytest
from tests.conftest import benchmark_folder, require_benchmark

_KEPT_WHOLE = ("doc_lg.json", "ground-truth.json")


def unpack_public_sets(target: Path, every: int) -> Path:
    """Unpack each n-th host of the news in five languages and of the articles; return the sets' folder."""
    require_benchmark("sites")
    packed = benchmark_folder() / "public.tar.xz"
    if not packed.is_file():
        pytest.fail(f"no public sets with gold texts at {packed}: the benchmark's folder is incomplete")
    with tarfile.open(packed) as archive:
        for member in archive:
            parts = Path(member.name).parts
            if member.isfile() and parts[1] in {"daniel", "scrapinghub"} and _is_wanted(parts, every):
                archive.extract(member, target, filter="data")
    _without_missing(target / "public" / "scrapinghub")
    return target / "public"


def _is_wanted(parts: tuple[str, ...], every: int) -> bool:
    name = parts[-1]
    host = name.split("_")[1] if parts[1] == "daniel" and "_" in name else name
    return name in _KEPT_WHOLE or crc32(host.encode()) % every == 0


def _without_missing(folder: Path) -> None:
    file = folder / "ground-truth.json"
    gold = json.loads(file.read_text("utf-8"))
    here = {name: known for name, known in gold.items() if (folder / "html" / f"{name}.html").is_file()}
    file.write_text(json.dumps(here), "utf-8")
