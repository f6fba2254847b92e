"""Write the project's layouts for Jinja2, and its build."""

from collections.abc import Mapping
from pathlib import Path

from sitestencil.rebuild import jinja_build
from sitestencil.rebuild.layouts import Syntax, layouts_of
from sitestencil.rebuild.model import Model
from sitestencil.saving.jinja_layout import jinja_text

JINJA = Syntax(
    escape=jinja_text,
    root="{{ root }}",
    main="{{ main }}",
    html='{{ OF["NAME"] }}',  # an item, never an attribute, which could be a method
    attribute='{{ attribute("ATTRIBUTE", OF["NAME"]) }}',
    option='{% if OF["NAME"] %}INSIDE{% endif %}',
    each='{% for item in OF["NAME"] %}INSIDE{% endfor %}',
    between="{% if not loop.first %}INSIDE{% endif %}",
    block="{% block NAME %}INSIDE{% endblock %}",
    filled="{% block NAME %}INSIDE{% endblock %}",
    include='{% include "partials/NAME.html" %}',
)


def jinja_files(model: Model, shared: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a project for Jinja2 by path; `shared` are content and data."""
    build = Path(jinja_build.__file__).read_text(encoding="utf-8")
    return {**shared, **layout_files(model, JINJA, ".html"), "build.py": build}


def layout_files(model: Model, syntax: Syntax, end: str) -> dict[str, str]:
    """Return the layouts by path, with an ending: Nunjucks reads them, too."""
    layouts = layouts_of(model, syntax)
    files = {f"layouts/base{end}": layouts.base}
    files |= {f"layouts/partials/{name}{end}": text for name, text in layouts.partials.items()}
    for kind, blocks in layouts.kinds.items():
        files[f"layouts/{kind}{end}"] = "\n".join([f'{{% extends "base{end}" %}}', *blocks, ""])
    return files
