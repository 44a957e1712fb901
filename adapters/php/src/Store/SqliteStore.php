<?php

declare(strict_types=1);

namespace Toolresult\Store;

use Toolresult\Store\Sqlite\Blob;
use Toolresult\Store\Sqlite\Connection;
use Toolresult\Store\Sqlite\Database;
use Toolresult\Store\Sqlite\Files;
use Toolresult\Store\Sqlite\Layout;

/**
 * The durable store: one SQLite file, shared by any number of processes and languages (ext-sqlite3).
 *
 * Write-ahead log, so readers and the one writer do not wait for each other. `synchronous=FULL`: a
 * commit returns after the log has reached the disk. The default for a write-ahead log, NORMAL, may
 * forget the last commits when the power goes, and a link to a result that is gone is worse than the
 * few milliseconds. Each row holds a SHA-256 over what was put, since SQLite does not notice a byte
 * that changed inside a payload. See docs/stores.md.
 */
final class SqliteStore implements Store, ListVersions
{
    public const BUSY_TIMEOUT = 5_000;
    public const MAX_PAYLOAD_BYTES = 256 * 1024 * 1024;

    /** A purge deletes at most so much (and at least one row) under one write lock. */
    private const BATCH_ROWS = 100;
    private const BATCH_BYTES = 16 * 1024 * 1024;

    /** Microseconds between two batches: SQLite has no queue, a writer that waits looks again and again. */
    private const BATCH_PAUSE = 5_000;

    private readonly string $path;
    private readonly Connection $connection;

    /**
     * Keeps results in the file at a path. It is made, readable by the owner alone, unless $create is
     * false; its folder must be there. A store that goes while it is open is not made anew: every call
     * raises store_unavailable until the file is back.
     *
     * @param int $busyTimeout milliseconds that a call waits for another writer before it raises
     *     store_locked
     * @param ?int $maxFileBytes bounds the database; beyond it put raises store_full. Null: the disk does
     * @throws StoreError for a file that cannot be opened, is damaged, is of another program, or of a
     *     later version of this one
     */
    public function __construct(
        string $path,
        private readonly KeyRing $keys,
        bool $create = true,
        int $busyTimeout = self::BUSY_TIMEOUT,
        private readonly int $maxPayloadBytes = self::MAX_PAYLOAD_BYTES,
        ?int $maxFileBytes = null,
    ) {
        $this->path = Files::absolute($path);
        // Static, so that the connection does not keep the store alive, and is closed with it.
        $open = static fn (string $path): Database => self::open($path, $busyTimeout, $maxFileBytes);
        $this->connection = new Connection($this->path, $open);
        if ($create) {
            Files::create($this->path);
        }
        try {
            Files::refuseOther($this->path, $create);
        } catch (StoreError $error) {
            throw Files::explained($error, $this->path);
        }
        Permissions::warn($this->path, 'store_permissions');
        $this->connection->use(static fn (Database $db): null => null);
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
        if (\strlen($payload) > $this->maxPayloadBytes) {
            throw StoreError::fault(StoreErrorCode::TooLarge);
        }
        $id = Pointer::newRecordId();
        $uri = (new Pointer($id, $record->expiresAt))->sign($principal, $this->keys);
        $values = [
            new Blob($id),
            $record->formatVersion,
            $record->mimeType,
            $record->storedAt,
            $record->expiresAt,
            new Blob($record->checkSum()),
            new Blob($record->payload),
        ];
        $this->connection->use(static fn (Database $db): array => $db->writing(static fn (): array => $db->rows(
            'INSERT INTO stored_result (record_id, format_version, mime_type, stored_at,'
                . ' expires_at, check_sum, payload) VALUES (?, ?, ?, ?, ?, ?, ?)',
            $values,
        )));
        return $record->link($uri);
    }

    public function get(
        string $uri,
        #[\SensitiveParameter] string $principal,
        \DateTimeInterface $now,
    ): StoredPayload {
        $pointer = Pointer::verify($uri, $principal, $now, $this->keys);
        $rows = $this->connection->use(static fn (Database $db): array => $db->rows(
            'SELECT payload, format_version, mime_type, stored_at, expires_at, check_sum'
                . ' FROM stored_result WHERE record_id = ?',
            [new Blob($pointer->recordId)],
        ));
        return self::record($rows[0] ?? throw StoreError::notFound())->storedPayload();
    }

    /**
     * Deletes expired or old results in small batches. See Store::purge.
     *
     * Readers never wait for it; other writers wait for one batch at most. If a batch fails, those
     * before it stay deleted. The freed pages are used for new results; the file keeps its size.
     */
    public function purge(\DateTimeInterface $now, int|float|null $olderThan = null): int
    {
        $cutoff = Cutoff::of($now, $olderThan);
        return $this->connection->use(static function (Database $db) use ($cutoff): int {
            $count = 0;
            while (($deleted = self::deleteBatch($db, $cutoff)) > 0) {
                $count += $deleted;
                usleep(self::BATCH_PAUSE);
            }
            return $count;
        });
    }

    public function stats(\DateTimeInterface $now): StoreStats
    {
        return $this->connection->use(function (Database $db) use ($now): StoreStats {
            [[$count, $expired, $bytes, $oldest, $newest]] = $db->rows(
                'SELECT count(*), coalesce(sum(expires_at <= ?), 0), coalesce(sum(length(payload)), 0),'
                    . ' min(stored_at), max(stored_at) FROM stored_result',
                [$now->getTimestamp()],
            );
            return new StoreStats(
                count: $count,
                expired: $expired,
                payloadBytes: $bytes,
                fileBytes: Files::bytes($this->path),
                oldestStoredAt: self::shown($oldest),
                newestStoredAt: self::shown($newest),
                schemaVersion: Layout::version($db),
            );
        });
    }

    public function listVersion(string $name): int
    {
        $name = ListName::checked($name);
        return $this->connection->use(static fn (Database $db): int => self::listVersionIn($db, $name));
    }

    public function raiseListVersion(string $name): int
    {
        $name = ListName::checked($name);
        return $this->connection->use(
            static fn (Database $db): int => $db->writing(static function () use ($db, $name): int {
                $db->rows(
                    'INSERT INTO list_version (name, version) VALUES (?, 1)'
                        . ' ON CONFLICT (name) DO UPDATE SET version = version + 1',
                    [$name],
                );
                return self::listVersionIn($db, $name);
            }),
        );
    }

    /**
     * Closes the connection until it is needed again: call it before pcntl_fork.
     */
    public function release(): void
    {
        $this->connection->release();
    }

    public function close(): void
    {
        $this->connection->close();
    }

    /**
     * A connection that is ready for use, with the newest layout.
     */
    private static function open(string $path, int $busyTimeout, ?int $maxFileBytes): Database
    {
        $db = Database::open($path, $busyTimeout);
        try {
            $db->run('PRAGMA synchronous = FULL');
            $db->run('PRAGMA trusted_schema = OFF'); // The file is data; nothing in it may call functions.
            $db->run('PRAGMA cell_size_check = ON'); // Notice a damaged page when it is read.
            $db->single('PRAGMA journal_size_limit = 67108864'); // Cut a log that a large result made long.
            Layout::checkNotNewer(Layout::version($db));
            $db->useLog($busyTimeout);
            Layout::migrate($db);
            if ($maxFileBytes !== null) {
                $pages = max(1, intdiv($maxFileBytes, (int) $db->single('PRAGMA page_size')));
                $db->single("PRAGMA max_page_count = {$pages}");
            }
        } catch (\Throwable $error) {
            $db->close();
            throw $error;
        }
        return $db;
    }

    /**
     * Deletes some of what a cutoff covers and returns how many; 0 when nothing is left.
     */
    private static function deleteBatch(Database $db, Cutoff $cutoff): int
    {
        return $db->writing(static function () use ($db, $cutoff): int {
            // The column is one of two constants of Cutoff, never text from outside.
            $rows = $db->rows(
                "SELECT rowid, length(payload) FROM stored_result WHERE {$cutoff->column} <= ?"
                    . " ORDER BY {$cutoff->column} LIMIT ?",
                [$cutoff->moment, self::BATCH_ROWS],
            );
            $chosen = [];
            $size = 0;
            foreach ($rows as [$id, $length]) {
                $size += (int) $length;
                if ($chosen !== [] && $size > self::BATCH_BYTES) {
                    break;
                }
                $chosen[] = (int) $id;
            }
            if ($chosen !== []) {
                $db->run('DELETE FROM stored_result WHERE rowid IN (' . implode(',', $chosen) . ')');
            }
            return \count($chosen);
        });
    }

    private static function listVersionIn(Database $db, string $name): int
    {
        $found = $db->rows('SELECT version FROM list_version WHERE name = ?', [$name])[0][0] ?? 0;
        return \is_int($found) ? $found : throw StoreError::fault(StoreErrorCode::Damaged);
    }

    /**
     * The record in a row.
     *
     * @param list<mixed> $row
     * @throws StoreError store_damaged if it is not what was put
     */
    private static function record(array $row): Record
    {
        [$payload, $formatVersion, $mimeType, $storedAt, $expiresAt, $checkSum] = $row;
        if (
            !$payload instanceof Blob
            || !\is_int($formatVersion)
            || !\is_string($mimeType)
            || !\is_int($storedAt)
            || !\is_int($expiresAt)
            || !$checkSum instanceof Blob
        ) {
            throw StoreError::fault(StoreErrorCode::Damaged);
        }
        $record = new Record($payload->bytes, $formatVersion, $mimeType, $storedAt, $expiresAt);
        if (!hash_equals($record->checkSum(), $checkSum->bytes)) {
            throw StoreError::fault(StoreErrorCode::Damaged);
        }
        return $record;
    }

    /**
     * A time from the database for people.
     *
     * @throws StoreError store_damaged if it is none
     */
    private static function shown(mixed $moment): ?string
    {
        if ($moment === null) {
            return null;
        }
        return \is_int($moment) ? Record::shown($moment) : throw StoreError::fault(StoreErrorCode::Damaged);
    }
}
