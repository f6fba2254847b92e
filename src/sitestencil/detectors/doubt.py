"""The reasons to doubt an answer."""

from enum import StrEnum
from types import MappingProxyType

# Half of the answers expected below this miss an F1 of .85 (docs/benchmark.md, "Sureness").
GUESS_BELOW = 0.88


class Doubt(StrEnum):
    """The reason that an answer is only a guess. As text it is its plain name, such as ``alone``.

    Example:
        >>> from sitestencil import extract
        >>> template = extract("<p>A page alone", url="https://site.example/", pages={})
        >>> template.doubt
        <Doubt.ALONE: 'alone'>
        >>> print(template.doubt.sentence)
        The page is alone on its site: it links to no other page to compare it with, so this is a guess ...
    """

    ALONE = "alone"
    NOTHING_LOADED = "nothing_loaded"
    NOT_THE_SERVED_PAGE = "not_the_served_page"
    NEEDS_LOGIN = "needs_login"
    BUILT_BY_SCRIPTS = "built_by_scripts"
    NO_SIMILAR_PAGE = "no_similar_page"
    UNSURE = "unsure"

    @property
    def sentence(self) -> str:
        """A sentence that says why the answer is a guess, and what to do about it."""
        return _SENTENCES[self]


_SENTENCES = MappingProxyType(
    {
        Doubt.ALONE: "The page is alone on its site: it links to no other page to compare it with, so this is a "
        "guess from the page alone. Try the site's home page, or a page with a menu.",
        Doubt.NOTHING_LOADED: "No other page of the site could be loaded, so this is a guess from the page alone. "
        "Check that the site can be reached, and whether its pages need a login.",
        Doubt.NOT_THE_SERVED_PAGE: "The site serves another page than the one on the screen, because a login is "
        "needed or scripts build the pages, so this is a guess. Give a login's headers and cookies, or have a "
        "browser render the pages (--render, RenderedSource).",
        Doubt.NEEDS_LOGIN: "The site asks visitors to sign in instead of serving this page, so this is a guess. "
        "Give a login's headers and cookies (--header, --cookie-file, HttpSource).",
        Doubt.BUILT_BY_SCRIPTS: "Scripts build the page on the screen, and the served page is almost empty, so "
        "this is a guess. Have a browser render the pages (--render, RenderedSource).",
        Doubt.NO_SIMILAR_PAGE: "No page like this one could be loaded, only others, so this is a guess. Try a "
        "page that the site has more of, such as an article.",
        Doubt.UNSURE: "The site's other pages say too little about this one, so this is a guess. Try another page "
        "of the site.",
    }
)
