/** Times as stores keep them: whole seconds since 1970-01-01T00:00:00Z. */

/** 9999-12-31T23:59:59Z, the last second that RFC 3339 can write. */
export const LAST_SECOND = 253402300799;
/** 0001-01-01T00:00:00Z. */
const FIRST_SECOND = -62135596800;

function milliseconds(now: Date): number {
  if (!(now instanceof Date)) {
    throw new TypeError("now: expected a Date");
  }
  const time = now.getTime();
  if (Number.isNaN(time)) {
    throw new RangeError("now: expected a valid date");
  }
  return time;
}

/**
 * Whole seconds since 1970, rounded down. Throws TypeError for what is no date, and RangeError for an
 * invalid one.
 */
export function seconds(now: Date): number {
  return Math.floor(milliseconds(now) / 1000);
}

/**
 * When something made `now` ends, in seconds since 1970.
 *
 * Rounded up, so that a link lives for at least the time that was asked for (`lifetime`, in
 * milliseconds). Throws RangeError for a lifetime that is not positive or ends outside the
 * years 1970 to 9999.
 */
export function expiry(now: Date, lifetime: number): number {
  if (!(lifetime > 0)) {
    throw new RangeError("lifetime: expected a positive duration");
  }
  const end = Math.ceil((milliseconds(now) + lifetime) / 1000);
  if (!(end > 0 && end <= LAST_SECOND)) {
    throw new RangeError("lifetime: expected an end between the years 1970 and 9999");
  }
  return end;
}

/** `moment` (seconds since 1970) in UTC with `Z`. Throws RangeError outside the years 1 to 9999. */
export function rfc3339(moment: number): string {
  if (!Number.isSafeInteger(moment) || moment < FIRST_SECOND || moment > LAST_SECOND) {
    throw new RangeError("expected a time between the years 1 and 9999");
  }
  return `${new Date(moment * 1000).toISOString().slice(0, 19)}Z`;
}
