"""One page as it is: parsing, the document, its snapshot, its places on the screen, writing it as HTML."""
