"""Read TeX as trees of what it means, so that tests compare mathematics instead of strings."""

import re

Tree = str | tuple["Tree", ...]

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\S", re.DOTALL)
_SHOWS_NOTHING = frozenset(r"\displaystyle \textstyle \limits \left \right \quad \, \; \! \:".split()) | {"\\ "}
_SAME = {r"\lt": "<", r"\gt": ">", r"\le": r"\leq", r"\dfrac": r"\frac", r"\tfrac": r"\frac"}
_ARGUMENTS = {r"\frac": 2, r"\binom": 2, r"\sqrt": 1, r"\mathbf": 1, r"\text": 1, r"\genfrac": 6}


def tex_tree(tex: str) -> Tree:
    r"""Return the tree of a formula.

    >>> tex_tree(r"{a \over {b}}^2") == tex_tree(r"\left. \frac ab \right.^{2}")
    False
    >>> tex_tree(r"{n+1 \over k_1^2}") == tex_tree(r"\dfrac{n + 1}{k^{2}_{1}}")
    True
    """
    tokens = [_SAME.get(one, one) for one in _TOKEN.findall(tex) if one not in _SHOWS_NOTHING]
    tree, rest = _group(tokens)
    assert not rest, f"a brace more: {tex}"
    return tree


def _group(tokens: list[str], ending: str = "") -> tuple[Tree, list[str]]:
    """Return the tree of the tokens before the ending, and the tokens behind it."""
    parts: list[Tree] = []
    over: list[Tree] | None = None
    while tokens:
        token = tokens[0]
        if token == ending:
            return _finished(parts, over), tokens[1:]
        assert token != "}", "a brace less"
        if token == r"\over":
            over, parts, tokens = parts, [], tokens[1:]
        elif token in {"^", "_"}:
            argument, tokens = _argument(tokens[1:])
            base = parts.pop() if parts else ""
            scripts: list[Tree] = [(token, argument)]
            if isinstance(base, tuple) and base[0] == "script":
                base, scripts = base[1], [*scripts, *base[2:]]
            parts.append(("script", base, *sorted(scripts, key=str)))
        else:
            part, tokens = _argument(tokens)
            parts += part[1:] if isinstance(part, tuple) and part[:1] == ("row",) else [part]
    assert not ending, "no end of a group"
    return _finished(parts, over), []


def _finished(parts: list[Tree], over: list[Tree] | None) -> Tree:
    if over is not None:
        return (r"\frac", _finished(over, None), _finished(parts, None))
    return parts[0] if len(parts) == 1 else ("row", *parts)


def _argument(tokens: list[str]) -> tuple[Tree, list[str]]:
    first, rest = tokens[0], tokens[1:]
    if first == "{":
        return _group(rest, "}")
    if first == r"\sqrt" and rest[:1] == ["["]:
        root, rest = _group(rest[1:], "]")
        inside, rest = _argument(rest)
        return (first, root, inside), rest
    parts: list[Tree] = [first]
    for _ in range(_ARGUMENTS.get(first, 0)):
        part, rest = _argument(rest)
        parts.append(part)
    if first == r"\genfrac" and parts[1:4] == ["(", ")", ("row", "0", "p", "t")]:
        parts = [r"\binom", *parts[5:]]
    return (tuple(parts) if len(parts) > 1 else first), rest
