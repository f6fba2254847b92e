"""Print a page's text without its site's template, for example for an index.

python examples/content_only.py https://example.org/
"""

import sitestencil
from small_site import addresses

if __name__ == "__main__":
    (url,) = addresses("/ropewalk")
    print(sitestencil.extract(url).content_text(), end="")
