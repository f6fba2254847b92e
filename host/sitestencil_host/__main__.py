"""``python -m sitestencil_host``: the host, for launchers that name an interpreter."""

from sitestencil_host.main import main

main()
