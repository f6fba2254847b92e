"""Chromium and its kin, by the DevTools protocol."""

import base64
import hashlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from tests.support.browsers.browser import VIEWPORT, Browser, BrowserError, Json, Tab, wait_until
from tests.support.browsers.devtools import Devtools
from tests.support.browsers.keys import TYPED, Keys, parse_shortcut

FLAGS = [
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--password-store=basic",
    "--use-mock-keychain",
    "--lang=en",
    f"--window-size={VIEWPORT[0]},{VIEWPORT[1]}",
]
PANEL_TEXT = r"""function (selector) {
    return [...this.querySelector(selector)?.childNodes ?? []].map(node => node.textContent).join("\n");
}"""
HEADLESS = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"]


class Chromium(Browser):
    name = "chromium"

    def _start(self) -> None:
        self._devtools = Devtools()
        self._extension_id = ""
        self._observing: str | None = None
        flags = [*FLAGS, f"--user-data-dir={self.scratch.profile}"]
        if self.headless:
            flags += HEADLESS
        flags.append(f"--blink-settings=preferredColorScheme={0 if self.dark else 1}")
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")
        self._pin()
        command = self._devtools.command(str(self.program), [*flags, "about:blank"])
        self.scratch.start(command, {}, self._devtools.descriptors)
        self._devtools.connected()
        try:
            self._devtools.call("Browser.getVersion")
        except BrowserError as error:
            raise BrowserError(f"Chromium did not start: {error}\n{self.scratch.last_words()}") from None
        self._devtools.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self._attach(wait_until(lambda: next(iter(self.tabs()), None), "Chromium opened no tab"))
        if self.headless and not self.installed:  # then the extension's welcome comes in between
            self.resize(self.size)
        self._extension_id = self._id_by_key() if self.installed else self._load()
        wait_until(self.background_runs, "the extension's service worker did not start")
        self._close_welcome()

    def _load(self) -> str:
        number: str = self._devtools.call(
            "Extensions.loadUnpacked", path=str(self.extension), enableInIncognito=self.private
        )["id"]
        return number

    def _id_by_key(self) -> str:
        """The extension's id, which the key in its manifest gives; empty without one."""
        key = json.loads((self.extension / "manifest.json").read_text("utf-8")).get("key")
        digest = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32] if key else ""
        return digest.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))

    def _pin(self) -> None:
        """Put the extension's button into the toolbar of the new profile, where a person looks for it."""
        pinned = self._id_by_key()
        if not pinned:
            return
        (self.scratch.profile / "Default").mkdir()
        preferences = {"extensions": {"pinned_extensions": [pinned]}}
        (self.scratch.profile / "Default/Preferences").write_text(json.dumps(preferences))

    def _window(self) -> int:
        """The number of the window in front, in the browser's tools and in its extensions."""
        number: int = self._devtools.call("Browser.getWindowForTarget", targetId=self._page)["windowId"]
        return number

    def resize(self, size: tuple[int, int]) -> None:
        """Give the page this size."""
        window = self._devtools.call("Browser.getWindowForTarget", targetId=self._page)
        inner = self.run("() => [innerWidth, innerHeight]")
        bounds = window["bounds"]
        for side, wanted, now in zip(("width", "height"), size, inner, strict=True):
            bounds[side] += wanted - now
        self._devtools.call(
            "Browser.setWindowBounds",
            windowId=window["windowId"],
            bounds={"width": bounds["width"], "height": bounds["height"]},
        )
        wait_until(
            lambda: self.run("() => [innerWidth, innerHeight]") == list(size),
            lambda: f"the window did not take its size: {self.run('() => [innerWidth, innerHeight]')}",
        )

    def _stop(self) -> None:
        if not hasattr(self, "_devtools"):
            return
        if self.scratch.running():
            try:
                self._devtools.call("Browser.close", seconds=5)
                self.scratch.wait(5)
            except BrowserError:
                pass  # it is killed with the scratch
        self._devtools.close()

    def _install_arguments(self) -> list[str]:
        return ["--user-data-dir", str(self.scratch.profile)]

    # pages

    def _attach(self, tab: Tab) -> None:
        self._page = tab.key
        self._session = self._session_of(tab.key)
        self._devtools.call("Page.enable", self._session)
        self._devtools.call("Page.setLifecycleEventsEnabled", self._session, enabled=True)

    def _session_of(self, target: str) -> str:
        session: str = self._devtools.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return session

    def open(self, url: str) -> None:
        since = self._devtools.mark()
        answer = self._devtools.call("Page.navigate", self._session, url=url)
        if "errorText" in answer:
            raise BrowserError(f"Chromium could not load {url}: {answer['errorText']}")
        if "loaderId" not in answer:
            return  # a jump inside the page: nothing loads
        wanted = {"loaderId": answer["loaderId"], "name": "load"}  # not the load of what was there before
        self._devtools.wait_for("Page.lifecycleEvent", self._session, since, wanted)

    def run(self, function: str, *arguments: Json) -> Json:
        return self._evaluate(self._session, function, arguments)

    def _evaluate(self, session: str, function: str, arguments: tuple[Json, ...] = ()) -> Json:
        answer = self._devtools.call(
            "Runtime.evaluate",
            session,
            expression=f"({function})(...{json.dumps(arguments)})",
            awaitPromise=True,
            returnByValue=True,
            userGesture=False,
            allowUnsafeEvalBlockedByCSP=True,
        )
        if "exceptionDetails" in answer:
            problem = answer["exceptionDetails"]
            text = problem.get("exception", {}).get("description", problem["text"])
            raise BrowserError(f"JavaScript failed: {text}")
        return answer["result"].get("value")

    def _picture(self, *, full: bool) -> str:
        area: dict[str, Json] = {"captureBeyondViewport": True, "clip": self._whole_page()} if full else {}
        answer = self._devtools.call("Page.captureScreenshot", self._session, format="png", **area)
        data: str = answer["data"]
        return data

    def print_pdf(self) -> bytes:
        return base64.b64decode(self._devtools.call("Page.printToPDF", self._session, printBackground=True)["data"])

    def _whole_page(self) -> dict[str, float]:
        size = self._devtools.call("Page.getLayoutMetrics", self._session)["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def mouse_move(self, x: float, y: float) -> None:
        self._devtools.call("Input.dispatchMouseEvent", self._session, type="mouseMoved", x=x, y=y)

    def mouse_click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self._devtools.call(
                "Input.dispatchMouseEvent", self._session, type=kind, x=x, y=y, button="left", clickCount=1
            )

    def press(self, shortcut: str) -> None:
        keys: Keys = parse_shortcut(shortcut)
        # without a native key code Chromium keeps the event inside the page
        common: dict[str, Json] = {
            "modifiers": keys.bits(alt=1, ctrl=2, meta=4, shift=8),
            "windowsVirtualKeyCode": keys.virtual_code,
            "nativeVirtualKeyCode": keys.virtual_code,
            "code": keys.code,
            "key": keys.key,
        }
        typed = TYPED.get(keys.letter) or (keys.key if len(keys.letter) == 1 and not keys.modifiers else None)
        down: dict[str, Json] = {"type": "keyDown", "text": typed} if typed else {"type": "rawKeyDown"}
        for stroke in (down, {"type": "keyUp"}):
            self._devtools.call("Input.dispatchKeyEvent", self._session, **stroke, **common)

    def _targets(self, kind: str) -> list[dict[str, Json]]:
        answer = self._devtools.call("Target.getTargets", filter=[{"type": kind}])
        found: list[dict[str, Json]] = answer["targetInfos"]
        return found

    def tabs(self) -> list[Tab]:
        targets = self._targets("page")
        return [Tab(t["targetId"], t["url"]) for t in targets if not t["url"].endswith("/manifest.json")]

    def switch_to(self, tab: Tab) -> None:
        self._devtools.call("Target.activateTarget", targetId=tab.key)
        self._attach(tab)
        if self._observing is not None:
            function = "async (id) => { await chrome.windows.update(id, {focused: true}); }"
            self._evaluate(self._observing, function, (self._window(),))

    def new_tab(self, url: str) -> Tab:
        target = self._devtools.call("Target.createTarget", url="about:blank")["targetId"]
        self.switch_to(Tab(target, url))
        self.open(url)
        return Tab(target, url)

    def new_window(self, url: str, *, private: bool = False) -> Tab:
        before = {tab.key for tab in self.tabs()}
        function = "async (incognito) => { await chrome.windows.create({url: 'about:blank', incognito}); }"
        self._evaluate(self._observer(), function, (private,))
        tab = wait_until(
            lambda: next((tab for tab in self.tabs() if tab.key not in before), None), "no window opened"
        )
        self.switch_to(tab)
        self.open(url)
        return Tab(tab.key, url)

    def close_tab(self, tab: Tab) -> None:
        with suppress(BrowserError):  # a popup closes by itself when another tab comes to the front
            self._devtools.call("Target.closeTarget", targetId=tab.key)
        wait_until(lambda: tab.key not in [other.key for other in self.tabs()], "the tab did not close")

    # the extension

    def popup_address(self) -> str:
        addresses = (tab.url for tab in self.tabs())
        return next((url for url in addresses if url.startswith(self.extension_address("pages/impossible"))), "")

    def close_popup(self) -> None:
        front = next(tab for tab in self.tabs() if tab.url != self.popup_address())
        self.switch_to(front)

    def click_button(self) -> float:
        target = self._tab_target()
        clicked = time.time()
        self._devtools.call("Extensions.triggerAction", id=self._extension_id, targetId=target)
        return clicked

    def click_button_often(self, pauses: Sequence[float]) -> None:
        target = self._tab_target()
        for pause in pauses:
            self._devtools.call("Extensions.triggerAction", id=self._extension_id, targetId=target)
            time.sleep(pause)

    def kept(self, name: str) -> Json:
        function = "async (name) => (await chrome.storage.session.get(name))[name] ?? null"
        return self._evaluate(self._observer(), function, (name,))

    def _tab_target(self) -> str:
        """The target of kind `tab` around the page in front: the action is clicked on that one."""
        for target in self._targets("tab"):
            since = self._devtools.mark()
            session = self._session_of(target["targetId"])
            self._devtools.call(
                "Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=False, flatten=True
            )
            child = self._devtools.wait_for("Target.attachedToTarget", session, since)
            self._devtools.call("Target.detachFromTarget", sessionId=session)
            if child.params["targetInfo"]["targetId"] == self._page:
                key: str = target["targetId"]
                return key
        raise BrowserError("the page in front belongs to no tab")

    def _panel_button(self, name: str) -> tuple[float, float] | None:
        nodes = self._closed_roots()
        for node in nodes:  # the list grows as it is read
            nodes += node.get("children", [])
            flat = node.get("attributes", [])
            if node["localName"] == "button" and ("name", name) in zip(flat[::2], flat[1::2], strict=True):
                button = {"backendNodeId": node["backendNodeId"]}
                quads = self._devtools.call("DOM.getContentQuads", self._session, **button)["quads"]
                return (sum(quads[0][0::2]) / 4, sum(quads[0][1::2]) / 4) if quads else None
        return None

    def _closed_roots(self) -> list[Json]:
        """The closed shadow roots of the page; the panel's can be in a dialog."""
        nodes = [self._devtools.call("DOM.getDocument", self._session, depth=-1, pierce=True)["root"]]
        for node in nodes:  # the list grows as it is read
            nodes += node.get("children", [])
        return [
            root for node in nodes for root in node.get("shadowRoots", []) if root["shadowRootType"] == "closed"
        ]

    def panel_text(self, selector: str) -> str:
        # In the page's own world there is no way in: the debugger resolves the closed root.
        for shadow in self._closed_roots():
            root = self._devtools.call("DOM.resolveNode", self._session, backendNodeId=shadow["backendNodeId"])[
                "object"
            ]
            answer = self._devtools.call(
                "Runtime.callFunctionOn",
                self._session,
                objectId=root["objectId"],
                functionDeclaration=PANEL_TEXT,
                arguments=[{"value": selector}],
                returnByValue=True,
            )
            if answer["result"].get("value"):
                return str(answer["result"]["value"])
        return ""

    def _button(self) -> tuple[str, str, str, Mapping[str, Json] | None]:
        function = """async (windowId) => {
            const [{id: tabId}] = await chrome.tabs.query({active: true, windowId});
            const title = await chrome.action.getTitle({tabId});
            const kept = (await chrome.storage.session.get(`tab:${tabId}`))[`tab:${tabId}`];
            const [first, badge] = [await chrome.action.getTitle({}), await chrome.action.getBadgeText({tabId})];
            return [title, first, badge, kept ?? null];
        }"""
        title, first_title, badge, kept = self._evaluate(self._observer(), function, (self._window(),))
        return title, first_title, badge, kept

    def _observer(self) -> str:
        """A document of the extension in no tab: it may ask what the button shows, and wakes nothing."""
        if self._observing is None:
            url = f"chrome-extension://{self._extension_id}/manifest.json"
            target = self._devtools.call("Target.createTarget", url=url, hidden=True)["targetId"]
            self._observing = self._session_of(target)
            wait_until(
                lambda: self._evaluate(self._observing or "", "() => Boolean(chrome.action?.getTitle)"),
                "the extension's own document did not load",
            )
        return self._observing

    def clipboard(self) -> str:
        own = self.extension_address("")
        self._devtools.call(
            "Browser.setPermission",
            permission={"name": "clipboard-read"},
            setting="granted",
            origin=own.rstrip("/"),
        )
        self.switch_to(self.new_tab(f"{own}pages/options.html"))
        text: str = self.run("() => navigator.clipboard.readText()")
        return text

    def click_and_allow(self, selector: str, pattern: str) -> None:
        # Its question is in no page, so that nothing here can press its button: it is answered before it is asked.
        target = self._devtools.call("Target.createTarget", url="chrome://extensions/", hidden=True)["targetId"]
        session = self._session_of(target)
        wait_until(
            lambda: self._evaluate(session, "() => Boolean(globalThis.chrome?.developerPrivate)"),
            "the page of the extensions did not load",
        )
        allow = "(id, pattern) => chrome.developerPrivate.addHostPermission(id, pattern)"
        self._evaluate(session, allow, (self._extension_id, pattern))
        self._devtools.call("Target.closeTarget", targetId=target)
        self.click(selector)

    def end_extension(self, way: str) -> None:
        self._observing = None
        if way == "update":
            before = set(self._workers())
            self._load()
            wait_until(lambda: set(self._workers()) - before, "the new service worker did not start")
        elif way == "remove":
            self._devtools.call("Extensions.uninstall", id=self._extension_id)
        else:
            self._set_enabled(False)

    def start_extension(self, way: str) -> None:
        if way == "remove":
            self._load()
        elif way == "disable":
            self._set_enabled(True)
        wait_until(self.background_runs, "the extension's service worker did not start")
        if way == "remove":
            self._close_welcome()

    def _set_enabled(self, enabled: bool) -> None:
        target = self._devtools.call("Target.createTarget", url="chrome://extensions/", hidden=True)["targetId"]
        session = self._session_of(target)
        wait_until(
            lambda: self._evaluate(session, "() => Boolean(globalThis.chrome?.management)"),
            "the page of the extensions did not load",
        )
        change = "(id, enabled) => chrome.management.setEnabled(id, enabled)"
        self._evaluate(session, change, (self._extension_id, enabled))
        self._devtools.call("Target.closeTarget", targetId=target)

    def _workers(self) -> list[str]:
        start = f"chrome-extension://{self._extension_id}/"
        return [t["targetId"] for t in self._targets("service_worker") if t["url"].startswith(start)]

    def extension_address(self, path: str) -> str:
        return f"chrome-extension://{self._extension_id}/{path}"

    def background_runs(self) -> bool:
        return bool(self._workers())

    def stop_background(self) -> None:
        for worker in self._workers():
            self._devtools.call("Target.closeTarget", targetId=worker)

    def sleep_background(self) -> None:
        self.stop_background()
        wait_until(lambda: not self.background_runs(), "the service worker did not stop")
