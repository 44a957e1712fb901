<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * What becomes of a result that is too large where its store fails.
 */
enum OnStoreFailure: string
{
    /** The whole result is sent. */
    case Inline = 'inline';

    /** The store's error is raised. */
    case Fail = 'fail';
}
