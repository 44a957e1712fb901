<?php

declare(strict_types=1);

namespace Toolresult\Mcp;

use Toolresult\Core\Result;
use Toolresult\Core\Targets\McpHandshakeReader;

/**
 * Reads results of the handshake revisions.
 */
final class HandshakeReader extends McpHandshakeReader
{
    public const WRITTEN_FOR = 'bfbb6e6f71c0dc74';

    public function readResult(mixed $wire): Result
    {
        $forms = new Forms(self::readBlock(...), self::readStoredBlock(...), self::readMeta(...));
        return (new ResultReading($wire, $forms))->result();
    }
}
