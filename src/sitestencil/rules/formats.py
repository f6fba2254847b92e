"""Write a site's rules for the programs that use them.

Only sets whose proof is good enough are written. A file for a whole site strips only what no kind of its pages
misses.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cssselect import HTMLTranslator

from sitestencil.rules.rule_set import KindRules, RuleSet, SiteRules

_XPATH = HTMLTranslator()
_TEXTS = ("p", "li", "td", "dd", "pre", "blockquote")
_DOCSEARCH_LEVELS = 6


def files_of(site: SiteRules) -> dict[str, str]:
    """Return the files of a site by name; a file that would hold no rule is left out."""
    name = site.site.replace(":", "+")
    files = {f"{name}{ending}": write(site) for ending, write in _FORMATS.items()}
    return {file: text for file, text in files.items() if text}


def xpath(selector: str) -> str:
    """Return the XPath of a CSS selector.

    >>> xpath("main > h1")
    '//main/h1'
    """
    return _XPATH.css_to_xpath(selector, "//")


def _kept(site: SiteRules) -> list[tuple[KindRules, RuleSet]]:
    return [(kind, keep) for kind in site.kinds if (keep := kind.good("keep")) is not None]


def _unique(selectors: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(selectors))


def _css(site: SiteRules) -> str:
    rules = ",\n".join(site.everywhere)
    return f"/* The template of {site.site}. */\n{rules} {{\n  display: none !important;\n}}\n" if rules else ""


def _print_css(site: SiteRules) -> str:
    css = _css(site)
    return f"@media print {{\n{css}}}\n" if css else ""


def _ublock(site: SiteRules) -> str:
    lines = "".join(f"{site.site}##{selector}\n" for selector in site.everywhere)
    return f"! Title: the template of {site.site}\n{lines}" if lines else ""


def _full_text(site: SiteRules) -> str:
    """Write ``ftr-site-config``: the first body that matches counts, and all of its alternatives are one XPath."""
    kept = _kept(site)
    if not kept:
        return ""
    lines = [f"# {site.site}: proved on {sum(keep.pages for _, keep in kept)} pages"]
    for name in ("title", "author", "date"):
        found = _unique([kind.fields[name] for kind, _ in kept if name in kind.fields])
        lines += [f"{name}: {xpath(selector)}" for selector in found]
    lines += [f"body: {' | '.join(map(xpath, keep.selectors))}" for _, keep in kept]
    lines += [f"strip: {xpath(one)}" for one in _unique([one for _, keep in kept for one in keep.exceptions])]
    lines += ["prune: no", "tidy: no"]
    lines += [f"test_url: {kind.examples[0]}" for kind, _ in kept]
    return "\n".join(lines) + "\n"


def _change_detection(site: SiteRules) -> str:
    """Write a watch of changedetection.io for each kind: the body of ``POST /api/v1/watch``."""
    watches = []
    for kind in site.kinds:
        keep, strip = kind.good("keep"), kind.good("strip")
        subtract = keep.exceptions if keep else strip.selectors if strip else []
        if keep or strip:
            include = keep.selectors if keep else []
            watches.append({"url": kind.examples[0], "include_filters": include, "subtractive_selectors": subtract})
    return _json(watches)


def _single_file(site: SiteRules) -> str:
    """Write a profile of SingleFile for the site, as ``--settings-file`` and the options' import take it."""
    if not site.everywhere:
        return ""
    profile = {"removedElementsSelector": ", ".join(site.everywhere)}
    rule = {"url": site.site, "profile": site.site, "autoSaveProfile": site.site}
    return _json({"profiles": {site.site: profile}, "rules": [rule]})


def _doc_search(site: SiteRules) -> str:
    """Write the configuration of DocSearch's scraper, which Typesense's also reads."""
    kept = _kept(site)
    if not kept:
        return ""
    places = _unique([selector for _, keep in kept for selector in keep.selectors])
    titles = _unique([kind.fields["title"] for kind, _ in kept if "title" in kind.fields])
    levels = {f"lvl{level}": _below(places, [f"h{level}"]) for level in range(1, _DOCSEARCH_LEVELS + 1)}
    if titles:
        levels["lvl1"] = ", ".join(titles)
    top = {"selector": "", "global": True, "default_value": site.site}
    config = {
        "index_name": site.site,
        "start_urls": [f"https://{site.site}/"],
        "selectors": {"lvl0": top, **levels, "text": _below(places, _TEXTS)},
        "selectors_exclude": _unique([one for _, keep in kept for one in keep.exceptions]),
    }
    return _json(config)


def _below(places: Sequence[str], tags: Sequence[str]) -> str:
    return ", ".join(f"{place} {tag}" for place in places for tag in tags)


def _crawl4ai(site: SiteRules) -> str:
    """Write a schema for ``JsonCssExtractionStrategy`` for each kind, with what its run should leave out."""
    schemas = []
    for kind, keep in _kept(site):
        fields = [{"name": name, "selector": selector, "type": "text"} for name, selector in kind.fields.items()]
        fields.append({"name": "content", "selector": ", ".join(keep.selectors), "type": "html"})
        schema = {"name": kind.kind, "baseSelector": "body", "fields": fields}
        schemas.append({"schema": schema, "excluded_selector": ", ".join(keep.exceptions)})
    return _json(schemas)


def _json(data: Any) -> str:  # noqa: ANN401 - plain data
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n" if data else ""


_FORMATS: Mapping[str, Callable[[SiteRules], str]] = {
    ".css": _css,
    ".print.css": _print_css,
    ".txt": _full_text,
    ".changedetection.json": _change_detection,
    ".singlefile.json": _single_file,
    ".docsearch.json": _doc_search,
    ".crawl4ai.json": _crawl4ai,
    ".ublock.txt": _ublock,
}
