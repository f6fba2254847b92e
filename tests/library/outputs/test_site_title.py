"""The site's own part of a title, by the titles of its other pages."""

from tests.support.tables import table

from sitestencil import extract
from sitestencil.page.page_title import site_title


@table(
    ("title", "others", "own"),
    [
        ("Knots - Ropes & Co", ["Splices - Ropes & Co", "Bends - Ropes & Co"], "Ropes & Co"),
        ("Ropes & Co: Knots", ["Ropes & Co: Splices"], "Ropes & Co"),
        ("Knots | Help | Ropes", ["Bends | Help | Ropes", "Ropes"], "Help | Ropes"),
        ("Ropes", ["Ropes", "Ropes"], "Ropes"),
        ("Knots \N{EM DASH} Ropes", ["Splices \N{EM DASH} Ropes", "404", "Bends \N{EM DASH} Ropes"], "Ropes"),
        ("Knots", ["Splices"], ""),
        ("Knots - Ropes", [], "Knots - Ropes"),
        ("Knots - Ropes", ["", ""], "Knots - Ropes"),
        ("", ["Ropes"], ""),
        ("Self-made ropes", ["Self-made knots"], ""),
    ],
)
def test_the_sites_part_is_what_most_titles_share(title: str, others: list[str], own: str) -> None:
    assert site_title(title, others) == own


def test_a_template_has_the_sites_title_and_not_the_pages() -> None:
    menu = "<nav><a href='/a'>A</a><a href='/b'>B</a></nav>"
    pages = {f"https://site.example/{name}": f"<title>{name} - Ropes</title>{menu}{name}" for name in "ab"}
    answer = extract(f"<title>Knots - Ropes</title>{menu}Knots", url="https://site.example/", pages=pages)
    assert "<title>Ropes</title>" in answer.to_html()
    assert "<title>{% block title %}Ropes{% endblock %}</title>" in answer.to_jinja()
