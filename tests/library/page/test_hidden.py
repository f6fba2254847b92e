from tests.support.tables import table

from sitestencil.page.hidden import hides


@table("style", ["display:none", "color: red; DISPLAY: none", "display : None !important"])
def test_a_style_hides_however_it_is_written(style: str) -> None:
    assert hides({"style": style})
    assert not hides({"style": style.replace("one", "ormal")})
