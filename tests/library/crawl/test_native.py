"""The compiled modules of crawls: they fit the installed parser, and say what to do where they are missing."""

import subprocess
import sys
from importlib.metadata import version

import pytest
from packaging.version import Version
from supply.distributions import requirements
from tests.support.hostile_documents import is_read_alike

from sitestencil.crawl import check_compiled
from sitestencil.errors import CompiledModulesMissing
from sitestencil.page.html_names import NUMBERED_ELEMENTS


def test_only_the_version_of_the_parser_is_allowed_whose_layout_is_tested_here() -> None:
    check_compiled()
    tested = Version(version("selectolax"))
    (asked,) = [asked for asked in requirements("run") if asked.name == "selectolax"]
    following = f"{tested.major}.{tested.minor}.{tested.micro + 1}"
    assert {str(bound) for bound in asked.specifier} == {f">={tested}", f"<{following}"}


def test_the_names_that_the_parser_numbers_are_all_known() -> None:
    """Else a page with one of the others would be mapped, which takes three times as long."""
    html = "".join(f"<{name}></{name}>" for name in NUMBERED_ELEMENTS)
    assert is_read_alike(f"<svg>{html}</svg>{html}<frameset><frame>")
    assert is_read_alike("<frameset><frame src=x>")


def test_a_crawl_without_compiled_modules_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sitestencil.crawl.native_tree", None)
    with pytest.raises(CompiledModulesMissing, match="gcc python3-dev"):
        check_compiled()


def test_a_page_needs_no_compiled_module() -> None:
    program = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if '.native_' in name: raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "import sitestencil\n"
        "frame = '<ul><li>Home<li>Visit</ul><p>Text of page {} in so many words<p>Harbour street'\n"
        "pages = {f'https://site.example/{n}': frame.format(n) for n in range(1, 4)}\n"
        "print(sitestencil.extract(frame.format(0), url='https://site.example/0', pages=pages).content_text())\n"
        "try: import sitestencil.crawl\n"
        "except sitestencil.SitestencilError as error: print(type(error).__name__)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Text of page 0" in run.stdout
    assert run.stdout.endswith("CompiledModulesMissing\n")
