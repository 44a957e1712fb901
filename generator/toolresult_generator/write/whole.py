"""One file, put in its place in one step."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_whole(file: Path, data: bytes) -> None:
    """Put a file in place by an atomic rename: nobody ever sees half of it.

    Raises OSError if the system refuses; a file from before is then as it was.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    """What the system takes from the rights of new files; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
