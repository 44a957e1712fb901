"""Files and folders of stores are for their owner alone; where they are not, the log says so."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

_log = logging.getLogger("toolresult.store")


def warn_of_permissions(path: Path) -> None:
    """Logs a warning if others than the owner can use what is at ``path``."""
    found = os.stat(path).st_mode
    if os.name == "posix" and found & (stat.S_IRWXG | stat.S_IRWXO):
        kind, mode = ("folder", "700") if stat.S_ISDIR(found) else ("file", "600")
        _log.warning(
            "%s: store_permissions: others than the owner can use this %s; run chmod %s on it",
            path,
            kind,
            mode,
        )
