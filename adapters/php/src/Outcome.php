<?php

declare(strict_types=1);

namespace Toolresult;

/**
 * What was done with a result that is too large.
 */
enum Outcome: string
{
    /** Sent as a link, with summary and metadata. */
    case Stored = 'stored';

    /** Sent as a link with no more than an error's code and message. */
    case Shortened = 'shortened';

    /** Sent whole. */
    case Inline = 'inline';
}
