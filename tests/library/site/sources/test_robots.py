"""What robots.txt asks of this robot: read as the standard says, in bounded time."""

from collections import Counter
from time import process_time

from tests.support.tables import table

from sitestencil.site.frontier import Extent, Frontier
from sitestencil.site.sources.robots import FORBIDDEN, TOO_LONG, RobotRules

BASE = "https://site.example/"


@table(
    ("text", "refused"),
    [
        ("User-agent: *\nDisallow: /a", True),
        ("User-agent: Sitestencil\nDisallow: /a", True),
        ("User-agent: other\nDisallow: /a", False),
        ("User-agent: other\nUser-agent: *\nDisallow: /a", True),
        ("User-agent: *\nUser-agent: other\nDisallow: /a", True),
        ("User-agent: *\nDisallow: /b\nUser-agent: other\nDisallow: /a", False),
        ("User-agent: *\nDisallow: /a\nUser-agent: sitestencil\nAllow: /", False),
        ("User-agent: site*\nDisallow: /a", True),
        ("USERAGENT sitestencil/1.0 # us\nDisallow: /a", False),
        ("User-agent:\nDisallow: /a", False),
        ("User-agent: *\nDisallow: /a\nUser-agent:\nDisallow: /b", True),
        ("", False),
    ],
)
def test_only_our_own_group_counts(text: str, refused: bool) -> None:
    assert RobotRules(text).refusal(f"{BASE}a") == (FORBIDDEN if refused else None)


def test_few_of_many_addresses_are_asked_of_many_rules_and_the_rest_is_named() -> None:
    rules = RobotRules("User-agent: *\n" + "".join(f"Disallow: /*{at}x\n" for at in range(25_000)))
    frontier = Frontier(BASE, Extent(), may_act=False, refusal=rules.refusal)
    frontier.add([f"{BASE}{letter}{at}" for letter in "ab" for at in range(3)], 1)
    assert frontier.next() == (f"{BASE}a0", 1)
    frontier.add([f"{BASE}page/{at}x" for at in range(50_000)], 1)
    while frontier.next():
        pass
    frontier.leave_rest()
    why = Counter(frontier.left.values())
    assert ({*why}, why[FORBIDDEN] < 1_000) == ({FORBIDDEN, TOO_LONG}, True)
    assert frontier.unnamed == 50_000 - len(frontier.left)


def test_many_robots_with_many_rules_are_read_in_seconds() -> None:
    start = process_time()
    text = (
        "".join(f"User-agent: r{at}\nUser-agent: *s*{'i' * (at % 7)}\n" for at in range(9_000))
        + "Allow: /\n" * 20_000
    )
    assert RobotRules(text).refusal(BASE) is None
    assert process_time() - start < 30
