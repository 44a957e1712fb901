<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * A store in memory, for tests and for servers of one process, with the same pointers as the durable
 * one.
 *
 * Bounded: where the count or the bytes would be exceeded, expired results go first; if that does
 * not suffice, put raises store_full. It never drops a result whose link can still be read.
 */
final class MemoryStore implements Store, ListVersions
{
    private readonly KeyRing $keys;

    /** @var array<string, Record> by the id in hex */
    private array $records = [];

    /** @var array<string, int> */
    private array $versions = [];
    private int $bytes = 0;
    private bool $isClosed = false;

    /**
     * Without keys the ring is random, and no link outlives the process.
     */
    public function __construct(
        ?KeyRing $keys = null,
        private readonly int $maxCount = 1_000,
        private readonly int $maxBytes = 256 * 1024 * 1024,
    ) {
        if ($maxCount < 1 || $maxBytes < 1) {
            throw new \InvalidArgumentException('maxCount, maxBytes: expected positive numbers');
        }
        $this->keys = $keys ?? KeyRing::generate();
    }

    public function put(
        string $payload,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
        int|float $lifetime,
        int $formatVersion,
        string $mimeType,
    ): StoredLink {
        $record = Record::toPut($payload, $now, $lifetime, $formatVersion, $mimeType);
        $id = Pointer::newRecordId();
        $uri = (new Pointer($id, $record->expiresAt))->sign($principal, $this->keys);
        $size = \strlen($payload);
        if ($size > $this->maxBytes) {
            throw StoreError::fault(StoreErrorCode::TooLarge);
        }
        $this->checkOpen();
        if (!$this->fits($size)) {
            $this->drop(Cutoff::of($now, null));
        }
        if (!$this->fits($size)) {
            throw StoreError::fault(StoreErrorCode::Full);
        }
        $this->records[bin2hex($id)] = $record;
        $this->bytes += $size;
        return $record->link($uri);
    }

    public function get(
        string $uri,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
    ): StoredPayload {
        $pointer = Pointer::verify($uri, $principal, $now, $this->keys);
        $this->checkOpen();
        $record = $this->records[bin2hex($pointer->recordId)] ?? throw StoreError::notFound();
        return $record->storedPayload();
    }

    public function purge(\DateTimeInterface $now, int|float|null $olderThan = null): int
    {
        $cutoff = Cutoff::of($now, $olderThan);
        $this->checkOpen();
        return $this->drop($cutoff);
    }

    public function stats(\DateTimeInterface $now): StoreStats
    {
        $this->checkOpen();
        $cutoff = Cutoff::of($now, null);
        $stored = array_map(static fn (Record $one): int => $one->storedAt, array_values($this->records));
        return new StoreStats(
            count: \count($this->records),
            expired: \count(array_filter($this->records, $cutoff->covers(...))),
            payloadBytes: $this->bytes,
            fileBytes: null,
            oldestStoredAt: $stored === [] ? null : Times::rfc3339(min($stored)),
            newestStoredAt: $stored === [] ? null : Times::rfc3339(max($stored)),
            schemaVersion: null,
        );
    }

    public function listVersion(string $name): int
    {
        $name = ListName::checked($name);
        $this->checkOpen();
        return $this->versions[$name] ?? 0;
    }

    public function raiseListVersion(string $name): int
    {
        $version = $this->listVersion($name) + 1;
        $this->versions[$name] = $version;
        return $version;
    }

    /**
     * Forgets everything.
     */
    public function close(): void
    {
        $this->isClosed = true;
        [$this->records, $this->versions, $this->bytes] = [[], [], 0];
    }

    private function fits(int $size): bool
    {
        return \count($this->records) < $this->maxCount && $this->bytes + $size <= $this->maxBytes;
    }

    private function drop(Cutoff $cutoff): int
    {
        $gone = array_filter($this->records, $cutoff->covers(...));
        $this->records = array_diff_key($this->records, $gone);
        foreach ($gone as $record) {
            $this->bytes -= \strlen($record->payload);
        }
        return \count($gone);
    }

    private function checkOpen(): void
    {
        if ($this->isClosed) {
            throw new StoreError(StoreErrorCode::Unavailable, 'The store is closed.');
        }
    }
}
