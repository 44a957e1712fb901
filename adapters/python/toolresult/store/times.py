"""Times as stores keep them: whole seconds since 1970-01-01T00:00:00Z."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
LAST_SECOND = 253402300799
"""9999-12-31T23:59:59Z, the last second that RFC 3339 can write."""


def _since_epoch(now: datetime) -> timedelta:
    if now.utcoffset() is None:
        raise ValueError("now: expected a time with a time zone, such as UTC")
    return now - EPOCH


def seconds(now: datetime) -> int:
    """Whole seconds since 1970, rounded down. Raises ValueError for a naive time."""
    return _since_epoch(now) // timedelta(seconds=1)


def expiry(now: datetime, lifetime: timedelta) -> int:
    """When something made ``now`` ends, in seconds since 1970.

    Rounded up, so that a link lives for at least the time that was asked for.
    Raises ValueError for a lifetime that is not positive or ends outside the
    years 1970 to 9999.
    """
    if lifetime <= timedelta(0):
        raise ValueError("lifetime: expected a positive duration")
    end = -(-(_since_epoch(now) + lifetime) // timedelta(seconds=1))
    if not 0 < end <= LAST_SECOND:
        raise ValueError("lifetime: expected an end between the years 1970 and 9999")
    return end


def rfc3339(moment: int) -> str:
    """``moment`` (seconds since 1970) in UTC with ``Z``.

    Raises OverflowError outside the years 1 to 9999.
    """
    time = EPOCH + timedelta(seconds=moment)
    return time.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
