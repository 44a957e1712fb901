<?php

declare(strict_types=1);

namespace Toolresult\A2a;

use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\Runtime\Members;
use Toolresult\Core\Targets\A2a10Reader;

/**
 * Reads tasks of revision 1.0.
 */
final class TaskReader10 extends A2a10Reader
{
    public const WRITTEN_FOR = '08a49c86db3672ad';

    public function readTask(mixed $wire): Result
    {
        $spelling = new Spelling(
            'TASK_STATE_COMPLETED',
            ['TASK_STATE_FAILED', 'TASK_STATE_REJECTED'],
            static fn (JsonObject $part, JsonObject $metadata): ?array
                => $part->has('data') ? [$part->get('data')] : null,
            self::typed(...),
            self::readPart(...),
            self::readStoredPart(...),
            self::readMetadata(...),
        );
        return (new TaskReading($wire, $spelling))->result();
    }

    private static function typed(JsonObject $part): JsonObject
    {
        return $part->has('raw') && Members::isNothing($part->get('mediaType'))
            ? TaskReading::with($part, 'mediaType', TaskReading::UNTYPED)
            : $part;
    }
}
