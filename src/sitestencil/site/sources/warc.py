"""Pages from WARC files. A record that cannot be read costs itself, and no bytes of it pass as another record.

A record counts only where one provably begins: at the file's start, and behind each member that is whole. Behind
damage the next proof is looked for; what seems to be a record before it is named, and is no page.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from sitestencil.site.sources.crawled import CrawlPage, Skipped
from sitestencil.site.sources.warc_file import BrokenMember, WarcFile
from sitestencil.site.sources.warc_pages import page_of_record
from sitestencil.site.sources.warc_records import BrokenRecord, MemberRecords, url_of


@dataclass(slots=True)
class Bounds:
    """The part of a file that was read.

    Attributes:
        began: where its first record begins; None where none was found.
        ended: where the next part begins; None where that can be told only from a proven start on.
    """

    began: int | None = None
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class _Damage:
    """A place where a file cannot be read on.

    Attributes:
        start: where the damaged member begins.
        unpacked: how many bytes the member should have unpacked; None where its head cannot be read.
        is_cut: it can be unpacked as far as the file goes.
    """

    start: int
    unpacked: int | None = None
    is_cut: bool = False

    @property
    def farthest(self) -> int | None:
        """The byte behind which the member cannot end: deflate makes what it cannot pack only a little larger."""
        return None if self.unpacked is None else self.start + self.unpacked + self.unpacked // 50 + 4096


def read_warc(
    file: Path,
    name: str,
    start: int = 0,
    end: int | None = None,
    *,
    is_proven: bool = True,
    bounds: Bounds | None = None,
) -> Iterator[CrawlPage | Skipped]:
    """Yield the pages of the members that begin in a range of a WARC file's bytes, and the records that are none.

    Records that are no answers, as requests and metadata are, are passed over.

    Args:
        file: the file, plain, gzipped or by Zstandard.
        name: what the output calls it.
        start: the first byte of the range.
        end: the byte behind it; None: the file's end.
        is_proven: a member begins at the first byte. Otherwise the first that seems to begin is taken, which
            another part must prove; where that part does not end there, all of this one is void.
        bounds: is told what was read.
    """
    bounds = Bounds() if bounds is None else bounds
    with WarcFile(file) as warc:
        last = warc.size if end is None else min(end, warc.size)
        at = start if is_proven else next(warc.seeming_records(start, last), None)
        bounds.began = at
        reader = _Reader(warc, name)
        while at is not None and at < last:
            read = yield from reader.read_member(at)
            if isinstance(read, int):
                at = read
            elif is_proven:
                at = yield from reader.resume(read)
            else:
                return
        bounds.ended = warc.size if at is None and is_proven else at


class _Reader:
    def __init__(self, warc: WarcFile, name: str) -> None:
        self._warc = warc
        self._name = name
        self._last_offset = -1

    def read_member(self, start: int) -> Generator[CrawlPage | Skipped, None, int | _Damage]:
        """Yield what a member holds; return the byte behind it, or the damage."""
        records: MemberRecords | None = None
        try:
            member = self._warc.member(start)
            records = MemberRecords(member, may_change=not self._warc.is_packed)
            for record in records.records():
                page = page_of_record(record, self._name, self._offset(start, records))
                if page is not None:
                    yield page
        except BrokenMember as error:
            reason = "truncated" if error.is_cut else "broken record"
            yield self._skipped(start, records, reason, str(error))
            is_first = records is not None and records.begin == 0
            return _Damage(start, records.ends_at if records is not None and is_first else None, error.is_cut)
        except BrokenRecord as error:
            assert records is not None
            if not self._warc.is_packed:
                yield self._skipped(start, records, error.reason, str(error))
                return _Damage(start + records.begin)
            return (yield from self._rest_of_member(start, records, error))
        return member.end

    def _rest_of_member(
        self, start: int, records: MemberRecords, error: BrokenRecord
    ) -> Generator[Skipped, None, int | _Damage]:
        """Pass over a member that is whole, though its records are not; what follows it is not touched."""
        reason = "untrue length" if error.reason == "truncated" else error.reason
        skipped = self._skipped(start, records, reason, str(error))
        try:
            records.drain()
        except BrokenMember as broken:
            yield self._skipped(start, records, "truncated" if broken.is_cut else "broken record", str(broken))
            return _Damage(start, is_cut=broken.is_cut)
        yield skipped
        return records.member.end

    def resume(self, damage: _Damage) -> Generator[Skipped, None, int | None]:
        """Return where behind damage a record provably begins; None where none does.

        What seems to be a record before it is yielded as skipped: it may be a body's bytes.
        """
        warc, near = self._warc, self._next_member(damage)
        may_reach_end = damage.is_cut if damage.farthest is None else damage.farthest >= warc.size
        own_id, run_end = self._warcinfo_id(), 0
        for at in warc.seeming_records(damage.start + 1, warc.size):
            if at == near or (own_id and self._headers_at(at).get("warc-warcinfo-id") == own_id):
                return at
            if warc.is_gzip and at >= run_end:
                if 0 < run_end < at:
                    yield Skipped(self._name, self._unique(run_end), "broken record", "It cannot be read.")
                run_end = warc.end_of_run(at, warc.size)
                # Whole members to the very end: a body ends before its own member does.
                if run_end >= warc.size and not may_reach_end:
                    return at
            detail = "It is behind a damaged record, and nothing proves that it is no part of it."
            yield Skipped(self._name, self._unique(at), "unproved record", detail)
        return None

    def _next_member(self, damage: _Damage) -> int | None:
        """Return where the member behind a damaged one begins, if its own length proves that.

        Its last four bytes are the length unpacked, and whole members follow beyond where it can end at all.
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
        """Return the id of the file's own first record, which no server can know that was asked for a page."""
        headers = self._headers_at(0)
        return headers.get("warc-record-id", "") if headers.get("warc-type") == "warcinfo" else ""

    def _headers_at(self, at: int) -> dict[str, str]:
        try:
            return dict(MemberRecords(self._warc.member(at)).head() or {})
        except (BrokenMember, BrokenRecord):
            return {}

    def _skipped(self, start: int, records: MemberRecords | None, reason: str, detail: str) -> Skipped:
        url = "" if records is None else url_of(records.headers)
        return Skipped(self._name, self._offset(start, records), reason, detail, url)

    def _offset(self, start: int, records: MemberRecords | None) -> int:
        """Return where the record at hand begins: in the file, or unpacked where all of the file is one member."""
        return self._unique(start or (0 if records is None else records.begin))

    def _unique(self, at: int) -> int:
        self._last_offset = max(at, self._last_offset + 1)
        return self._last_offset
