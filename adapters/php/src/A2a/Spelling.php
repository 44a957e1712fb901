<?php

declare(strict_types=1);

namespace Toolresult\A2a;

use Toolresult\Core\JsonObject;
use Toolresult\Core\Runtime\Draft;
use Toolresult\Core\Runtime\Members;

/**
 * How one revision spells what all revisions say.
 */
final readonly class Spelling
{
    /**
     * @param list<string> $failed the states of a task that failed
     * @param \Closure(JsonObject, JsonObject): ?array{mixed} $data the value of a data part in an
     *     array, or null for another part; takes the part and its metadata
     * @param \Closure(JsonObject): JsonObject $typed the part with a media type on raw bytes that have none
     * @param \Closure(Members, ?string): Draft $part
     * @param \Closure(Members): Draft $storedPart
     * @param \Closure(Members): Draft $metadata
     */
    public function __construct(
        public string $completed,
        public array $failed,
        public \Closure $data,
        public \Closure $typed,
        public \Closure $part,
        public \Closure $storedPart,
        public \Closure $metadata,
    ) {
    }
}
