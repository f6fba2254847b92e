"""Pages that change between clicks: the page comes back whole, and the content view shows all of the content."""

import random
from collections.abc import Iterator
from itertools import cycle

import pytest
from tests.browsers.conftest import Serve
from tests.browsers.looking import IS_OURS, show_content, show_page, show_template
from tests.browsers.pages import PATH, page, site
from tests.support.browsers import Browser
from tests.support.endurance import repeats

CLICKS = 12
PARTS = "".join(f"<section><h2>Kept {n}</h2><p>kept <b>words</b> of part {n}</p></section>" for n in range(4))
FRAME = "<iframe></iframe>"
CARD = '<x-card><template shadowrootmode="open"><p>kept in a card</p></template></x-card>'

# All that a test can reach: elements and texts of the page, of its open shadow roots and of its frames.
WALK = """
function* walk(root) {
    for (const node of root.childNodes) {
        const isPanel = root === document.documentElement && !/^(#text|#comment|head|body)$/i.test(node.nodeName);
        if (isPanel) continue;
        yield node;
        if (node.shadowRoot) yield* walk(node.shadowRoot);
        if (node.localName === "iframe") {
            if (node.contentDocument) yield* walk(node.contentDocument);
        } else yield* walk(node);
    }
}
"""
# The page as text, without the marks of the view, and what is left of the view.
STATE = f"""() => {{ {WALK}
    const nodes = [...walk(document)];
    const isOurs = name => {IS_OURS}.test(name);
    const attributes = node => node.getAttributeNames().filter(name => !isOurs(name))
        .map(name => `${{name}}=${{node.getAttribute(name)}}`);
    const elements = nodes.filter(node => node.nodeType === 1);
    const windows = new Set(elements.map(element => element.ownerDocument.defaultView));
    return {{
        page: nodes.map(node => node.nodeType === 1 ? `${{node.localName}} ${{attributes(node)}}` : node.data),
        marks: elements.flatMap(element => element.getAttributeNames().filter(isOurs)),
        highlights: [...windows].filter(one => one.CSS.highlights.size).length,
    }};
}}"""
# The kept texts that cannot be seen.
UNSEEN = f"""() => {{ {WALK}
    const isSeen = element => {{
        const view = element.ownerDocument.defaultView;
        const hasSize = getComputedStyle(element).fontSize !== "0px";
        return hasSize && element.checkVisibility({{visibilityProperty: true}}) &&
            (!view.frameElement || isSeen(view.frameElement));
    }};
    const covered = text => [...text.ownerDocument.defaultView.CSS.highlights.values()]
        .some(highlight => [...highlight].some(range => range.intersectsNode(text)));
    return [...walk(document)]
        .filter(node => node.nodeType === 3 && /kept/i.test(node.data))
        .filter(text => !isSeen(text.parentElement ?? text.parentNode.host) || covered(text))
        .map(text => text.data);
}}"""
CHANGE = """async seed => {
    let state = seed;
    const below = most => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return (state >>> 8) % most; };
    const one = list => list[below(list.length)];
    const main = document.querySelector("main"), header = document.querySelector("header");
    const all = [...main.querySelectorAll("section, section *, x-card, iframe")];
    const frames = [...document.querySelectorAll("iframe")];
    const kept = globalThis.kept ??= [];
    const put = node => one([main, ...main.querySelectorAll("section")]).append(node);
    const bodyOf = frame => frame?.contentDocument?.body;
    const fill = frame => { if (bodyOf(frame)) bodyOf(frame).textContent = "kept in a frame"; };
    const card = () => {
        const host = document.createElement("x-card");
        host.attachShadow({mode: "open", clonable: true}).innerHTML = "<p>kept in a <i>new</i> card</p>";
        return host;
    };
    const changes = {
        writeAgain: () => { main.innerHTML = main.innerHTML; },
        writeHeader: () => { if (!/kept/i.test(header.textContent)) header.innerHTML = header.innerHTML; },
        replace: () => { const node = one(all); node?.replaceWith(node.cloneNode(true)); },
        write: () => { const node = one(all); if (node) node.textContent = "kept and written"; },
        copy: () => { const node = one(all); if (node) put(node.cloneNode(true)); },
        move: () => {
            const node = one(all), to = one([main, header, ...all]);
            const draws = !to.shadowRoot && to.localName !== "iframe" && to.localName !== "x-card";
            if (node && draws && !node.contains(to)) to.prepend(node);
        },
        moveText: () => { const text = one(all)?.firstChild; if (text?.nodeType === 3) put(text); },
        takeOut: () => { const node = one(all); if (node) { kept.push(node); node.remove(); } },
        keepCopy: () => { const node = one(all); if (node) kept.push(node.cloneNode(true)); },
        putBack: () => { const node = kept.pop(); if (node) put(node); },
        adopt: () => {
            const node = one(all), body = bodyOf(one(frames));
            if (body && node && !node.contains(body.ownerDocument.defaultView.frameElement)) body.append(node);
        },
        adoptBack: () => { const node = bodyOf(one(frames))?.firstElementChild; if (node) put(node); },
        newFrame: () => { const frame = document.createElement("iframe"); put(frame); fill(frame); },
        writeFrame: () => frames.forEach(fill),
        moveFrame: () => { if (frames.length) put(one(frames)); },
        removeFrame: () => one(frames)?.remove(),
        leadAway: () => {
            const frame = one(frames);
            if (!frame) return;
            if (frame.contentDocument) frame.contentDocument.isWritten = false;
            frame.src = `/inner.html?${below(1e6)}`;
        },
        openFrame: () => {
            const inner = one(frames)?.contentDocument;
            if (!inner) return;
            inner.open();
            inner.write("<p>kept and written into a frame</p>");
            inner.close();
            inner.isWritten = true;
        },
        newCard: () => put(card()),
        removeCard: () => one([...document.querySelectorAll("x-card")])?.remove(),
        hostCard: () => {
            const host = one([...main.querySelectorAll("p")]);
            if (host && !host.shadowRoot && !host.childElementCount) {
                host.textContent = "";
                host.attachShadow({mode: "open"}).innerHTML = "<b>kept in the shadow</b>";
            }
        },
        open: () => {
            if (below(4)) return;
            const html = document.documentElement.cloneNode(true);
            for (const child of [...html.children]) if (!/^(head|body)$/.test(child.localName)) child.remove();
            document.open();
            document.write(`<!doctype html>${html.outerHTML.replace(/ data-[a-z]{11}(-[a-z]+)?="[^"]*"/g, "")}`);
            document.close();
        },
    };
    const names = Array.from({length: 1 + below(4)}, () => one(Object.keys(changes)));
    for (const name of names) changes[name]();
    const isLoaded = ({src, contentDocument: inner}) =>
        !inner || inner.isWritten || (inner.readyState === "complete" && (!src || inner.URL === src));
    const framesIn = root => [...root.querySelectorAll("iframe")]
        .flatMap(frame => [frame, ...(frame.contentDocument ? framesIn(frame.contentDocument) : [])]);
    let waits = 0;
    do await new Promise(resolve => setTimeout(resolve, 100));
    while (!framesIn(document).every(isLoaded) && waits++ < 100);
    return names;
}"""


def show_changed(browser: Browser, serve: Serve, seed: int) -> None:
    """Change a page before each of some clicks, and look at it after each.

    For every second page the program is gone after the first answer: nothing new is judged, and all of it shows.
    """
    is_judged = seed % 2 == 1
    chance = random.Random(seed)
    browser.open(serve(site(PARTS + CARD + FRAME * 2, inner_html=page("kept inside"))).base + PATH)
    browser.run(CHANGE, chance.randrange(2**31))
    done: list[str] = []
    views = cycle([("template", show_template), ("original", show_page), ("content", show_content)])
    for number, (name, show) in zip(range(CLICKS), views, strict=False):
        if number == 1 and not is_judged:
            browser.unregister_host()
            browser.sleep_background()  # and with it the host that is running
        if number:
            done.append(",".join(browser.run(CHANGE, chance.randrange(2**31))))
        before = browser.run(STATE)["page"]
        show(browser)
        done.append(f"[{name}]")
        where = f"seed {seed}: {' '.join(done)}"
        after = browser.run(STATE)
        assert after["page"] == before, where
        if name == "original":
            assert (after["marks"], after["highlights"]) == ([], 0), where
        if name == "original" or (name == "content" and not is_judged):
            assert browser.run(UNSEEN) == [], where


@pytest.fixture
def showing(browser: Browser) -> Iterator[Browser]:
    """The browser, whose content view shows all content."""
    browser.open(browser.extension_address("pages/privacy.html"))
    browser.run("() => chrome.storage.local.set({showsAround: true})")
    yield browser
    browser.open(browser.extension_address("pages/privacy.html"))
    browser.run("() => chrome.storage.local.remove('showsAround')")
    browser.register_host()


@repeats("seeds", 4, 300)
def test_a_page_that_changes_between_clicks_comes_back_whole_and_its_content_shows(
    showing: Browser, serve: Serve, seeds: int
) -> None:
    for seed in range(seeds):
        showing.register_host()
        show_changed(showing, serve, seed)
