"""Whether a page in front can be read: the contrast of each text that shows, and whether the page is too wide."""

from dataclasses import dataclass

from tests.support.browsers import Browser

LEAST_CONTRAST = 4.5
# A pixel of a canvas turns each notation of a colour into numbers.
_MEASURE = """least => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", {willReadFrequently: true});
    const known = new Map();
    const rgba = colour => {
        if (known.has(colour)) return known.get(colour);
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = "#0000";
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
        known.set(colour, [r, g, b, a / 255]);
        return known.get(colour);
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((value, i) => value * a + below[i] * (1 - a));
    const above = element => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
    const pathOf = element => element ? [...pathOf(above(element)), element] : [];
    const light = rgb => {
        const [r, g, b] = rgb.map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrastOf = ([r, g, b, a], opacity, ground, behind) => {
        const [one, other] = [light(over([r, g, b, a * opacity], ground)), light(behind)];
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    };
    const nameOf = element => element.localName + [...element.classList].map(one => "." + one).join("");
    const wide = [], faint = [];
    const limit = document.documentElement.clientWidth;
    const visit = root => {
        for (const element of root.querySelectorAll("*")) {
            if (element.shadowRoot) visit(element.shadowRoot);
            const isShown = element.checkVisibility({visibilityProperty: true, opacityProperty: true});
            const texts = [...element.childNodes].filter(node => node.nodeType === 3 && node.data.trim());
            if (!isShown || !texts.length || element.closest("svg, select")) continue;
            const range = document.createRange();
            range.selectNodeContents(element);
            const boxes = [...range.getClientRects()].filter(({width, height}) => width > 2 && height > 2);
            const own = element.getBoundingClientRect();
            if (!boxes.length || own.width <= 2 || own.height <= 2) continue;
            const path = pathOf(element);
            const isClipped = path.some(one => getComputedStyle(one).clip.startsWith("rect(0px, 0px, 0px"));
            if (isClipped) continue;
            let ground = [255, 255, 255];
            let image = null;
            const opacity = path.reduce((all, one) => all * getComputedStyle(one).opacity, 1);
            for (const one of path) {
                const {backgroundColor, backgroundImage} = getComputedStyle(one);
                const colour = rgba(backgroundColor);
                if (colour[3] === 1) image = null;
                if (backgroundImage !== "none") image = backgroundImage;
                ground = over(colour, ground);
            }
            for (const part of ["", "::before", "::after", "::first-letter"]) {
                const style = getComputedStyle(element, part);
                const isLetter = part === "::first-letter"; // it can be that of a picture's alternative text
                if (part && (isLetter ? element.querySelector("img") : style.content === "none")) continue;
                const picture = part && style.backgroundImage !== "none" ? style.backgroundImage : image;
                const behind = part ? over(rgba(style.backgroundColor), ground) : ground;
                const contrast = contrastOf(rgba(style.webkitTextFillColor), opacity, ground, behind);
                if (contrast >= least && !picture) continue;
                const words = texts[0].data.trim().slice(0, 40);
                faint.push(`${contrast.toFixed(1)} ${picture ?? ""} ${nameOf(element)}${part}: ${words}`);
            }
        }
    };
    visit(document);
    const {scrollWidth} = document.documentElement;
    if (scrollWidth > limit) for (const element of document.querySelectorAll("*")) {
        const {right} = element.getBoundingClientRect();
        const isBeyond = right + scrollX > limit + 1 && element.checkVisibility();
        if (isBeyond) wide.push(`${Math.round(right)} ${nameOf(element)}`);
    }
    return [faint, wide, limit, scrollWidth];
}"""


@dataclass(frozen=True, slots=True)
class Legibility:
    """How a page reads.

    Attributes:
        faint: the contrast, element and first words of each text below the least contrast, or on a picture.
        wide: the right edge and the name of each element beyond the window, where the page can be scrolled there.
        window: the width of the window, in pixels of CSS.
        width: the width of the page.
    """

    faint: list[str]
    wide: list[str]
    window: int
    width: int

    @property
    def faults(self) -> list[str]:
        """All that makes the page hard to read."""
        beyond = [f"{self.width} in {self.window}: {self.wide}"] if self.width > self.window else []
        return [*self.faint, *beyond]


def legibility(browser: Browser) -> Legibility:
    """Measure the page in front."""
    return Legibility(*browser.run(_MEASURE, LEAST_CONTRAST))
