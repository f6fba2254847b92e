"""Other programs: how what they keep becomes elements, and each of them on a real page."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from sitestencil.errors import PackageMissing
from sitestencil.page.parsing import parse
from sitestencil.site.sources.stored import StoredSite
from sitestencil_research.benchmark.comparison import EntrantKind, entrants
from sitestencil_research.benchmark.peers import PEERS, Peer
from sitestencil_research.benchmark.peers.matching import KeptElements, KeptText, template_of
from sitestencil_research.benchmark.peers.page import PeerPage, marks
from sitestencil_research.benchmark.peers.run import run_everything, run_peer

PAGE = parse(
    "<body><nav><a>Home</a><a>News</a></nav><main><p>News of <b>today</b><img><p>More<br>news</main>"
    "<footer>News</footer>",
    "http://x.test/",
)


def content(kept: KeptText | KeptElements) -> list[str]:
    return [tag for tag, template in zip(PAGE.tags, template_of(PAGE, kept), strict=True) if not template]


def test_kept_text_is_found_where_its_neighbours_are_and_its_wrapper_is_template() -> None:
    assert content(KeptText([("News of today More news", True)])) == ["p", "b", "img", "p", "br"]


def test_an_element_of_which_one_word_is_left_out_is_template() -> None:
    assert content(KeptText([("today More", True)])) == ["b", "img"]


def test_text_that_a_peer_names_but_leaves_out_is_template() -> None:
    pieces = [("Home News", False), ("News of today", True), ("More news", False), ("News", False)]
    assert content(KeptText(pieces)) == ["p", "b"]


def test_marks_that_are_left_tell_the_elements() -> None:
    page = PeerPage(None, PAGE, b"")
    assert marks(page.marked) == frozenset(range(len(PAGE)))
    assert content(KeptElements(frozenset([PAGE.tags.index("footer")]))) == ["footer"]


def test_nothing_kept_is_all_template() -> None:
    assert content(KeptText([])) == []


def _by_night(peers: Mapping[str, Peer]) -> list[ParameterSet]:
    """Return the names; the programs in JavaScript run at night."""
    return [pytest.param(name, marks=[pytest.mark.nightly] * peer.is_npm) for name, peer in peers.items()]


@pytest.mark.parametrize("name", _by_night(PEERS))
def test_each_peer_runs_on_a_real_page(name: str, benchmark_sites: Path) -> None:
    result = run_peer(benchmark_sites / "danisancas", name)
    assert result.error is None
    assert 0 < result.score.f1 <= 1
    assert (result.pages_loaded > 0) == name.startswith("deboiler")


@pytest.mark.parametrize("program", _by_night({peer.program: peer for peer in PEERS.values()}))
def test_each_peer_has_a_way_that_beats_calling_everything_template(program: str, benchmark_sites: Path) -> None:
    folder = benchmark_sites / "040code"
    ways = [name for name, peer in PEERS.items() if peer.program == program]
    assert max(run_peer(folder, way).score.f1 for way in ways) > run_everything(folder).score.f1


def test_a_peer_that_fails_gave_no_answer(benchmark_sites: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("of its own")

    monkeypatch.setattr("trafilatura.extract", fail)
    result = run_peer(benchmark_sites / "danisancas", "trafilatura (defaults)")
    assert result.score.f1 == 0
    assert result.error == "ZeroDivisionError: of its own"


def test_a_missing_peer_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitestencil_research.benchmark.peers.find_spec", lambda _: None)
    with pytest.raises(PackageMissing, match=r'pipx install --force "\.\[peers\]"'):
        entrants("temex", peers=True)


def test_peers_come_after_the_detectors_with_all_their_ways() -> None:
    chosen = entrants("temex,hybex", peers=True)
    assert [entrant.kind for entrant in chosen] == [
        *[EntrantKind.DETECTOR] * 2,
        *[EntrantKind.PEER] * len(PEERS),
        EntrantKind.BASELINE,
    ]


def test_deboiler_is_given_all_stored_pages(benchmark_sites: Path) -> None:
    folder = benchmark_sites / "danisancas"
    pages = {file for file in StoredSite(folder).pages.rglob("*") if file.suffix in {".html", ".htm"}}
    assert run_peer(folder, "deboiler (defaults)").pages_loaded == len(pages) - 1
