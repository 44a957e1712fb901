<?php

declare(strict_types=1);

namespace Toolresult\Legacy;

use Toolresult\Core\Result;

/**
 * What servers of before returned: strings.
 */
final class Legacy
{
    /**
     * The result of a legacy string: an envelope, or else one text part, unchanged.
     *
     * @throws \Toolresult\Core\ResultError for a text that no result can hold
     */
    public static function read(string $text): Result
    {
        return (new EnvelopeReader())->read($text);
    }
}
