"""Print a page's text without its site's template, for example for an index.

Install first, in the folder of the source: pip install .

python examples/content_only.py https://example.org/
"""

from small_site import addresses

import sitestencil

if __name__ == "__main__":
    (url,) = addresses("/ropewalk")
    print(sitestencil.extract(url).content_text(), end="")
