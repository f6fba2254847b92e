"""Print the text of a page without what every page of its site repeats, as an indexer wants it.

python examples/content_only.py https://example.org/
"""

import sitestencil
from small_site import addresses

if __name__ == "__main__":
    (url,) = addresses("/ropewalk")
    print(sitestencil.extract(url).content_text(), end="")
