<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * What Store::get gives back, exactly as it was put.
 */
final readonly class StoredPayload
{
    /**
     * @param string $payload bytes
     * @param int $formatVersion 0 for the legacy string (UTF-8), else the version inside the payload
     * @param string $storedAt RFC 3339 in UTC with `Z`, whole seconds
     * @param string $expiresAt RFC 3339 in UTC with `Z`, whole seconds
     */
    public function __construct(
        public string $payload,
        public int $formatVersion,
        public string $mimeType,
        public string $storedAt,
        public string $expiresAt,
    ) {
    }
}
