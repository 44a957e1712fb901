<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * Collects losses while a result is written.
 */
final class Losses
{
    /** @var list<Loss> */
    public array $found = [];

    /** The pointer of the part that is being written. */
    public string $item = '';

    public function add(string $path, string $status, string $reason): void
    {
        $this->found[] = new Loss($path, $status, $reason);
    }
}
