<?php

declare(strict_types=1);

namespace Toolresult\Store\Sqlite;

/**
 * Bytes in a database, which PHP's strings do not tell from text.
 */
final readonly class Blob
{
    public function __construct(public string $bytes)
    {
    }
}
