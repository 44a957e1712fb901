<?php

declare(strict_types=1);

namespace Toolresult\Store;

/**
 * The closed set of reasons why a store did not do what was asked.
 */
enum StoreErrorCode: string
{
    /** The pointer is tampered with, expired, another principal's, or unknown. */
    case NotFound = 'not_found';

    /** The store is missing, closed, cannot be opened, or its device fails. */
    case Unavailable = 'store_unavailable';

    /** Another process held the store for longer than the busy timeout. */
    case Locked = 'store_locked';

    /** The disk, or the bound given to the store, is used up. */
    case Full = 'store_full';

    /** What was stored cannot be read back as it was written. */
    case Damaged = 'store_damaged';

    /** The store was written by a later version of this library. */
    case Newer = 'store_newer';

    /** The file is a database of some other program, or no database. */
    case NotAStore = 'not_a_store';

    /** The payload is larger than the store takes. */
    case TooLarge = 'too_large';

    /** The key file cannot be used. */
    case InvalidKeys = 'invalid_keys';
}
