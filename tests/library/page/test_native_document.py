"""The compiled reading of a document gives what plain Python gives: on real pages, and on confusing ones."""

from pathlib import Path

from hypothesis import example, given
from tests.support.hostile_pages import HOSTILE_MARKUP
from tests.support.random_pages import BODIES

from sitestencil.evaluation.labels import labelled_sites
from sitestencil.page.native_document import read_columns
from sitestencil.page.parsing import lexbor_root, read_plainly
from sitestencil.site.sources.stored import StoredSite


def is_read_alike(html: str | bytes) -> bool:
    root = lexbor_root(html, scripting=False, charset=None)
    assert root is not None
    native, plain = read_columns(root), read_plainly(root)
    # The order of attributes is the page's, too.
    return native == plain and list(map(list, native[2])) == list(map(list, plain[2]))


@given(HOSTILE_MARKUP)
@example("<svg viewBox=1 xlink:href=x><foreignObject>in</foreignObject></svg><math definitionURL=x>")
@example("<div><template shadowrootmode=open shadowrootclonable><p>in the shadow</template>light</div>")
@example("<template><p>not read</template><p a b='' c=x>text<!-- comment -->text")
@example("<a>1<div>2</a>3<table>4<tr>5<td>6</table>7")
@example("")
def test_hostile_pages_are_read_as_by_plain_python(html: str) -> None:
    assert is_read_alike(html)


@given(BODIES)
def test_common_pages_are_read_as_by_plain_python(html: str) -> None:
    assert is_read_alike(html)


def test_real_pages_are_read_as_by_plain_python(benchmark_sites: Path) -> None:
    folders = labelled_sites(benchmark_sites)
    assert len(folders) > 20
    assert [folder.name for folder in folders if not is_read_alike(StoredSite(folder).key_page_bytes())] == []
