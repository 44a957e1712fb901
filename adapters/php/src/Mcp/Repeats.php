<?php

declare(strict_types=1);

namespace Toolresult\Mcp;

use Toolresult\Core\AudioPart;
use Toolresult\Core\BinaryPart;
use Toolresult\Core\ImagePart;
use Toolresult\Core\JsonObject;
use Toolresult\Core\LinkPart;
use Toolresult\Core\Part;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\Conversions;
use Toolresult\Core\Runtime\Draft;
use Toolresult\Core\Runtime\Renderer;
use Toolresult\Core\StoredResult;
use Toolresult\Drafts;

/**
 * Tells our own blocks from those that someone changed on the way.
 *
 * Some blocks of a result repeat for the model what stands elsewhere in it, and the reader takes it
 * from there. A block that says something else is not as we wrote it, and what it says would be lost
 * without a word; so it, and with it the layout that names its role, is not ours.
 *
 * @internal
 */
final class Repeats
{
    /** The text of the only block of a result that has nothing to say. */
    public const PLACEHOLDER = 'Done.';

    /** How the address of bytes by their content starts, which we give to bytes without one. */
    private const ADDRESS = 'ni:///sha-256;';

    private const ROLES = [
        'envelope',
        'data',
        'message',
        'error',
        'summary',
        'part',
        'stored',
        'metadata',
        'placeholder',
    ];

    /**
     * @throws ResultError for a block that is not as we write it
     */
    public static function fit(bool $fits, string $pointer): void
    {
        if (!$fits) {
            throw new ResultError(ResultError::WRONG_TYPE, $pointer, 'expected the block that the layout names');
        }
    }

    /**
     * Whether we write blocks of these roles beside each other.
     *
     * @param list<mixed> $roles
     */
    public static function rolesFit(array $roles, bool $failed): bool
    {
        $found = [];
        foreach ($roles as $role) {
            if (!\in_array($role, self::ROLES, true) || isset($found[$role])) {
                return false;
            }
            if ($role !== 'part' && $role !== 'stored') {
                $found[$role] = true;
            }
        }
        if (isset($found['envelope'])) {
            return \count($found) === 1;
        }
        if ($failed) {
            return isset($found['message']) && !isset($found['data']);
        }
        return !isset($found['message']) && !isset($found['error']);
    }

    /**
     * Whether two JSON values are equal.
     *
     * @throws ResultError for what is none
     */
    public static function same(mixed $first, mixed $second): bool
    {
        return $first === $second
            || Canonical::text($first, Renderer::WIRE_DEPTH) === Canonical::text($second, Renderer::WIRE_DEPTH);
    }

    /**
     * Whether a JSON value is how we write code and details of a failure, if it has any.
     */
    public static function isError(mixed $value, Draft $error): bool
    {
        return $error->members !== [] && self::same($value, new JsonObject(['error' => $error->toObject()]));
    }

    /**
     * Whether a JSON value is the metadata that `_meta` says too.
     */
    public static function isMetadata(mixed $value, JsonObject $meta): bool
    {
        if (!$value instanceof JsonObject || $value->keys() !== ['_meta']) {
            return false;
        }
        $said = $value->get('_meta');
        return $said instanceof JsonObject && self::repeats($said, $meta, new JsonObject());
    }

    /**
     * Whether an envelope says what the reader takes from it, or what stands elsewhere.
     *
     * @param JsonObject $known what the reader has, by the names in the envelope and in its `_meta`
     */
    public static function isEnvelope(JsonObject $envelope, JsonObject $known, JsonObject $meta): bool
    {
        $beside = $envelope->members;
        $inner = $envelope->get('_meta');
        if ($inner instanceof JsonObject) {
            unset($beside['_meta']);
            if (!self::repeats($inner, $meta, $known)) {
                return false;
            }
        }
        return self::repeats(new JsonObject($beside), $meta, $known);
    }

    /**
     * Whether a block that stands in for a part says what we write for it.
     */
    public static function isPart(mixed $block, Part $part): bool
    {
        $type = $block instanceof JsonObject ? $block->get('type') : null;
        if ($part instanceof LinkPart && $type === 'text') {
            $text = Conversions::linkText($part->uri, $part->name, $part->mimeType, $part->size, $part->description);
            return $block->get('text') === $text;
        }
        $isBytes = $part instanceof ImagePart || $part instanceof AudioPart || $part instanceof BinaryPart;
        if ($isBytes && $type === 'resource') {
            $uri = self::objectAt($block, 'resource')->get('uri');
            return \is_string($uri) && str_starts_with($uri, self::ADDRESS);
        }
        return true;
    }

    /**
     * Whether a block that stands in for a stored result says what we write for it.
     */
    public static function isStored(mixed $block, StoredResult $stored): bool
    {
        if (!$block instanceof JsonObject || $block->get('type') !== 'text') {
            return true;
        }
        $text = Conversions::linkText($stored->uri, $stored->name, $stored->mimeType, $stored->size, null);
        return $block->get('text') === $text;
    }

    /**
     * Whether each member stands in `_meta` too, or is known under its name.
     */
    private static function repeats(JsonObject $members, JsonObject $meta, JsonObject $known): bool
    {
        $own = [];
        foreach ($meta as $key => $value) {
            if (str_starts_with($key, Drafts::OWN_PREFIX)) {
                $own[substr($key, \strlen(Drafts::OWN_PREFIX))] = $value;
            }
        }
        $own = new JsonObject($own);
        $foreign = self::objectAt($own, 'foreign');
        $places = [
            $known,
            $own,
            self::objectAt($own, 'pagination'),
            $meta,
            self::objectAt($foreign, 'legacy_meta'),
            self::objectAt($foreign, 'legacy'),
        ];
        foreach ($members as $key => $value) {
            if (!self::standsIn($places, $key, $value)) {
                return false;
            }
        }
        return true;
    }

    /**
     * @param list<JsonObject> $places
     */
    private static function standsIn(array $places, string $key, mixed $value): bool
    {
        foreach ($places as $place) {
            if ($place->has($key) && self::same($place->get($key), $value)) {
                return true;
            }
        }
        return false;
    }

    private static function objectAt(JsonObject $members, string $key): JsonObject
    {
        $value = $members->get($key);
        return $value instanceof JsonObject ? $value : new JsonObject();
    }
}
