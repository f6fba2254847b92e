"""What a connection by TLS is checked by: read once in a process, and only where an https page is asked for."""

import os
import ssl
from functools import lru_cache

import httpx2

# For connections without TLS, whose pool wants a context all the same: it trusts nobody.
NO_TRUST = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def tls_context() -> ssl.SSLContext:
    """Return the context that trusts whom this machine trusts; the first time takes 50 ms, best in a thread."""
    return _context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(1)
def _context(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    return httpx2.create_ssl_context()
