<?php

declare(strict_types=1);

namespace Toolresult\Store\Sqlite;

use Toolresult\Store\StoreError;
use Toolresult\Store\StoreErrorCode;

/**
 * The file of a store, as the file system sees it.
 */
final class Files
{
    /** Bytes of the header of a database. */
    private const HEADER = 100;

    private const READ_ONLY = ' The file or its folder is read-only for this process.';

    /** The bits of a mode that say what it is, and those of a regular file. */
    private const TYPE = 0o170000;
    private const REGULAR = 0o100000;

    /**
     * A path that no later change of the working folder matters to.
     *
     * @throws StoreError store_unavailable for what is no path
     */
    public static function absolute(string $path): string
    {
        if ($path === '' || str_contains($path, "\0") || str_contains($path, '://')) {
            throw StoreError::fault(StoreErrorCode::Unavailable, new \ValueError('no path of a file'));
        }
        $isAbsolute = $path[0] === '/' || preg_match('/\A[A-Za-z]:[\\\\\/]|\A\\\\/', $path) === 1;
        return $isAbsolute ? $path : getcwd() . DIRECTORY_SEPARATOR . $path;
    }

    /**
     * An empty file that the owner alone may use, unless there is one; its log gets the same
     * permissions from SQLite.
     */
    public static function create(string $path): void
    {
        $mask = umask(0o177);
        try {
            $file = @fopen($path, 'x');
        } finally {
            umask($mask);
        }
        if ($file !== false) {
            fclose($file);
        }
    }

    /**
     * Refuses a folder or a device, and what is too short to be a database.
     *
     * SQLite takes a file of less than a header for a new database, and would write over it.
     *
     * @throws StoreError
     */
    public static function refuseOther(string $path, bool $mayBeEmpty): void
    {
        $size = self::status($path)['size'];
        if ($size > 0 && $size < self::HEADER) {
            throw StoreError::fault(StoreErrorCode::NotAStore, new \LengthException('shorter than a header'));
        }
        if ($size === 0 && !$mayBeEmpty) {
            throw StoreError::fault(StoreErrorCode::NotAStore);
        }
    }

    /**
     * Bytes of the database and of its log.
     *
     * @throws StoreError store_unavailable
     */
    public static function bytes(string $path): int
    {
        $log = $path . '-wal';
        clearstatcache(true, $log);
        return self::status($path)['size'] + (int) @filesize($log);
    }

    /**
     * What the file system says of a regular file now; PHP would remember what it said before.
     *
     * @return array<array-key, int>
     * @throws StoreError store_unavailable if there is none
     */
    public static function status(string $path): array
    {
        clearstatcache(true, $path);
        $status = @stat($path);
        if ($status === false || ($status['mode'] & self::TYPE) !== self::REGULAR) {
            throw StoreError::fault(StoreErrorCode::Unavailable, new \RuntimeException('no regular file'));
        }
        return $status;
    }

    /**
     * The same fault, which says so where the store cannot be used for want of permission.
     */
    public static function explained(StoreError $error, string $path): StoreError
    {
        return $error->code === StoreErrorCode::Unavailable->value && self::isReadOnly($path)
            ? StoreError::fault(StoreErrorCode::Unavailable, $error->getPrevious(), self::READ_ONLY)
            : $error;
    }

    /**
     * Whether this process may not write the file, or not beside it, where SQLite has its log.
     */
    private static function isReadOnly(string $path): bool
    {
        $folder = \dirname($path);
        clearstatcache(true, $path);
        clearstatcache(true, $folder);
        return (is_dir($folder) && !is_writable($folder))
            || (file_exists($path) && !(is_readable($path) && is_writable($path)));
    }
}
