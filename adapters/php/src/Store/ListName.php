<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * The name of a list that has versions.
 */
final class ListName
{
    /** Characters. */
    public const MAX = 200;

    /**
     * The name, for stores to call first.
     *
     * @throws \InvalidArgumentException for what is no name of a list
     */
    public static function checked(string $name): string
    {
        if (preg_match('/\A(?:[^\p{C}\p{Z}]| ){1,' . self::MAX . '}\z/u', $name) !== 1) {
            throw new \InvalidArgumentException('name: expected 1 to ' . self::MAX . ' printable characters');
        }
        return $name;
    }
}
