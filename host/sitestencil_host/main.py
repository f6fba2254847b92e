"""``sitestencil-host``: starts a worker, then the host, so that both get ready together."""

import sys

from sitestencil_host.worker.start import first_worker


def main() -> None:
    """Serve the browser that started this program, until it closes the connection."""
    at_terminal = sys.stdin is None or sys.stdin.isatty()
    worker = None if at_terminal else first_worker()
    from sitestencil_host.serving import serve

    serve(worker, at_terminal=at_terminal)


if __name__ == "__main__":
    main()
