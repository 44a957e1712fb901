"""From the errors of obstore to those of a store.

No text of obstore reaches a message, since it names folders, buckets and addresses; the original
error is chained for the log. It has no credentials.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from obstore.exceptions import BaseError

from toolresult.store.interface import StoreError, StoreErrorCode

_MESSAGES = {
    StoreErrorCode.UNAVAILABLE: "The object store cannot be used.",
    StoreErrorCode.FULL: "The object store is full.",
    StoreErrorCode.LOCKED: "The object store is busy. Try again.",
    StoreErrorCode.DAMAGED: "The bytes of the result are missing or damaged.",
}
# obstore has no codes, only texts: of the system, and of S3.
# https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
_BY_TEXT = {
    "storagefull": StoreErrorCode.FULL,
    "os error 28": StoreErrorCode.FULL,
    "os error 122": StoreErrorCode.FULL,  # over the quota
    "filesystemquotaexceeded": StoreErrorCode.FULL,
    "<code>slowdown</code>": StoreErrorCode.LOCKED,
}


def fault(code: StoreErrorCode) -> StoreError:
    """The error of that code, with its fixed message."""
    return StoreError(code, _MESSAGES[code])


def classify(error: BaseException) -> StoreErrorCode:
    """The code for an error of obstore or of the file system."""
    text = str(error).lower()
    return next(
        (code for part, code in _BY_TEXT.items() if part in text), StoreErrorCode.UNAVAILABLE
    )


@contextmanager
def translated() -> Iterator[None]:
    """Turns what obstore and the file system raise inside into ``StoreError``, with its cause."""
    try:
        yield
    # obstore raises its own errors and those of Python that mean the same.
    except (BaseError, OSError, ValueError, NotImplementedError, MemoryError) as error:
        raise fault(classify(error)) from error
