"""Where browsers look for the host, on each system."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.support.tables import table

from sitestencil_host.setup import BROWSER_NAMES
from sitestencil_host.setup.browsers import BROWSERS, BY_NAME, Machine, System
from sitestencil_host.setup.manifests import FILE_NAME, InstallError
from sitestencil_host.setup.targets import browser_targets, chosen_browsers, user_data_target

if TYPE_CHECKING:
    from collections.abc import Mapping


def machine(home: Path, system: System, **environment: str) -> Machine:
    """Return a machine without any program on PATH."""
    return Machine(system, home, environment, which=lambda _: None, snaps=home / "snap", flatpaks=home / "flatpaks")


def places(home: Path, system: System, **environment: str) -> "Mapping[str, list[str]]":
    user = machine(home, system, **environment)
    return {browser.name: user.host_places(browser) for browser in BROWSERS}


def test_the_command_line_offers_every_browser() -> None:
    assert tuple(BY_NAME) == BROWSER_NAMES


SUPPORT = "/home/me/Library/Application Support"


@table(
    ("system", "name", "folders"),
    [
        ("linux", "chromium", ["/home/me/.config/chromium"]),
        ("linux", "brave", ["/home/me/.config/BraveSoftware/Brave-Browser"]),
        ("macos", "chrome", [f"{SUPPORT}/Google/Chrome"]),
        ("macos", "brave", [f"{SUPPORT}/Google/Chrome", f"{SUPPORT}/BraveSoftware/Brave-Browser"]),
        ("macos", "firefox", [f"{SUPPORT}/Mozilla"]),
        ("windows", "edge", ["Software/Microsoft/Edge"]),
        ("windows", "brave", ["Software/Google/Chrome"]),
        ("windows", "firefox", ["Software/Mozilla"]),
    ],
)
def test_each_browser_looks_below_its_folders_or_keys(system: System, name: str, folders: list[str]) -> None:
    found = places(Path("/home/me"), system)[name]
    assert [place.replace("\\", "/") for place in found] == [f"{folder}/NativeMessagingHosts" for folder in folders]


def test_chromium_follows_the_configuration_folder_and_firefox_does_not() -> None:
    moved = places(Path("/home/me"), "linux", XDG_CONFIG_HOME="/elsewhere")
    assert moved["chromium"] == ["/elsewhere/chromium/NativeMessagingHosts"]
    assert moved["firefox"] == ["/home/me/.mozilla/native-messaging-hosts"]


@pytest.mark.parametrize(
    ("system", "profile", "name"),
    [
        ("linux", ".config/chromium", "chromium"),
        ("linux", ".mozilla/firefox", "firefox"),
        ("linux", ".config/mozilla/firefox", "firefox"),
        ("linux", ".config/BraveSoftware/Brave-Browser", "brave"),
        ("macos", "Library/Application Support/Microsoft Edge", "edge"),
        ("macos", "Library/Application Support/Firefox", "firefox"),
        ("macos", "Applications/Vivaldi.app", "vivaldi"),
        ("windows", "AppData/Local/Google/Chrome/User Data", "chrome"),
        ("windows", "AppData/Roaming/Mozilla/Firefox", "firefox"),
    ],
)
def test_a_browser_that_has_run_is_found(tmp_path: Path, system: System, profile: str, name: str) -> None:
    user = machine(tmp_path, system)
    assert not user.found(BY_NAME[name])
    (tmp_path / profile).mkdir(parents=True)
    assert [browser.name for browser in chosen_browsers(user, None)] == [name]


def test_a_browser_on_path_is_found_before_it_has_run(tmp_path: Path) -> None:
    user = Machine("linux", tmp_path, {}, which={"firefox-esr": "/usr/bin/firefox-esr"}.get, snaps=tmp_path)
    assert [browser.name for browser in chosen_browsers(user, "all")] == ["firefox"]


def test_a_browser_that_is_named_need_not_be_found(tmp_path: Path) -> None:
    assert chosen_browsers(machine(tmp_path, "linux"), "edge") == [BY_NAME["edge"]]
    with pytest.raises(InstallError, match="--browser"):
        chosen_browsers(machine(tmp_path, "linux"), None)


def test_a_place_that_browsers_share_is_a_target_once(tmp_path: Path) -> None:
    user = machine(tmp_path, "windows", LOCALAPPDATA=str(tmp_path / "local"))
    targets = browser_targets(user, [BY_NAME["chrome"], BY_NAME["brave"], BY_NAME["firefox"]])
    assert [(target.key, target.file) for target in targets] == [
        (
            r"Software\Google\Chrome\NativeMessagingHosts\org.sitestencil.host",
            tmp_path / "local" / "sitestencil" / "chromium" / FILE_NAME,
        ),
        (
            r"Software\Mozilla\NativeMessagingHosts\org.sitestencil.host",
            tmp_path / "local" / "sitestencil" / "firefox" / FILE_NAME,
        ),
    ]


def test_a_user_data_folder_is_a_target_of_its_own(tmp_path: Path) -> None:
    target = user_data_target(machine(tmp_path, "linux"), tmp_path / "my profile")
    assert target.file == tmp_path / "my profile" / "NativeMessagingHosts" / FILE_NAME
    assert target.option == f"--user-data-dir '{tmp_path / 'my profile'}'"
    with pytest.raises(InstallError, match="registry"):
        user_data_target(machine(tmp_path, "windows"), tmp_path)


def test_sandboxed_browsers_are_told_in_words(tmp_path: Path) -> None:
    user = machine(tmp_path, "linux")
    (tmp_path / "snap" / "chromium").mkdir(parents=True)
    (tmp_path / "snap" / "firefox").mkdir()
    (tmp_path / "flatpaks" / "com.google.Chrome").mkdir(parents=True)
    (tmp_path / ".local/share/flatpak/app/org.mozilla.firefox").mkdir(parents=True)
    told = {
        browser.name: [(sandbox.in_the_way, "snap" in sandbox.words) for sandbox in user.sandboxes(browser)]
        for browser in BROWSERS
    }
    assert told["chromium"] == [(True, True)]
    assert told["chrome"] == [(True, False)]
    assert told["firefox"] == [(False, True), (False, False)]
    assert told["edge"] == []
    assert machine(tmp_path, "macos").sandboxes(BY_NAME["chromium"]) == []
