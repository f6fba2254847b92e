"""Pages run side by side in frames of one page, and what of them ran."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from tests.support.browsers import Browser

AT_ONCE = 60
SETTLE_MS = 400
LONGEST_MS = 15_000

# Each page is opened in a frame of its own, and then treated as a person and a clock would: what runs tells its
# number, and what leads away by itself is found elsewhere.
_RUN = """async (pages, settleMs, longestMs) => {
    const fired = new Set();
    const listen = ({data}) => { if (typeof data === "number") fired.add(data); };
    addEventListener("message", listen);
    const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
    const frames = pages.map(([number, html]) => {
        const frame = document.createElement("iframe");
        frame.width = frame.height = 90;
        frame.srcdoc = html;
        const loaded = new Promise(resolve => frame.addEventListener("load", resolve, {once: true}));
        document.body.append(frame);
        return {number, frame, loaded};
    });
    await Promise.race([Promise.all(frames.map(({loaded}) => loaded)), wait(longestMs)]);
    await wait(settleMs);
    const isAway = ({frame}) => {
        try { return frame.contentDocument.URL !== "about:srcdoc"; } catch { return true; }
    };
    const away = new Set(frames.filter(isAway));
    const names = ["click", "focus", "mouseover", "mouseenter", "pointerdown", "input", "toggle", "beforetoggle",
        "blur", "wheel", "copy", "dragstart", "contextmenu", "submit", "reset", "scroll", "resize", "hashchange",
        "animationstart", "transitionend", "slotchange", "start", "begin", "load", "error", "pageshow"];
    const below = root => [...root.querySelectorAll("*")]
        .flatMap(element => [element, ...(element.shadowRoot ? below(element.shadowRoot) : [])]);
    for (const part of frames) {
        if (away.has(part)) continue;
        const {contentDocument: inner, contentWindow: view} = part.frame;
        for (const element of [view, ...below(inner).slice(-200)]) {
            for (const name of names) {
                const event = name === "click"
                    ? new view.MouseEvent(name, {cancelable: true}) : new view.Event(name, {cancelable: true});
                element.dispatchEvent(event);
            }
        }
    }
    await wait(settleMs);
    removeEventListener("message", listen);
    for (const {frame} of frames) frame.remove();
    return [[...fired], [...away].map(({number}) => number)];
}"""


def what_runs(browser: Browser, pages: Mapping[int, str]) -> set[int]:
    """Return the numbers of the pages that run script or lead away by themselves.

    The page in front has to be one that forbids nothing.
    """
    running: set[int] = set()
    for some in batched(pages.items(), AT_ONCE):
        fired, away = browser.run(_RUN, some, SETTLE_MS, LONGEST_MS)
        running |= {*fired, *away}
    return running


def batched(pages: Iterable[tuple[int, str]], size: int) -> Iterator[list[tuple[int, str]]]:
    """Yield the pages in lists of this size; the last may be shorter."""
    rest = iter(pages)
    while some := list(islice(rest, size)):
        yield some
