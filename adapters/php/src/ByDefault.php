<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * Stands for a value that the mapper has, or, where it has none, the library: null is a value.
 */
enum ByDefault
{
    case Value;

    /**
     * What is asked for, or else the default.
     */
    public static function or(mixed $asked, mixed $default): mixed
    {
        return $asked === self::Value ? $default : $asked;
    }
}
