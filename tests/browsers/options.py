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
    wait_until(lambda: browser.run("() => !document.querySelector(':disabled')"), "the options do not get ready")


def import_rules(browser: Browser, rules: str) -> str:
    """Import a file of rules in the open options, and return what is said of it."""
    said: str = browser.run(
        """async (rules) => {
            const [input, status] = ["rules-file", "rules-status"].map((id) => document.getElementById(id));
            status.textContent = "";
            const files = new DataTransfer();
            files.items.add(new File([rules], "rules.json"));
            input.files = files.files;
            input.dispatchEvent(new Event("change"));
            while (!status.textContent) await new Promise((resolve) => setTimeout(resolve, 20));
            return status.textContent;
        }""",
        rules,
    )
    return said


def forget_corrections(browser: Browser) -> None:
    """Delete all corrections in the options, one by one."""
    open_options(browser)

    def are_gone() -> bool:
        return bool(
            browser.run(
                """() => {
                    document.querySelector("#rules .bin")?.click();
                    return !document.getElementById("no-rules").hidden;
                }"""
            )
        )

    wait_until(are_gone, "corrections stay")
