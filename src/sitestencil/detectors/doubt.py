"""What is wrong where an answer is poor."""

from enum import StrEnum
from types import MappingProxyType

# Half of the answers that are expected to be below it miss an F1 of .85 (docs/benchmark.md, "Sureness").
GUESS_BELOW = 0.88


class Doubt(StrEnum):
    """Why an answer is no more than a guess. As text it is its plain name, such as ``alone``.

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
        """What is wrong, and what can be done, in words."""
        return _SENTENCES[self]


_SENTENCES = MappingProxyType(
    {
        Doubt.ALONE: "The page is alone on its site: it links to no other page to compare it with, so this is a "
        "guess from the page alone. Try the site's home page, or a page with a menu.",
        Doubt.NOTHING_LOADED: "No other page of the site could be loaded, so this is a guess from the page alone. "
        "Look whether the site can be reached, and whether its pages need a login.",
        Doubt.NOT_THE_SERVED_PAGE: "What the site gives is not what is on the screen, as where a login is needed "
        "or scripts build the pages, so this is a guess. Give headers and cookies of a login, or have a "
        "browser render the pages (--render, RenderedSource).",
        Doubt.NEEDS_LOGIN: "The site asks strangers to sign in where this page is on the screen, so this is a "
        "guess. Give headers and cookies of a login (--header, --cookie-file, HttpSource).",
        Doubt.BUILT_BY_SCRIPTS: "Scripts build the page that is on the screen, and what the site gives is next to "
        "empty, so this is a guess. Have a browser render the pages (--render, RenderedSource).",
        Doubt.NO_SIMILAR_PAGE: "No page of this kind could be loaded, only others, so this is a guess. Try a page "
        "that the site has more of, such as an article of it.",
        Doubt.UNSURE: "The pages of the site tell too little of this one, so this is a guess. Try another page of "
        "the site.",
    }
)
