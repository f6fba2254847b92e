"""Read pages from WARC and ARC files. A damaged record costs only itself, and its bytes pass as no other record.

A record counts only at a proven start: the file's start, the end of a whole member or record, or behind a few bytes
there that hold no record. After damage, search for the next proof; report seeming records before it as skipped.
"""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sitestencil.crawl.input.crawled import KILLED, CrawlPage, MayBegin, Skipped, always, fault
from sitestencil.crawl.input.places import Place
from sitestencil.crawl.input.warc_file import ARC_RECORD, WarcFile
from sitestencil.crawl.input.warc_pages import page_of_record
from sitestencil.crawl.input.warc_records import MemberRecords, url_of
from sitestencil.errors import BrokenMember, RecordSkipped

_MOST_UNPACKED, _PIECE = 1 << 28, 1 << 18
# Ids, dates and digests of honest records take more; a few bytes can repeat tiny ones without end.
_FEW_RECORDS, _LEAST_PACKED = 100_000, 32
_MOSTLY_TINY = f"The records up to here are packed in under {_LEAST_PACKED} bytes each. The rest is left out."


@dataclass(slots=True)
class Bounds:
    """The part of a file that was read.

    Attributes:
        began: the start of its first record; None if none was found.
        ended: the start of the next part; None if only a proven start can tell.
    """

    began: int | None = None
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class _Damage:
    """A damaged member, where reading a file fails."""

    start: int
    unpacked: int | None = None  # its expected size; None if its head cannot be read
    is_cut: bool = False  # whether it unpacks up to the end of the file

    @property
    def farthest(self) -> int | None:
        """The last byte where the member can end: deflate grows incompressible data only a little."""
        return None if self.unpacked is None else self.start + self.unpacked + self.unpacked // 50 + 4096


def read_warc(
    file: Place,
    name: str,
    start: int = 0,
    end: int | None = None,
    *,
    is_proven: bool = True,
    bounds: Bounds | None = None,
    may_begin: MayBegin = always,
    most_records: int | None = None,
) -> Iterator[CrawlPage | Skipped]:
    """Yield the pages of the members that begin in a range of a WARC file, and the skipped records.

    Requests, metadata and the like are ignored; where there is nothing else, that is said once.

    Args:
        file: the file: plain, gzip or Zstandard.
        name: its name in the output.
        start: the first byte of the range.
        end: the byte behind the range; None: the file's end.
        is_proven: a member begins at the first byte. Otherwise the first seeming start is taken, and the part
            before must confirm it; else this part is void.
        bounds: receives the range that was read.
        may_begin: is asked before each member; a member that it refuses counts as damaged.
        most_records: the most records to read; None: by the bytes that they are packed in.
    """
    bounds = Bounds() if bounds is None else bounds
    with closing(WarcFile(file)) as warc:
        last = warc.size if end is None else min(end, warc.size)
        at = max(start, warc.begin) if is_proven else next(warc.seeming_records(start, last), None)
        bounds.began = at
        reader = _Reader(warc, name, bounds.began or 0, most_records)
        while at is not None and at < last:
            read: int | _Damage
            if may_begin(name, at):
                read = yield from reader.read_member(at)
            else:
                read = _Damage(at)
                yield Skipped(name, at, KILLED, "Reading it killed its process twice.")
            if isinstance(read, int):
                if read <= at:
                    raise BrokenMember("It is shorter than it was.")
                at = read
            elif is_proven:
                at = yield from reader.resume(read)
            else:
                return
        bounds.ended = warc.size if at is None and is_proven else at
        if reader.has_others and not reader.has_pages:
            detail = "Its records are requests, metadata and the like; none is a page."
            yield Skipped(name, bounds.began or 0, "no page", detail)


class _Reader:
    def __init__(self, warc: WarcFile, name: str, begin: int, most_records: int | None) -> None:
        self._warc = warc
        self._name = name
        self._begin = begin
        self._most_records = most_records
        self._count = 0
        self._last_offset = -1
        self._info: str | None = None  # that the last record names
        self.has_pages = self.has_others = False

    def read_member(self, start: int) -> Generator[CrawlPage | Skipped, None, int | _Damage]:
        """Yield a member's records; return the byte behind it, or the damage."""
        records: MemberRecords | None = None
        try:
            records = self._records(start)
            for record in records.records():
                self._count += 1
                if self._count > self._most_by(records.member.end):
                    yield self._skipped(start, records, "broken record", _MOSTLY_TINY)
                    return self._warc.size
                if record.kind != "warcinfo":
                    self._info = record.headers.get("warc-warcinfo-id", "")
                page = page_of_record(record, self._name, self._offset(start, records))
                if page is None:
                    self.has_others = True
                else:
                    self.has_pages = True
                    yield page
        except RecordSkipped as error:
            assert records is not None
            if not self._warc.is_packed:
                yield self._skipped(start, records, error.reason, str(error))
                return _Damage(start + records.begin)
            return (yield from self._rest_of_member(start, records, error))
        except Exception as error:
            is_cut = isinstance(error, BrokenMember) and error.is_cut
            yield self._skipped(start, records, "truncated" if is_cut else "broken record", f"{fault(error)}.")
            if (behind := self._warc.behind_junk(start)) is not None:
                return behind
            is_first = records is not None and records.begin == 0
            return _Damage(start, records.ends_at if records is not None and is_first else None, is_cut)
        return records.member.end

    def _most_by(self, end: int) -> int:
        return self._most_records or max(_FEW_RECORDS, (end - self._begin) // _LEAST_PACKED)

    def _records(self, start: int) -> MemberRecords:
        return MemberRecords(self._warc.member(start), self._warc.record)

    def _rest_of_member(
        self, start: int, records: MemberRecords, error: RecordSkipped
    ) -> Generator[CrawlPage | Skipped, None, int | _Damage]:
        """Skip a whole member with broken records; the next member is unaffected.

        If it is the whole file, and not too large, read what is left of it as a plain file.
        """
        reason = "untrue length" if error.reason == "truncated" else error.reason
        skipped = self._skipped(start, records, reason, f"{error} The rest of its member is left out, too.")
        try:
            records.drain()
        except BrokenMember as broken:
            yield self._skipped(start, records, "truncated" if broken.is_cut else "broken record", str(broken))
            return _Damage(start, is_cut=broken.is_cut)
        if start == 0 and records.member.end == self._warc.size and records.at <= _MOST_UNPACKED:
            self.has_pages = True
            yield from self._as_plain(records.begin)
        else:
            yield skipped
        return records.member.end

    def _as_plain(self, begin: int) -> Iterator[CrawlPage | Skipped]:
        member = self._warc.member(0)
        with TemporaryDirectory() as folder:
            copy = Path(folder, "a.arc" if self._warc.record is ARC_RECORD else "a.warc")
            with copy.open("wb") as file:
                file.writelines(iter(partial(member.read, _PIECE), b""))
            most = self._most_by(self._warc.size)
            yield from read_warc(copy, self._name, begin, most_records=max(1, most - self._count))

    def resume(self, damage: _Damage) -> Generator[Skipped, None, int | None]:
        """Return the next proven start of a record behind damage; None if there is none.

        Seeming records before it are yielded as skipped: they may be bytes of a body.
        """
        warc, near = self._warc, self._next_member(damage)
        may_reach_end = damage.is_cut if damage.farthest is None else damage.farthest >= warc.size
        own_id, run_end = self._warcinfo_id(), 0
        # Without ids and members, lengths that agree up to the file's end are all the proof that there can be.
        has_no_id = not warc.is_packed and (not own_id or self._info not in {None, own_id})
        for at in warc.seeming_records(damage.start + 1, warc.size):
            if at == near or (own_id and self._headers_at(at).get("warc-warcinfo-id") == own_id):
                return at
            if (warc.is_gzip or has_no_id) and at >= run_end:
                if 0 < run_end < at:
                    yield Skipped(self._name, self._unique(run_end), "broken record", "It cannot be read.")
                run_end = warc.end_of_run(at, warc.size) if warc.is_gzip else self._end_of_records(at)
                # Whole members up to the file's end prove it: a body ends before its own member does.
                if run_end >= warc.size and not may_reach_end:
                    return at
            detail = "It is behind a damaged record, and nothing proves that it is no part of it."
            yield Skipped(self._name, self._unique(at), "unproved record", detail)
        if warc.gave_up:
            detail = "Too much was read in vain. The rest of the file is left out."
            yield Skipped(self._name, self._unique(damage.start), "unproved record", detail)
        return None

    def _end_of_records(self, at: int) -> int:
        """Return the end of the whole records that follow one another from a byte of a plain file on."""
        records = self._records(at)
        try:
            if all(record.headers for record in records.records()):
                return self._warc.size
        except RecordSkipped:
            self._warc.count_vain(records.member.end - at - records.begin)
        return at + records.begin

    def _next_member(self, damage: _Damage) -> int | None:
        """Return the start of the member behind a damaged one, if its length proves it.

        The last four bytes give the unpacked length, and whole members follow as far as it could reach.
        """
        warc, run_end = self._warc, 0
        if not warc.is_gzip or damage.farthest is None or (damage.is_cut and damage.farthest >= warc.size):
            return None
        length, last = (damage.unpacked or 0) & 0xFFFFFFFF, min(damage.farthest, warc.size)
        for at in warc.seeming_records(damage.start + 1, last):
            if at >= run_end and int.from_bytes(warc.bytes_at(at - 4, 4), "little") == length:
                run_end = warc.end_of_run(at, last)
                if run_end >= last:
                    return at
        return None

    def _warcinfo_id(self) -> str:
        """Return the id of the file's first record, which no crawled server can know."""
        headers = self._headers_at(self._warc.begin)
        return headers.get("warc-record-id", "") if headers.get("warc-type") == "warcinfo" else ""

    def _headers_at(self, at: int) -> dict[str, str]:
        try:
            records = self._records(at)
            return dict(records.head() or {})
        except BrokenMember:
            return {}
        except RecordSkipped:
            self._warc.count_vain(records.member.end - at)
            return {}

    def _skipped(self, start: int, records: MemberRecords | None, reason: str, detail: str) -> Skipped:
        url = "" if records is None else url_of(records.headers)
        return Skipped(self._name, self._offset(start, records), reason, detail, url)

    def _offset(self, start: int, records: MemberRecords | None) -> int:
        """Return the current record's start: in the file, or unpacked if the whole file is one member."""
        return self._unique(start or (0 if records is None else records.begin))

    def _unique(self, at: int) -> int:
        self._last_offset = max(at, self._last_offset + 1)
        return self._last_offset
