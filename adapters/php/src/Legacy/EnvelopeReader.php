<?php

declare(strict_types=1);

namespace Toolresult\Legacy;

use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Draft;
use Toolresult\Core\Runtime\JsonParser;
use Toolresult\Core\Runtime\Members;
use Toolresult\Core\Runtime\Reading;
use Toolresult\Core\Runtime\Renderer;
use Toolresult\Core\Targets\LegacyEnvelopeReader;
use Toolresult\Drafts;

/**
 * Reads the legacy envelope: a JSON string with a boolean `success`. Any other string is one text part.
 */
final class EnvelopeReader extends LegacyEnvelopeReader
{
    public const WRITTEN_FOR = '5f1ea2c679571da1';

    private const OWN = ['success', 'data', 'error', '_meta'];

    /** Names that mean something in `_meta` and nothing beside the envelope's keys. */
    private const META_ONLY = [
        'errorCode',
        'errorDetails',
        'summary',
        'content',
        'storedResults',
        'resourceUri',
    ];

    /**
     * The result of a string.
     *
     * @throws ResultError for a text that no result can hold
     */
    public function readEnvelope(mixed $text): Result
    {
        if (!\is_string($text)) {
            throw new ResultError(ResultError::WRONG_TYPE, '', 'expected a string');
        }
        $envelope = self::envelope($text);
        if ($envelope !== null) {
            try {
                return $this->result($envelope);
            } catch (ResultError) {
                // Not one that construction accepts, so it is a text like any other.
            }
        }
        return Result::text($text);
    }

    private function result(JsonObject $envelope): Result
    {
        $draft = $this->meta($envelope);
        if ($envelope->get('success') === true) {
            self::success($draft, $envelope);
        } else {
            self::failure($draft, $envelope);
        }
        $this->beside($draft, $envelope);
        return Reading::result($draft);
    }

    private function meta(JsonObject $envelope): Draft
    {
        $meta = $envelope->get('_meta', new JsonObject());
        if (!$meta instanceof JsonObject) {
            $draft = new Draft();
            Drafts::addForeign($draft, 'legacy', '_meta', $meta);
            return $draft;
        }
        $members = new Members($meta);
        $draft = self::readEnvelopeMeta($members);
        self::resourceUri($draft, $meta);
        foreach ($members->rest() as $key => $value) {
            self::place($draft, 'legacy_meta', $key, $value);
        }
        return $draft;
    }

    private static function success(Draft $draft, JsonObject $envelope): void
    {
        if ($envelope->has('data')) {
            $draft->members['data'] = $envelope->get('data');
        }
        self::disownError($draft);
        if ($envelope->get('error') !== null) {
            Drafts::addForeign($draft, 'legacy', 'error', $envelope->get('error'));
        }
    }

    private static function failure(Draft $draft, JsonObject $envelope): void
    {
        [$code, $message, $details] = self::reported($envelope);
        $named = $draft->get('error') ?? new Draft();
        if ($code === null) {
            $code = $named->pop('code');
        }
        if ($details === null) {
            $details = $named->pop('details');
        }
        self::disownError($draft); // what the error object says wins over _meta
        if ($envelope->has('data')) {
            if ($details !== null && $details->has('data')) {
                Drafts::addForeign($draft, 'legacy', 'data', $envelope->get('data'));
            } else {
                $details = new JsonObject(
                    array_replace($details?->members ?? [], ['data' => $envelope->get('data')]),
                );
            }
        }
        $draft->members['error'] = Drafts::error($code, $message, $details);
    }

    /**
     * Keys beside the envelope's: fields where they are still free, else foreign.
     */
    private function beside(Draft $draft, JsonObject $envelope): void
    {
        $metadata = $draft->at(['metadata']);
        foreach ($envelope as $key => $value) {
            if (\in_array($key, self::OWN, true)) {
                continue;
            }
            $found = new Draft();
            if (!\in_array($key, self::META_ONLY, true)) {
                $one = new Members(new JsonObject([$key => $value]));
                $found = self::readEnvelopeMeta($one)->at(['metadata']);
            }
            if ($found->members === [] || !self::put($metadata, self::wayTo($value, $found), $found)) {
                self::place($draft, 'legacy', $key, $value);
            }
        }
    }

    /**
     * The names that lead to what was read from one value: to itself, or to its record.
     *
     * @return list<string>
     */
    private static function wayTo(mixed $value, Draft $found): array
    {
        $names = [];
        $at = $found;
        while ($at !== $value && ($at instanceof Draft || $at instanceof JsonObject)) {
            if (\count($at->members) !== 1) {
                break;
            }
            $name = (string) array_key_first($at->members);
            $names[] = $name;
            $at = $at->get($name);
        }
        return $at === $value ? $names : \array_slice($names, 0, 1);
    }

    /**
     * Puts what stands at the end of the names where they lead, unless something is there.
     *
     * @param list<string> $names
     */
    private static function put(Draft $into, array $names, Draft $found): bool
    {
        $value = $found;
        foreach ($names as $name) {
            $value = $value->get($name);
        }
        return $into->set($names, $value);
    }

    /**
     * The object of an envelope, or null for any other text.
     */
    private static function envelope(string $text): ?JsonObject
    {
        try {
            $value = JsonParser::parse($text, Renderer::WIRE_DEPTH);
        } catch (ResultError) {
            return null;
        }
        return $value instanceof JsonObject && \is_bool($value->get('success')) ? $value : null;
    }

    /**
     * Code, message and details of the envelope's error: a string, an object or neither.
     *
     * @return array{?string, ?string, ?JsonObject}
     */
    private static function reported(JsonObject $envelope): array
    {
        if (!$envelope->has('error')) {
            return [null, null, null];
        }
        $error = $envelope->get('error');
        if (\is_string($error)) {
            return [null, $error, null];
        }
        if (!$error instanceof JsonObject) {
            return [null, null, new JsonObject(['error' => $error])];
        }
        $rest = $error->members;
        $taken = [];
        foreach (['code', 'message'] as $name) {
            $taken[$name] = \is_string($error->get($name)) ? $error->get($name) : null;
            if ($taken[$name] !== null) {
                unset($rest[$name]);
            }
        }
        return [$taken['code'], $taken['message'], $rest === [] ? null : new JsonObject($rest)];
    }

    /**
     * What `_meta` says of an error that is not reported there is a foreign value.
     */
    private static function disownError(Draft $draft): void
    {
        $named = $draft->pop('error') ?? new Draft();
        foreach (['code' => 'errorCode', 'details' => 'errorDetails'] as $field => $key) {
            if ($named->has($field)) {
                Drafts::addForeign($draft, 'legacy_meta', $key, $named->get($field));
            }
        }
    }

    /**
     * `resourceUri` repeats the first stored result; alone it is a value without a field.
     */
    private static function resourceUri(Draft $draft, JsonObject $meta): void
    {
        $first = $draft->get('stored', [])[0] ?? null;
        $uri = $meta->get('resourceUri');
        if ($meta->has('resourceUri') && ($first === null || $first->get('uri') !== $uri)) {
            Drafts::addForeign($draft, 'legacy_meta', 'resourceUri', $uri);
        }
    }

    private static function place(Draft $draft, string $origin, string $key, mixed $value): void
    {
        if (Drafts::isExtensionKey($key) && !$draft->at(['metadata', 'extensions'])->has($key)) {
            $draft->at(['metadata', 'extensions'])->members[$key] = $value;
        } else {
            Drafts::addForeign($draft, $origin, $key, $value);
        }
    }
}
