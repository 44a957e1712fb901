<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * What Store::put hands out once the result is safely stored.
 */
final readonly class StoredLink
{
    /**
     * @param string $uri `toolresult://stored/<token>`, ASCII
     * @param int $size bytes that the link yields
     * @param string $expiresAt RFC 3339 in UTC with `Z`, whole seconds: the pointer's own expiry
     */
    public function __construct(
        public string $uri,
        public int $size,
        public string $expiresAt,
        public string $mimeType,
    ) {
    }
}
