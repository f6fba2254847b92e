"""The Debian package: its contents, and a person who installs it and finds the button in both browsers."""

import subprocess
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.packaging.clean_root import CleanRoot
from tests.packaging.conftest import apt, build, clean_root
from tests.support.browsers.programs import ensure_browser

MEGABYTES = 40
EXTENSIONS = {
    "chromium": "/usr/share/chromium/extensions/sitestencil",
    "firefox": "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/sitestencil@sitestencil.org",
}
HOST = "/usr/lib/sitestencil/bin/sitestencil-host"
PIPX = "/home/anna/.local/share/pipx/venvs/sitestencil"
# An extension of another package, which says that it runs by opening a page.
OTHER = """mkdir -p /usr/share/chromium/extensions/another && cd /usr/share/chromium/extensions/another &&
echo '{"manifest_version": 3, "name": "Another", "version": "1", "background": {"service_worker": "a.js"}}' \
> manifest.json && echo 'chrome.tabs.create({url: "about:blank#another", active: false});' > a.js"""


def listed(package: Path) -> dict[str, str]:
    done = subprocess.run(["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True)
    lines = [line.split(maxsplit=5) for line in done.stdout.splitlines()]
    return {line[5].split(" -> ")[0].removeprefix("."): f"{line[0]} {line[1]}" for line in lines}


def click(root: CleanRoot, browser: str, user: str = "anna") -> str:
    """Have a person start a browser with a fresh profile and click the button; return what the tab shows."""
    picture = f"/home/{user}/{browser}.png"
    script = 'cd /srv && exec /usr/lib/sitestencil/bin/python3 -B -m tests.packaging.person "$@"'
    return root.done("sh", "-c", script, "sh", browser, EXTENSIONS[browser], picture, user=user)


def files_of(root: CleanRoot) -> set[str]:
    """Return all that is in the root, but for what apt and the caches of others keep."""
    kept = "-path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /work -o -path /root -o -path /srv"
    kept += " -o -path /var/cache -o -path /var/log -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /home"
    return set(root.done("sh", "-c", f"find / \\( {kept} \\) -prune -o -print").splitlines())


def test_the_package_is_small_and_owned_by_root_and_runs_nothing_at_installation(package: Path) -> None:
    assert package.stat().st_size <= MEGABYTES * 1_000_000
    files = listed(package)
    assert {entry.split()[1] for entry in files.values()} == {"root/root"}
    modes = {entry.split()[0] for entry in files.values()}
    assert modes == {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x", "lrwxrwxrwx"}
    control = subprocess.run(["dpkg-deb", "--ctrl-tarfile", package], capture_output=True, check=True).stdout
    names = subprocess.run(["tar", "-t"], input=control, capture_output=True, check=True).stdout.split()
    assert sorted(names) == [b"./", b"./control", b"./md5sums"]


def test_the_package_has_the_compiled_modules_and_all_bytecode(package: Path) -> None:
    files = listed(package)
    sources = [Path(name) for name in files if name.endswith(".py")]
    (python,) = {name.split("/")[5] for name in files if name.startswith("/usr/lib/sitestencil/lib/python3.")}
    tag = python.replace("python", "cpython-").replace(".", "")
    missing = [source for source in sources if f"{source.parent}/__pycache__/{source.stem}.{tag}.pyc" not in files]
    assert missing == []
    assert any("/native_" in name and name.endswith(".so") for name in files)
    assert len(sources) > 400


def test_lintian_finds_nothing(package: Path) -> None:
    ensure_browser("lintian")
    command: list[str | Path] = ["lintian", "--allow-root", "--fail-on", "error,warning", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("browser", EXTENSIONS)
def test_one_line_leads_from_nothing_to_a_template(installed: CleanRoot, browser: str) -> None:
    """As an ordinary user, with a fresh profile."""
    assert click(installed, browser).startswith("template : header footer\n")


def test_commands_say_that_the_package_has_done_it(installed: CleanRoot) -> None:
    said = installed.done("sitestencil", "install", user="bert")
    assert "The package connects the browsers of all users." in said
    said = installed.done("sitestencil", "doctor", user="bert")
    assert said.count("ok     the helper program answers") == 2
    assert "All is well." in said
    said = installed.done("sitestencil", "extension", user="bert")
    assert "Chromium has the extension from the Debian package." in said
    assert "Firefox has the extension from the Debian package." in said
    said = installed.done("sitestencil", "uninstall", user="bert")
    assert "sudo apt remove sitestencil" in said
    assert "sitestencil - show a web page's template" in installed.done("man", "-P", "cat", "sitestencil")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shells_find_the_completion(installed: CleanRoot, shell: str) -> None:
    ensure_browser(shell) if shell != "bash" else None
    asked = {
        "bash": "source /usr/share/bash-completion/completions/sitestencil && complete -p sitestencil",
        "zsh": "autoload -U compinit && compinit -u -D && echo $_comps[sitestencil]",
        "fish": "complete --do-complete 'sitestencil ext'",
    }[shell]
    expected = {"bash": "_python_argcomplete", "zsh": "_sitestencil", "fish": "extract"}[shell]
    assert expected in installed.done(shell, "-c", asked, user="bert")


def test_pipx_and_the_package_side_by_side(installed: CleanRoot) -> None:
    """A user's own manifest comes first; doctor says so, and how the package's program gets its turn."""
    move = f"mkdir -p {Path(PIPX).parent} && cp -r /usr/lib/sitestencil {PIPX} && cd {PIPX}/bin"
    link = "ln -sf $(readlink -f /usr/lib/sitestencil/bin/python3) python3"
    change = f"sed -i 's#/usr/lib/sitestencil#{PIPX}#' *[!3]"
    installed.done("sh", "-c", f"{move} && {link} && {change}", user="anna")
    installed.done(f"{PIPX}/bin/sitestencil", "install", user="anna")
    said = installed.done("sitestencil", "doctor", user="anna")
    assert f"which registers a helper program for all users: it starts {HOST}" in said
    assert f"it starts {PIPX}/bin/sitestencil-host, the helper program of another installation." in said
    assert "run: sitestencil uninstall --browser chromium" in said
    assert f"comes first, and starts {PIPX}" in installed.done("sitestencil", "install", user="anna")

    installed.done("rm", "-r", PIPX)
    said = installed.run("sitestencil", "doctor", user="anna").stdout
    assert f"program {PIPX}/bin/sitestencil-host, which the host manifest names, is gone" in said
    assert "Run: sitestencil uninstall --browser firefox" in said

    installed.done("sitestencil", "uninstall", user="anna")
    assert "All is well." in installed.done("sitestencil", "doctor", user="anna")


@pytest.mark.deb
def test_upgrade_downgrade_and_removal_leave_nothing(package: Path, older: Path) -> None:
    with clean_root(package, older) as root:
        before = files_of(root)
        apt(root, f"/srv/{older.name}")
        root.done("test", "-e", "/usr/lib/sitestencil/gone_since.py")
        apt(root, f"/srv/{package.name}")
        root.done("test", "!", "-e", "/usr/lib/sitestencil/gone_since.py")
        assert "All is well." in root.done("sitestencil", "doctor", user="anna")
        apt(root, f"/srv/{older.name}", options=("--allow-downgrades",))
        assert "All is well." in root.done("sitestencil", "doctor", user="anna")
        root.done("apt-get", "remove", "--yes", "sitestencil")
        assert files_of(root) - before == set()
        # dpkg removes empty folders that the package had files in; base-files makes this one, but does not own it.
        assert before - files_of(root) <= {"/etc/opt"}
        apt(root, f"/srv/{package.name}")
        root.done("apt-get", "purge", "--yes", "sitestencil")
        assert files_of(root) - before == set()


@pytest.mark.deb
def test_two_users_click_and_chromium_loads_the_extensions_of_other_packages_too(installed: CleanRoot) -> None:
    installed.done("sh", "-c", OTHER)
    for browser in EXTENSIONS:
        assert click(installed, browser, "bert").startswith("template : header footer\n")
    shown = click(installed, "chromium")
    assert "tab about:blank#another" in shown
    assert "file:" not in shown
    installed.done("rm", "-r", "/usr/share/chromium/extensions/another")


@pytest.mark.deb
def test_after_an_upgrade_and_after_a_downgrade_the_button_works(package: Path, older: Path) -> None:
    with clean_root(package, older) as root:
        root.copy(ROOT / "tests", "/srv")
        for file in (older, package, older):
            apt(root, f"/srv/{file.name}", options=("--allow-downgrades",))
            for browser in EXTENSIONS:
                assert click(root, browser).startswith("template : header footer\n")


@pytest.mark.deb
def test_the_package_is_the_same_bytes_when_it_is_built_again(package: Path, tmp_path: Path) -> None:
    another = {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "2"}
    assert build(tmp_path, another, 0o077).read_bytes() == package.read_bytes()
