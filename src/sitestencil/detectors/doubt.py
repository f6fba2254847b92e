"""The reasons to doubt an answer."""

from enum import StrEnum
from types import MappingProxyType

# Half of the answers expected below this miss an F1 of .85 (research/docs/benchmark.md, "Confidence").
GUESS_BELOW = 0.88


class Doubt(StrEnum):
    """The reason that an answer is only a guess. As text it is its plain name, such as ``alone``.

    Example:
        >>> from sitestencil import extract
        >>> page = "<p>The sea rises and falls twice a day in this harbour."
        >>> template = extract(page, url="https://site.example/", pages={})
        >>> template.doubt
        <Doubt.ALONE: 'alone'>
        >>> print(template.doubt.sentence)
        The page is alone on its site: it leads to no other page to compare it with, so this is a guess ...
    """

    ERROR_PAGE = "error_page"
    ALMOST_EMPTY = "almost_empty"
    ALONE = "alone"
    NOTHING_LOADED = "nothing_loaded"
    NOT_THE_SERVED_PAGE = "not_the_served_page"
    NEEDS_LOGIN = "needs_login"
    BUILT_BY_SCRIPTS = "built_by_scripts"
    NO_SIMILAR_PAGE = "no_similar_page"
    UNSURE = "unsure"
    ALL_TEMPLATE = "all_template"
    ALL_CONTENT = "all_content"

    @property
    def sentence(self) -> str:
        """A sentence that says why the answer is a guess, and what to do about it."""
        return _SENTENCES[self]


_SENTENCES = MappingProxyType(
    {
        Doubt.ERROR_PAGE: "This is an error page, such as the answer to a wrong address, so this is a guess. Try "
        "another page of the site.",
        Doubt.ALMOST_EMPTY: "The page is almost empty, so there is nothing to tell apart. Try another page of the "
        "site.",
        Doubt.ALONE: "The page is alone on its site: it leads to no other page to compare it with, so this is a "
        "guess from the page alone. Try the site's home page, or a page with a menu.",
        Doubt.NOTHING_LOADED: "No other page of the site could be loaded, so this is a guess from the page alone. "
        "Check that the site can be reached, and whether its pages need a login. With cookies or headers, and on "
        "private networks, only links that look like pages are followed.",
        Doubt.NOT_THE_SERVED_PAGE: "The site serves another page than the one on the screen, because a login is "
        "needed or scripts build the pages, so this is a guess. Give a login's headers and cookies, or try "
        "--render (in Python: RenderedSource).",
        Doubt.NEEDS_LOGIN: "The site asks visitors to sign in instead of serving this page, so this is a guess. "
        "Give a login's headers and cookies with --header or --cookie-file (in Python: HttpSource).",
        Doubt.BUILT_BY_SCRIPTS: "This page is built by JavaScript and is nearly empty without it, so "
        "this is a guess. Try --render (in Python: RenderedSource).",
        Doubt.NO_SIMILAR_PAGE: "No page like this one could be loaded, only others, so this is a guess. Try a "
        "page that the site has more of, such as an article.",
        Doubt.UNSURE: "The site's other pages say too little about this one, so this is a guess. Try another page "
        "of the site.",
        Doubt.ALL_TEMPLATE: "The site's other pages have all that this one shows, so nothing of it is content. "
        "This may be wrong. Try a page with a text of its own.",
        Doubt.ALL_CONTENT: "The site's other pages have nothing of what this one shows, so nothing of it is "
        "template. This may be wrong. Try a page with the site's menu.",
    }
)
