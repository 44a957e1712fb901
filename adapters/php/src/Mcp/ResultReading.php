<?php

declare(strict_types=1);

namespace Toolresult\Mcp;

use Toolresult\Core\Absent;
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
use Toolresult\Legacy\Legacy;

/**
 * One result of tools/call on its way from the wire: our own by its layout, others' by what the
 * protocol says. The two eras differ in nothing that matters here but the rule they are generated from.
 *
 * @internal
 */
final class ResultReading
{
    private const TRANSPORT_PREFIX = 'io.modelcontextprotocol/';
    private const TRANSPORT_KEYS = ['traceparent', 'tracestate', 'baggage'];
    private const RELATED_TASK = 'io.modelcontextprotocol/related-task';
    private const RESULT_KEYS = ['content', 'structuredContent', 'isError', '_meta', 'resultType'];

    private readonly JsonObject $wire;
    private readonly JsonObject $meta;

    /** @var list<mixed> */
    private readonly array $blocks;
    private readonly bool $failed;

    /**
     * @throws ResultError for what is no tool result
     */
    public function __construct(mixed $wire, private readonly Forms $forms)
    {
        $this->wire = ResultShape::checked($wire);
        $meta = $this->wire->get('_meta');
        $this->meta = $meta instanceof JsonObject ? $meta : new JsonObject();
        $this->blocks = $this->wire->get('content');
        $this->failed = $this->wire->get('isError') === true;
    }

    /**
     * The result, as our own output if its markers hold together, else as anyone's.
     *
     * @throws ResultError
     */
    public function result(): Result
    {
        $roles = $this->layout();
        if ($roles !== null) {
            try {
                return $this->own($roles);
            } catch (ResultError) {
                // A layout that does not fit the blocks is not ours.
            }
        }
        return $this->foreign();
    }

    /**
     * @return ?list<string>
     */
    private function layout(): ?array
    {
        $roles = $this->meta->get(Drafts::OWN_PREFIX . 'layout');
        if (!\is_array($roles) || \count($roles) !== \count($this->blocks)) {
            return null;
        }
        return Repeats::rolesFit($roles, $this->failed) ? $roles : null;
    }

    // ------------------------------------------------------------- ours

    /**
     * The result by its layout.
     *
     * @param list<string> $roles
     * @throws ResultError where a block does not fit its role
     */
    private function own(array $roles): Result
    {
        $draft = $this->metadata();
        $error = $draft->pop('error') ?? new Draft();
        $message = null;
        foreach ($roles as $index => $role) {
            match ($role) {
                'part' => $draft->append('content', $this->part($index)),
                'stored' => $draft->append('stored', $this->stored($index)),
                'data' => $draft->members['data'] = $this->data($index),
                'summary' => $draft->members['summary'] = $this->text($index),
                'message' => $message = $this->text($index),
                'error' => self::fit(Repeats::isError($this->json($index), $error), $index),
                'metadata' => self::fit(Repeats::isMetadata($this->json($index), $this->meta), $index),
                'placeholder' => self::fit($this->text($index) === Repeats::PLACEHOLDER, $index),
                default => null, // the envelope, once the rest is known
            };
        }
        $envelope = array_search('envelope', $roles, true);
        if (\is_int($envelope)) {
            $message = $this->envelope($envelope, $draft, $error);
        }
        $this->structuredOfOurs($draft, $error);
        if ($this->failed) {
            $draft->members['error'] = Drafts::error($error->get('code'), $message, $error->get('details'));
        }
        $result = Reading::result($draft);
        $this->checkStandIns($roles, $result);
        return $result;
    }

    /**
     * The data of a text, which is not parsed where it is that of `structuredContent`.
     */
    private function data(int $index): mixed
    {
        if ($this->wire->has('structuredContent')) {
            $data = $this->structured();
            if (Canonical::text($data, Renderer::WIRE_DEPTH) === $this->text($index)) {
                return $data;
            }
        }
        return $this->json($index);
    }

    /**
     * Takes the data from `structuredContent`, which the text repeats where it has it.
     */
    private function structuredOfOurs(Draft $draft, Draft $error): void
    {
        if (!$this->wire->has('structuredContent')) {
            return;
        }
        $where = '/structuredContent';
        if ($this->failed) {
            Repeats::fit(Repeats::isError($this->wire->get('structuredContent'), $error), $where);
            return;
        }
        $data = $this->structured();
        Repeats::fit(!$draft->has('data') || Repeats::same($draft->get('data'), $data), $where);
        $draft->members['data'] = $data;
    }

    /**
     * Takes from the envelope what only it says in text: data and summary; gives the message.
     */
    private function envelope(int $index, Draft $draft, Draft $error): ?string
    {
        $envelope = $this->json($index);
        $inner = Legacy::read($this->text($index));
        if (!$envelope instanceof JsonObject) {
            throw new ResultError(ResultError::WRONG_TYPE, "/content/{$index}/text", 'expected an envelope');
        }
        self::fit($envelope->get('success') === !$this->failed, $index);
        self::fit(($inner->error !== null) === $this->failed, $index);
        self::fit($envelope->has('data') === ($inner->data !== Absent::Value), $index);
        $message = $inner->error?->message;
        $stored = $draft->get('stored')[0] ?? null;
        $known = array_filter([
            'success' => !$this->failed,
            'error' => $message,
            'errorCode' => $error->get('code'),
            'errorDetails' => $error->get('details'),
            'resourceUri' => $stored?->get('uri'),
            'summary' => $inner->summary,
        ], static fn (mixed $value): bool => $value !== null);
        if ($inner->summary !== null) {
            $draft->members['summary'] = $inner->summary;
        }
        if ($inner->data !== Absent::Value) {
            $draft->members['data'] = $known['data'] = $envelope->get('data');
        }
        self::fit(Repeats::isEnvelope($envelope, new JsonObject($known), $this->meta), $index);
        return $message;
    }

    /**
     * @param list<string> $roles
     * @throws ResultError for a block that stands in for a part and is not as we write it
     */
    private function checkStandIns(array $roles, Result $result): void
    {
        $content = 0;
        $stored = 0;
        foreach ($roles as $index => $role) {
            if ($role === 'part') {
                self::fit(Repeats::isPart($this->blocks[$index], $result->content[$content++]), $index);
            } elseif ($role === 'stored') {
                self::fit(Repeats::isStored($this->blocks[$index], $result->stored[$stored++]), $index);
            }
        }
    }

    private static function fit(bool $fits, int $index): void
    {
        Repeats::fit($fits, "/content/{$index}");
    }

    private function text(int $index): string
    {
        $block = $this->blocks[$index];
        $text = $block instanceof JsonObject && $block->get('type') === 'text' ? $block->get('text') : null;
        if (!\is_string($text)) {
            throw new ResultError(ResultError::WRONG_TYPE, "/content/{$index}", 'expected a text block');
        }
        return $text;
    }

    private function json(int $index): mixed
    {
        return JsonParser::parse($this->text($index), Renderer::WIRE_DEPTH);
    }

    private function marker(int $index): Draft
    {
        $markers = $this->meta->get(Drafts::OWN_PREFIX . 'parts');
        $marker = $markers instanceof JsonObject ? $markers->get((string) $index) : null;
        return new Draft($marker instanceof JsonObject ? $marker->members : []);
    }

    private function part(int $index): Draft
    {
        $marker = $this->marker($index);
        $kind = $marker->pop('kind');
        $part = ($this->forms->block)($this->members($index), \is_string($kind) ? $kind : null);
        return self::withMarker($part, $marker);
    }

    private function stored(int $index): Draft
    {
        return self::withMarker(($this->forms->storedBlock)($this->members($index)), $this->marker($index));
    }

    private function members(int $index): Members
    {
        return new Members($this->blocks[$index], "/content/{$index}");
    }

    /**
     * A part or stored result with what its marker says; `foreign` is joined, not replaced.
     */
    private static function withMarker(Draft $draft, Draft $marker): Draft
    {
        if ($marker->pop('name_derived') === true) {
            $draft->pop('name');
        }
        $foreign = $marker->pop('foreign');
        // What the block says, no marker says again.
        Repeats::fit(array_intersect_key($marker->members, $draft->members) === [], '');
        foreach ($foreign instanceof JsonObject ? $foreign : [] as $origin => $values) {
            if (!$values instanceof JsonObject) {
                continue;
            }
            $known = $draft->at(['foreign', $origin]);
            foreach ($values as $key => $value) {
                $known->members[$key] = $known->has($key) ? self::joined($known->get($key), $value) : $value;
            }
        }
        return new Draft(array_replace($draft->members, $marker->members));
    }

    /**
     * Two halves of one object: what had a place of its own on the block, and the rest.
     */
    private static function joined(mixed $first, mixed $second): mixed
    {
        if ($first instanceof Draft) {
            $first = $first->toObject();
        }
        if ($first instanceof JsonObject && $second instanceof JsonObject) {
            return new JsonObject(array_replace($second->members, $first->members));
        }
        return $first;
    }

    // ---------------------------------------------------------- anyone's

    private function foreign(): Result
    {
        $draft = $this->metadata();
        $error = $draft->pop('error') ?? new Draft();
        $parts = [];
        foreach (array_keys($this->blocks) as $index) {
            $parts[] = ($this->forms->block)($this->members($index), null);
        }
        if ($this->failed) {
            $details = $error->get('details');
            $message = null;
            foreach ($parts as $index => $part) {
                if ($part->get('kind') === 'text' && $part->get('text') !== '') {
                    $message = $part->get('text');
                    array_splice($parts, $index, 1);
                    break;
                }
            }
            $value = $this->wire->get('structuredContent');
            if ($this->wire->has('structuredContent') && !Repeats::isError($value, $error)) {
                if ($details === null) {
                    $details = $value instanceof JsonObject ? $value : new JsonObject(['data' => $value]);
                } else {
                    Drafts::addForeign($draft, 'mcp', 'structuredContent', $value);
                }
            }
            $draft->members['error'] = Drafts::error($error->get('code'), $message, $details);
        } elseif ($this->wire->has('structuredContent')) {
            $data = $this->structured();
            $draft->members['data'] = $data;
            $copy = Canonical::text($data, Renderer::WIRE_DEPTH);
            $parts = array_values(
                array_filter($parts, static fn (Draft $part): bool => !self::isCopy($part, $copy)),
            );
        }
        $draft->members['content'] = $parts;
        return Reading::result($draft);
    }

    private function structured(): mixed
    {
        $value = $this->wire->get('structuredContent');
        $wrapped = $this->meta->get(Drafts::OWN_PREFIX . 'wrapped') === true;
        if ($wrapped && $value instanceof JsonObject && $value->keys() === ['result']) {
            return $value->get('result');
        }
        return $value;
    }

    /**
     * Whether a part is the text copy of the structured content.
     */
    private static function isCopy(Draft $part, string $copy): bool
    {
        $text = $part->get('text');
        if (\count($part->members) !== 2 || $part->get('kind') !== 'text' || !\is_string($text)) {
            return false;
        }
        try {
            $value = JsonParser::parse($text, Renderer::WIRE_DEPTH);
            return Canonical::text($value, Renderer::WIRE_DEPTH) === $copy;
        } catch (ResultError) {
            return false;
        }
    }

    // ---------------------------------------------------------- metadata

    private function metadata(): Draft
    {
        $members = new Members($this->meta);
        $draft = ($this->forms->meta)($members);
        $left = [];
        foreach ($members->rest() as $key => $value) {
            $ofTransport = \in_array($key, self::TRANSPORT_KEYS, true)
                || (str_starts_with($key, self::TRANSPORT_PREFIX) && !self::isOddTask($key, $draft));
            if (!$ofTransport) {
                $left[$key] = $value;
            }
        }
        Drafts::placeMetadata($draft, new JsonObject($left), 'mcp', $this->meta);
        foreach ($this->wire as $key => $value) {
            // A known member with a value that does not fit is foreign, like an unknown one.
            $odd = $key === 'isError' && !\is_bool($value) && $value !== null;
            if ($odd || !\in_array($key, self::RESULT_KEYS, true)) {
                Drafts::addForeign($draft, 'mcp', $key, $value);
            }
        }
        return $draft;
    }

    /**
     * A related task that does not fit the field is kept as it is, unless we know it better.
     */
    private static function isOddTask(string $key, Draft $draft): bool
    {
        $metadata = $draft->get('metadata');
        $known = $metadata instanceof Draft && $metadata->has('related_task');
        return $key === self::RELATED_TASK && !$known;
    }
}
