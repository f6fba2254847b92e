"""Write the project's layouts for Jinja2, and its build."""

from collections.abc import Mapping
from pathlib import Path

from sitestencil.rebuild import jinja_build
from sitestencil.rebuild.layouts import Partials, layout_text
from sitestencil.rebuild.model import Model
from sitestencil.rebuild.patterns import slots_in
from sitestencil.saving.jinja_layout import jinja_text


class JinjaSyntax:
    """Slots are items of ``s``, never its attributes, which could be methods."""

    root = "{{ root }}"
    main = "{{ main }}"
    end = "{% endif %}"
    ending = ".html"

    def escape(self, text: str) -> str:
        """Return a piece of HTML that Jinja2 writes unchanged."""
        return jinja_text(text)

    def html(self, name: str) -> str:
        """Return what writes a slot's value."""
        return f'{{{{ s["{name}"] }}}}'

    def attribute(self, attribute: str, name: str) -> str:
        """Return what writes an attribute, or nothing."""
        return f'{{% if s["{name}"] is string %}} {attribute}="{{{{ s["{name}"] | e }}}}"{{% endif %}}'

    def begin(self, name: str) -> str:
        """Return what begins an element that only some pages have."""
        return f'{{% if s["{name}"] %}}'

    def block(self, name: str, inside: str) -> str:
        """Return a region that layouts of kinds fill."""
        return f"{{% block {name} %}}{inside}{{% endblock %}}"

    def include(self, name: str) -> str:
        """Return what writes a region that is a file of its own."""
        return f'{{% include "partials/{name}{self.ending}" %}}'


def jinja_files(model: Model, shared: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a project for Jinja2 by path; `shared` are content and data."""
    build = Path(jinja_build.__file__).read_text(encoding="utf-8")
    return {**shared, **layout_files(model, JinjaSyntax()), "build.py": build}


def layout_files(model: Model, syntax: JinjaSyntax) -> dict[str, str]:
    """Return the layouts by path: Nunjucks reads them, too."""
    partials, end = Partials(), syntax.ending
    files = {f"layouts/base{end}": layout_text(model.base, syntax, is_base=True, partials=partials)}
    files |= {f"layouts/partials/{name}{end}": layout_text([part], syntax) for name, part in partials.parts.items()}
    for kind in model.rules:
        blocks = (
            syntax.block(slot.name, layout_text(slot.kinds[kind], syntax))
            for slot in slots_in(model.base)
            if kind in slot.kinds
        )
        files[f"layouts/{kind}{end}"] = "\n".join([f'{{% extends "base{end}" %}}', *blocks, ""])
    return files
