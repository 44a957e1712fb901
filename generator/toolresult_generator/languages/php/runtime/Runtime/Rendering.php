<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * One result in the format of one target, revision and phase.
 */
final readonly class Rendering
{
    /**
     * @param string $bytes JSON, or for a target whose wire value is a string, its text
     * @param list<Loss> $losses
     */
    public function __construct(public string $bytes, public array $losses, public bool $isText = false)
    {
    }

    /**
     * The length of the output in bytes.
     */
    public function size(): int
    {
        return \strlen($this->bytes);
    }

    /**
     * The output as plain values, made anew at every call.
     */
    public function wire(): mixed
    {
        return $this->isText
            ? $this->bytes
            : JsonParser::parse($this->bytes, Renderer::WIRE_DEPTH, null);
    }
}
