"""The Windows registry, where browsers look for host manifests; empty on other systems."""

import sys

USER_ROOT = "HKEY_CURRENT_USER"


class Registry:
    """``HKEY_CURRENT_USER`` of the running Windows: keys, each with its default value."""

    def read(self, key: str) -> str | None:
        """Return a key's value; None where there is no such key."""
        if sys.platform == "win32":
            import winreg

            try:
                return winreg.QueryValue(winreg.HKEY_CURRENT_USER, key)
            except FileNotFoundError:
                return None
        raise NotImplementedError

    def write(self, key: str, value: str) -> None:
        """Make a key with this value."""
        if sys.platform == "win32":
            import winreg

            winreg.SetValue(winreg.HKEY_CURRENT_USER, key, winreg.REG_SZ, value)
            return
        raise NotImplementedError

    def delete(self, key: str) -> None:
        """Delete a key if it is there."""
        if sys.platform == "win32":
            import contextlib
            import winreg

            with contextlib.suppress(FileNotFoundError):
                winreg.DeleteKey(winreg.HKEY_CURRENT_USER, key)
            return
        raise NotImplementedError
