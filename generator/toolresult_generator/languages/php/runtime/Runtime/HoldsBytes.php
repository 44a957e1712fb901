<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * What the classes of parts share that hold bytes, as the base64 of their field `data`.
 */
trait HoldsBytes
{
    /**
     * A part of these bytes; further fields by name, such as mimeType.
     *
     * @throws \Toolresult\Core\ResultError
     */
    public static function fromBytes(string $bytes, mixed ...$fields): self
    {
        return new self(...$fields, data: base64_encode($bytes));
    }

    /**
     * The bytes.
     *
     * @throws \LogicException if the part holds text instead
     */
    public function toBytes(): string
    {
        return base64_decode($this->data ?? throw new \LogicException('this part holds no bytes'), true);
    }
}
