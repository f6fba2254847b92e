"""The job on a cluster of three nodes, all on this machine, of which one is lost on the way."""

import os
import socketserver
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.crawls import output, small_crawl
from tests.support.killers import crawl, killing_crawl
from tests.support.ray_starts import output_of

from sitestencil.cli import main
from sitestencil.crawl.job import open_job
from sitestencil.crawl.plan import CrawlProgress
from sitestencil.crawl.work import Options

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="Ray's local clusters of several nodes are made for Linux"),
    pytest.mark.filterwarnings("ignore"),  # of Ray's own, about its files and processes
]
NOT_NICE = {"RAY_worker_niceness": "0"}  # otherwise other tests leave Ray's workers hardly any time
SMALL = Options(templates_out=True, large_site=5, partition_bytes=2_000, unit_bytes=4_000)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0", **NOT_NICE}
    os.environ["RAY_raylet_start_wait_time_s"] = "120"  # noqa: SIM112 - Ray's own name; a busy machine takes over 30 s
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")])
    import ray
    from ray.cluster_utils import Cluster

    from sitestencil.crawl.ray_engine import for_workers

    environment = {**for_workers(), "worker_process_setup_hook": "tests.support.killers.install"}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False, configure_logging=False, runtime_env=environment)
    yield made
    ray.shutdown()
    made.shutdown()  # type: ignore[no-untyped-call]


def test_a_cluster_that_loses_a_node_and_processes_gives_what_one_machine_gives(
    cluster: Any, tmp_path: Path
) -> None:
    import ray

    from sitestencil.crawl.ray_engine import run_on_ray

    file = tmp_path / "crawl.warc.gz"
    killing_crawl(file)
    assert crawl(file, tmp_path / "local", 2) == 0
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes()
    lost = threading.Event()

    def show(progress: CrawlProgress) -> None:
        if progress.stage == "extracting" and progress.done and not lost.is_set():
            lost.set()
            cluster.remove_node(nodes[0], allow_graceful=False)

    job = open_job([file], tmp_path / "ray", SMALL)
    done = run_on_ray(job, show)
    assert lost.is_set()
    assert (done.pages_out, done.skipped) == (37, {"killed": 2})
    assert output(tmp_path / "ray") == output(tmp_path / "local")
    place = ray.get(ray.remote(_package).remote())
    assert "runtime_resources" in place, "workers have the package of their own machine"


def _package() -> str:
    import sitestencil

    return sitestencil.__file__


class _NotRay(socketserver.StreamRequestHandler):
    """Answers as the port of Ray's dashboard does, which is easily taken for the cluster's."""

    def handle(self) -> None:
        self.rfile.readline()
        self.wfile.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize("kind", ["closed", "not Ray", "no number"])
def test_a_wrong_address_is_told_at_once_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    small_crawl(tmp_path / "crawl.warc.gz", 1, 1)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _NotRay) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = {"closed": "127.0.0.1:1", "no number": "ray://127.0.0.1:1"}.get(
            kind, f"127.0.0.1:{server.server_address[1]}"
        )
        command = ["crawl", str(tmp_path / "crawl.warc.gz"), "-o", str(tmp_path / "out"), "--engine", "ray"]
        monkeypatch.setattr("ray.init", lambda *_, **__: pytest.fail("it waits for Ray"))
        assert main([*command, "--address", address, "--quiet"]) == 2
        server.shutdown()
    assert f"No Ray cluster answers at {address}." in capsys.readouterr().err


STRANGER = """
import ray, sys
try:
    ray.init(address=sys.argv[1], log_to_driver=False, configure_logging=False)
except ConnectionError:
    sys.exit(77)
"""
OWN_CLUSTER = """
import os, subprocess, sys
from pathlib import Path
from sitestencil.cli import main
from sitestencil.crawl.job import open_job
from sitestencil.crawl.work import Options
from sitestencil.crawl.ray_engine import run_on_ray

answers = []

def show(progress):
    if not answers:
        import ray
        address = ray.get_runtime_context().gcs_address
        others = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
        others["RAY_AUTH_MODE"] = "disabled"
        stranger = subprocess.run([sys.executable, "-c", sys.argv[3], address], env=others, capture_output=True)
        answers.append((stranger.returncode, b"InvalidAuthToken" in stranger.stderr))

done = run_on_ray(open_job([Path(sys.argv[1])], Path(sys.argv[2]), Options()), show)
print(done.pages_out, *answers)
"""


def test_a_cluster_that_is_started_for_a_job_answers_no_stranger(tmp_path: Path) -> None:
    file = tmp_path / "crawl.warc.gz"
    small_crawl(file)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")} | NOT_NICE
    command = [sys.executable, "-c", OWN_CLUSTER, str(file), str(tmp_path / "out"), STRANGER]
    assert output_of(command, env=environment).splitlines()[-1] == "72 (77, True)"
