"""Put your own pages into a site's layout, by Jinja2.

Install first, in the folder of the source: pip install . jinja2

python examples/jinja_layout.py https://example.org/
"""

from pathlib import Path

from small_site import addresses

from jinja2 import Environment, FileSystemLoader

import sitestencil

PAGE = """{% extends "layout.html" %}
{% block title %}Splices - {{ super() }}{% endblock %}
{% block main %}<h1>{{ heading }}</h1><p>{{ text }}</p>{% endblock %}
"""


def main(url: str, folder: str = "templates") -> None:
    template = sitestencil.extract(url)
    for path, content in template.to_jinja_folder(files=sitestencil.load_files(template)).items():
        Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
        Path(folder, path).write_bytes(content)
    print(f"blocks of the layout: {', '.join(template.slots())}")

    Path(folder, "page.html").write_text(PAGE, encoding="utf-8")
    environment = Environment(loader=FileSystemLoader(folder), autoescape=True)
    html = environment.get_template("page.html").render(
        assets=f"{folder}/", heading="Splices", text="Two ropes < one rope."
    )
    Path("page.html").write_text(html, encoding="utf-8")
    print("page.html is a page of yours in that layout")


if __name__ == "__main__":
    main(*addresses("/ropewalk"))
