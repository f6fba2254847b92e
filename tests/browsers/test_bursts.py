"""Clicks and keys at any moment, some within a few milliseconds: page and button agree once things are quiet."""

import random
import time
from contextlib import suppress
from functools import reduce

from tests.browsers.conftest import Serve
from tests.browsers.options import set_memory
from tests.browsers.pages import NEIGHBOURS, PATH, site
from tests.browsers.test_endurance import MOVING, PARTS
from tests.support.browsers import Browser, BrowserError, wait_until
from tests.support.browsers.browser import Json
from tests.support.endurance import repeats

SEED = 46
# Clicks that wait show on the button after 0.2 s at the latest.
QUIET_SECONDS = 0.8
CLICK = "click"
KEYS = {"template": "Ctrl+Shift+6", "content": "Ctrl+Shift+7"}
# background/modes.js: the view that a click leads to, where the button opens the template.
AFTER_CLICK = {"original": "content", "content": "template", "template": "original"}
SHOWN = {"idle": "original", "error": "original", "impossible": "original"}
# From here on a click may find the button working, and end that.
BRIEF_SECONDS = 0.15


def after(view: str, act: str) -> str:
    """The table of views."""
    if act == CLICK:
        return AFTER_CLICK[view]
    return "original" if view == act else act


def burst(browser: Browser, acts: list[str], chance: random.Random) -> float:
    """Do all of it with short pauses, and return the seconds that it took."""
    begun = time.monotonic()
    while acts:
        if acts[0] == CLICK:
            clicks = next((number for number, act in enumerate(acts) if act != CLICK), len(acts))
            browser.click_button_often([chance.choice((0, 0, 0.002, 0.01, 0.04)) for _ in range(clicks)])
        else:
            clicks = 1
            browser.press(KEYS[acts[0]])
        acts = acts[clicks:]
    return time.monotonic() - begun


def at_rest(browser: Browser) -> tuple[str, list[Json], bool]:
    """What the button says and what the page shows, once both stay as they are, and whether the browser was prompt.

    A slow browser may still have a click to tell the extension: the next one would then end that one's work.
    """

    def quiet() -> tuple[str, list[Json], bool] | None:
        state, parts = browser.button_state().state, browser.run(PARTS)
        slowest, asked = 0.0, time.monotonic()
        end = asked + QUIET_SECONDS
        while asked < end:
            if state == "working" or browser.button_state().state != state:
                return None
            slowest = max(slowest, time.monotonic() - asked)
            time.sleep(0.03)
            asked = time.monotonic()
        return (state, parts, slowest < BRIEF_SECONDS) if browser.run(PARTS) == parts else None

    return wait_until(quiet, lambda: f"never quiet: {browser.button_state()}", pause=0)


@repeats("bursts", 20, 500)
def test_after_bursts_of_clicks_and_keys_the_page_shows_what_the_button_says(
    browser: Browser, serve: Serve, bursts: int
) -> None:
    chance = random.Random(SEED)
    set_memory(browser, remembers=False)  # What is remembered comes too fast to be cancelled.
    server = serve(site(MOVING))
    browser.open(server.base + PATH)
    looks = {"original": browser.run(PARTS)}
    for view in ("template", "original", "content"):
        browser.click_button()
        browser.wait_for_state(view)
        shown, parts, is_prompt = at_rest(browser)
        assert looks.setdefault(view, parts) == parts
    assert len({str(parts) for parts in looks.values()}) == len(looks)
    for number in range(bursts):
        acts = [chance.choice((CLICK, CLICK, *KEYS)) for _ in range(chance.randint(1, 5))]
        kind = chance.choice(("known", "known", "new", "held", "left"))
        before = shown if is_prompt else None
        if kind != "known":
            browser.open(server.base + PATH)
            before = None
        if kind == "held":
            with server.holding(*NEIGHBOURS):
                seconds = burst(browser, acts, chance)
            expected = "original" if len(acts) % 2 == 0 else None
        else:
            seconds = burst(browser, acts, chance)
            expected = None
        if kind == "left":
            browser.open(server.base + PATH)
            burst(browser, [CLICK] * chance.randint(0, 2), chance)
        # A click may overtake a key, which Firefox offers to the page first.
        in_order = CLICK not in acts or set(acts) == {CLICK}
        if before in AFTER_CLICK and seconds < BRIEF_SECONDS and in_order:
            expected = reduce(after, acts, before)
        shown, parts, is_prompt = at_rest(browser)
        if expected not in (None, SHOWN.get(shown, shown)):  # on a busy machine a click may come after the look
            with suppress(BrowserError):
                browser.wait_for_state(expected)
            shown, parts, is_prompt = at_rest(browser)
        told = f"burst {number}, {kind} page, {acts} in {seconds:.3f} s from {before}: {browser.button_state()}"
        if parts != looks[SHOWN.get(shown, shown)]:
            agree = [name for name, look in looks.items() if look == parts]
            raise AssertionError(f"{told} over a page that shows {agree or parts}")
        assert expected in (None, SHOWN.get(shown, shown)), f"{told} instead of {expected}"
        if shown in ("error", "impossible") or len(browser.tabs()) > 1:
            # A click that a new page overtakes: with the page before, the browser takes back the permission, and a
            # tab says so where no popup opens.
            assert kind == "left", told
            if browser.popup_address():  # The next click would only close it.
                browser.close_popup()
            browser.only_new_tab()
            browser.open(server.base + PATH)
            shown = "idle"
    set_memory(browser, remembers=True)
