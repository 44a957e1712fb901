<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * How values write their serialized form.
 */
final class Writing
{
    /**
     * An object of members that each start with a comma; changes the text, which is not copied so.
     */
    public static function closed(string &$members): string
    {
        if ($members === '') {
            return '{}';
        }
        $members[0] = '{';
        $members .= '}';
        return $members;
    }

    /**
     * @param list<Value> $values
     */
    public static function values(array $values): string
    {
        $texts = array_map(static fn (Value $one): string => $one->toJson(), $values);
        return '[' . implode(',', $texts) . ']';
    }

    /**
     * @param list<\BackedEnum> $names
     */
    public static function names(array $names): string
    {
        $texts = array_map(static fn (\BackedEnum $one): string => Canonical::quote($one->value), $names);
        return '[' . implode(',', $texts) . ']';
    }
}
