"""Create the TLS context once in a process, and only when an https page is requested."""

import os
import ssl
import sys
from functools import lru_cache
from pathlib import Path


def tls_context() -> ssl.SSLContext:
    """Return a context that trusts this machine's certificates; the first call takes 50 ms, best in a thread."""
    return _context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@lru_cache(1)
def _context(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    if sys.platform == "linux" and _openssl_has_certificates():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_default_certs()
        return context
    if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context(
            cafile=os.environ.get("SSL_CERT_FILE"), capath=os.environ.get("SSL_CERT_DIR")
        )
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _openssl_has_certificates() -> bool:
    """Return whether OpenSSL finds certificates; bundled interpreters often have none."""
    paths = ssl.get_default_verify_paths()
    return paths.cafile is not None or (
        paths.capath is not None and any(Path(paths.capath).glob("[0-9a-f]" * 8 + ".[0-9]"))
    )
