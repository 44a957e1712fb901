<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Metadata;
use Toolresult\Core\Result;
use Toolresult\Core\Runtime\Options;
use Toolresult\Core\Runtime\Renderer;
use Toolresult\Core\Runtime\Rendering as PlainRendering;
use Toolresult\Store\Store;
use Toolresult\Store\StoreError;
use Toolresult\Store\StoredLink;

/**
 * One rendering: a request, with the mapper's defaults in its gaps. What Mapper::render does.
 *
 * @internal
 */
final readonly class Job
{
    private ?int $limit;

    public function __construct(
        private Renderer $renderer,
        int|ByDefault|null $limit,
        private mixed $outputSchema,
        private bool $structuredErrors,
        private ?Store $store,
        #[\SensitiveParameter] private ?string $principal,
        private \DateTimeInterface|\Closure|null $clock,
        private bool $stamp,
        private int|float|null $lifetime,
        private OnStoreFailure $onStoreFailure,
        private SchemaResults $schemaResults,
        private ?string $artifactId,
        private ?string $messageId,
    ) {
        $this->limit = ByDefault::or($limit, $renderer::LIMIT);
        if ($store !== null && $clock === null) {
            throw new \InvalidArgumentException('a store needs a clock: the link it gives has an expiry');
        }
    }

    public function render(Result $result): Rendering
    {
        $now = null;
        if ($this->clock !== null && $this->stamp && $result->metadata?->generatedAt === null) {
            $now = Clocks::now($this->clock);
            $metadata = $result->metadata ?? new Metadata();
            // In UTC and whole seconds, as the times of stored results are.
            $stamped = $metadata->replace(generatedAt: gmdate('Y-m-d\TH:i:s\Z', $now->getTimestamp()));
            $result = $result->replace(metadata: $stamped);
        }
        $whole = $this->renderer->render($result, $this->options());
        if ($this->limit === null || $whole->size() <= $this->limit) {
            return Rendering::of($whole);
        }
        return $this->tooLarge($result, $whole, $this->limit, $now);
    }

    private function options(?string $digest = null): Options
    {
        $schema = $this->outputSchema;
        return new Options(
            wrapOutput: $schema !== null
                && OutputSchema::isWrapped($schema, $this->renderer::TARGET, $this->renderer::REVISION),
            structuredErrors: $this->structuredErrors && $schema === null,
            artifactId: $this->artifactId,
            messageId: $this->messageId,
            digest: $digest,
        );
    }

    private function tooLarge(
        Result $result,
        PlainRendering $whole,
        int $limit,
        ?\DateTimeInterface $now,
    ): Rendering {
        $size = $whole->size();
        $link = $this->put($result, $now);
        if (\is_string($link)) {
            return Rendering::of($whole, new Oversize($size, $limit, Outcome::Inline, $link));
        }
        $options = $this->options($result->digest());
        $sent = $this->renderer->render(TooLarge::linked($result, $link, $size), $options);
        if ($sent->size() <= $limit) {
            $losses = TooLarge::lossesOfLinked($result, $sent->losses);
            return Rendering::of($sent, new Oversize($size, $limit, Outcome::Stored, link: $link), $losses);
        }
        $least = $this->renderer->render(TooLarge::shortened($result, $link), $options);
        $losses = TooLarge::lossesOfShortened($result, $least->losses);
        return Rendering::of($least, new Oversize($size, $limit, Outcome::Shortened, link: $link), $losses);
    }

    /**
     * The link to the stored result, or the reason why there is none.
     *
     * @throws StoreError
     */
    private function put(Result $result, ?\DateTimeInterface $now): StoredLink|string
    {
        $owesContent = $this->outputSchema !== null
            && $result->error === null
            && OutputSchema::hasStructuredContent($this->renderer::TARGET, $this->renderer::REVISION);
        if ($owesContent && $this->schemaResults === SchemaResults::Inline) {
            return 'output_schema';
        }
        if ($this->store === null || $this->clock === null) {
            return 'no_store';
        }
        if ($this->principal === null || $this->principal === '') {
            return 'no_principal';
        }
        $kept = TooLarge::toStore($result);
        try {
            return $this->store->put(
                $kept->toJson(),
                principal: $this->principal,
                now: $now ?? Clocks::now($this->clock),
                lifetime: $this->lifetime ?? Store::DEFAULT_LIFETIME,
                formatVersion: $kept->formatVersion(),
                mimeType: TooLarge::MIME_TYPE,
            );
        } catch (StoreError $error) {
            return $this->onStoreFailure === OnStoreFailure::Fail ? throw $error : $error->code;
        }
    }
}
