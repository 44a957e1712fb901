<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * A place for results that are too large to send inline.
 *
 * A store keeps the serialized bytes of results and hands out a link for each: a signed, short-lived
 * pointer that only the principal it was made for can use. The clock always comes from the caller; a
 * store never asks for the time itself, so tests and replays decide what "now" is.
 *
 * Faults of the store raise StoreError; arguments that no caller should pass (an empty principal, a
 * lifetime that is not positive) raise InvalidArgumentException. See docs/stores.md.
 */
interface Store
{
    /** Seconds for which a link can be read where the host does not say otherwise. */
    public const DEFAULT_LIFETIME = 3600;

    /** The format version of the legacy string, which carries no version itself. */
    public const LEGACY_FORMAT_VERSION = 0;

    /**
     * Stores the payload and returns its link, only once it is safely stored.
     *
     * The link can be read by the principal until now plus the lifetime, rounded up to a whole second.
     *
     * @param string $payload bytes
     * @param int|float $lifetime seconds
     * @param int $formatVersion 0 for the legacy string, else the version inside the payload
     * @throws StoreError then no link exists
     */
    public function put(
        string $payload,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
        int|float $lifetime,
        int $formatVersion,
        string $mimeType,
    ): StoredLink;

    /**
     * The payload behind a URI, which is untrusted text.
     *
     * @throws StoreError not_found, with one and the same message, for a pointer that is tampered
     *     with, expired, another principal's, or unknown; another code for a fault of the store
     */
    public function get(
        string $uri,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
    ): StoredPayload;

    /**
     * Deletes stored results and returns how many: those that have expired, which no link can reach;
     * with an age, those that were stored at least so many seconds ago, expired or not.
     *
     * @throws StoreError
     */
    public function purge(\DateTimeInterface $now, int|float|null $olderThan = null): int;

    /**
     * Counts and sizes.
     *
     * @throws StoreError
     */
    public function stats(\DateTimeInterface $now): StoreStats;

    /**
     * Lets go of files. Any later call raises store_unavailable; closing twice is fine.
     */
    public function close(): void;
}
