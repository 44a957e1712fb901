<?php

declare(strict_types=1);

namespace Toolresult\A2a;

use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\Draft;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\Members;
use Toolresult\Core\Runtime\Reading;
use Toolresult\Core\Runtime\Renderer;
use Toolresult\Drafts;

/**
 * One finished task on its way from the wire: status, artifacts in order, parts by their markers.
 *
 * @internal
 */
final class TaskReading
{
    public const UNTYPED = 'application/octet-stream';

    private const PART = Drafts::OWN_PREFIX . 'part';
    private const EXACT = Drafts::OWN_PREFIX . 'exactJson';

    private readonly JsonObject $task;
    private readonly JsonObject $status;
    private readonly string $base;
    private readonly bool $failed;
    private readonly Draft $draft;

    /** @var array<array-key, mixed> */
    private array $metadata = [];
    private bool $hasData = false;

    /**
     * @throws ResultError for what is no finished task
     */
    public function __construct(mixed $wire, private readonly Spelling $spelling)
    {
        [$this->task, $this->base] = TaskShape::task($wire);
        $this->status = TaskShape::object($this->task->get('status'), "{$this->base}/status");
        $state = $this->status->get('state');
        $this->failed = \in_array($state, $spelling->failed, true);
        if (!$this->failed && $state !== $spelling->completed) {
            $expected = implode(', ', [$spelling->completed, ...$spelling->failed]);
            throw new ResultError(
                ResultError::UNKNOWN_KIND,
                "{$this->base}/status/state",
                "expected one of {$expected}; a task in another state has no result yet",
            );
        }
        $this->draft = new Draft();
    }

    /**
     * The result that the task ended with.
     *
     * @throws ResultError
     */
    public function result(): Result
    {
        $this->artifacts();
        $message = $this->status->get('message');
        if ($message !== null) {
            $where = "{$this->base}/status/message";
            $members = TaskShape::object($message, $where);
            $this->collect($members->get('metadata'));
            if ($this->failed) {
                $this->failure($members, $where);
            } else {
                $this->remark($members, $where);
            }
        } elseif ($this->failed) {
            $this->draft->members['error'] = Drafts::error(null, null, null);
        }
        $this->collect($this->task->get('metadata'));
        $this->placeMetadata();
        return Reading::result($this->draft);
    }

    /**
     * An object with another value for one key.
     */
    public static function with(JsonObject $object, string $key, mixed $value): JsonObject
    {
        return new JsonObject(array_replace($object->members, [$key => $value]));
    }

    /**
     * The foreign values of A2A that a part has; null if there are none.
     */
    public static function foreign(Draft $part): ?Draft
    {
        $foreign = $part->get('foreign');
        $ours = $foreign instanceof Draft ? $foreign->get('a2a') : null;
        return $ours instanceof Draft ? $ours : null;
    }

    // ------------------------------------------------------------- parts

    private function artifacts(): void
    {
        $artifacts = TaskShape::list($this->task->get('artifacts', []), "{$this->base}/artifacts");
        foreach ($artifacts as $number => $artifact) {
            $where = "{$this->base}/artifacts/{$number}";
            $members = TaskShape::object($artifact, $where);
            $this->collect($members->get('metadata'));
            foreach (TaskShape::parts($members, $where) as $place => $part) {
                $this->part($part, $place, !$this->failed);
            }
        }
    }

    private function part(JsonObject $part, string $where, bool $mayBeData): void
    {
        $metadata = self::plain($part->get('metadata'));
        $marker = $metadata->get(self::PART);
        $kind = $marker instanceof JsonObject ? $marker->get('kind') : null;
        $block = \count($metadata) > 0 ? self::with($part, 'metadata', $metadata) : $part;
        $value = $this->data($part, $metadata);
        if ($value !== null) {
            if (\is_string($kind) && $this->isMarked($block, $kind, $where)) {
                return;
            }
            if ($mayBeData && !$this->hasData) {
                $this->hasData = true;
                $this->draft->members['data'] = $value[0];
            } else {
                $text = Canonical::text($value[0], Renderer::WIRE_DEPTH);
                $this->draft->append('content', new Draft(['kind' => 'text', 'text' => $text]));
            }
            return;
        }
        if ($kind === 'summary' && \is_string($part->get('text')) && !$this->draft->has('summary')) {
            $this->draft->members['summary'] = $part->get('text');
            return;
        }
        $taken = ($kind === 'stored' && $this->isStored($block, $where))
            || (\is_string($kind) && $this->isMarked($block, $kind, $where));
        if (!$taken) {
            $found = ($this->spelling->part)(new Members(($this->spelling->typed)($block), $where), null);
            $this->draft->append('content', self::withoutOwn($found));
        }
    }

    /**
     * Takes a part as a stored result if it can be one; whether it was one.
     */
    private function isStored(JsonObject $block, string $where): bool
    {
        try {
            $stored = ($this->spelling->storedPart)(new Members($block, $where));
        } catch (ResultError) {
            return false; // a marker that does not fit the part is not ours
        }
        $this->draft->append('stored', $stored);
        return true;
    }

    /**
     * Takes a part as content of the kind that its marker says; whether it was one.
     */
    private function isMarked(JsonObject $block, string $kind, string $where): bool
    {
        if ($kind !== 'embedded') { // only that kind may be without a type
            $block = ($this->spelling->typed)($block);
        }
        try {
            $part = ($this->spelling->part)(new Members($block, $where), $kind);
        } catch (ResultError) {
            return false; // a marker that does not fit the part is not ours
        }
        if ($part->get('kind') !== $kind || ($kind === 'embedded' && !$part->has('uri'))) {
            return false;
        }
        $this->draft->append('content', self::withoutOwn($part));
        return true;
    }

    /**
     * The value of a data part, or of a text that stands in for one; null for other parts.
     *
     * @return ?array{mixed}
     */
    private function data(JsonObject $part, JsonObject $metadata): ?array
    {
        if ($metadata->get(self::EXACT) === true && \is_string($part->get('text'))) {
            try {
                return [JsonParser::parse($part->get('text'), Renderer::WIRE_DEPTH)];
            } catch (ResultError) {
                return null;
            }
        }
        return ($this->spelling->data)($part, $metadata);
    }

    // ----------------------------------------------------------- message

    /**
     * What a completed task says beside its artifacts: its summary, if it is one text.
     */
    private function remark(JsonObject $message, string $where): void
    {
        $parts = iterator_to_array(TaskShape::parts($message, $where));
        if (\count($parts) === 1 && !$this->draft->has('summary')) {
            $text = reset($parts)->get('text');
            if (\is_string($text)) {
                $this->draft->members['summary'] = $text;
                return;
            }
        }
        foreach ($parts as $place => $part) {
            $this->part($part, $place, false);
        }
    }

    private function failure(JsonObject $message, string $where): void
    {
        $text = null;
        $found = null;
        foreach (TaskShape::parts($message, $where) as $place => $part) {
            $value = $this->data($part, self::plain($part->get('metadata')));
            $words = $part->get('text');
            if ($value !== null && $found === null) {
                $found = $value;
            } elseif ($value === null && $text === null && \is_string($words) && $words !== '') {
                $text = $words;
            } else {
                $this->part($part, $place, false);
            }
        }
        [$code, $details] = self::codeAndDetails($found);
        $this->draft->members['error'] = Drafts::error($code, $text, $details);
    }

    // ---------------------------------------------------------- metadata

    private function collect(mixed $metadata): void
    {
        // The first value of a key stays.
        $this->metadata += self::plain($metadata)->members;
    }

    private function placeMetadata(): void
    {
        $metadata = new JsonObject($this->metadata);
        $members = new Members($metadata);
        $draft = ($this->spelling->metadata)($members);
        $this->draft->members = array_replace($this->draft->members, $draft->members);
        Drafts::placeMetadata($this->draft, $members->rest(), 'a2a', $metadata);
    }

    /**
     * Metadata with the values that went as exact JSON texts parsed again.
     */
    private static function plain(mixed $metadata): JsonObject
    {
        if (!$metadata instanceof JsonObject) {
            return new JsonObject();
        }
        $exact = $metadata->get(self::EXACT);
        if (!\is_array($exact)) {
            return $metadata;
        }
        $plain = $metadata->members;
        unset($plain[self::EXACT]);
        foreach ($exact as $key) {
            if (\is_string($key) && \is_string($plain[$key] ?? null)) {
                try {
                    $plain[$key] = JsonParser::parse($plain[$key], Renderer::WIRE_DEPTH);
                } catch (ResultError) {
                    continue;
                }
            }
        }
        return new JsonObject($plain);
    }

    /**
     * Code and details of a failure, if its data holds nothing else; else all of it is details.
     *
     * @param ?array{mixed} $found
     * @return array{?string, ?JsonObject}
     */
    private static function codeAndDetails(?array $found): array
    {
        if ($found === null) {
            return [null, null];
        }
        [$value] = $found;
        if (!$value instanceof JsonObject) {
            return [null, new JsonObject(['data' => $value])];
        }
        $known = array_diff($value->keys(), ['code', 'details']) === [];
        $details = $value->get('details', new JsonObject());
        if ($known && \is_string($value->get('code')) && $details instanceof JsonObject) {
            return [$value->get('code'), $value->get('details')];
        }
        return [null, $value];
    }

    /**
     * A part without keys of our own among its foreign metadata: they are never foreign.
     */
    private static function withoutOwn(Draft $draft): Draft
    {
        $foreign = self::foreign($draft);
        $metadata = $foreign?->get('metadata');
        if ($metadata instanceof JsonObject) {
            $kept = array_filter(
                $metadata->members,
                static fn (string|int $key): bool => !str_starts_with((string) $key, Drafts::OWN_PREFIX),
                ARRAY_FILTER_USE_KEY,
            );
            if ($kept === []) {
                $foreign->pop('metadata');
            } else {
                $foreign->members['metadata'] = new JsonObject($kept);
            }
        }
        return $draft;
    }
}
