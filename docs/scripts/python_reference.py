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
from sitestencil import crawl
from sitestencil.whole_site.pages import site

FILE = Path(__file__).resolve().parent.parent / "python.md"
_HEAD = """\
# The Python library

Made from the docstrings by `docs/scripts/python_reference.py` (`make docs`); change these, not this file.
The examples begin with `from sitestencil import *`; `help(Template)` and the like have more.
"""
_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Example):\s*$", re.MULTILINE)
_ITEM = re.compile(r"^(\w[\w, ]*): ", re.MULTILINE)
_TITLES = {"Args": "Arguments", "Attributes": "Attributes", "Returns": "Returns"}
_IMPORT = re.compile(r"^>>> from sitestencil import .*\n", re.MULTILINE)
_SOURCES = (sitestencil.HttpSource, sitestencil.RenderedSource)
_LIKE_ANOTHER = re.compile(r"rguments and errors are those of")
# The examples of others stay in their docstrings.
_WITH_EXAMPLE = ("Source",)
_CRAWL = ("contents", "SiteContents", "Formats", "PageContent", "Skipped")
# Classes whose fields another document explains.
_FIELDS_IN = {"Metadata": "outputs.md#metadata", "PageContent": "crawls.md", "Skipped": "crawls.md#how-it-works"}
_FIELDS_IN_HELP = ("Document", "File", "Formats", "Link", "LoadedPage", "Progress", "Reason", "Rule", "UnitChange")
# Members that mostly the library itself calls: only their names are given, and their docstrings have the rest.
_BY_NAME = {
    "Document": None,  # all
    "LearnedTemplate": ("answer", "of", "of_answer", "sketch"),
    "LoadedPage": None,
    "StoredSite": None,
    "Template": (
        "judged_page",
        *("ranges", "content_text_ranges", "main_ranges", "main_text_ranges", "part_ranges"),
    ),
}


def document() -> str:
    """Return the document."""
    values = {name: getattr(sitestencil, name) for name in sitestencil.__all__}
    values["site"] = site  # the name is the room's, too
    functions = {name: value for name, value in values.items() if inspect.isfunction(value)}
    errors = {name: value for name, value in values.items() if _is_error(value)}
    classes = {name: value for name, value in values.items() if inspect.isclass(value) and name not in errors}
    parts = [_HEAD, _text(inspect.getdoc(sitestencil) or ""), "## Functions\n"]
    for name, function in functions.items():
        parts += _function(name, function, functions)
    parts.append("## Classes\n")
    for name, value in classes.items():
        parts += [f"### {name}\n", _text(_docstring(value)), *_members(value)]
    parts += ["## Pages in memory\n", _code(f"from sitestencil.crawl import {', '.join(_CRAWL)}")]
    for name in _CRAWL:
        value = getattr(crawl, name)
        if inspect.isclass(value):
            parts += [f"### {name}\n", _text(_docstring(value)), *_members(value)]
        else:
            parts += _function(name, value, {})
    del errors["SitestencilError"]  # the library's docstring tells of it
    parts += ["## Errors\n", "".join(_error(name, value) for name, value in errors.items())]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def _function(name: str, function: Any, functions: dict[str, Any]) -> Iterator[str]:  # noqa: ANN401
    """Yield a function's entry; that of a coroutine with the same arguments is a line below the other's."""
    twin = functions.get(name.removesuffix("_async"))
    if twin not in (None, function) and inspect.signature(twin) == inspect.signature(function):
        return
    yield f"### {name}\n"
    yield _code(_signature(function))
    yield _text(_docstring(function))
    coroutine = functions.get(f"{name}_async")
    if coroutine and inspect.signature(coroutine) == inspect.signature(function):
        yield f"`await {name}_async(...)` does the same in a coroutine.\n"


def _is_error(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, sitestencil.SitestencilError)


def _error(name: str, error: type[Exception]) -> str:
    first = (inspect.getdoc(error) or "").partition("\n")[0]
    base = error.__bases__[0]
    kind = "" if base in (Exception, sitestencil.SitestencilError) else f" (a `{base.__name__}`)"
    return f"* `{name}`{kind}: {first}\n"


def _docstring(value: Any) -> str:  # noqa: ANN401
    """Return a docstring without its example, if others show as much."""
    docstring = inspect.getdoc(value) or ""
    if place := _FIELDS_IN.get(value.__name__):
        return docstring.partition("\nAttributes:")[0] + f"\nIts fields are [those of the tables]({place})."
    if value.__name__ in _FIELDS_IN_HELP:
        return docstring.partition("\nAttributes:")[0] + f"\n`help({value.__name__})` lists its fields."
    return docstring if value.__name__ in _WITH_EXAMPLE else docstring.partition("\nExample:")[0]


def _members(owner: type) -> Iterator[str]:
    """Yield the members of a class: its values, then its methods. Those of a loading source the library calls."""
    if issubclass(owner, _SOURCES):
        return
    known: dict[str, str] = {}
    by_name = _BY_NAME.get(owner.__name__, ())
    values, delegated, methods = [], [], []
    for name, member in vars(owner).items():
        function = _function_of(member)
        is_left_out = name.startswith("_") or by_name is None or name in by_name
        if is_left_out or function is None or not inspect.getdoc(function):
            continue
        if not isinstance(member, property | cached_property):
            methods.append(function)
        elif f"return self.detection.{name}\n" in inspect.getsource(function):
            delegated.append(f"`{name}`")
        else:
            values.append(f"* `{name}`: {_inline(inspect.getdoc(function) or '')}\n")
    if delegated:
        values.append(f"* {', '.join(delegated)}: those of `detection`.\n")
    if values:
        yield "".join(values)
    # A list of the plain ones comes first: below a heading it would seem to belong to that method.
    plain = [function for function in methods if "\n\n" not in (inspect.getdoc(function) or "")]
    others = [function for function in methods if function not in plain]
    yield "".join(_method(function, known) for function in [*plain, *others])


def _method(function: Any, known: dict[str, str]) -> str:  # noqa: ANN401
    """Return a method's entry: a line of a list if its docstring is a paragraph."""
    signature, docstring = _signature(function), inspect.getdoc(function) or ""
    if "\n\n" not in docstring:
        return f"* `{signature}`: {_inline(docstring.removeprefix('Return '))}\n"
    text = _text(_docstring(function).removeprefix("Return "), function.__name__, known)
    text = text[0].upper() + text[1:]
    if "\n" in signature:
        return f"\n#### {function.__name__}\n\n{_code(signature)}\n{text}"
    return f"\n#### `{signature}`\n\n{text}"


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
    if arguments.args and arguments.args[-1].arg.startswith("_"):
        del arguments.args[-1], arguments.defaults[-1]
    if _LIKE_ANOTHER.search(ast.get_docstring(node) or ""):
        _strip(arguments)
    start = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{start}{node.name}({ast.unparse(arguments)}){returned}"
    return line if len(line) <= 100 else _on_lines(start + node.name, arguments, returned)


def _strip(arguments: ast.arguments) -> None:
    """Leave only the names of arguments that another function has with the same types and defaults."""
    arguments.defaults.clear()
    arguments.kw_defaults[:] = [None] * len(arguments.kwonlyargs)
    for argument in [*arguments.args, *arguments.kwonlyargs, *_options(arguments)]:
        argument.annotation = None


def _on_lines(name: str, arguments: ast.arguments, returned: str) -> str:
    """Return a signature with a line for each argument."""
    lines = _argument_lines(arguments)
    return f"{name}(\n" + "".join(f"    {line},\n" for line in lines) + f"){returned}"


def _argument_lines(arguments: ast.arguments) -> list[str]:
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    lines = [_argument(*pair) for pair in zip(arguments.args, defaults, strict=True)]
    if arguments.kwonlyargs:
        lines.append("*")
    lines += [_argument(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return lines + [f"**{ast.unparse(options)}" for options in _options(arguments)]


def _options(arguments: ast.arguments) -> list[ast.arg]:
    """Return the argument that takes all other keywords, if there is one."""
    return [arguments.kwarg] if arguments.kwarg else []


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _text(docstring: str, name: str = "", known: dict[str, str] | None = None) -> str:
    """Return a docstring as Markdown: sections as lists, examples as code.

    Args:
        docstring: of a function, a class or a module.
        name: the method's name.
        known: the items that other methods of the class have described, with these methods' names.
    """
    first, *sections = _SECTION.split(docstring)
    parts = [_examples(first.rstrip()) + "\n"]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        inner = textwrap.dedent(body.strip("\n")).rstrip()
        if title == "Example":
            parts.append(_example(inner))
        elif title == "Raises":  # the errors' own section tells of each
            parts.append(f"Errors: {', '.join(f'`{item}`' for item in _ITEM.findall(inner))}.\n")
        else:
            parts.append(f"{_TITLES[title]}:\n\n{_items(inner, name, {} if known is None else known)}")
    return "\n".join(parts)


def _items(text: str, name: str, known: dict[str, str]) -> str:
    """Return a section as a list; items that another method has described alike share a line that names it."""
    names_and_texts = _ITEM.split(_inline(text))[1:]
    described: list[str] = []
    alike: dict[str, list[str]] = {}
    for item, said in zip(names_and_texts[::2], names_and_texts[1::2], strict=True):
        entry = f"* `{item}`: {said.rstrip()}\n"
        if described and described[-1].endswith(f"`: {said.rstrip()}\n"):
            described[-1] = described[-1].replace("`: ", f"`, `{item}`: ", 1)
        elif known.setdefault(entry, name) != name:
            alike.setdefault(known[entry], []).append(f"`{item}`")
        else:
            described.append(entry)
    return "".join([*described, *(f"* {', '.join(items)}: as in `{other}`.\n" for other, items in alike.items())])


def _example(text: str) -> str:
    return _code(_IMPORT.sub("", text))


def _examples(text: str) -> str:
    """Fence the examples that stand between paragraphs."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        _example(textwrap.dedent(paragraph)).rstrip()
        if paragraph.lstrip().startswith(">>> ")
        else _inline(paragraph)
        for paragraph in paragraphs
    )


def _inline(text: str) -> str:
    return text.replace("``", "`")


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
