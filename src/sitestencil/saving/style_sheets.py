"""Read style sheets, and join them: imported rules stand in the place of their imports."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import webencodings
from tinycss2 import parse_component_value_list, parse_stylesheet, serialize
from tinycss2.ast import Node

from sitestencil.outputs.files import File
from sitestencil.outputs.safe_addresses import Base
from sitestencil.outputs.safe_css import ADDRESS_FUNCTIONS, safe_css

_DEEPEST_IMPORT = 5
_LEAST_COUNTED = 100_000  # bytes of an import: small sheets may import each other many times
_STATEMENTS = frozenset({"charset", "layer", "import"})
_CONDITION = re.compile(
    r"\s*(?:(?P<layer>layer)(?:\((?P<name>[^()]*)\))?)?\s*"
    r"(?:supports\((?P<supports>(?:[^()]|\([^()]*\))*)\))?\s*(?P<media>.*)",
    re.IGNORECASE | re.DOTALL,
)
_MODERN_FONT = re.compile(r"\.woff2(?:[?#]|$)", re.IGNORECASE)
_BRACKETS = re.compile(r"[(\[{}\])]")
_CHARSET = re.compile(rb'@charset "([^"]*)";')
_DEEPEST = 50
_NOT_SIMPLE = frozenset("\"'{}\\")
Takes = Callable[[int], bool]
Find = Callable[[str], File | None]


def sheet_text(sheet: File) -> str:
    """Return a style sheet's text, decoded as browsers do (CSS Syntax 3, 3.2)."""
    declared = _CHARSET.match(sheet.content[:1024])
    labels = (sheet.charset, declared[1].decode("latin-1") if declared else None)
    encoding = next(
        (known for label in labels if label and (known := webencodings.lookup(label))), webencodings.UTF8
    )
    text, _ = webencodings.decode(sheet.content, encoding)
    return str(text)


def is_deep(css: str) -> bool:
    """Return whether brackets are nested too deeply to be read."""
    depth = 0
    for sign in _BRACKETS.findall(css):
        depth += 1 if sign in "([{" else -1 if depth else 0
        if depth > _DEEPEST:
            return True
    return False


def rules_of(css: str) -> list[Node] | None:
    """Return a sheet's rules; None if brackets in it are nested too deeply."""
    if is_deep(css):
        return None
    rules = parse_stylesheet(f"{css}\n", skip_whitespace=True)  # a string ends with its line
    return [
        rule for rule in rules if rule.type != "error" and not any(map(_is_stray, getattr(rule, "prelude", ())))
    ]


def _is_stray(token: Node) -> bool:
    """Return whether a token makes its rule invalid, and could end the rule around it."""
    return token.type == "error" and token.kind in {")", "]", "}", "bad-string", "bad-url"}


def joined_css(css: str, base: Base, find: Find, takes: Takes = lambda _: True, above: tuple[str, ...] = ()) -> str:
    """Return safe CSS that imports no other file, as far as these go.

    Args:
        css: the sheet's text.
        base: the address that its references resolve against.
        find: returns the sheet of an address, which is put in the place of its import.
        takes: whether an imported sheet of so many bytes is still taken; one that is not keeps its address.
        above: the sheets that import this one.
    """
    safe, above = safe_css(css, base), above or (base,)
    rules = rules_of(safe) if above[1:] or "@import" in safe.lower() else None
    if rules is None:
        return safe if len(above) == 1 else ""
    # Imports that keep their address, and the like, work only before all rules.
    head: list[str] = []
    parts: list[str] = []
    rest: list[str] = []
    for rule, address, condition in _with_imports(rules):
        sheet = find(address) if address else None
        is_known = address not in above and len(above) <= _DEEPEST_IMPORT
        if rest or not _is_of_head(rule):
            rest.append(serialize([rule]))
        elif sheet is None or not is_known or not takes(max(len(sheet.content), _LEAST_COUNTED)):
            head.append(serialize([rule]))
        else:
            inner = joined_css(sheet_text(sheet), Base(sheet.url, base.growth), find, takes, (*above, address))
            parts.append(_under(condition, inner))
    return "\n".join(head + parts + rest)


def _is_of_head(rule: Node) -> bool:
    return rule.type == "comment" or (
        rule.type == "at-rule" and rule.content is None and rule.lower_at_keyword in _STATEMENTS
    )


def _with_imports(rules: Iterable[Node]) -> Iterator[tuple[Node, str, str]]:
    """Yield rules, with the address and the condition of imports; both are empty for others."""
    for rule in rules:
        prelude = [token for token in rule.prelude if token.type != "comment"] if _is_import(rule) else []
        while prelude and prelude[0].type == "whitespace":
            del prelude[0]
        condition = serialize(prelude[1:])
        named = [token for token in _flat(prelude[:1]) if token.type in {"string", "url"}]
        # A string or an escape in the condition could hide what ends it.
        yield (rule, named[0].value, condition) if named and not _NOT_SIMPLE & set(condition) else (rule, "", "")


def _flat(prelude: Sequence[Node]) -> Sequence[Node]:
    """Return what stands in the function ``url``, or the tokens."""
    is_url = prelude and prelude[0].type == "function" and prelude[0].lower_name == "url"
    return prelude[0].arguments if is_url else prelude


def _is_import(rule: Node) -> bool:
    return _is_of_head(rule) and rule.type == "at-rule" and rule.lower_at_keyword == "import"


def _under(condition: str, css: str) -> str:
    """Wrap imported rules in the conditions of their import: layer, support, media."""
    found = _CONDITION.fullmatch(condition.strip())
    if found is None:
        return ""
    if found["media"]:
        css = f"@media {found['media']} {{\n{css}\n}}\n"
    if found["supports"]:
        css = f"@supports ({found['supports']}) {{\n{css}\n}}\n"
    if found["layer"]:
        css = f"@layer {found['name'] or ''} {{\n{css}\n}}\n"
    return css


def drawn_addresses(css: str) -> Iterator[str]:
    """Yield the web addresses of the images in safe CSS, and the best file of each font.

    Args:
        css: rules, declarations or a value, as `safe_css` returns them.
    """
    if "(" in css and not is_deep(css):
        yield from _drawn(parse_component_value_list(css))


def _drawn(tokens: Iterable[Node]) -> Iterator[str]:
    rule = ""
    for one in tokens:
        if one.type == "at-keyword":
            rule = one.lower_value
        elif one.type == "{} block":
            inner = list(_drawn(one.content))
            modern = [address for address in inner if rule == "font-face" and _MODERN_FONT.search(address)]
            yield from modern or inner
            rule = ""
        elif one == ";":
            rule = ""
        elif rule != "import" and one.type == "function":
            if one.lower_name in ADDRESS_FUNCTIONS:
                texts = (argument.value for argument in one.arguments if argument.type == "string")
                yield from (text for text in texts if text.startswith("http"))
            yield from _drawn(one.arguments)
