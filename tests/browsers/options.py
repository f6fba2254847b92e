"""The page of the options, as a person uses it."""

from tests.support.browsers import Browser, wait_until


def set_memory(browser: Browser, *, remembers: bool, never: str = "") -> None:
    """Choose in the options what may be remembered, as a person would."""
    open_options(browser)
    browser.run(
        """(remembers, never) => {
            const [box, list] = ["remembers", "never"].map((id) => document.getElementById(id));
            if (box.checked !== remembers) box.click();
            list.value = never;
            list.dispatchEvent(new Event("change"));
        }""",
        remembers,
        never,
    )


def open_options(browser: Browser) -> None:
    browser.open(browser.extension_address("pages/options.html"))
    wait_until(
        lambda: browser.run("() => !document.getElementById('detector').disabled"), "the options do not get ready"
    )
