"""What a spec file may hold. A file beyond these bounds is a mistake or an attack."""

from __future__ import annotations

MAX_BYTES = 8 * 1024 * 1024
"""Bytes of one file."""

MAX_DEPTH = 256
"""Nested lists and mappings. Results nest to 100, and samples hold some that nest deeper."""

MAX_NODES = 500_000
"""Values in one file, keys not counted."""

MAX_DIGITS = 4000
"""Digits of a number. Python's own bound for turning text into an integer is 4300."""

MAX_FILES = 2000
"""Files in a spec folder."""

MAX_FINDINGS = 200
"""Findings about one file, after which loading it stops."""
