<?php

declare(strict_types=1);

namespace Toolresult\Mcp;

use Toolresult\Core\Result;
use Toolresult\Core\Targets\McpStatelessReader;

/**
 * Reads results of the stateless revisions.
 */
final class StatelessReader extends McpStatelessReader
{
    public const WRITTEN_FOR = 'b50847cd3eb496e6';

    public function readResult(mixed $wire): Result
    {
        $forms = new Forms(self::readBlock(...), self::readStoredBlock(...), self::readMeta(...));
        return (new ResultReading($wire, $forms))->result();
    }
}
