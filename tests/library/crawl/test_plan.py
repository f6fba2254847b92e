"""The sizes of a job's parts for any input, and works that each fit in memory."""

from collections import Counter

from tests.support.tables import table

from sitestencil.crawl.plan import plan_of, rounds_of, works_of
from sitestencil.crawl.work import LARGE_SITE

MB, GB, TB = 1024**2, 1024**3, 1024**4
# size: units, MB of each, partitions, MB of each, rounds on Ray
PLANS = {
    GB: (64, 16, 512, 2, 1),
    10 * GB: (640, 16, 512, 20, 1),
    100 * GB: (4096, 25, 512, 200, 1),
    TB: (4096, 256, 4096, 256, 2),
    8 * TB: (8192, 1024, 32768, 256, 16),
    80 * TB: (81920, 1024, 327680, 256, 160),
}


@table(("size", "expected"), PLANS.items())
def test_parts_of_an_input_grow_first_in_number_then_in_size(size: int, expected: tuple[int, ...]) -> None:
    plan = plan_of(size)
    units, unit_bytes = -(-size // plan.unit_bytes), plan.unit_bytes
    assert (units, unit_bytes // MB, plan.partitions, size // plan.partitions // MB, plan.rounds) == expected


def test_more_input_never_has_fewer_partitions() -> None:
    partitions = [plan_of(size).partitions for size in (2**power for power in range(47))]
    assert partitions == sorted(partitions)
    assert partitions[0] == 1


@table("sites", [1, 46, 200, 1250])
def test_a_kill_loses_little_of_a_crawl_of_some_minutes(sites: int) -> None:
    # Two processes take 75 s for these pages. A kill after 12 s loses at most the two works that are not done.
    pages = 25_000
    counts = {f"site{site}.example": pages // sites for site in range(sites)}
    works = works_of(lambda: [counts], plan_of(pages * 10_900).partitions, LARGE_SITE)
    done = pages * 12 // 75
    assert 2 * max(work.pages for work in works) <= done / 4


def test_a_site_with_most_of_a_crawls_pages_is_split_and_others_stay_whole() -> None:
    sites = Counter({f"site{number}.example": 2 for number in range(20_000)})
    sites["busy.example"] = 3_000_000
    halves = [{site: count // 2 for site, count in sites.items()}] * 2
    works = works_of(lambda: halves, 64, 5000)
    of_busy = sorted((work.first, work.last) for work in works if work.site == "busy.example")
    assert [first for first, _ in of_busy[1:]] == [last for _, last in of_busy[:-1]]
    assert (of_busy[0][0], of_busy[-1][1]) == (0, 3_000_000)
    assert {work.site for work in works} == {None, "busy.example"}
    assert sum(work.pages for work in works) == sites.total()
    assert max(work.pages for work in works) <= 2 * sites.total() / 64
    assert len(works) <= 64 + 64


def test_rounds_have_all_works_and_about_as_many_pages() -> None:
    works = works_of(lambda: [{f"site{number}.example": 10 for number in range(1000)}], 100, 5000)
    rounds = rounds_of(works, 4)
    assert sorted(work.partition for one in rounds for work in one) == sorted(work.partition for work in works)
    assert len(rounds) == 4
    pages = [sum(work.pages for work in one) for one in rounds]
    assert max(pages) < 1.2 * min(pages)
