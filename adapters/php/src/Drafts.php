<?php

declare(strict_types=1);

namespace Toolresult;

use Toolresult\Core\Constants;
use Toolresult\Core\ErrorCode;
use Toolresult\Core\JsonObject;
use Toolresult\Core\ResultError;
use Toolresult\Core\Runtime\Checks;
use Toolresult\Core\Runtime\Draft;

/**
 * What the reader hooks share: metadata by origin, unknown error codes.
 */
final class Drafts
{
    /** Stands in for the message of a failure that has none: one always has a readable text. */
    public const NO_MESSAGE = 'The tool reported a failure without a message.';

    /** Keys that are the mapping's own: control values, never foreign. */
    public const OWN_PREFIX = Constants::NAMESPACE . '/';

    /**
     * Whether a key may name an extension or a presentation value.
     */
    public static function isExtensionKey(string $key): bool
    {
        try {
            Checks::extensionKey($key, Constants::NAMESPACE);
        } catch (ResultError) {
            return false;
        }
        return true;
    }

    /**
     * Whether this is the error of a JSON-RPC or REST response, which is no result of a tool.
     */
    public static function isRpcError(JsonObject $value): bool
    {
        $error = $value->get('error', $value);
        return $error instanceof JsonObject && $error->has('message') && \is_int($error->get('code'));
    }

    /**
     * Puts what is left of a metadata map where it belongs: named by our own markers, which are in
     * the whole of it, or foreign.
     */
    public static function placeMetadata(Draft $draft, JsonObject $left, string $origin, JsonObject $whole): void
    {
        $draft->at(['metadata']);
        $named = array_replace(
            array_fill_keys(self::namesAt($whole, 'extensions'), 'extensions'),
            array_fill_keys(self::namesAt($whole, 'presentation'), 'presentation'),
        );
        foreach ($left as $key => $value) {
            if (str_starts_with($key, self::OWN_PREFIX)) {
                continue;
            }
            if (isset($named[$key]) && self::isExtensionKey($key)) {
                $draft->at(['metadata', $named[$key]])->members[$key] = $value;
            } else {
                self::addForeign($draft, $origin, $key, $value);
            }
        }
    }

    /**
     * Notes a foreign value of the result; the first one of a key stays.
     */
    public static function addForeign(Draft $draft, string $origin, string $key, mixed $value): void
    {
        $draft->at(['metadata', 'foreign', $origin])->setDefault($key, $value);
    }

    /**
     * The error of a failure as others report it.
     *
     * A code that the spec lacks becomes the default one, and stays readable in the details (growth
     * rule of the result object: readers of wires are tolerant).
     */
    public static function error(mixed $code, mixed $message, ?JsonObject $details): Draft
    {
        $error = new Draft([
            'code' => Constants::DEFAULT_ERROR_CODE,
            'message' => \is_string($message) && $message !== '' ? $message : self::NO_MESSAGE,
        ]);
        if (\is_string($code) && ErrorCode::tryFrom($code) !== null) {
            $error->members['code'] = $code;
        } elseif (\is_string($code)) {
            $members = $details?->members ?? [];
            $members[\array_key_exists('code', $members) ? 'wire_code' : 'code'] = $code;
            $details = new JsonObject($members);
        }
        if ($details !== null) {
            $error->members['details'] = $details;
        }
        return $error;
    }

    /**
     * The list of names under one of our own keys; empty if there is none.
     *
     * @return list<string>
     */
    private static function namesAt(JsonObject $members, string $key): array
    {
        $value = $members->get(self::OWN_PREFIX . $key);
        return \is_array($value) ? array_values(array_filter($value, \is_string(...))) : [];
    }
}
