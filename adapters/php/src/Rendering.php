<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Runtime\Loss;
use Toolresult\Core\Runtime\Rendering as PlainRendering;
use Toolresult\Store\StoredLink;

/**
 * One result in the format of one target, revision and phase.
 */
final readonly class Rendering
{
    /**
     * @param string $bytes JSON, or for the legacy envelope its text, in UTF-8
     * @param list<Loss> $losses what reading the output would not give back
     * @param ?Oversize $oversize null where the output is within the limit, or there is no limit
     */
    public function __construct(
        public string $bytes,
        public array $losses,
        public bool $isText = false,
        public ?Oversize $oversize = null,
    ) {
    }

    /**
     * What a renderer gave, with other losses where something else was sent.
     *
     * @param ?list<Loss> $losses
     */
    public static function of(PlainRendering $plain, ?Oversize $oversize = null, ?array $losses = null): self
    {
        return new self($plain->bytes, $losses ?? $plain->losses, $plain->isText, $oversize);
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
        return (new PlainRendering($this->bytes, $this->losses, $this->isText))->wire();
    }

    /**
     * The link that was sent in place of a result that was too large.
     */
    public function stored(): ?StoredLink
    {
        return $this->oversize?->link;
    }
}
