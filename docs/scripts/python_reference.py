"""Writes docs/python.md from the docstrings of what is public: ``python -m docs.scripts.python_reference``."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import sitestencil

FILE = Path(__file__).resolve().parent.parent / "python.md"
_HEAD = """\
# The Python library

Made from the docstrings by `docs/scripts/python_reference.py` (`make docs`); change these, not this file.
"""
_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Example):\s*$", re.MULTILINE)
_ITEM = re.compile(r"^(\w[\w, ]*): ", re.MULTILINE)
_TITLES = {"Args": "Arguments", "Attributes": "Attributes", "Raises": "Errors", "Returns": "Returns"}


def document() -> str:
    """Return the document."""
    values = {name: getattr(sitestencil, name) for name in sitestencil.__all__}
    functions = {name: value for name, value in values.items() if inspect.isfunction(value)}
    errors = {name: value for name, value in values.items() if _is_error(value)}
    classes = {name: value for name, value in values.items() if inspect.isclass(value) and name not in errors}
    parts = [_HEAD, _text(inspect.getdoc(sitestencil) or ""), "## Functions\n"]
    for name, function in functions.items():
        parts += [f"### {name}\n", _code(_signature(function)), _text(inspect.getdoc(function) or "")]
    parts.append("## Classes\n")
    for name, value in classes.items():
        parts += [f"### {name}\n", _text(inspect.getdoc(value) or ""), *_members(value)]
    parts += ["## Errors\n", "".join(_error(name, value) for name, value in errors.items())]
    return "\n".join(parts)


def _is_error(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, sitestencil.SitestencilError)


def _error(name: str, error: type[Exception]) -> str:
    first = (inspect.getdoc(error) or "").partition("\n")[0]
    return f"* `{name}` (a `{error.__bases__[0].__name__}`): {first}\n"


def _members(owner: type) -> Iterator[str]:
    for name, member in vars(owner).items():
        function = _function_of(member)
        if name.startswith("_") or function is None or not inspect.getdoc(function):
            continue
        is_property = isinstance(member, property | cached_property)
        title = f"{owner.__name__}.{name}" if is_property else f"{owner.__name__}.{name}()"
        yield f"#### {title}\n"
        if not is_property:
            yield _code(_signature(function))
        yield _text(inspect.getdoc(function) or "")


def _function_of(member: Any) -> Any:  # noqa: ANN401 - whatever a class holds
    if isinstance(member, property):
        return member.fget
    if isinstance(member, classmethod | staticmethod):
        return member.__func__
    if inspect.isfunction(member):
        return member
    return member.func if isinstance(member, cached_property) else None


def _signature(function: Any) -> str:  # noqa: ANN401
    """Return a signature as its source has it, without what it belongs to."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    arguments = node.args
    if arguments.args and arguments.args[0].arg in {"self", "cls"}:
        del arguments.args[0]
    start = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{start}{node.name}({ast.unparse(arguments)}){returned}"
    return line if len(line) <= 100 else _on_lines(start + node.name, arguments, returned)


def _on_lines(name: str, arguments: ast.arguments, returned: str) -> str:
    """Return a signature with a line for each argument."""
    lines = _argument_lines(arguments)
    return f"{name}(\n" + "".join(f"    {line},\n" for line in lines) + f"){returned}"


def _argument_lines(arguments: ast.arguments) -> list[str]:
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    lines = [_argument(*pair) for pair in zip(arguments.args, defaults, strict=True)]
    if arguments.kwonlyargs:
        lines.append("*")
    return lines + [_argument(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _text(docstring: str) -> str:
    """Return a docstring as Markdown: sections as lists, examples as code."""
    first, *sections = _SECTION.split(docstring)
    parts = [_examples(first.rstrip()) + "\n"]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        inner = textwrap.dedent(body.strip("\n")).rstrip()
        parts.append(_code(inner) if title == "Example" else f"{_TITLES[title]}:\n\n{_items(inner)}\n")
    return "\n".join(parts)


def _items(text: str) -> str:
    return _ITEM.sub(lambda found: f"* `{found[1]}`: ", _inline(text))


def _examples(text: str) -> str:
    """Fence the examples that stand between paragraphs."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        _code(textwrap.dedent(paragraph)).rstrip() if paragraph.lstrip().startswith(">>> ") else _inline(paragraph)
        for paragraph in paragraphs
    )


def _inline(text: str) -> str:
    return text.replace("``", "`")


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
