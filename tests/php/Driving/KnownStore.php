<?php

declare(strict_types=1);

namespace Toolresult\Tests\Driving;

use Toolresult\Store\Store;
use Toolresult\Store\StoreError;
use Toolresult\Store\StoreErrorCode;
use Toolresult\Store\StoreStats;
use Toolresult\Store\StoredLink;
use Toolresult\Store\StoredPayload;

/**
 * A store whose links are known beforehand, and that tells what it was asked to keep.
 */
final class KnownStore implements Store
{
    /** @var ?array<string, mixed> */
    public ?array $kept = null;

    public function __construct(private readonly ?StoreErrorCode $failure = null)
    {
    }

    public function put(
        string $payload,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
        int|float $lifetime,
        int $formatVersion,
        string $mimeType,
    ): StoredLink {
        if ($this->failure !== null) {
            throw new StoreError($this->failure, 'It fails.');
        }
        $this->kept = [
            'payload' => base64_encode($payload),
            'principal' => $principal,
            'now' => (int) $now->format('Uv'),
            'lifetime' => $lifetime * 1000,
            'format_version' => $formatVersion,
            'mime_type' => $mimeType,
        ];
        $expiresAt = '2026-07-28T11:00:00Z';
        return new StoredLink('toolresult://stored/known', \strlen($payload), $expiresAt, $mimeType);
    }

    public function get(
        string $uri,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
    ): StoredPayload {
        throw StoreError::notFound();
    }

    public function purge(\DateTimeInterface $now, int|float|null $olderThan = null): int
    {
        return 0;
    }

    public function stats(\DateTimeInterface $now): StoreStats
    {
        return new StoreStats(0, 0, 0, null, null, null, null);
    }

    public function close(): void
    {
    }
}
