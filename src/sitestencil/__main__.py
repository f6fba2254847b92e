"""``python -m sitestencil``."""

import sys

from sitestencil.cli import main

sys.exit(main())
