"""A plugin for changedetection.io: what changes in the frame alone (menus, footers, banners) is no change.

Install first, in the folder of the source: pip install .
Put this file into a package with the entry point ``sitestencil = "changedetection_plugin"`` in the group
``changedetectionio``, and install that beside changedetection.io. Run as it is, it compares a page of a small site.
"""

if __name__ == "__main__":
    from small_site import html

from contextlib import suppress
from typing import Any

from sitestencil import SitestencilError, compare

try:
    from changedetectionio.pluggy_interface import hookimpl
except ImportError:
    hookimpl = staticmethod


@hookimpl  # type: ignore[untyped-decorator]
def update_handler_alter(update_handler: Any, watch: Any, datastore: Any) -> None:  # noqa: ANN401 - not typed there
    judge, url = update_handler.run_changedetection, watch.link

    def run_changedetection(watch: Any, **options: Any) -> tuple[bool, Any, Any]:  # noqa: ANN401
        changed, update, text = judge(watch=watch, **options)
        if changed and (last := watch.newest_history_key) and (old := watch.get_fetched_html(last)):
            with suppress(SitestencilError):  # of what is no page, such as JSON, the program's own answer stands
                changed = bool(compare(old, update_handler.fetcher.content, url=url).content)
        return changed, update, text

    update_handler.run_changedetection = run_changedetection


if __name__ == "__main__":
    page, address = html("/ropewalk"), "http://museum.example/ropewalk"
    for new in (page.replace("Harbour street 1", "Port street"), page.replace("300 metres", "310 metres")):
        print(compare(page, new, url=address).to_text())
