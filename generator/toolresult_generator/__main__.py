"""`python -m toolresult_generator` is the command `toolresult`."""

from __future__ import annotations

import sys

from toolresult_generator.cli import main

if __name__ == "__main__":
    sys.exit(main())
