<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * A stored result as every store holds it, and the checks that all stores share.
 */
final readonly class Record
{
    /**
     * The media type of a row that holds no result, but says which object of an object store does:
     * Python has such stores.
     */
    public const REFERENCE_TYPE = 'application/vnd.toolresult.object+json';

    /** Format versions are kept in 31 bits. */
    private const LAST_VERSION = 0x7FFFFFFF;

    /**
     * @param string $payload bytes
     * @param int $storedAt seconds since 1970
     * @param int $expiresAt seconds since 1970
     */
    public function __construct(
        public string $payload,
        public int $formatVersion,
        public string $mimeType,
        public int $storedAt,
        public int $expiresAt,
    ) {
    }

    /**
     * The record that Store::put is to store.
     *
     * @throws \InvalidArgumentException for arguments out of range
     */
    public static function toPut(
        string $payload,
        \DateTimeInterface $now,
        int|float $lifetime,
        int $formatVersion,
        string $mimeType,
    ): self {
        if ($formatVersion < 0 || $formatVersion > self::LAST_VERSION) {
            throw new \InvalidArgumentException('formatVersion: expected a number from 0');
        }
        if ($mimeType === '' || !mb_check_encoding($mimeType, 'UTF-8') || str_contains($mimeType, "\0")) {
            throw new \InvalidArgumentException('mimeType: expected a non-empty string without NUL');
        }
        $expiresAt = Times::expiry($now, $lifetime);
        return new self($payload, $formatVersion, $mimeType, $now->getTimestamp(), $expiresAt);
    }

    /**
     * SHA-256 over all that was put, as bytes.
     */
    public function checkSum(): string
    {
        $head = "{$this->formatVersion}\n{$this->storedAt}\n{$this->expiresAt}\n{$this->mimeType}\n";
        $digest = hash_init('sha256');
        hash_update($digest, $head);
        hash_update($digest, $this->payload);
        return hash_final($digest, true);
    }

    /**
     * What Store::put hands out for this record.
     */
    public function link(string $uri): StoredLink
    {
        return new StoredLink($uri, \strlen($this->payload), self::shown($this->expiresAt), $this->mimeType);
    }

    /**
     * What Store::get gives back for this record.
     *
     * @throws StoreError store_unavailable for one whose bytes are in an object store: its reference
     *     would be taken for the result
     */
    public function storedPayload(): StoredPayload
    {
        if ($this->mimeType === self::REFERENCE_TYPE) {
            throw new StoreError(
                StoreErrorCode::Unavailable,
                'The bytes of this result are in an object store, which is not open here.',
            );
        }
        return new StoredPayload(
            $this->payload,
            $this->formatVersion,
            $this->mimeType,
            self::shown($this->storedAt),
            self::shown($this->expiresAt),
        );
    }

    /**
     * A stored time for people.
     *
     * @throws StoreError store_damaged for one that RFC 3339 cannot write
     */
    public static function shown(int $moment): string
    {
        return Times::rfc3339($moment) ?? throw StoreError::fault(StoreErrorCode::Damaged);
    }
}
