"""The browsers: where each looks for host manifests, and how to detect it.

The places on Linux are measured. Those on macOS and Windows come from documentation and users' reports. Brave reads
Chrome's folder on macOS (its own in some versions); Brave and Vivaldi read Chrome's key on Windows.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Family = Literal["chromium", "firefox"]
System = Literal["linux", "macos", "windows"]

HOSTS_FOLDER = "NativeMessagingHosts"


@dataclass(frozen=True, slots=True)
class Places:
    """A browser on one system.

    Attributes:
        profiles: folders that exist where the browser has run for this user.
        hosts: folders (Linux, macOS) or registry keys (Windows) for host manifests.
    """

    profiles: tuple[str, ...]
    hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that can run the extension.

    Attributes:
        name: its name for ``--browser``.
        title: its name in texts.
        family: decides which manifest it reads.
        places: per system; ``{config}``, ``{home}``, ``{support}`` and ``{local}`` stand for folders.
        programs: its names on PATH.
        applications: its folders in macOS's ``Applications``.
        snap: its name as a snap.
        flatpak: its name as a flatpak.
    """

    name: str
    title: str
    family: Family
    places: Mapping[System, Places]
    programs: tuple[str, ...]
    applications: tuple[str, ...] = ()
    snap: str | None = None
    flatpak: str | None = None


def _chromium(config: str, support: str, local: str, key: str) -> dict[System, Places]:
    return {
        "linux": Places((f"{{config}}/{config}",), (f"{{config}}/{config}/{HOSTS_FOLDER}",)),
        "macos": Places((f"{{support}}/{support}",), (f"{{support}}/{support}/{HOSTS_FOLDER}",)),
        "windows": Places((f"{{local}}/{local}",), (rf"Software\{key}\{HOSTS_FOLDER}",)),
    }


_CHROME_ON_MACOS = f"{{support}}/Google/Chrome/{HOSTS_FOLDER}"
_BRAVE_FOLDER = "BraveSoftware/Brave-Browser"
_BRAVE = _chromium(_BRAVE_FOLDER, _BRAVE_FOLDER, f"{_BRAVE_FOLDER}/User Data", r"Google\Chrome")
_BRAVE["macos"] = Places(_BRAVE["macos"].profiles, (_CHROME_ON_MACOS, *_BRAVE["macos"].hosts))

BROWSERS = (
    Browser(
        "chromium",
        "Chromium",
        "chromium",
        _chromium("chromium", "Chromium", "Chromium/User Data", "Chromium"),
        ("chromium", "chromium-browser"),
        ("Chromium.app",),
        "chromium",
        "org.chromium.Chromium",
    ),
    Browser(
        "chrome",
        "Google Chrome",
        "chromium",
        _chromium("google-chrome", "Google/Chrome", "Google/Chrome/User Data", r"Google\Chrome"),
        ("google-chrome", "google-chrome-stable"),
        ("Google Chrome.app",),
        None,
        "com.google.Chrome",
    ),
    Browser(
        "edge",
        "Microsoft Edge",
        "chromium",
        _chromium("microsoft-edge", "Microsoft Edge", "Microsoft/Edge/User Data", r"Microsoft\Edge"),
        ("microsoft-edge", "microsoft-edge-stable"),
        ("Microsoft Edge.app",),
        None,
        "com.microsoft.Edge",
    ),
    Browser(
        "brave",
        "Brave",
        "chromium",
        _BRAVE,
        ("brave-browser", "brave-browser-stable", "brave"),
        ("Brave Browser.app",),
        "brave",
        "com.brave.Browser",
    ),
    Browser(
        "vivaldi",
        "Vivaldi",
        "chromium",
        _chromium("vivaldi", "Vivaldi", "Vivaldi/User Data", r"Google\Chrome"),
        ("vivaldi", "vivaldi-stable"),
        ("Vivaldi.app",),
        "vivaldi",
        "com.vivaldi.Vivaldi",
    ),
    Browser(
        "firefox",
        "Firefox",
        "firefox",
        {
            "linux": Places(
                ("{home}/.mozilla/firefox", "{config}/mozilla/firefox"),
                ("{home}/.mozilla/native-messaging-hosts",),
            ),
            "macos": Places(("{support}/Firefox",), (f"{{support}}/Mozilla/{HOSTS_FOLDER}",)),
            "windows": Places(("{roaming}/Mozilla/Firefox",), (rf"Software\Mozilla\{HOSTS_FOLDER}",)),
        },
        ("firefox", "firefox-esr"),
        ("Firefox.app",),
        "firefox",
        "org.mozilla.firefox",
    ),
)
_DATA: Mapping[System, str] = {"linux": "{data}", "macos": "{support}", "windows": "{local}"}
BY_NAME: Mapping[str, Browser] = {browser.name: browser for browser in BROWSERS}


def _which(program: str) -> str | None:
    from shutil import which

    return which(program)


def _system() -> System:
    return "windows" if sys.platform == "win32" else "macos" if sys.platform == "darwin" else "linux"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """An installed sandboxed package of a browser, an explanation, and whether it rules the host out."""

    words: str
    in_the_way: bool


@dataclass(frozen=True, slots=True)
class Machine:
    """The user's machine, with all that decides where browsers are.

    Attributes:
        system: the operating system.
        home: the user's home folder.
        environment: the environment variables.
        which: finds a program on PATH.
        snaps: where snaps are installed.
        flatpaks: where flatpaks are installed for all users.
        root: the root of the file system, for hosts of all users.
    """

    system: System = field(default_factory=_system)
    home: Path = field(default_factory=Path.home)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    which: Callable[[str], str | None] = _which
    snaps: Path = Path("/snap")
    flatpaks: Path = Path("/var/lib/flatpak/app")
    root: Path = Path("/")

    def found(self, browser: Browser) -> bool:
        """Return whether the user has the browser: it has run, or its program is installed."""
        profiles = (self.folder(profile) for profile in browser.places[self.system].profiles)
        return any(profile.is_dir() for profile in profiles) or self._installed(browser)

    def host_places(self, browser: Browser) -> list[str]:
        """Return the folders (registry keys on Windows) in which the browser looks for host manifests."""
        hosts = browser.places[self.system].hosts
        return list(hosts) if self.system == "windows" else [str(self.folder(place)) for place in hosts]

    @property
    def own_folder(self) -> Path:
        """The folder for files that browsers have to find."""
        return self.folder(f"{_DATA[self.system]}/sitestencil")

    @property
    def extension_folder(self) -> Path:
        """The folder for the unpacked extension: the file pickers of all systems and sandboxes show it."""
        return self.home / "Sitestencil"

    def folder(self, pattern: str) -> Path:
        """Return the folder for a pattern of the table."""
        get = self.environment.get
        config = get("CHROME_CONFIG_HOME") or get("XDG_CONFIG_HOME") or str(self.home / ".config")
        return Path(
            pattern.format(
                home=self.home,
                config=config,
                support=self.home / "Library/Application Support",
                local=get("LOCALAPPDATA") or self.home / "AppData/Local",
                data=get("XDG_DATA_HOME") or self.home / ".local/share",
                roaming=get("APPDATA") or self.home / "AppData/Roaming",
            )
        )

    def sandboxes(self, browser: Browser) -> list[Sandbox]:
        """Return the browser's installed sandboxed packages."""
        if self.system != "linux":
            return []
        found = []
        if browser.snap and any((snaps / browser.snap).is_dir() for snaps in self._snaps()):
            found.append(_snap(browser))
        if browser.flatpak and any((apps / browser.flatpak).is_dir() for apps in self._flatpaks()):
            found.append(_flatpak(browser))
        return found

    def _installed(self, browser: Browser) -> bool:
        if self.system == "macos":
            folders = (Path("/Applications"), self.home / "Applications")
            return any((folder / name).is_dir() for folder in folders for name in browser.applications)
        return any(map(self.which, browser.programs)) or bool(self.sandboxes(browser))

    def _snaps(self) -> tuple[Path, Path]:
        return self.snaps, self.root / "var/lib/snapd/snap"

    def _flatpaks(self) -> tuple[Path, Path]:
        return self.folder("{data}/flatpak/app"), self.flatpaks


# The portal asks, remembers the answer, and shows it nowhere.
_ALLOWED = "If it does not ask, run: flatpak permission-set webextensions org.sitestencil.host"


def _snap(browser: Browser) -> Sandbox:
    if browser.family == "firefox":
        words = f"the snap asks once whether the extension may start the helper program: allow it. {_ALLOWED}"
        return Sandbox(f"{browser.title}: {words} snap.firefox yes", in_the_way=False)
    return _no_way_out(browser, "snap")


def _flatpak(browser: Browser) -> Sandbox:
    if browser.family == "firefox":
        words = "the flatpak can start the helper program from Firefox 157 on. Install an older one as a package."
        return Sandbox(f"{browser.title}: {words} {_ALLOWED} {browser.flatpak} yes", in_the_way=False)
    return _no_way_out(browser, "flatpak")


def _no_way_out(browser: Browser, package: str) -> Sandbox:
    return Sandbox(
        f"{browser.title} is installed as a {package}, which cannot start programs outside its sandbox, so the "
        f"extension will not find the helper program. Install {browser.title} as a package of your system instead.",
        in_the_way=True,
    )
