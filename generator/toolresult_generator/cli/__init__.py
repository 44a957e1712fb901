"""The command `toolresult`.

Nothing heavy is imported here or in the frame: each command is a module that is imported when
it was asked for.
"""

from __future__ import annotations

from toolresult_generator.cli.frame import main

__all__ = ["main"]
