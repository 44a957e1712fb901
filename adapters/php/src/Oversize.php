<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Store\StoredLink;

/**
 * What was done with a result whose output was above the limit.
 */
final readonly class Oversize
{
    /**
     * @param int $size bytes of the output that was too large
     * @param int $limit the limit that it exceeded, in bytes
     * @param ?string $reason why it went inline: `no_store`, `no_principal`, `output_schema`, or the
     *     code of the store's error, such as `store_full`
     * @param ?StoredLink $link the link that yields the stored result
     */
    public function __construct(
        public int $size,
        public int $limit,
        public Outcome $outcome,
        public ?string $reason = null,
        public ?StoredLink $link = null,
    ) {
    }
}
