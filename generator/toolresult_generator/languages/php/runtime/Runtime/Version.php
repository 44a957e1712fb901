<?php

declare(strict_types=1);

namespace Toolresult\Core\Runtime;

use Toolresult\Core\BigInteger;
use Toolresult\Core\ResultError;

/**
 * The version that a serialized result says it is of.
 */
final class Version
{
    private const POINTER = '/format_version';

    /** What a version, without its sign, must be below to be shown. */
    private const SHOWN = 1_000_000_000;

    /**
     * The version, if it is one of those that are known.
     *
     * @param list<int> $known
     * @throws ResultError
     */
    public static function of(mixed $value, array $known): int
    {
        $members = Types::membersOf($value);
        if ($members === null) {
            $hint = \is_string($value) ? '; read the legacy envelope with its own reader' : '';
            throw Types::wrong('a serialized result', $value, $hint);
        }
        // Version 0 is a string, so no object can be of it.
        $known = array_values(array_filter($known));
        $listed = implode(', ', $known);
        if (!\array_key_exists('format_version', $members)) {
            $detail = "'format_version' is required; known are {$listed}";
            throw new ResultError(ResultError::MISSING_FIELD, self::POINTER, $detail);
        }
        $version = $members['format_version'];
        if (\is_float($version)) {
            $version = Fields::at('format_version', $version, Numbers::exactly(...));
        }
        if (!\is_int($version) && !$version instanceof BigInteger) {
            throw Types::wrong('an integer', $version)->below(self::POINTER);
        }
        if (!\in_array($version, $known, true)) {
            $isShort = \is_int($version) && $version > -self::SHOWN && $version < self::SHOWN;
            $shown = $isShort ? $version : 'that';
            $detail = "format version {$shown} is not known; known are {$listed}";
            throw new ResultError(ResultError::UNKNOWN_VERSION, self::POINTER, $detail);
        }
        return $version;
    }

    /**
     * Whether a version has all that a result holds.
     *
     * @throws ResultError unknown_version
     */
    public static function hasAll(int $version, int $needed): void
    {
        if ($needed > $version) {
            throw new ResultError(
                ResultError::UNKNOWN_VERSION,
                self::POINTER,
                "version {$version} does not have all that is here; that came with version {$needed}",
            );
        }
    }
}
