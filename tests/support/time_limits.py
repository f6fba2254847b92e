"""Limits in seconds that hold on a busy machine, too."""

import os


def at_once() -> float:
    """Return one second, or more where other programs keep the cores busy."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
