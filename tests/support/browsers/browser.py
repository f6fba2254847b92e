"""The common interface of all driven browsers."""

import base64
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

from tests.support.browsers.scratch import Scratch

Json: TypeAlias = Any
Value = TypeVar("Value")
VIEWPORT = (1280, 860)
REST_SECONDS = 0.1
# How long to wait for what has to happen. A busy machine needs it; a test that hangs has a time limit of its own.
PATIENCE = 60.0
BLANK_SECONDS = 10.0


class BrowserError(Exception):
    """The browser did not do what was asked; the message says what and, where known, why."""


@dataclass(frozen=True, slots=True)
class ButtonState:
    """The toolbar button's state for the tab in front, and the state that the extension keeps of it.

    Attributes:
        title: the button's, as a person reads it.
        badge: the button's.
        kept: the tab's state as the extension keeps it in `storage.session`, see `TabState` in its messages.d.ts.
    """

    title: str
    badge: str
    kept: Mapping[str, Json]

    @property
    def state(self) -> str:
        """The state's name: idle, working, error, impossible, or that of a view mode."""
        return str(self.kept["name"])

    @property
    def problem(self) -> str | None:
        """The name of the text that says what went wrong, if something did."""
        return self.kept["problem"][0] if "problem" in self.kept else None


@dataclass(frozen=True, slots=True)
class Tab:
    """One open tab: the browser's own name for it, and its address."""

    key: str
    url: str


class Browser(ABC):
    """A started browser with the extension loaded. Use as a context manager: leaving it ends the browser.

    Args:
        extension: folder of the unpacked extension.
        program: the browser's executable.
        headless: without a window; with one, it appears on the display of this session.
        private: let the extension into private windows, as a person can.
        commands: the folder that holds the command `sitestencil`; the one of this Python, if not given.
        installed: a package has put the extension there, and the browser loads it by itself.
        size: of the page, in CSS pixels, where there is no window.
        dark: the system prefers dark colours.
    """

    name: ClassVar[str]

    def __init__(
        self,
        extension: Path,
        program: Path,
        *,
        headless: bool = True,
        private: bool = False,
        commands: Path | None = None,
        installed: bool = False,
        size: tuple[int, int] = VIEWPORT,
        dark: bool = False,
    ) -> None:
        self.installed = installed
        self.size = size
        self.dark = dark
        self.private = private
        self.commands = commands or Path(sys.executable).parent
        self.extension = extension.resolve()
        self.program = program
        self.headless = headless
        self.scratch = Scratch(self.name)
        self._detector: str | None = None
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def home(self) -> Path:
        """The scratch folder that is the browser's and the host's HOME."""
        return self.scratch.home

    @property
    def downloads(self) -> Path:
        return self.scratch.downloads

    # starting and ending

    @abstractmethod
    def _start(self) -> None:
        """Start the program, connect to it, load the extension and wait until its background runs."""

    @abstractmethod
    def _stop(self) -> None:
        """Ask the browser to end, if it can still be asked."""

    def close(self) -> None:
        """End the browser and every process it started, and remove its scratch folder."""
        try:
            self._stop()
        finally:
            self.scratch.remove()

    def wait_for_end(self) -> None:
        """Return when the person has closed the browser."""
        self.scratch.wait()

    # the host

    @abstractmethod
    def _install_arguments(self) -> list[str]:
        """Arguments that point `sitestencil install` at this browser's scratch profile."""

    def register_host(self) -> str:
        """Run `sitestencil install` for the scratch profile, as a person would; returns what it printed."""
        return self._sitestencil("install")

    def unregister_host(self) -> str:
        """Run `sitestencil uninstall` for the scratch profile."""
        return self._sitestencil("uninstall")

    def host_log(self, lines: int = 30) -> str:
        """The end of what the host has logged, for a report."""
        texts = [file.read_text("utf-8", "replace") for file in sorted(self.home.rglob("*.log"))]
        return "\n".join("".join(texts).splitlines()[-lines:])

    def _sitestencil(self, command: str) -> str:
        done = subprocess.run(
            [self.commands / "sitestencil", command, *self._install_arguments()],
            env=self.scratch.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if done.returncode:
            raise BrowserError(f"sitestencil {command} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def _close_welcome(self) -> None:
        """Wait for the page that the extension opens after its installation, if it has one, and close it."""
        if self.installed or not (self.extension / "pages/welcome.html").is_file():
            return
        try:
            welcome = self.wait_for_tab("/pages/welcome.html", BLANK_SECONDS if self.private else PATIENCE)
        except BrowserError:
            # Where Firefox lets the extension into private windows as it starts, and is busy, that tab stays blank.
            if not self.private:
                raise
            for tab in self.tabs()[1:]:
                self.close_tab(tab)
            return
        front = next(tab for tab in self.tabs() if tab.key != welcome.key)
        self.close_tab(welcome)
        self.switch_to(front)

    # pages

    @abstractmethod
    def open(self, url: str) -> None:
        """Load an address in the tab in front and wait for its load event."""

    @abstractmethod
    def run(self, function: str, *arguments: Json) -> Json:
        """Call a JavaScript function in the page; its arguments and its (awaited) result travel as JSON."""

    @abstractmethod
    def _picture(self, *, full: bool) -> str:
        """The page as PNG, base64."""

    def screenshot(self, path: Path | None = None, *, full: bool = False) -> bytes:
        """The page as PNG: what the window shows, or with `full` the page in its whole length."""
        png = base64.b64decode(self._picture(full=full))
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png)
        return png

    @abstractmethod
    def print_pdf(self) -> bytes:
        """The page as the browser prints it."""

    @abstractmethod
    def mouse_move(self, x: float, y: float) -> None:
        """Move the mouse to a point of the window's viewport, in CSS pixels."""

    def point_at(self, selector: str) -> None:
        """Move the mouse onto an element's upper left corner."""
        x, y = self.run(
            """selector => {
                const {x, y} = document.querySelector(selector).getBoundingClientRect();
                return [x, y];
            }""",
            selector,
        )
        self.mouse_move(x + 3, y + 3)

    @abstractmethod
    def mouse_click(self, x: float, y: float) -> None:
        """Click the page at a point of the window's viewport, in CSS pixels."""

    def click(self, selector: str) -> None:
        """Click the middle of the first element that matches, scrolled into view if it is not."""
        point = self.run(
            """selector => {
                const element = document.querySelector(selector);
                const box = () => element.getBoundingClientRect();
                if (!element) return null;
                const isInView = box().top >= 0 && box().bottom <= innerHeight;
                if (!isInView) element.scrollIntoView({block: "center", behavior: "instant"});
                return [box().x + box().width / 2, box().y + box().height / 2];
            }""",
            selector,
        )
        if point is None:
            raise BrowserError(f"nothing on the page matches {selector}")
        self.mouse_click(*point)

    @abstractmethod
    def press(self, shortcut: str) -> None:
        """Press a key combination such as `Ctrl+Shift+9`, as the browser sees it from a keyboard."""

    @abstractmethod
    def tabs(self) -> list[Tab]:
        """The open tabs."""

    @abstractmethod
    def switch_to(self, tab: Tab) -> None:
        """Bring a tab to the front; all that follows is about it."""

    @abstractmethod
    def new_tab(self, url: str) -> Tab:
        """Open an address in a new tab, in front."""

    @abstractmethod
    def new_window(self, url: str, *, private: bool = False) -> Tab:
        """Open an address in a new window, in front."""

    @abstractmethod
    def close_tab(self, tab: Tab) -> None:
        """Close a tab that is not in front."""

    def only_new_tab(self) -> None:
        """Open an empty tab and close all others."""
        others = self.tabs()
        self.new_tab("about:blank")
        for tab in others:
            self.close_tab(tab)

    # the extension

    @abstractmethod
    def click_button(self) -> float:
        """Click the extension's toolbar button for the tab in front; return when, in seconds since 1970."""

    @abstractmethod
    def click_button_often(self, pauses: Sequence[float]) -> None:
        """Click it once for each pause, and wait that many seconds after the click."""

    @abstractmethod
    def popup_address(self) -> str:
        """The address of what stands below the extension's button; empty where nothing does."""

    @abstractmethod
    def close_popup(self) -> None:
        """Close what stands below the extension's button, as a press beside it does."""

    @abstractmethod
    def kept(self, name: str) -> Json:
        """Return the extension's value of a name in `storage.session`, or None."""

    @abstractmethod
    def _button(self) -> tuple[str, str, str, Mapping[str, Json] | None]:
        """The button's title in the tab in front, its title in a new tab, its badge, and the tab's kept state.

        The title is read before the kept state: the extension writes them the other way round.
        """

    def button_state(self) -> ButtonState:
        """Return the toolbar button's state for the tab in front.

        The browser resets the button's title when the tab opens another page. Kept state then belongs to the page
        before.
        """
        title, first_title, badge, kept = self._button()
        return ButtonState(title, badge, kept if kept and title != first_title else {"name": "idle"})

    @abstractmethod
    def _panel_button(self, name: str) -> tuple[float, float] | None:
        """The middle of a button of the extension's panel in the page, which is in a closed shadow root."""

    @abstractmethod
    def panel_text(self, selector: str) -> str:
        """The text of the first element of the extension's panel that matches, empty where none does."""

    def click_panel(self, name: str) -> None:
        """Click a button of the extension's panel in the page: `save`, `close`, or the name of a view mode.

        One that is in the menu has the menu opened first.
        """
        if self._panel_button(name) is None and (menu := self._panel_button("menu")):
            self.mouse_click(*menu)
        self.mouse_click(
            *wait_until(lambda: self._panel_button(name), f"{self.name}: the extension's panel shows no {name!r}")
        )

    @abstractmethod
    def clipboard(self) -> str:
        """Return the clipboard's text; another tab may be in front afterwards."""

    @abstractmethod
    def click_and_allow(self, selector: str, pattern: str) -> None:
        """Click what has the browser ask for a permission, and say yes.

        Args:
            selector: of the button, on a page of the extension.
            pattern: of the pages that the permission is for.
        """

    @abstractmethod
    def sleep_background(self) -> None:
        """End the extension's background as the browser does when it is idle."""

    @abstractmethod
    def stop_background(self) -> None:
        """End the extension's background, maybe in the middle of its work; it may start again at once."""

    @abstractmethod
    def background_runs(self) -> bool:
        """Whether the extension's background is alive."""

    @abstractmethod
    def end_extension(self, way: str) -> None:
        """Have the extension go in a person's or a store's way: `update`, `disable` or `remove`."""

    @abstractmethod
    def start_extension(self, way: str) -> None:
        """Bring back the extension that has gone in this way; an update has brought it already."""

    @abstractmethod
    def extension_address(self, path: str) -> str:
        """The address of one of the extension's own pages."""

    def choose_detector(self, name: str) -> None:
        """Choose a detector on the extension's options page, as a person would, unless it is chosen already."""
        if name == self._detector:
            return
        self.open(self.extension_address("pages/options.html"))
        wait_until(
            lambda: self.run(
                "(name) => [...document.querySelectorAll('option')].some((o) => o.value === name)", name
            ),
            f"{self.name}: the options offer no detector {name!r}",
        )
        self.run(
            """(name) => {
                const choice = document.querySelector('#detector');
                choice.value = name;
                choice.dispatchEvent(new Event('change'));
            }""",
            name,
        )
        self._detector = name

    # waiting

    def wait_for_state(
        self, *states: str, other_than: ButtonState | None = None, seconds: float = PATIENCE
    ) -> ButtonState:
        """Wait until the button shows one of these states.

        A state is kept just before the button is changed, so it counts when the button has come to rest.
        """

        def at_rest() -> ButtonState | None:
            shown = self.button_state()
            if shown.state not in states or shown == other_than:
                return None
            time.sleep(REST_SECONDS)
            return shown if self.button_state() == shown else None

        return wait_until(
            at_rest,
            lambda: f"{self.name}: the button never showed {' or '.join(states)}; it shows {self.button_state()}",
            seconds,
        )

    def wait_for_tab(self, part: str, seconds: float = PATIENCE) -> Tab:
        return wait_until(
            lambda: next((tab for tab in self.tabs() if part in tab.url), None),
            lambda: f"{self.name}: no tab with {part} in its address; there are {self.tabs()}",
            seconds,
        )

    def go_to_tab(self, part: str) -> Tab:
        """Wait for a tab whose address contains `part`, switch to it, and wait for its page to be loaded."""
        tab = self.wait_for_tab(part)
        self.switch_to(tab)

        def loaded() -> bool:
            with suppress(BrowserError):  # the empty page before it may go while the script runs
                return bool(
                    self.run("(part) => location.href.includes(part) && document.readyState === 'complete'", part)
                )
            return False

        wait_until(loaded, lambda: f"{self.name}: {tab.url} does not load")
        return tab

    def wait_for_download(self, seconds: float = PATIENCE) -> Path:
        """Wait for a file in the downloads folder and for the end of the page that saved it; take the file out."""
        unfinished = (".crdownload", ".part", ".tmp")

        def complete() -> Path | None:
            files = list(self.downloads.iterdir())
            if len(files) != 1 or files[0].suffix in unfinished or self._is_saving():
                return None
            # Firefox may rename it at any moment.
            with suppress(FileNotFoundError):
                return files[0] if files[0].stat().st_size else None
            return None

        file = wait_until(
            complete,
            lambda: f"{self.name}: no finished download; the folder holds {list(self.downloads.iterdir())}",
            seconds,
        )
        return file.rename(Path(tempfile.mkdtemp(dir=self.scratch.root)) / file.name)

    def forget_downloads(self) -> None:
        """Delete the files that an earlier test left: the next one would take them."""
        wait_until(lambda: not self._is_saving(), "the page that saves stays open")
        for left in self.downloads.iterdir():
            left.unlink(missing_ok=True)

    def _is_saving(self) -> bool:
        return any("pages/save.html" in tab.url for tab in self.tabs())


def wait_until(
    condition: Callable[[], Value | None],
    otherwise: Callable[[], str] | str,
    seconds: float = PATIENCE,
    pause: float = 0.05,
) -> Value:
    """Return the first value of `condition` that is neither None nor False.

    Raises:
        BrowserError: with the text of `otherwise`, after `seconds`.
    """
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value is not None and value is not False:
            return value
        if time.monotonic() > end:
            text = otherwise if isinstance(otherwise, str) else otherwise()
            raise BrowserError(f"{text} (waited {seconds:g} s)")
        time.sleep(pause)
