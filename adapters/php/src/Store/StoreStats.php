<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * What a store holds at one moment.
 */
final readonly class StoreStats
{
    /**
     * @param int $count stored results, expired ones included
     * @param int $expired those of them that no link can reach any more
     * @param int $payloadBytes bytes of all payloads
     * @param ?int $fileBytes bytes on disk, write-ahead log included; null where there is no file
     * @param ?string $oldestStoredAt RFC 3339 in UTC with `Z`, whole seconds
     * @param ?string $newestStoredAt RFC 3339 in UTC with `Z`, whole seconds
     * @param ?int $schemaVersion the layout of the database; null where there is none
     */
    public function __construct(
        public int $count,
        public int $expired,
        public int $payloadBytes,
        public ?int $fileBytes,
        public ?string $oldestStoredAt,
        public ?string $newestStoredAt,
        public ?int $schemaVersion,
    ) {
    }
}
