<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * A part of the result that reading the output does not give back.
 */
final readonly class Loss
{
    /**
     * @param string $path JSON pointer into the serialized result
     * @param string $status "text form", "withheld" or "not expressible"
     */
    public function __construct(public string $path, public string $status, public string $reason)
    {
    }

    /**
     * @return array{path: string, status: string, reason: string}
     */
    public function toValue(): array
    {
        return ['path' => $this->path, 'status' => $this->status, 'reason' => $this->reason];
    }
}
