<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Store\Store;

/**
 * What is asked of a mapper: `new Request('mcp-handshake@2025-06-18', phase: 'final')`.
 *
 * Everything that a rendering depends on beside the result; nothing is ambient. A field that is
 * ByDefault::Value is taken from the mapper.
 */
final readonly class Request
{
    public string $target;
    public string $revision;

    /**
     * @param string $target the target's name, or target and revision with an `@` between them
     * @param string $revision the revision, where the target does not name it; there is no default
     * @param string|ByDefault|null $phase `transitional` or `final`; needed where the target has
     *     phases, else ignored
     * @param int|ByDefault|null $limit bytes of the complete output; null is no limit; by default the
     *     target's own
     * @param mixed $outputSchema the output schema that the tool declares, if it does, before any
     *     wrapping; what is no JSON Schema wraps nothing
     * @param bool|ByDefault $structuredErrors sends `{"error": …}` as structured content for a tool
     *     without an output schema
     * @param Store|ByDefault|null $store where a result goes that is too large to send; needs a clock
     * @param string|ByDefault|null $principal who may read what is stored; without one nothing is
     * @param \DateTimeInterface|\Closure|ByDefault|null $clock sets `generated_at` where the tool has
     *     not, and the expiry of links; a fixed time, or what gives one
     * @param bool|ByDefault $stamp false leaves `generated_at` alone, so that the clock serves the
     *     store only
     * @param int|float|ByDefault|null $lifetime seconds for which the link to a stored result can be
     *     read; null is one hour
     * @param ?string $artifactId the id of the artifact of an A2A task; by default made of the digest
     * @param ?string $messageId the id of the message of a failed A2A task; by default made of the
     *     digest
     * @throws \InvalidArgumentException where target and revision name two revisions, for a negative
     *     limit, and a lifetime that is not above 0
     */
    public function __construct(
        string $target,
        string $revision = '',
        public string|ByDefault|null $phase = ByDefault::Value,
        public int|ByDefault|null $limit = ByDefault::Value,
        public mixed $outputSchema = null,
        public bool|ByDefault $structuredErrors = ByDefault::Value,
        public Store|ByDefault|null $store = ByDefault::Value,
        #[\SensitiveParameter] public string|ByDefault|null $principal = ByDefault::Value,
        public \DateTimeInterface|\Closure|ByDefault|null $clock = ByDefault::Value,
        public bool|ByDefault $stamp = ByDefault::Value,
        public int|float|ByDefault|null $lifetime = ByDefault::Value,
        public OnStoreFailure|ByDefault $onStoreFailure = ByDefault::Value,
        public SchemaResults|ByDefault $schemaResults = ByDefault::Value,
        public ?string $artifactId = null,
        public ?string $messageId = null,
    ) {
        Settings::check($limit, $lifetime);
        $parts = explode('@', $target, 2);
        $named = $parts[1] ?? $revision;
        if ($revision !== '' && $revision !== $named) {
            throw new \InvalidArgumentException('target and revision name two revisions');
        }
        $this->target = $parts[0];
        $this->revision = $named;
    }

    /**
     * A request for the newest known revision that is not after the given one, with further fields by
     * their names. For a peer that names a revision later than this library.
     *
     * @throws UnknownTargetError for an unknown target, and if all known ones are newer
     */
    public static function newest(string $target, string $notAfter, mixed ...$fields): self
    {
        return new self($target, Registry::newestNotAfter($target, $notAfter), ...$fields);
    }
}
