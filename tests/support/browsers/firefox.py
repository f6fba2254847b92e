"""Firefox, by Marionette."""

import base64
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.support.browsers.browser import Browser, BrowserError, Json, Tab, wait_until
from tests.support.browsers.keys import MODIFIERS, parse_shortcut
from tests.support.browsers.marionette import Marionette

PREFERENCES: dict[str, Json] = json.loads(Path(__file__).with_name("firefox_preferences.json").read_bytes())

# Keys for the page, by their code points in WebDriver. The page has handled them when it answers.
WEBDRIVER_KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Space": " ",
    "PageDown": "\ue00f",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}

# Names that the scripts in the browser's own context share.
EXTENSION = """
    const window = Services.wm.getMostRecentWindow("navigator:browser");
    const {extension} = WebExtensionPolicy.getByID(id) ?? {};
    const action = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs")
        .ExtensionParent.apiManager.global.browserActionFor(extension);
"""
# What the extension keeps under a name, read without waking it.
KEPT = """
    const {extensionStorageSession} = ChromeUtils.importESModule("resource://gre/modules/ExtensionStorage.sys.mjs");
    const kept = name => extensionStorageSession.get(extension, name)[name]
        ?.deserialize(globalThis, true) ?? null;  // true: once more for the next who asks
"""


class Firefox(Browser):
    """Firefox, at least of the extended support release."""

    name = "firefox"

    def _start(self) -> None:
        self._marionette: Marionette | None = None
        self._write_preferences()
        arguments = ["--profile", str(self.scratch.profile), "--no-remote", "--marionette"]
        arguments += ["--remote-allow-system-access"] + ["--headless"] * self.headless + ["about:blank"]
        variables = {
            "MOZ_CRASHREPORTER_DISABLE": "1",
            "MOZ_HEADLESS_WIDTH": str(self.size[0]),
            "MOZ_HEADLESS_HEIGHT": str(self.size[1] + 90),
            "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1",
        }
        self.scratch.start([str(self.program), *arguments], variables)
        self._marionette = Marionette(self._port())
        self._extension_id = self._id() if self.installed else self._load()
        wait_until(self.background_runs, "the extension's background page did not start")
        self._close_welcome()
        if self.headless and not self.installed:  # then the extension's welcome is in front
            self._resize()

    def _load(self) -> str:
        arguments = {"path": str(self.extension), "temporary": True, "allowPrivateBrowsing": self.private}
        number: str = self._call("Addon:Install", **arguments)
        return number

    def _id(self) -> str:
        manifest = json.loads((self.extension / "manifest.json").read_text("utf-8"))
        number: str = manifest["browser_specific_settings"]["gecko"]["id"]
        return number

    def _write_preferences(self) -> None:
        values = PREFERENCES | {"browser.download.dir": str(self.downloads)}
        values["layout.css.prefers-color-scheme.content-override"] = 0 if self.dark else 1
        if self.installed:
            del values["extensions.autoDisableScopes"]  # the browser decides whether it asks the user
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in values.items()]
        (self.scratch.profile / "user.js").write_text("".join(lines))

    def _port(self) -> int:
        file: Path = self.scratch.profile / "MarionetteActivePort"

        def read() -> int | None:
            if not self.scratch.running():
                raise BrowserError(f"Firefox did not start:\n{self.scratch.last_words()}")
            text = file.read_text() if file.exists() else ""
            return int(text) if text.strip().isdigit() else None

        port: int = wait_until(read, lambda: f"Firefox opened no port:\n{self.scratch.last_words()}")
        return port

    def _resize(self) -> None:
        # Firefox keeps its window at least 500 pixels wide, unless its own rule is taken away.
        by = "window.document.documentElement.style.minWidth = 0; window.resizeBy(...more);"

        def has_its_size() -> bool:
            inner = self.run("() => [innerWidth, innerHeight]")
            missing = [wanted - now for wanted, now in zip(self.size, inner, strict=True)]
            if any(missing):
                self._in_browser(by, missing)
            return not any(missing)

        wait_until(has_its_size, "the window did not take its size", pause=0.5)  # it moves later

    def _stop(self) -> None:
        if getattr(self, "_marionette", None) is None:
            return
        if self.scratch.running():
            try:
                self._call("Marionette:Quit", flags=["eForceQuit"])
                self.scratch.wait(10)
            except BrowserError:
                pass  # it is killed with the scratch
        if self._marionette is not None:
            self._marionette.close()

    def _install_arguments(self) -> list[str]:
        return ["--browser", "firefox"]

    def _call(self, command: str, **params: Json) -> Json:
        if self._marionette is None:
            raise BrowserError(f"{command}: Firefox is not connected")
        return self._marionette.call(command, params)

    # pages

    def open(self, url: str) -> None:
        self._call("WebDriver:Navigate", url=url)

    def run(self, function: str, *arguments: Json) -> Json:
        return self._call(
            "WebDriver:ExecuteScript",
            script=f"return ({function})(...arguments)",
            args=list(arguments),
            sandbox=None,
            newSandbox=True,
        )

    def _picture(self, *, full: bool) -> str:
        picture: str = self._call("WebDriver:TakeScreenshot", full=full, hash=False, scroll=False)
        return picture

    def print_pdf(self) -> bytes:
        return base64.b64decode(self._call("WebDriver:Print", background=True))

    def mouse_move(self, x: float, y: float) -> None:
        self._mouse(x, y)

    def mouse_click(self, x: float, y: float) -> None:
        self._mouse(x, y, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def _mouse(self, x: float, y: float, *then: dict[str, Json]) -> None:
        move = {"type": "pointerMove", "x": round(x), "y": round(y), "origin": "viewport", "duration": 0}
        self._actions({"type": "pointer", "id": "mouse", "actions": [move, *then]})

    def _actions(self, source: dict[str, Json]) -> None:
        self._call("WebDriver:PerformActions", actions=[source])
        self._call("WebDriver:ReleaseActions")

    def press(self, shortcut: str) -> None:
        keys = parse_shortcut(shortcut)
        if keys.letter in WEBDRIVER_KEYS and keys.modifiers <= {"Shift"}:
            pressed = ["\ue008"] * len(keys.modifiers) + [WEBDRIVER_KEYS[keys.letter]]
            actions = [{"type": "keyDown", "value": key} for key in pressed]
            actions += [{"type": "keyUp", "value": key} for key in reversed(pressed)]
            self._actions({"type": "key", "id": "keyboard", "actions": actions})
            return
        names = {"Ctrl": "Control", "Meta": "Meta", "Alt": "Alt", "Shift": "Shift"}
        held = [names[name] for name in MODIFIERS if name in keys.modifiers]
        self._in_browser(
            """
            const processor = Cc["@mozilla.org/text-input-processor;1"];
            const keyboard = processor.createInstance(Ci.nsITextInputProcessor);
            keyboard.beginInputTransactionForTests(window);
            const stroke = {key: more.key, code: more.code, keyCode: more.keyCode};
            for (const key of more.held) keyboard.keydown(new window.KeyboardEvent("", {key}));
            keyboard.keydown(new window.KeyboardEvent("", stroke));
            keyboard.keyup(new window.KeyboardEvent("", stroke));
            for (const key of more.held.reverse()) keyboard.keyup(new window.KeyboardEvent("", {key}));
            """,
            {"held": held, "key": keys.key, "code": keys.code, "keyCode": keys.virtual_code},
        )

    def tabs(self) -> list[Tab]:
        open_tabs = []
        current = self._call("WebDriver:GetWindowHandle")
        for handle in self._call("WebDriver:GetWindowHandles"):
            with suppress(BrowserError):  # one that has closed since they were listed
                self._call("WebDriver:SwitchToWindow", handle=handle, focus=False)
                open_tabs.append(Tab(handle, self._call("WebDriver:GetCurrentURL")))
        self._call("WebDriver:SwitchToWindow", handle=current, focus=False)
        return open_tabs

    def switch_to(self, tab: Tab) -> None:
        self._call("WebDriver:SwitchToWindow", handle=tab.key, focus=True)

    def new_tab(self, url: str) -> Tab:
        handle = self._call("WebDriver:NewWindow", type="tab", focus=True)["handle"]
        self.switch_to(Tab(handle, url))
        self.open(url)
        return Tab(handle, url)

    def new_window(self, url: str, *, private: bool = False) -> Tab:
        handle = self._call("WebDriver:NewWindow", type="window", focus=True, private=private)["handle"]
        self.switch_to(Tab(handle, url))
        self.open(url)
        return Tab(handle, url)

    def close_tab(self, tab: Tab) -> None:
        front = self._call("WebDriver:GetWindowHandle")
        self._call("WebDriver:SwitchToWindow", handle=tab.key, focus=False)
        self._call("WebDriver:CloseWindow")
        self._call("WebDriver:SwitchToWindow", handle=front, focus=False)

    # the extension

    def _in_browser(self, body: str, more: Json = None) -> Json:
        """Run a script with the browser's own rights, after the names of `EXTENSION`; `more` is its argument."""
        self._call("Marionette:SetContext", value="chrome")
        try:
            return self._call(
                "WebDriver:ExecuteScript",
                script=f"return (async (id, more) => {{ {EXTENSION} {body} }})(...arguments)",
                args=[self._extension_id, more],
                sandbox="system",
                newSandbox=True,
            )
        finally:
            self._call("Marionette:SetContext", value="content")

    def click_button(self) -> float:
        clicked: int = self._in_browser("const now = Date.now(); await action.triggerAction(window); return now;")
        return clicked / 1000

    def click_button_often(self, pauses: Sequence[float]) -> None:
        body = """for (const pause of more) {
            await action.triggerAction(window);
            await new Promise(resolve => window.setTimeout(resolve, 1000 * pause));
        }"""
        self._in_browser(body, list(pauses))

    def kept(self, name: str) -> Json:
        return self._in_browser(f"{KEPT} return kept(more);", name)

    def clipboard(self) -> str:
        text: str = self._in_browser("return window.navigator.clipboard.readText();")
        return text

    def popup_address(self) -> str:
        body = """return [...window.document.querySelectorAll("browser.webextension-popup-browser")]
            .map(({currentURI}) => currentURI.spec).at(-1) ?? "";"""
        address: str = self._in_browser(body)
        return address

    def close_popup(self) -> None:
        wait_until(self._have_popups_gone, "what stands below the button stays")

    def _have_popups_gone(self) -> bool:
        """Return whether no popup is there, and hide those that are: one that is still opening stays."""
        return bool(
            self._in_browser("""
            const popups = window.document.querySelectorAll("browser.webextension-popup-browser");
            for (const popup of popups) popup.closest("panel").hidePopup();
            return popups.length === 0;""")
        )

    def _panel_button(self, name: str) -> tuple[float, float] | None:
        point = self._call(
            "WebDriver:ExecuteScript",
            script="""
            for (const element of document.querySelectorAll(":root > *, dialog > :first-child")) {
                const root = element.openOrClosedShadowRoot;
                const button = [...root?.querySelectorAll("button") ?? []]
                    .find(button => button.name === arguments[0]);
                const box = button?.getBoundingClientRect();
                if (box?.width) return [box.x + box.width / 2, box.y + box.height / 2];
            }
            return null;""",
            args=[name],
            sandbox="system",
            newSandbox=True,
        )
        return (point[0], point[1]) if point else None

    def panel_text(self, selector: str) -> str:
        words: str = self._call(
            "WebDriver:ExecuteScript",
            script="""
            const hosts = [...document.querySelectorAll(":root > *, dialog > :first-child")];
            const roots = hosts.map(element => element.openOrClosedShadowRoot);
            const found = roots.map(root => root?.querySelector(arguments[0])).find(Boolean);
            return [...found?.childNodes ?? []].map(node => node.textContent).join("\\n");""",
            args=[selector],
            sandbox="system",
            newSandbox=True,
        )
        return words

    def _button(self) -> tuple[str, str, str, Mapping[str, Json] | None]:
        body = f"""
            {KEPT}
            const tab = window.gBrowser.selectedTab;
            const {{title, badgeText}} = action.action.getContextData(tab);
            const state = kept("tab:" + extension.tabManager.getWrapper(tab).id);
            return [title, action.action.getContextData(null).title, badgeText ?? "", state];
        """
        title, first_title, badge, kept = self._in_browser(body)
        return title, first_title, badge, kept

    def extension_address(self, path: str) -> str:
        address: str = self._in_browser("return extension.baseURL;")
        return address + path

    def click_and_allow(self, selector: str, pattern: str) -> None:
        self.click(selector)
        wait_until(
            lambda: self._in_browser(
                """
                const question = window.document.getElementById("addon-webext-permissions-notification");
                if (window.PopupNotifications.panel.state !== "open") return false;
                question.button.click();
                return true;
                """
            ),
            f"Firefox does not ask for {pattern}",
        )

    def end_extension(self, way: str) -> None:
        if way == "update":
            self._load()
        elif way == "remove":
            self._call("Addon:Uninstall", id=self._extension_id)
        else:
            self._addon("disable")

    def start_extension(self, way: str) -> None:
        if way == "remove":
            self._load()
        elif way == "disable":
            self._addon("enable")
        wait_until(self.background_runs, "the extension's background page did not start")
        if way == "remove":
            self._close_welcome()

    def _addon(self, method: str) -> None:
        module = "resource://gre/modules/AddonManager.sys.mjs"
        self._in_browser(
            f"const {{AddonManager}} = ChromeUtils.importESModule({module!r});"
            "await (await AddonManager.getAddonByID(id))[more]();",
            method,
        )

    def background_runs(self) -> bool:
        return bool(self._in_browser('return extension.backgroundState === "running";'))

    def stop_background(self) -> None:
        # an open port to the host would put it off; the browser does the same to one that hangs
        options = "{ignoreDevToolsAttached: true, disableResetIdleForTest: true}"
        self._in_browser(f"await extension.terminateBackground({options});")

    def sleep_background(self) -> None:
        self.stop_background()
        wait_until(lambda: not self.background_runs(), "the background page did not stop")
