<?php

declare(strict_types=1);

namespace Toolresult\Store\Sqlite;

use Toolresult\Store\StoreError;
use Toolresult\Store\StoreErrorCode;

/**
 * One connection to a SQLite file, whose errors are those of a store.
 *
 * No text of SQLite reaches a message, since it may name files, tables or values; the original error
 * is the cause, for the log.
 */
final class Database
{
    /** Milliseconds between two looks where SQLite asks no busy handler. */
    private const PAUSE = 10;

    private function __construct(private readonly \SQLite3 $db)
    {
    }

    /**
     * Opens a file that is there.
     *
     * @param int $busyTimeout milliseconds that a call waits for another writer
     * @throws StoreError store_unavailable
     */
    public static function open(string $path, int $busyTimeout): self
    {
        try {
            // Without SQLITE3_OPEN_CREATE: never create here.
            $db = new \SQLite3($path, SQLITE3_OPEN_READWRITE);
        } catch (\Exception $error) {
            throw StoreError::fault(StoreErrorCode::Unavailable, $error);
        }
        $db->enableExceptions(true);
        $db->busyTimeout($busyTimeout);
        return new self($db);
    }

    /**
     * Runs a statement that has no answer.
     *
     * @throws StoreError
     */
    public function run(string $statement): void
    {
        $this->translated(fn () => $this->db->exec($statement));
    }

    /**
     * The first value of a statement's first row; null if there is none.
     *
     * @throws StoreError
     */
    public function single(string $statement): mixed
    {
        return $this->translated(fn () => $this->db->querySingle($statement));
    }

    /**
     * The rows of a statement with values in its gaps; of what writes, none.
     *
     * A text is bound as one, a Blob as bytes, and what is bytes in the file comes back as a Blob.
     *
     * @param list<int|string|Blob> $values
     * @return list<list<mixed>>
     * @throws StoreError
     */
    public function rows(string $statement, array $values = []): array
    {
        return $this->translated(function () use ($statement, $values): array {
            $prepared = $this->db->prepare($statement);
            try {
                foreach ($values as $index => $value) {
                    match (true) {
                        $value instanceof Blob => $prepared->bindValue($index + 1, $value->bytes, SQLITE3_BLOB),
                        \is_int($value) => $prepared->bindValue($index + 1, $value, SQLITE3_INTEGER),
                        default => $prepared->bindValue($index + 1, $value, SQLITE3_TEXT),
                    };
                }
                $found = $prepared->execute();
                $rows = [];
                // To fetch from what has no columns would run it a second time.
                while ($found->numColumns() > 0 && ($row = $found->fetchArray(SQLITE3_NUM)) !== false) {
                    foreach ($row as $column => $value) {
                        if ($found->columnType($column) === SQLITE3_BLOB) {
                            $row[$column] = new Blob($value);
                        }
                    }
                    $rows[] = $row;
                }
                return $rows;
            } finally {
                // An open statement would hold its lock.
                $prepared->close();
            }
        });
    }

    /**
     * A transaction that has the write lock from the start: it fails at once or not for a lock.
     *
     * @template T
     * @param callable(): T $work
     * @return T
     * @throws StoreError
     */
    public function writing(callable $work): mixed
    {
        return $this->within('BEGIN IMMEDIATE', $work);
    }

    /**
     * A transaction that sees one state of the file.
     *
     * @template T
     * @param callable(): T $work
     * @return T
     * @throws StoreError
     */
    public function reading(callable $work): mixed
    {
        return $this->within('BEGIN', $work);
    }

    /**
     * Switches to the write-ahead log, so that readers and the one writer do not wait for each other.
     *
     * The switch needs the file for itself for a moment and does not wait for it (SQLite asks no busy
     * handler there), so it is tried again until so many milliseconds have passed.
     *
     * @throws StoreError
     */
    public function useLog(int $timeout): void
    {
        $end = hrtime(true) + $timeout * 1_000_000;
        while (true) {
            try {
                $mode = $this->single('PRAGMA journal_mode = WAL');
            } catch (StoreError $error) {
                if ($error->code !== StoreErrorCode::Locked->value || hrtime(true) >= $end) {
                    throw $error;
                }
                usleep(self::PAUSE * 1_000);
                continue;
            }
            if ($mode !== 'wal') {
                // Some file systems cannot share memory between processes.
                throw StoreError::fault(StoreErrorCode::Unavailable);
            }
            return;
        }
    }

    public function close(): void
    {
        $this->db->close();
    }

    private function within(string $begin, callable $work): mixed
    {
        $this->run($begin);
        try {
            $made = $work();
            $this->run('COMMIT');
            return $made;
        } catch (\Throwable $error) {
            try {
                $this->run('ROLLBACK');
            } catch (StoreError) {
                // SQLite has rolled back by itself after some errors; the connection is closed anyway.
            }
            throw $error;
        }
    }

    private function translated(callable $work): mixed
    {
        try {
            return $work();
        } catch (\Exception $error) {
            throw StoreError::fault($this->classify($error), $error);
        }
    }

    /**
     * The code for what SQLite raised, by its primary result code (https://sqlite.org/rescode.html).
     */
    private function classify(\Exception $error): StoreErrorCode
    {
        return match ($this->db->lastErrorCode() & 0xFF) {
            5, 6, 15 => StoreErrorCode::Locked, // BUSY, LOCKED, PROTOCOL
            13 => StoreErrorCode::Full,
            11, 24, 20, 19 => StoreErrorCode::Damaged, // CORRUPT, FORMAT, MISMATCH, CONSTRAINT
            26 => StoreErrorCode::NotAStore, // NOTADB
            18 => StoreErrorCode::TooLarge, // TOOBIG
            // ERROR: of our fixed statements only where the layout is not what it was
            1 => preg_match('/no such (table|column)/', $error->getMessage()) === 1
                ? StoreErrorCode::Damaged
                : StoreErrorCode::Unavailable,
            default => StoreErrorCode::Unavailable,
        };
    }
}
