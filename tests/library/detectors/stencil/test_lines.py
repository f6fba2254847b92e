"""Lines of content stay whole, whatever words of them stand on other pages."""

from sitestencil import extract

MENU = "<ul class=menu><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About</a></ul>"
WORDS = "knots ropes sails boats tides winds ports masts decks hulls".split()


def page(code: str, word: str) -> str:
    text = f"<p>{word} are here. Read of {word} and <b>more</b>.</p>" * 4
    return f"<body><header>{MENU}</header><main><h1>{word}</h1>{text}<pre>{code}</pre></main><footer>Ours</footer>"


def code(*words: str) -> str:
    return "\n".join(
        f"<span class=k>class</span> <span class=n>{word}</span><span class=o>:</span>" for word in words
    )


def test_a_block_of_code_and_a_sentence_are_content_as_a_whole() -> None:
    pages = {f"http://a.test/{word}": page(code(*(word * 2 for _ in range(9))), word) for word in WORDS}
    url, html = pages.popitem()
    template = extract(html, url=url, pages=pages)
    document, texts = template.document, template.detection.template_texts
    assert not any(template.detection.template[document.tags.index("pre") + 1 : document.tags.index("footer")])
    inside = [document.tags[run.parent] in {"span", "b"} for run in document.texts]
    assert not any(is_template for is_inside, is_template in zip(inside, texts, strict=True) if is_inside)
    assert template.detection.template[document.tags.index("ul")]


def test_a_line_that_is_mostly_template_stays_as_it_is() -> None:
    pages = {f"http://a.test/{word}": page(code("rope"), word) for word in WORDS}
    url, html = pages.popitem()
    template = extract(html, url=url, pages=pages)
    assert all(
        template.detection.template[element] for element, tag in enumerate(template.document.tags) if tag == "span"
    )
