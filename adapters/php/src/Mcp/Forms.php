<?php

declare(strict_types=1);

namespace Toolresult\Mcp;

use Toolresult\Core\Runtime\Draft;
use Toolresult\Core\Runtime\Members;

/**
 * The generated inverses of the output forms.
 */
final readonly class Forms
{
    /**
     * @param \Closure(Members, ?string): Draft $block
     * @param \Closure(Members): Draft $storedBlock
     * @param \Closure(Members): Draft $meta
     */
    public function __construct(public \Closure $block, public \Closure $storedBlock, public \Closure $meta)
    {
    }
}
