<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\ResultError;
use Toolresult\Store\Store;
use Toolresult\Store\StoreError;

/**
 * Renders results, with defaults for what requests leave open.
 *
 * Every argument is the default for the field of that name of Request. What a mapper gives depends on
 * nothing else.
 */
final readonly class Mapper
{
    /**
     * @param ?Store $store where results go that are too large to send, by default
     * @param \DateTimeInterface|\Closure|null $clock what tells the time, by default
     * @throws UnknownTargetError for a phase that no target has
     * @throws \InvalidArgumentException for a negative limit, and a lifetime that is not above 0
     */
    public function __construct(
        private ?string $phase = null,
        private int|ByDefault|null $limit = ByDefault::Value,
        private bool $structuredErrors = false,
        public ?Store $store = null,
        #[\SensitiveParameter] private ?string $principal = null,
        public \DateTimeInterface|\Closure|null $clock = null,
        private bool $stamp = true,
        private int|float|null $lifetime = null,
        private OnStoreFailure $onStoreFailure = OnStoreFailure::Inline,
        private SchemaResults $schemaResults = SchemaResults::Inline,
    ) {
        Registry::checkPhase($phase);
        Settings::check($limit, $lifetime);
    }

    /**
     * The result in the format that is asked for, with what was lost and what was stored.
     *
     * The result is what Given::resultOf takes. A text as request is the target and revision, all else
     * by default.
     *
     * @throws ResultError for what is no result
     * @throws UnknownTargetError for an unknown target or revision, and for a phase that is unknown or
     *     not named
     * @throws \InvalidArgumentException for a store without a clock, and for what a Request refuses
     * @throws StoreError with OnStoreFailure::Fail
     */
    public function render(mixed $result, Request|string $request): Rendering
    {
        $asked = \is_string($request) ? new Request($request) : $request;
        $job = new Job(
            Registry::rendererAsked($asked->target, $asked->revision, ByDefault::or($asked->phase, $this->phase)),
            limit: ByDefault::or($asked->limit, $this->limit),
            outputSchema: $asked->outputSchema,
            structuredErrors: ByDefault::or($asked->structuredErrors, $this->structuredErrors),
            store: ByDefault::or($asked->store, $this->store),
            principal: ByDefault::or($asked->principal, $this->principal),
            clock: ByDefault::or($asked->clock, $this->clock),
            stamp: ByDefault::or($asked->stamp, $this->stamp),
            lifetime: ByDefault::or($asked->lifetime, $this->lifetime),
            onStoreFailure: ByDefault::or($asked->onStoreFailure, $this->onStoreFailure),
            schemaResults: ByDefault::or($asked->schemaResults, $this->schemaResults),
            artifactId: $asked->artifactId,
            messageId: $asked->messageId,
        );
        return $job->render(Given::resultOf($result));
    }
}
