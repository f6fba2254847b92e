"""Read the templates of an earlier crawl, site by site.

The earlier crawl wrote a site's templates into the file of its partition, so few rows are read for each site.
"""

import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sitestencil.content.main_content import ContentChoice
from sitestencil.crawl.input.places import Place
from sitestencil.crawl.learning import MOST_GROUPS
from sitestencil.crawl.regions import PageKind
from sitestencil.crawl.rows import TEMPLATES
from sitestencil.crawl.spill import partition_of
from sitestencil.detectors.learned_template import LearnedTemplate
from sitestencil.errors import UnusableInput, UnusableLearnedTemplate, shown
from sitestencil.printable import printable

log = logging.getLogger(__name__)

# Tables of earlier versions may lack the other columns.
_NEEDED = frozenset({"id", "site", "pages", "confidence", "learned", "site_pages"})


@dataclass(frozen=True, slots=True)
class KnownTemplates:
    """The templates of an earlier crawl.

    Attributes:
        folder: that crawl's folder.
        partitions: the number of its partitions.
    """

    folder: Place
    partitions: int

    @classmethod
    def of(cls, folder: Place, choice: ContentChoice | None = None) -> Self:
        """Return the templates of a finished crawl.

        Args:
            folder: the crawl's folder.
            choice: the content that the crawl must have given; any by default.

        Raises:
            UnusableInput: the folder holds no finished crawl, one without templates, or one of other content.
        """
        try:
            facts = json.loads((folder / ".work" / "job.json").read_bytes())["job"]
            partitions, then = int(facts["partitions"]), (facts["around"], tuple(facts["without"]))
            has_templates = facts.get("templates_out", True)
            is_finished = (folder / "report.json").exists() and partitions > 0
        except (OSError, ValueError, KeyError, TypeError):
            is_finished = False
        if not is_finished:
            raise UnusableInput(f"{folder} holds no finished crawl.")
        if not has_templates:
            raise UnusableInput(
                f"{folder} holds a crawl without its templates. Run that crawl again, into another folder, with "
                "--templates-out."
            )
        if choice is not None and then != (choice.around, choice.without):
            raise UnusableInput(
                f"{folder} holds a crawl of other content. Give the same --with-around and --without."
            )
        return cls(folder, partitions)

    def of_site(self, site: str) -> tuple[PageKind, ...]:
        """Return a site's templates, in the order they were learned; damaged ones are left out."""
        groups: list[PageKind] = []
        for row in self._rows(site):
            if len(groups) == MOST_GROUPS:  # no crawl learns more
                break
            try:
                groups.append(_group(row))
            except (UnusableLearnedTemplate, ValueError, TypeError, IndexError) as error:
                log.warning("%s: its template is not used: %s", shown(row["id"]), printable(str(error)))
        return tuple(groups)

    def _rows(self, site: str) -> Iterator[dict[str, Any]]:
        name = f"{partition_of(site, self.partitions):05}"
        for file in tables_of(self.folder, "templates").get(name, ()):
            try:
                yield from _rows_of(file, site)
            except (OSError, pa.ArrowException, ValueError) as error:
                log.warning("%s: its templates are not used: %s", printable(str(file)), printable(str(error)))


@lru_cache(8)
def tables_of(folder: Place, table: str) -> dict[str, list[Place]]:
    """Return the files of a finished crawl's table by the name of their partition, in the order of their names."""
    files: dict[str, list[Place]] = {}
    found: list[Place] = list((folder / table).glob("*.parquet"))
    for file in sorted(found, key=lambda file: file.name):
        files.setdefault(re.split("[-.]", file.name)[0], []).append(file)
    return files


def _rows_of(file: Place, site: str) -> Iterator[dict[str, Any]]:
    with file.open("rb") as data, pq.ParquetFile(data) as table:
        columns = _checked_columns(table.schema_arrow)
        column = table.schema_arrow.get_field_index("site")
        for number in range(table.num_row_groups):
            range_of = table.metadata.row_group(number).column(column).statistics
            if range_of is None or not range_of.has_min_max or range_of.min <= site <= range_of.max:
                rows = table.read_row_group(number, columns)
                rows.validate(full=True)
                yield from rows.filter(pc.equal(rows["site"], site)).to_pylist()


def _checked_columns(schema: pa.Schema) -> list[str]:
    """Return the columns to read.

    Raises:
        ValueError: one is missing, there twice, or of another type.
    """
    for field in TEMPLATES:
        found = schema.get_all_field_indices(field.name)
        if len(found) > 1 or (not found and field.name in _NEEDED):
            raise ValueError(f"its column {field.name} is not there once")
        if found and schema.field(found[0]).type != field.type:
            raise ValueError(f"its column {field.name} is not of the type {field.type}")
    return [name for name in TEMPLATES.names if name in schema.names]


def _check_row(row: dict[str, Any]) -> None:
    """Check the values of a row; the types of its columns are right.

    Raises:
        ValueError: a value is missing or wrong.
    """
    pages, confidence = row["pages"], row["confidence"]
    stands_on, of_kind = row.get("stands_on") or b"", row.get("of_kind") or 1
    sound = {
        "id": row["id"] is not None and row["id"].rpartition("/")[0] == row["site"],
        "pages": bool(pages) and None not in pages,
        "of_kind": bool(pages) and 1 <= of_kind <= len(pages),
        "stands_on": bool(pages) and not max(stands_on, default=0) >> len(pages),
        "confidence": confidence is None or 0 <= confidence <= 1,
        "learned": row["learned"] is not None,
        "site_pages": row["site_pages"] is not None and row["site_pages"] >= 0,
    }
    wrong = [name for name, is_sound in sound.items() if not is_sound]
    if wrong:
        raise ValueError(f"its column {wrong[0]} has no valid value")


def _group(row: dict[str, Any]) -> PageKind:
    _check_row(row)
    learned = LearnedTemplate.from_bytes(row["learned"])
    of_kind, stands_on = row.get("of_kind") or 1, row.get("stands_on") or b""
    if len(stands_on) != len(learned.sketch):
        stands_on = bytes(len(learned.sketch))
    facts = tuple(row["pages"]), of_kind, stands_on, row["confidence"], None, row
    return PageKind(row["id"], learned, *facts)
