<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * The versions of lists, such as that of a server's tools, seen by all workers alike.
 *
 * A version is a number that says whether a list has changed and nothing else: 0 for a list that
 * never did, one more with every change. Readers compare for *different*, never for *greater*, since
 * a store that is made anew begins at 0 again. A purge of results leaves versions alone. Faults
 * raise StoreError, a name that is none raises InvalidArgumentException.
 */
interface ListVersions
{
    /**
     * The version of the list with that name; 0 if it never changed. The name has 1 to 200 printable
     * characters.
     */
    public function listVersion(string $name): int;

    /**
     * Says that the list has changed, and returns its new version: of two workers at once each counts.
     */
    public function raiseListVersion(string $name): int;
}
