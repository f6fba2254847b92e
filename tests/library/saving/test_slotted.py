"""What shows in a slot of a shadow tree shows in a file, too: the slot stays, and what fills it goes there."""

import re

from tests.support.judged_pages import judged
from tests.support.saved_pages import in_one_line

from sitestencil.outputs.content import content_html
from sitestencil.outputs.judged_page import JudgedPage
from sitestencil.page.parsing import parse
from sitestencil.saving.standalone_html import template_html

OPEN = '<template shadowrootmode="open">'
WRAPPED = f"<x-shell>{OPEN}<section class=c><b>News</b><slot></slot></section></template>"
MADE = re.compile(r"<style.*?</style>| data-slot[\w-]*=\"[^\"]*\"", re.DOTALL)
TEMPLATES = {
    f"{WRAPPED}<nav>Menu</nav></x-shell>": "<span></span><slot></slot></section></template><nav>Menu",
    f"{WRAPPED}Menu</x-shell>": "<span></span><slot></slot></section></template>Menu",
    f"<x-shell>{OPEN}<x-in>{OPEN}<p class=c>News<slot></p></template><slot></slot></x-in></template><nav>Menu": (
        '<p class="c"><span></span><slot></slot></p></template><slot></slot></x-in></template><nav>Menu'
    ),
    f"<x-shell>{OPEN}<slot name=a></slot><slot name=b>None</slot></template><article class=c slot=a>News</article>"
    "<p class=c slot=b>Words</p></x-shell>": '<article class="c" slot="a"></article><p class="c" slot="b"></p>',
    f"<x-shell>{OPEN}<slot name=a></slot></template><h1 class=c slot=a>News</h1><p class=c slot=a>Words</p>"
    "</x-shell>": '<div slot="a"></div>',
}
STORY = '<article class="c">News</article>'


def of(body: str) -> JudgedPage:
    """A page whose elements of the class "c", and all in them, are content."""
    page = parse(f"<!doctype html><body><header>Top</header>{body}", "https://example.org/")
    template = [
        all("c" not in page.classes[around] for around in page.path(element)) for element in range(len(page))
    ]
    return judged(page, template, [template[run.parent] for run in page.texts])


def test_a_saved_template_keeps_its_slots_and_their_fillings() -> None:
    written = {body: MADE.sub("", in_one_line(template_html(of(body)))) for body in TEMPLATES}
    assert [body for body, part in TEMPLATES.items() if part not in written[body]] == []
    named = next(body for body in TEMPLATES if "name=b" in body)
    assert 'slot="b"' in template_html(of(named))


def test_saved_content_keeps_the_slot_that_draws_it_in_a_shadow_tree_with_content() -> None:
    shell = f"<x-shell>{OPEN}<p class=c>Late</p><section><slot></slot></section></template>{STORY}</x-shell>"
    assert f"<section><slot></slot></section></template>{STORY}" in content_html(of(shell))


def test_no_slot_of_an_inner_host_draws_the_nodes_of_the_outer_one() -> None:
    inner = f"<div class=c>News<x-in>{OPEN}<slot></slot></template></x-in></div>"
    html = template_html(of(f"<x-shell>{OPEN}{inner}<i>End</i></template><nav>Menu</nav></x-shell>"))
    assert "<slot" not in html
