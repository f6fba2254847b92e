from time import process_time

from tests.support.tables import table

from sitestencil.page.hidden import hides, hides_text, without_text
from sitestencil.page.parsing import parse

LONG = (
    "<p>The mast stands on the keel, and four shrouds hold it. Look at each of them before the season begins.</p>"
)


@table("style", ["display:none", "color: red; DISPLAY: none", "display : None !important"])
def test_a_style_hides_however_it_is_written(style: str) -> None:
    assert hides({"style": style})
    assert not hides({"style": style.replace("one", "ormal")})


@table(
    ("style", "is_hidden"),
    [
        ("display:none;display:block", False),
        ("display:block;display:none", True),
        ("display:none;display:bogus;display:", True),
        ("display:none !x", False),
        ("display:none, block", False),
        ("display:none!important;display:block", True),
        ("display:none!important;display:block! important", False),
        ("/* display:none */display/**/:none/*", True),
        ("visibility:hidden;visibility:inherit", False),
        ("visibility:visible;visibility:hidden;visibility:x", True),
        ("visibility:visible;content-visibility:hidden", True),
    ],
)
def test_the_last_valid_declaration_counts(style: str, is_hidden: bool) -> None:
    assert hides_text({"style": style}) is is_hidden


def test_a_long_style_is_read_once() -> None:
    begun = process_time()
    for style in ("/*" * 200_000, "display:none " * 40_000, ";display:" * 40_000, "; " * 200_000 + "none"):
        assert not hides({"style": f"{style}none x"})
    assert process_time() - begun < 5


@table(
    ("html", "shown"),
    [
        ("<i hidden>no</i><i style='visibility: hidden'>no</i><i style=visibility:collapse>no</i>yes", "yes"),
        (
            "<div style=visibility:hidden>no<p>no<b style='visibility: visible'>yes</b>no</p>no</div>",
            "no no yes no no",
        ),  # no text beside it goes
        ("<i style=display:none>no<b style=visibility:visible>no</b></i><i hidden=until-found>yes</i>", "yes"),
        # Properties whose names end alike.
        (
            "<div style='--footer-display: none'>yes<p style='color:red;backface-visibility: hidden'>yes</div>",
            "yes yes",
        ),
        # What a control opens, or an accordion or a tab holds.
        ("<button aria-expanded=false aria-controls='a b'>?</button><p id=b hidden>yes<p id=c hidden>no", "? yes"),
        ("<a data-toggle=collapse href=#a>?</a><p id=a style=display:none>yes", "? yes"),
        ("<div role=tabpanel hidden>yes</div><dl><dt>?<dd style=display:none>yes</dl>", "yes ? yes"),
        ("<section class='faq-item'><h3>?</h3><div hidden>yes</div></section>", "? yes"),
        # Menus, and what covers the page, stay hidden.
        ("<nav><button aria-expanded=false aria-controls=a>?</button><p id=a hidden>no</nav>", "?"),
        ("<button aria-haspopup=true aria-controls=a>?</button><p id=a hidden>no", "?"),
        ("<button data-toggle=modal data-target=#a>?</button><p id=a hidden>no", "?"),
        ("<div role=dialog class=collapse hidden>no</div><nav class=toggle hidden>no</nav>yes", "yes"),
        # A segment that React puts in its place.
        ("<template id=B:1></template><div hidden id=S:1>yes</div>", "yes"),
    ],
)
def test_what_a_reader_comes_to_see_is_not_hidden(html: str, shown: str) -> None:
    assert _seen(f"{html}{LONG}") == f"{shown} {LONG[3:-4]}"


def test_a_part_with_most_of_the_text_is_not_hidden_however_few_its_elements_are() -> None:
    assert _seen(f"<ul>{'<li>a' * 20}</ul><div style=display:none>{LONG}{LONG}</div>").endswith(LONG[3:-4])
    assert _seen(f"<p hidden>{LONG[3:-4]}") == ""
    assert "no" not in _seen(f"{LONG}<div hidden>{'<p>no' * 9}</div>").split()


def _seen(html: str) -> str:
    page = parse(html, "https://site.example/")
    hidden = without_text(page)
    return " ".join(" ".join(run.text for run in page.texts if not hidden[run.parent]).split())
