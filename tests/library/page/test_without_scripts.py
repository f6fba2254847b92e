"""A page that scripts build, and that is written into a ``noscript`` for everyone else."""

import time

from tests.support.tables import table
from tests.support.texts import text_of

from sitestencil import extract, parse

URL = "https://forum.site.example/t/12"
POSTS = "".join(
    f"<div class=post><p>Post {n}: a bowline holds, a granny slips under load.</p></div>" for n in range(12)
)
FORUM = f"<title>Knots</title><script>start()</script><div id=app></div><noscript><h1>Knots</h1>{POSTS}</noscript>"


def test_a_page_whose_text_is_in_noscript_is_read_as_without_scripts() -> None:
    page = parse(FORUM, URL)

    assert "noscript" not in page.tags
    assert page.parents[page.tags.index("h1")] == page.body


def test_the_posts_of_such_a_page_are_its_main_content() -> None:
    template = extract(FORUM, url=URL, pages={})

    assert template.content_text().count("a bowline holds") == 12
    assert template.content_html().count("a bowline holds") == 12
    assert template.content_markdown().count("a bowline holds") == 12


def test_the_other_pages_of_the_site_are_read_alike() -> None:
    header = "<header><a href=/>Knots and ropes</a></header>"
    pages = {
        f"https://forum.site.example/t/{topic}": f"<body><noscript>{header}{posts}</noscript>"
        for topic, posts in ((12, POSTS), (13, POSTS.replace("Post", "Reply")), (14, POSTS.replace("Post", "Note")))
    }

    template = extract(pages.pop(URL), url=URL, pages=pages)

    assert template.pages_loaded == 2
    assert "Knots and ropes" not in template.content_text(around=True)
    assert template.content_text(around=True).count("a bowline holds") == 12


@table(
    "html",
    [
        f"<noscript><p>{'Turn scripts on. ' * 40}</noscript><p>{'A bowline holds. ' * 60}",
        "<noscript><p>Turn scripts on</noscript>",
        f"<noscript><img alt='{'x' * 600}' src=/count.gif></noscript><p>A bowline",
    ],
)
def test_a_noscript_that_is_not_most_of_the_page_stays(html: str) -> None:
    assert "noscript" in parse(html, URL).tags


STORY = "<p>The old gauge stood on the eastern pier for ninety years, and was read twice a day."


@table(
    ("html", "times"),
    [
        (f"<div data-x='a>b'><template id='c>d'>{STORY}</template></div>", 1),
        (f"<div> <template>{STORY}</template> </div>{STORY}", 1),  # no only copy
        (f"<div>Loading<template>{STORY}</template></div>", 0),
        (f"<div><template>{STORY} {{{{ name }}}}</template></div>", 0),  # a script fills it
        (f"<body><template>{STORY}</template>", 0),
        ("<div><template><p>Short</template></div>", 0),
        (f'<iframe srcdoc="{STORY}"></iframe>', 1),
        ('<iframe srcdoc="<p>Short<script>let story = 1</script>"></iframe>', 0),
    ],
)
def test_parts_in_templates_and_in_sources_of_frames_are_shown(html: str, times: int) -> None:
    assert text_of(html).count("gauge") == times


def test_with_scripting_it_is_text_as_in_a_browser() -> None:
    assert "noscript" in parse(FORUM, URL, scripting=True).tags


def test_many_of_them_in_each_other_cost_no_more_than_their_length() -> None:
    begin = time.process_time()
    page = parse(("<noscript>" + "<p>text" * 100) * 400, URL)
    assert time.process_time() - begin < 5
    assert page.tags.count("p") == 40_000


STATED = "Bowlines hold, and grannies slip.\\nTie &amp; <b>test</b> each knot before the storm."


def stated(*bodies: str, page: str = "<main><h1>Knots</h1><div id=app></div></main>") -> str:
    nodes = ",".join(f'{{"@type":"Article","articleBody":"{body}"}}' for body in bodies)
    script = f'<script type="application/ld+json">[{nodes}]</script>'
    return f"<title>Knots</title>{script}{page}<p><a href=/>Home of ropes</a>"


def test_an_article_that_only_json_ld_states_stands_where_its_script_would_write_it() -> None:
    text = extract(stated(STATED), url=URL, pages={}).content_text()

    assert text.splitlines()[:3] == [
        "Knots",
        "Bowlines hold, and grannies slip.",
        "Tie & test each knot before the storm.",
    ]


@table(
    "html",
    [
        stated(STATED, page="<main><div></div><p>Tie and <i>test each knot</i> before the storm."),
        stated(STATED, page=f"<main><div></div><p>{'Another text. ' * 20}"),
        stated(STATED, "The second of two articles in a list."),
        stated(STATED, page="<nav><div></div></nav><p>A place in a landmark"),
        stated("<script>go()</script>"),
        stated(STATED).replace("]</script>", ",</script>"),
    ],
)
def test_a_stated_text_stays_out_where_the_page_has_text_or_no_place_for_it(html: str) -> None:
    page = parse(html, URL)

    assert not any("Bowlines" in run.text for run in page.texts if page.tags[run.parent] != "script")
    assert page.tags.count("script") == 1
