<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * Refuses numbers that no rendering can keep to, where they are given.
 *
 * @internal
 */
final class Settings
{
    /**
     * @throws \InvalidArgumentException for a limit below 0, and a lifetime that is not above it
     */
    public static function check(int|ByDefault|null $limit, int|float|ByDefault|null $lifetime): void
    {
        if (\is_int($limit) && $limit < 0) {
            throw new \InvalidArgumentException(
                "limit: expected bytes, an integer that is not negative, or null, not {$limit}",
            );
        }
        $isNumber = \is_int($lifetime) || \is_float($lifetime);
        if ($isNumber && !($lifetime > 0 && is_finite($lifetime))) {
            throw new \InvalidArgumentException('lifetime: expected a positive duration, in seconds');
        }
    }
}
