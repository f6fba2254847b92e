"""Write a site's rules for the programs that use them.

Only sets whose proof is good enough are written; comments say which kind has none, and why.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from cssselect import HTMLTranslator

from sitestencil.rules.feeds import Feed
from sitestencil.rules.rule_set import KindRules, RuleSet, SiteRules

xpath = HTMLTranslator().css_to_xpath
_TEXTS = ("p", "li", "td", "dd", "pre", "blockquote")

Kept = Sequence[tuple[KindRules, RuleSet]]


def files_of(site: SiteRules, name: str) -> dict[str, str]:
    """Return the files of a site, which begin with a name; a file that would hold no rule is left out."""
    host, hidden = site.site, ",\n".join(site.everywhere)
    kept = [(kind, keep) for kind in site.kinds if (keep := kind.good("keep")) is not None]
    files: dict[str, Any] = {".changedetection.json": _watches(site)}
    if site.strip is not None and hidden:
        proof = f"on {site.strip.pages} pages held out {site.strip.recall:.1%} of the content is left"
        css = f"/* The template of {host}: {proof}. */\n{hidden} {{\n  display: none !important;\n}}\n"
        files |= {".css": css, ".print.css": f"@media print {{\n{css}}}\n"}
    if kept:
        files[".txt"] = _full_text(host, kept, _none_of(site))
        if site.feed is not None:
            files[".opml"] = _opml(host, site.feed, kept[0][1])
        files[".docsearch.json"] = _doc_search(host, kept)
        files[".crawl4ai.json"] = [_crawl4ai(kind, keep) for kind, keep in kept]
    return {
        name + ending: data if isinstance(data, str) else json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        for ending, data in files.items()
        if data
    }


def text_of(site: SiteRules) -> tuple[str, int]:
    """Return the rules of pages of one kind for CSS, FreshRSS and full-text feeds, and how many pages prove them.

    The text begins with a sentence about the proof, and is empty if no rules are good enough.
    """
    files, (kind,) = files_of(site, ""), site.kinds
    parts = {"CSS": files.get(".css"), f"ftr-site-config ({site.site}.txt)": files.get(".txt")}
    if keep := kind.good("keep"):
        places, out = ", ".join(keep.selectors), ", ".join(keep.exceptions)
        parts["FreshRSS"] = f"CSS selector of the article: {places}\n" + (f"To remove: {out}\n" if out else "")
    sets = [rules for _, rules in kind.good_sets()]
    text = "".join(f"\n--- {name}\n{part}" for name, part in parts.items() if part)
    if not text or not sets:
        return "", 0
    left, proved = min(rules.recall for rules in sets), sets[0].pages
    learned = f"Rules of {site.site}, learned from {site.pages - proved} pages"
    return f"{learned}: on {proved} others {left:.1%} of the content is left.\n{text}", proved


def _none_of(site: SiteRules) -> list[str]:
    """Return why kinds have no rules to keep their content."""
    return [
        f"No rules for the {kind.pages} pages of kind {kind.kind}: {kind.keep.why if kind.keep else kind.why}."
        for kind in site.kinds
        if not kind.good("keep")
    ]


def _unique(selectors: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(selectors))


def _excluded(kept: Kept) -> list[str]:
    return _unique(one for _, keep in kept for one in keep.exceptions)


def _field(kept: Kept, name: str) -> list[str]:
    return _unique(kind.fields[name] for kind, _ in kept if name in kind.fields)


def _full_text(host: str, kept: Kept, none: Sequence[str]) -> str:
    """Write ``ftr-site-config``: the first body that matches counts, and all of its alternatives are one XPath.

    Its conditions count for links to other pages alone, so a predicate says which kind a page must be of.
    """
    lines = [f"# {host}: proved on {sum(keep.pages for _, keep in kept)} pages", *(f"# {line}" for line in none)]
    marks = {kind.kind: f"[{xpath(kind.mark, '//')}]" if kind.mark else "" for kind, _ in kept}
    kept = sorted(kept, key=lambda one: one[0].mark == "")  # bodies that may match other kinds come last
    for name in ("title", "author", "date"):
        having = [kind for kind, _ in kept if name in kind.fields]
        lines += _unique(f"{name}: {xpath(kind.fields[name], '//')}{marks[kind.kind]}" for kind in having)
    for kind, keep in kept:
        lines.append(f"body: {' | '.join(xpath(one, '//') + marks[kind.kind] for one in keep.selectors)}")
    lines += [f"strip: {xpath(one, '//')}" for one in _excluded(kept)]
    tests = [f"test_url: {url}" for kind, _ in kept for url in kind.examples]
    return "\n".join([*lines, "prune: no", "tidy: no", *tests, ""])


def _opml(host: str, feed: Feed, keep: RuleSet) -> str:
    """Write a subscription of FreshRSS: a feed, or the links of a page, and what to keep of the pages."""
    outline = {"type": "rss", "text": host, "xmlUrl": feed.url, "htmlUrl": f"https://{host}/"}
    if feed.links:
        item = {"Item": xpath(feed.links, "//"), "ItemTitle": ".", "ItemUri": "@href"}
        outline |= {"type": "HTML+XPath", **{f"frss:xPath{name}": value for name, value in item.items()}}
    outline["frss:cssFullContent"] = ", ".join(keep.selectors)
    if keep.exceptions:
        outline["frss:cssContentFilter"] = ", ".join(keep.exceptions)
    stated = " ".join(f"{name}={quoteattr(value)}" for name, value in outline.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0" xmlns:frss="https://freshrss.org/opml">\n'
        f"<head><title>{escape(host)}</title></head>\n<body><outline {stated}/></body>\n</opml>\n"
    )


def _watches(site: SiteRules) -> list[dict[str, Any]]:
    """Write a watch of changedetection.io for each kind: the body of ``POST /api/v1/watch``."""
    watches = []
    for kind in site.kinds:
        keep, strip = kind.good("keep"), kind.good("strip")
        if keep or strip:
            include = keep.selectors if keep else []
            subtract = keep.exceptions if keep else strip.selectors if strip else []
            watches.append({"url": kind.examples[0], "include_filters": include, "subtractive_selectors": subtract})
    return watches


def _doc_search(host: str, kept: Kept) -> dict[str, Any]:
    """Write the configuration of DocSearch's scraper, which Typesense's also reads."""
    places = _unique(selector for _, keep in kept for selector in keep.selectors)

    def below(*tags: str) -> str:
        return ", ".join(f"{place} {tag}" for place in places for tag in tags)

    levels = {f"lvl{level}": below(f"h{level}") for level in range(1, 7)}
    levels["lvl1"] = ", ".join(_field(kept, "title")) or levels["lvl1"]
    top = {"selector": "", "global": True, "default_value": host}
    return {
        "index_name": host,
        "start_urls": [f"https://{host}/"],
        "selectors": {"lvl0": top, **levels, "text": below(*_TEXTS)},
        "selectors_exclude": _excluded(kept),
    }


def _crawl4ai(kind: KindRules, keep: RuleSet) -> dict[str, Any]:
    """Write a schema for ``JsonCssExtractionStrategy``: only of a list it takes all matches.

    The strategy leaves nothing out, so of elements with an exception their children are selected without it.
    """
    fields = [{"name": name, "selector": selector, "type": "text"} for name, selector in kind.fields.items()]
    parts, selectors = {"type": "list", "fields": [{"name": "html", "type": "html"}]}, keep.selectors
    if keep.exceptions:
        out = ", ".join(keep.exceptions)
        left = f"> :not({out}, :has({out}))"
        selectors = [f"{one}:not(:has({out}))" for one in selectors]
        selectors += [f"{one}:has({out}) {left}" for one in keep.selectors]
        selectors += [f"{one} :has({out}) {left}" for one in keep.selectors]
    content = {"name": "content", "selector": ", ".join(selectors), **parts}
    return {"name": kind.kind, "baseSelector": "body", "fields": [*fields, content]}
