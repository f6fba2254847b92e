"""The page beside the unpacked extension that shows the steps with a picture of the browser's page."""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from sitestencil_host.setup.browsers import Browser
from sitestencil_host.setup.extension_steps import Step

PAGE_NAME = "steps.html"
_PICTURES = Path(__file__).with_name("pictures")
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Add Sitestencil to your browser</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }}
code {{ padding: .1em .35em; border: 1px solid; border-radius: .3em; overflow-wrap: anywhere; user-select: all; }}
li {{ margin: .5em 0; }}
img {{ width: 100%; height: auto; border: 1px solid; border-radius: .5em; }}
</style>
</head>
<body>
<main>
<h1>Add Sitestencil to your browser</h1>
<p>A browser lets no other program do this, so it needs your clicks. One click selects a text in a box; then copy
it.</p>
{sections}
</main>
</body>
</html>
"""
_SECTION = """\
<section id="{name}">
<h2>{title}</h2>
<ol>
{steps}
</ol>
<p><img src="data:image/png;base64,{picture}" alt="{alt}"></p>
</section>"""
_SHOWN = {
    "chromium": "The page of extensions. 2: the switch Developer mode, at the top right. 3: the button Load "
    "unpacked, at the top left.",
    "firefox": "The page This Firefox. 2: the button Load Temporary Add-on, at the right.",
}


def steps_page(told: Iterable[tuple[Browser, Sequence[Step]]]) -> str:
    """Return the page with the steps for these browsers; its pictures are inside."""
    return _PAGE.format(sections="\n".join(_section(browser, steps) for browser, steps in told))


def _section(browser: Browser, steps: Sequence[Step]) -> str:
    picture = (_PICTURES / f"{browser.family}.png").read_bytes()
    return _SECTION.format(
        name=browser.name,
        title=escape(browser.title),
        steps="\n".join(f"<li>{_marked(step)}</li>" for step in steps),
        picture=base64.b64encode(picture).decode(),
        alt=_SHOWN[browser.family],
    )


def _marked(step: Step) -> str:
    return escape(step.words).format(f"<code>{escape(step.typed)}</code>")
