"""Load each page of a site once, for several extractions one after the other."""

from collections import OrderedDict
from typing import Any

from sitestencil.errors import PageUnavailable
from sitestencil.site.links import Link
from sitestencil.site.loaded_page import LoadedPage
from sitestencil.site.sources.http import HttpSource

_MOST_PAGES = 200

Answers = OrderedDict[str, LoadedPage | PageUnavailable]


class LoadedOnce(HttpSource):
    """Load pages over HTTP unless an earlier extraction did.

    Args:
        answers: the answers so far, which grow; the latest 200 are kept.
        options: those of `HttpSource`.
    """

    def __init__(self, answers: Answers, key_url: str | None = None, **options: Any) -> None:  # noqa: ANN401
        super().__init__(key_url, **options)
        self._answers = answers

    async def load(self, link: Link) -> LoadedPage:
        """Load the page of a link, as `HttpSource` does; its failure is kept, too."""
        if (answer := self._answers.get(link.page)) is None:
            try:
                answer = await super().load(link)
            except PageUnavailable as error:
                answer = error
            self._answers[link.page] = answer
            if len(self._answers) > _MOST_PAGES:
                self._answers.popitem(last=False)
        if isinstance(answer, PageUnavailable):
            raise answer.with_traceback(None)
        self._personal.are_for(link.url)
        self._key_url = self._key_url or answer.url
        return answer
