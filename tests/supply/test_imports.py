"""No module of the package reaches for the network when it is imported."""

import os
import subprocess
import sys

IMPORT_ALL = """
import importlib, pkgutil, sys

NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.sendto", "urllib.Request")

def refuse(event, arguments):
    if event.startswith(NETWORK):
        raise SystemExit(f"{event} {arguments}")

sys.addaudithook(refuse)
names = []
for package in map(importlib.import_module, ("sitestencil", "sitestencil_host")):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            names.append(module.name)
print(len(names))
"""


def run(program: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_all_modules_are_imported_without_network() -> None:
    ended = run(IMPORT_ALL)
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) > 100
