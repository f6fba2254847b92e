"""Find defects of a saved page, independently of the table that it was written by."""

import re

from sitestencil.page.parsing import parse

_COMMENT = re.compile(r"<!--.*?-->\n", re.DOTALL)
_RUNS = frozenset(
    "script base object embed applet noscript noembed noframes xmp plaintext listing frame frameset keygen animate "
    "set animatetransform animatemotion annotation-xml maction mglyph malignmark portal marquee handler".split()
)
_FORBIDDEN_ATTRIBUTES = frozenset(
    "formaction ping is nonce background-sync manifest archive codebase classid".split()
)
_PLAIN = re.compile(r"[a-zA-Z][a-zA-Z0-9]*(?:-[a-z0-9-]*)?")
_PLAIN_ATTRIBUTE = re.compile(r"[a-zA-Z_][a-zA-Z0-9_:-]*")
_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel", "sms", "data"})
_DRAWS = frozenset("img image link input video source feImage body table td th tr".split())
_ADDRESSES = frozenset("href xlink:href src action poster data cite background srcset".split())


def faults(html: str, *, own_base: str | None = None) -> list[str]:
    """Return what of a page could run, redirect or be misread; nothing in a good one.

    Args:
        html: the page.
        own_base: the address of the one ``base`` that the head may have.
    """
    page = parse(html, "http://checked.invalid/", scripting=True, checked=False)
    found = []
    for element, (tag, attributes) in enumerate(zip(page.tags, page.attributes, strict=True)):
        namespace = page.namespaces.get(element, "html")
        if tag == "base" and attributes == {"href": own_base} and page.tags[page.parents[element]] == "head":
            own_base = None
            continue
        if tag.lower() in _RUNS or not _PLAIN.fullmatch(tag) or (tag == "style" and namespace != "html"):
            found.append(f"<{tag}> in {namespace}")
        if tag == "meta" and attributes.get("http-equiv", "Content-Security-Policy") != "Content-Security-Policy":
            found.append(f"meta {attributes}")
        for name, value in attributes.items():
            if not _is_safe(tag, name, value):
                found.append(f"<{tag} {name}={value!r}>")
        if tag == "template" and attributes.get("shadowrootmode") != "open":
            found.append("template")
        if "srcdoc" in attributes:
            found += faults(attributes["srcdoc"])
    return found


def without_comment(html: str) -> str:
    assert html.count("<!--") == 1
    return _COMMENT.sub("", html)


def in_one_line(html: str) -> str:
    """Return a saved layout without its lines and indents."""
    return re.sub(r"\n\t+", " ", re.sub(r"\n\t*(?=[<>/])", "", html))


def _is_safe(tag: str, name: str, value: str) -> bool:
    if name.startswith("on") or name in _FORBIDDEN_ATTRIBUTES or not _PLAIN_ATTRIBUTE.fullmatch(name):
        return False
    if name in _ADDRESSES and (scheme := _SCHEME.match(re.sub(r"[\x00-\x20]", "", value))):
        if scheme[1].lower() not in _SAFE_SCHEMES:
            return False
        return scheme[1].lower() != "data" or (tag in _DRAWS)
    return not (name == "sandbox" and value)
