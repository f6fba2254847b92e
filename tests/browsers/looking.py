"""The state of a page as a person sees it, as values that tests can compare."""

import io
import json
import re
from pathlib import Path
from typing import Any

from PIL import Image
from tests.support.browsers import Browser, wait_until

Box = tuple[int, int, int, int]
RGB = tuple[int, int, int]

MESSAGES = Path(__file__).resolve().parents[2] / "extension/_locales/en/messages.json"

# A name that the extension draws for its marks in a page, and its further ones.
IS_OURS = "/^data-[a-z]{11}(-theme|-reading|-open|-still)?$/"
COUNT_MARKS = f"""() => [...document.querySelectorAll("*")]
    .filter(element => element.getAttributeNames().some(name => {IS_OURS}.test(name))).length"""
# All the elements below a document, into its frames and open shadow roots.
EVERYTHING = """
function everything(root = document) {
    return [...root.querySelectorAll("*")].flatMap(element => [
        element,
        ...(element.shadowRoot ? everything(element.shadowRoot) : []),
        ...(element.localName === "iframe" && element.contentDocument ? everything(element.contentDocument) : []),
    ]);
}
"""


def text(name: str, *values: str) -> str:
    """A text of the extension by its name, with these values in its placeholders."""
    message = json.loads(MESSAGES.read_text("utf-8"))[name]
    contents = {place.upper(): content["content"] for place, content in message.get("placeholders", {}).items()}
    return re.sub(r"\$(\w+)\$", lambda found: values[int(contents[found[1]][1:]) - 1], message["message"])


def show_template(browser: Browser) -> None:
    """Click the button of a page that shows as it is, and wait for its template.

    An error of the click before stays on the button until the work shows.
    """
    before = browser.button_state()
    browser.click_button()
    shown = browser.wait_for_state("template", "error", "impossible", other_than=before)
    assert shown.state == "template", f"{shown}\n{browser.host_log()}"


def show_page(browser: Browser) -> None:
    """Click the button of a page that shows its template, and wait for the page."""
    browser.click_button()
    browser.wait_for_state("original")


def show_content(browser: Browser) -> None:
    """Click the button of a page that shows as it is after its template, and wait for the content alone."""
    browser.click_button()
    browser.wait_for_state("content")


def choose_style(browser: Browser, style: str) -> None:
    """Press a reading style in the panel, and wait until the page shows it."""
    browser.click_panel(f"reading_{style}")
    wanted = None if style == "off" else style
    wait_until(lambda: browser.button_state().kept.get("reading") == wanted, f"{style} is not chosen")


def visible(browser: Browser, selector: str) -> list[str]:
    """The names of the elements that match and can be seen; none that match is an error."""
    names: list[list[str]] = browser.run(
        """selector => {
            const all = [...document.querySelectorAll(selector)];
            const seen = all.filter(element => element.checkVisibility({visibilityProperty: true}));
            return [all, seen].map(elements => elements.map(element => element.localName));
        }""",
        selector,
    )
    assert names[0], f"nothing on the page matches {selector}"
    return names[1]


def all_of(browser: Browser, selector: str) -> list[str]:
    names: list[str] = browser.run(
        "selector => [...document.querySelectorAll(selector)].map(element => element.localName)", selector
    )
    return names


def whole_state(browser: Browser) -> dict[str, Any]:
    """All that a second click has to bring back: markup, computed styles, scroll, focus, values, selection."""
    state: dict[str, Any] = browser.run(
        f"""() => {{ {EVERYTHING}
            const styles = everything().map(element => {{
                const style = element.ownerDocument.defaultView.getComputedStyle(element);
                return [...style].map(name => style.getPropertyValue(name)).join(";");
            }});
            const path = element => element ? everything().indexOf(element) : -1;
            const {{anchorNode, anchorOffset, focusNode, focusOffset}} = getSelection();
            return {{
                markup: document.documentElement.outerHTML,
                attributes: everything().map(e => [...e.attributes].map(a => [a.name, a.value])),
                styles,
                scroll: [scrollX, scrollY, ...everything().map(e => e.scrollTop)],
                focus: path(document.activeElement),
                values: everything().map(e => [e.value ?? null, e.checked ?? null].map(String)),
                carets: everything().map(e => [e.selectionStart ?? null, e.selectionEnd ?? null]),
                selection: [
                    String(getSelection()), path(anchorNode?.parentElement), anchorOffset,
                    path(focusNode?.parentElement), focusOffset,
                ],
                sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
                highlights: CSS.highlights.size,
            }};
        }}"""
    )
    return state


def picture(browser: Browser) -> Image.Image:
    """The picture in the window, without the extension's panel."""
    return Image.open(io.BytesIO(browser.screenshot())).convert("RGB")


def box_of(browser: Browser, selector: str) -> Box:
    """The box of the first element that matches, in the window's pixels, its edges left out."""
    left, top, right, bottom = browser.run(
        "s => { const r = document.querySelector(s).getBoundingClientRect();"
        " return [r.left, Math.max(r.top, 0), r.right, Math.min(r.bottom, innerHeight)]; }",
        selector,
    )
    return (int(left) + 1, int(top) + 1, int(right) - 1, int(bottom) - 1)


def colours(image: Image.Image, box: Box) -> set[RGB]:
    part = image.crop(box)
    counted = part.getcolors(part.width * part.height) or []
    return {tuple(colour) for _, colour in counted if isinstance(colour, tuple)}  # type: ignore[misc]
