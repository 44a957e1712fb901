<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Constants;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Canonical;
use Toolresult\Core\Runtime\Types;

/**
 * How a tool's output schema is advertised, and whether its data is wrapped.
 *
 * A handshake revision of MCP demands `type: object` at the root of an output schema. A schema of any
 * other root is advertised as that of `{"result": …}`, and then the data is sent like that. Nothing
 * here raises: one tool's odd schema must not spoil the list of all tools.
 */
final class OutputSchema
{
    /** The key that says of a schema, as of a result, that it is wrapped. */
    public const MARKER = Constants::NAMESPACE . '/wrapped';

    private const HANDSHAKE = 'mcp-handshake';
    private const STATELESS = 'mcp-stateless';

    /** The first handshake revision with structured content and output schemas. */
    private const FIRST = '2025-06-18';

    private const AT_RESULT = '#/properties/result';
    private const HOISTED = ['$defs', 'definitions'];
    private const REFERENCES = ['$ref', '$dynamicRef'];

    /** Keywords whose keys are names, so that one called `$ref` is no reference. */
    private const MAPS = [
        'properties',
        'patternProperties',
        'dependentSchemas',
        'dependencies',
        ...self::HOISTED,
    ];

    /** Keywords that hold values and no schemas. */
    private const DATA = ['const', 'enum', 'default', 'examples', 'example', 'required'];

    /**
     * Whether results of this revision have structured content, which a schema describes.
     */
    public static function hasStructuredContent(string $target, string $revision): bool
    {
        return $target === self::STATELESS || self::wraps($target, $revision);
    }

    /**
     * Whether a schema is advertised wrapped, and the tool's data with it.
     */
    public static function isWrapped(mixed $schema, string $target, string $revision): bool
    {
        $usable = self::wraps($target, $revision) ? self::usable($schema) : null;
        return $usable !== null && $usable->get('type') !== 'object';
    }

    /**
     * The output schema that a list of tools shows; null where it shows none.
     *
     * None before 2025-06-18, for a target without output schemas, and for what is no JSON Schema (no
     * object and no boolean, not JSON, nested deeper than 100). An array is a list if its keys are 0,
     * 1, 2: where a schema has an empty object, give a JsonObject. Never raises.
     */
    public static function advertised(mixed $schema, string $target, string $revision): ?JsonObject
    {
        $usable = self::hasStructuredContent($target, $revision) ? self::usable($schema) : null;
        if ($usable === null || !self::wraps($target, $revision)) {
            return $usable;
        }
        return $usable->get('type') === 'object' ? self::plainObject($usable) : self::wrapped($usable);
    }

    /**
     * Whether this revision takes nothing but objects as structured content.
     */
    private static function wraps(string $target, string $revision): bool
    {
        return $target === self::HANDSHAKE && strcmp($revision, self::FIRST) >= 0;
    }

    /**
     * A copy of a schema as an object; null for what is no JSON Schema.
     */
    private static function usable(mixed $schema): ?JsonObject
    {
        if (\is_bool($schema)) {
            return self::asObject($schema);
        }
        if (!$schema instanceof JsonObject && !Types::isPlainObject($schema) && !\is_array($schema)) {
            return null;
        }
        try {
            Canonical::text($schema); // refuses what is not JSON, cycles and deep nesting
        } catch (ResultError) {
            return null;
        }
        $copy = self::copy($schema);
        return $copy instanceof JsonObject && \is_string($copy->get('$schema', '')) ? $copy : null;
    }

    /**
     * A schema of objects as the revisions take it; null where it cannot be one.
     *
     * Their definition of a tool has no boolean among the properties, so those are spelled out.
     */
    private static function plainObject(JsonObject $schema): ?JsonObject
    {
        $required = $schema->get('required', []);
        if (!\is_array($required) || array_filter($required, \is_string(...)) !== $required) {
            return null;
        }
        if (!$schema->has('properties')) {
            return $schema;
        }
        $properties = $schema->get('properties');
        if (!$properties instanceof JsonObject) {
            return null;
        }
        $spelled = array_map(self::asObject(...), $properties->members);
        foreach ($spelled as $one) {
            if (!$one instanceof JsonObject) {
                return null;
            }
        }
        return new JsonObject(array_replace($schema->members, ['properties' => new JsonObject($spelled)]));
    }

    /**
     * The schema of `{"result": …}`, its references still valid.
     */
    private static function wrapped(JsonObject $schema): JsonObject
    {
        [$head, $hoisted, $inner] = [[], [], $schema->members];
        // A schema with an address of its own is a resource: its references are resolved against its
        // own root wherever it stands, so that nothing in it may change.
        if (!self::isResource($schema)) {
            $inner = self::rerooted($schema)->members;
            if (\array_key_exists('$schema', $inner)) {
                $head['$schema'] = $inner['$schema']; // allowed at the root of a resource only
                unset($inner['$schema']);
            }
            foreach (self::HOISTED as $key) {
                if (($inner[$key] ?? null) instanceof JsonObject) {
                    $hoisted[$key] = $inner[$key];
                    unset($inner[$key]);
                }
            }
        }
        return new JsonObject([
            ...$head,
            'type' => 'object',
            'properties' => new JsonObject(['result' => new JsonObject($inner)]),
            'required' => ['result'],
            ...$hoisted,
            self::MARKER => true,
        ]);
    }

    private static function isResource(JsonObject $schema): bool
    {
        $address = $schema->get('$id');
        return \is_string($address) && $address !== '' && $address[0] !== '#';
    }

    /**
     * A copy whose references hold once the schema stands below the new root.
     *
     * Goes no deeper than the canonical writer, which has seen the schema already.
     */
    private static function rerooted(JsonObject $schema): JsonObject
    {
        $moved = [];
        foreach ($schema as $key => $value) {
            if (\in_array($key, self::REFERENCES, true) && \is_string($value)) {
                $moved[$key] = self::reference($value);
            } elseif ($key === '$recursiveRef' && $value === '#' && !$schema->has('$ref')) {
                // 2019-09 lets it name the root alone, which is now another one
                $moved['$ref'] = self::AT_RESULT;
            } elseif (\in_array($key, self::DATA, true)) {
                $moved[$key] = $value;
            } elseif (\in_array($key, self::MAPS, true) && $value instanceof JsonObject) {
                $moved[$key] = new JsonObject(array_map(self::below(...), $value->members));
            } else {
                $moved[$key] = self::below($value);
            }
        }
        return new JsonObject($moved);
    }

    private static function below(mixed $value): mixed
    {
        if (\is_array($value)) {
            return array_map(self::below(...), $value);
        }
        return $value instanceof JsonObject && !self::isResource($value) ? self::rerooted($value) : $value;
    }

    /**
     * A reference seen from the new root. Anchors and other documents stay as they are.
     */
    private static function reference(string $reference): string
    {
        if ($reference === '#') {
            return self::AT_RESULT;
        }
        if (!str_starts_with($reference, '#/')) {
            return $reference;
        }
        $steps = explode('/', rawurldecode(substr($reference, 2)), 2);
        if (\in_array($steps[0], self::HOISTED, true) && ($steps[1] ?? '') !== '') {
            return $reference;
        }
        return self::AT_RESULT . substr($reference, 1);
    }

    /**
     * A boolean schema in the words of an object; any other as it is.
     */
    private static function asObject(mixed $schema): mixed
    {
        if (\is_bool($schema)) {
            return new JsonObject($schema ? [] : ['not' => new JsonObject()]);
        }
        return $schema;
    }

    /**
     * The same value with every object as a JsonObject, keys in the order they have.
     */
    private static function copy(mixed $value): mixed
    {
        if (\is_array($value) && array_is_list($value)) {
            return array_map(self::copy(...), $value);
        }
        if ($value instanceof JsonObject || Types::isPlainObject($value) || \is_array($value)) {
            $members = $value instanceof JsonObject ? $value->members : (array) $value;
            return new JsonObject(array_map(self::copy(...), $members));
        }
        return $value;
    }
}
