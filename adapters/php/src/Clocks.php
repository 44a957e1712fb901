<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * What tells the time: a fixed time, or a function that gives one.
 */
final class Clocks
{
    /**
     * The present time.
     *
     * @throws \InvalidArgumentException for a clock that gives something else
     */
    public static function now(\DateTimeInterface|\Closure $clock): \DateTimeInterface
    {
        $now = $clock instanceof \Closure ? $clock() : $clock;
        return $now instanceof \DateTimeInterface
            ? $now
            : throw new \InvalidArgumentException('clock: expected a function that gives a DateTimeInterface');
    }
}
