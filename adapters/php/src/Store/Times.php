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
     * least the time that was asked for.
     *
     * @throws \InvalidArgumentException for a lifetime that is not positive or ends outside the years
     *     1970 to 9999
     */
    public static function expiry(\DateTimeInterface $now, int $lifetime): int
    {
        if ($lifetime <= 0) {
            throw new \InvalidArgumentException('lifetime: expected a positive duration');
        }
        $begin = $now->getTimestamp() + ((int) $now->format('u') > 0 ? 1 : 0);
        // Compared like this, since the sum may be beyond an integer.
        if ($lifetime > self::LAST_SECOND - $begin || $begin + $lifetime <= 0) {
            throw new \InvalidArgumentException('lifetime: expected an end between the years 1970 and 9999');
        }
        return $begin + $lifetime;
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
