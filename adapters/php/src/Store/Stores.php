<?php

declare(strict_types=1);

namespace Toolresult\Store;

use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Legacy\Legacy;

/**
 * Two short ways in: open the durable store with its keys, and read what a store gave back.
 */
final class Stores
{
    /**
     * The SQLite store at a path, with the keys of a file or a ring. Made if it is not there and
     * $create is true.
     *
     * @throws StoreError
     */
    public static function openStore(string $path, string|KeyRing $keys, bool $create = true): SqliteStore
    {
        $ring = \is_string($keys) ? KeyRing::load($keys) : $keys;
        return new SqliteStore($path, $ring, create: $create);
    }

    /**
     * The result that was stored, of any known format version. Version 0 is the legacy string and
     * goes through its reader.
     *
     * @throws ResultError unknown_version for a version later than this library
     * @throws StoreError store_damaged for a stored text that is no UTF-8
     */
    public static function openResult(StoredPayload $stored): Result
    {
        if ($stored->formatVersion !== Store::LEGACY_FORMAT_VERSION) {
            return Result::fromJson($stored->payload);
        }
        if (!mb_check_encoding($stored->payload, 'UTF-8')) {
            // The check sum held, so it was stored like this.
            throw new StoreError(StoreErrorCode::Damaged, 'The stored text is not UTF-8.');
        }
        return Legacy::read($stored->payload);
    }
}
