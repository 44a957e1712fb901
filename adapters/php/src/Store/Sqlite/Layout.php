<?php

declare(strict_types=1);

namespace Toolresult\Store\Sqlite;

use Toolresult\Store\StoreError;
use Toolresult\Store\StoreErrorCode;

/**
 * The layout of the SQLite store, as a list of migrations: the same in every language.
 *
 * `PRAGMA user_version` counts those that were applied, `PRAGMA application_id` says that the file is
 * ours. Each migration runs in one transaction together with the new number, so a crash leaves the
 * layout before it or after it. Append; never change an entry that was released.
 */
final class Layout
{
    /** `trSt` in ASCII. */
    public const APPLICATION_ID = 0x74725374;

    private const MIGRATIONS = [
        // 1: results, found by the random id that is in their pointer.
        [
            '
        CREATE TABLE stored_result (
            record_id BLOB NOT NULL UNIQUE CHECK (length(record_id) = 16),
            format_version INTEGER NOT NULL CHECK (format_version >= 0),
            mime_type TEXT NOT NULL,
            stored_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            check_sum BLOB NOT NULL CHECK (length(check_sum) = 32),
            payload BLOB NOT NULL
        )
        ',
            'CREATE INDEX stored_result_by_expiry ON stored_result (expires_at)',
            'CREATE INDEX stored_result_by_age ON stored_result (stored_at)',
        ],
        // 2: how often a list, such as that of a server's tools, has changed.
        [
            '
        CREATE TABLE list_version (
            name TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL CHECK (version > 0)
        ) WITHOUT ROWID
        ',
        ],
    ];

    /**
     * How many migrations a database has, 0 for an empty one.
     *
     * @throws StoreError not_a_store for a database of another program
     */
    public static function version(Database $db): int
    {
        // One snapshot for all that is read: another process may be making the store right now,
        // and a half of before with a half of after looks like no store.
        return $db->reading(static fn (): int => self::versionWithin($db));
    }

    /**
     * Refuses a layout that this version of the library does not know.
     *
     * @throws StoreError store_newer
     */
    public static function checkNotNewer(int $found): void
    {
        $known = \count(self::MIGRATIONS);
        if ($found > $known) {
            $more = " It has layout {$found}; this program knows 1 to {$known}.";
            throw StoreError::fault(StoreErrorCode::Newer, more: $more);
        }
    }

    /**
     * Brings a database to the newest layout.
     *
     * Safe to run by several processes at once: each step takes the write lock first and then looks
     * again at what is left to do.
     *
     * @throws StoreError
     */
    public static function migrate(Database $db): void
    {
        while (self::version($db) < \count(self::MIGRATIONS)) {
            $db->writing(static function () use ($db): void {
                $found = self::versionWithin($db);
                self::checkNotNewer($found);
                foreach (self::MIGRATIONS[$found] ?? [] as $statement) {
                    $db->run($statement);
                }
                $db->run('PRAGMA application_id = ' . self::APPLICATION_ID);
                $db->run('PRAGMA user_version = ' . min($found + 1, \count(self::MIGRATIONS)));
            });
        }
    }

    private static function versionWithin(Database $db): int
    {
        $applicationId = $db->single('PRAGMA application_id');
        $userVersion = (int) $db->single('PRAGMA user_version');
        if ($applicationId === self::APPLICATION_ID) {
            return $userVersion;
        }
        $things = $db->single('SELECT count(*) FROM sqlite_master');
        if ($applicationId !== 0 || $userVersion !== 0 || $things !== 0) {
            throw StoreError::fault(StoreErrorCode::NotAStore);
        }
        return 0;
    }
}
