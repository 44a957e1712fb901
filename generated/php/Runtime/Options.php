<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

/**
 * What a rendering depends on beside the result. Nothing else does.
 */
final readonly class Options
{
    /**
     * @param bool $wrapOutput the tool's output schema is advertised wrapped, so that objects are
     *     wrapped too
     * @param bool $structuredErrors structured content holds the error of a failure; for tools
     *     without an output schema
     * @param ?string $digest the digest that ids are made of, where it is not that of the result itself
     */
    public function __construct(
        public bool $wrapOutput = false,
        public bool $structuredErrors = false,
        public ?string $artifactId = null,
        public ?string $messageId = null,
        public ?string $digest = null,
    ) {
    }
}
