<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * Times as stores keep them: whole seconds since 1970-01-01T00:00:00Z.
 */
final class Times
{
    /** 9999-12-31T23:59:59Z, the last second that RFC 3339 can write. */
    public const LAST_SECOND = 253402300799;

    /** 0001-01-01T00:00:00Z. */
    private const FIRST_SECOND = -62135596800;

    /**
     * When something made now ends, in seconds since 1970. Rounded up, so that a link lives for at
     * least the time that was asked for (in seconds).
     *
     * @throws \InvalidArgumentException for a lifetime that is not positive or ends outside the years
     *     1970 to 9999
     */
    public static function expiry(\DateTimeInterface $now, int|float $lifetime): int
    {
        if (!($lifetime > 0)) {
            throw new \InvalidArgumentException('lifetime: expected a positive duration');
        }
        $end = -1;
        if ($lifetime <= 2 * self::LAST_SECOND) {
            // In whole microseconds, since fractions of seconds do not add up.
            $within = (int) $now->format('u') + (int) round($lifetime * 1_000_000);
            $end = $now->getTimestamp() + intdiv($within + 999_999, 1_000_000);
        }
        if ($end <= 0 || $end > self::LAST_SECOND) {
            throw new \InvalidArgumentException('lifetime: expected an end between the years 1970 and 9999');
        }
        return $end;
    }

    /**
     * A moment in UTC with `Z`; null outside the years 1 to 9999.
     */
    public static function rfc3339(int $moment): ?string
    {
        return $moment < self::FIRST_SECOND || $moment > self::LAST_SECOND
            ? null
            : gmdate('Y-m-d\TH:i:s\Z', $moment);
    }
}
