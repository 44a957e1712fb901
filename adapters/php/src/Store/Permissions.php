<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * Says to PHP's log that others than the owner may use a file that holds secrets.
 */
final class Permissions
{
    public static function warn(string $path, string $code): void
    {
        clearstatcache(true, $path);
        $mode = DIRECTORY_SEPARATOR === '/' ? @fileperms($path) : false;
        if ($mode !== false && ($mode & 0o077) !== 0) {
            error_log("{$path}: {$code}: others than the owner can use this file; run chmod 600 on it");
        }
    }
}
