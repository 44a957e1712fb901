<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\Constants;
use Toolresult\Core\JsonObject;
use Toolresult\Core\Result;
use Toolresult\Core\ResultError;

/**
 * How values are read that stand inside of others, and results at the end.
 */
final class Reading
{
    /**
     * Reads a record without foreign members; some are refused.
     *
     * @param \Closure(Members): Draft $read
     * @return \Closure(mixed, string): Draft
     */
    public static function whole(\Closure $read): \Closure
    {
        return static function (mixed $value, string $pointer = '') use ($read): Draft {
            $members = new Members($value, $pointer);
            $draft = $read($members);
            $members->refuseRest();
            return $draft;
        };
    }

    /**
     * Reads a record that keeps its foreign members.
     *
     * @param \Closure(Members): Draft $read
     * @return \Closure(mixed, string): Draft
     */
    public static function open(\Closure $read): \Closure
    {
        return static fn (mixed $value, string $pointer = ''): Draft => $read(new Members($value, $pointer));
    }

    /**
     * Reads a part that is a bare string on the wire.
     *
     * @return \Closure(mixed, string): Draft
     */
    public static function text(string $kind, string $field): \Closure
    {
        return static function (mixed $value, string $pointer = '') use ($kind, $field): Draft {
            if (!\is_string($value)) {
                throw new ResultError(ResultError::WRONG_TYPE, $pointer, 'expected a string');
            }
            return new Draft(['kind' => $kind, $field => $value]);
        };
    }

    /**
     * Notes what a block has beside the fields, under its origin.
     */
    public static function keepForeign(Draft $draft, string $origin, JsonObject $members): void
    {
        if (\count($members) === 0) {
            return;
        }
        $into = $draft->at(['foreign', $origin]);
        foreach ($members as $key => $value) {
            $into->setDefault($key, $value);
        }
    }

    /**
     * The result of a draft; what the block has beyond it is foreign; with no origin, refused.
     *
     * @throws ResultError
     */
    public static function finish(Draft $draft, Members $block, ?string $origin): Result
    {
        if ($origin === null) {
            $block->refuseRest();
        } elseif (\count($block->rest()) > 0) {
            self::keepForeign($draft->at(['metadata']), $origin, $block->rest());
        }
        return self::result($draft);
    }

    /**
     * The result of a draft.
     *
     * @throws ResultError
     */
    public static function result(Draft $draft): Result
    {
        $version = max(Constants::FORMAT_VERSIONS);
        return Result::fromValue(new Draft(array_replace(['format_version' => $version], $draft->members)));
    }
}
